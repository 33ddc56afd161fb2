//! The runner against small shell scripts that behave as badly as agents can.

use super::*;
use rex_shared::ids::RunId;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};

const LIMIT: Duration = Duration::from_secs(10);

fn run_id(n: u32) -> RunId {
    RunId::parse(&format!(
        "{n:08}-{:04}-7000-8000-{:012}",
        n % 9999,
        std::process::id()
    ))
    .unwrap()
}

fn launch(program: &str, arguments: &[&str]) -> Launch {
    Launch {
        program: PathBuf::from(program),
        arguments: arguments.iter().map(|text| (*text).to_owned()).collect(),
        environment: BTreeMap::new(),
        folder: std::env::temp_dir(),
        scratch: std::env::temp_dir(),
        talk: Talk::Pipes,
        files: BTreeMap::new(),
        records: RecordFolders::default(),
        copy: None,
    }
}

fn runner() -> Runner {
    Runner::new(Environment::of([("PATH", "/usr/local/bin:/usr/bin:/bin")]))
}

fn start(n: u32, script: &str) -> Process {
    runner()
        .start(&launch("/bin/sh", &["-c", script]), &run_id(n))
        .unwrap()
}

async fn next(process: &mut Process) -> Heard {
    timeout(LIMIT, process.next()).await.unwrap().unwrap()
}

async fn line(process: &mut Process) -> String {
    match next(process).await {
        Heard::Line(line) => line,
        other => panic!("a line, not {other:?}"),
    }
}

/// Everything up to the exit.
async fn all(process: &mut Process) -> (Vec<String>, Exit) {
    let mut lines = Vec::new();
    loop {
        match next(process).await {
            Heard::Line(line) => lines.push(line),
            Heard::Exited(exit) => return (lines, exit),
            other => panic!("a line or the end, not {other:?}"),
        }
    }
}

fn alive(pid: &str) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.contains(") Z ") && !stat.contains(") X "))
}

async fn dies(pid: &str) {
    let death = async {
        while alive(pid) {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(LIMIT, death).await.unwrap();
}

#[tokio::test]
async fn a_program_is_heard_to_its_end_with_its_last_words() {
    let mut process = start(
        1,
        "echo one; echo two; echo oops >&2; printf 'no end'; exit 3",
    );
    let (lines, exit) = all(&mut process).await;
    assert_eq!(lines, ["one", "two", "no end"]);
    assert_eq!((exit.code, exit.stderr.as_str()), (Some(3), "oops"));
    assert_eq!(process.next().await, None);
}

#[tokio::test]
async fn a_killed_program_tells_the_signal() {
    let (_, exit) = all(&mut start(2, "kill -9 $$")).await;
    assert_eq!(exit.to_string(), "was killed (signal 9)");
}

/// G-S25: neither keys nor marks of whoever started the bridge.
#[tokio::test]
async fn a_child_gets_only_what_is_on_the_list() {
    let own = Environment::of([
        ("PATH", "/usr/bin:/bin"),
        ("HOME", "/home/rex"),
        ("LC_ALL", "C"),
        ("CLAUDECODE", "1"),
        ("CLAUDE_CODE_ENTRYPOINT", "cli"),
        ("CODEX_SANDBOX", "seatbelt"),
        ("ANTHROPIC_API_KEY", "canary"),
        ("OPENAI_API_KEY", "canary"),
        ("HTTPS_PROXY", "http://canary"),
        ("REX_RUN", "of-the-run-that-started-the-bridge"),
    ]);
    let mut launch = launch("/usr/bin/env", &[]);
    launch.scratch = PathBuf::from("/tmp/scratch-of-the-run");
    launch.environment = BTreeMap::from([("OWN_OF_ADAPTER".to_owned(), "yes".into())]);
    let mut process = Runner::new(own).start(&launch, &run_id(3)).unwrap();
    let (mut lines, _) = all(&mut process).await;
    lines.sort();
    let mark = lines.remove(4);
    assert!(
        mark.starts_with(&format!("REX_RUN={}/", run_id(3))),
        "{mark}"
    );
    assert_eq!(
        lines,
        [
            "HOME=/home/rex".to_owned(),
            "LC_ALL=C".to_owned(),
            "OWN_OF_ADAPTER=yes".to_owned(),
            "PATH=/usr/bin:/bin".to_owned(),
            "TMPDIR=/tmp/scratch-of-the-run".to_owned(),
        ]
    );
}

/// R21: a prompt of a megabyte arrives whole.
#[tokio::test]
async fn what_is_said_arrives_and_a_closed_stdin_ends_the_program() {
    let mut process = start(4, "exec cat");
    process.say("a line".to_owned());
    process.say("x".repeat(1_000_000));
    assert_eq!(line(&mut process).await, "a line");
    assert_eq!(line(&mut process).await.len(), 1_000_000);
    process.close_stdin();
    assert_eq!(all(&mut process).await.1.code, Some(0));
}

/// R21: a program that does not listen harms nobody.
#[tokio::test]
async fn a_program_that_closes_its_stdin_does_no_harm() {
    let mut process = start(5, "exec 0<&-; echo deaf; exit 0");
    process.say("x".repeat(1_000_000));
    assert_eq!(line(&mut process).await, "deaf");
    process.say("more".to_owned());
    assert_eq!(all(&mut process).await.1.code, Some(0));
    process.say("to nobody".to_owned());
    process.stop();
}

#[tokio::test]
async fn a_grandchild_that_holds_the_pipe_does_not_delay_the_end() {
    let mut process = start(6, "sleep 300 & echo $!; exit 0");
    let grandchild = line(&mut process).await;
    let begin = Instant::now();
    let (_, exit) = all(&mut process).await;
    assert_eq!(exit.code, Some(0));
    assert!(begin.elapsed() < LIMIT, "{:?}", begin.elapsed());
    dies(&grandchild).await;
}

#[tokio::test]
async fn a_flood_from_a_grandchild_does_not_delay_the_end_either() {
    let mut process = start(7, "yes & exit 0");
    let flood = async { while matches!(next(&mut process).await, Heard::Line(_)) {} };
    assert!(tokio::time::timeout(LIMIT, flood).await.is_ok());
}

#[tokio::test]
async fn what_a_program_said_last_is_heard_however_late_it_is_asked_for() {
    let mut process = start(
        19,
        "i=0; while [ $i -lt 2000 ]; do echo line-$i; i=$((i+1)); done",
    );
    assert_eq!(line(&mut process).await, "line-0");
    dies(&process.identity().pid.to_string()).await;
    sleep(super::runner::DRAIN).await;
    let (lines, _) = all(&mut process).await;
    assert_eq!(lines.last().map(String::as_str), Some("line-1999"));
}

/// G-S30: whatever it is deaf to, and R17: wherever it went, it is gone within 6 s of a stop.
#[tokio::test]
async fn stop_leaves_nothing_alive_whatever_it_ignores_or_wherever_it_went() {
    // In the group; a daemon of its own session; one that left without the mark: all deaf to TERM.
    let script = r#"
        trap "" TERM
        sh -c 'trap "" TERM; echo $$; sleep 300; sleep 300' &
        setsid sh -c 'trap "" TERM; echo $$; sleep 300; sleep 300' &
        env -i PATH="$PATH" setsid sh -c 'trap "" TERM; echo $$; sleep 300; sleep 300' &
        wait; wait; sleep 300"#;
    let mut process = start(8, script);
    let pids = [
        line(&mut process).await,
        line(&mut process).await,
        line(&mut process).await,
    ];
    let begin = Instant::now();
    process.stop();
    let (_, exit) = all(&mut process).await;
    assert_eq!(exit.signal, Some(9));
    for pid in &pids {
        dies(pid).await;
    }
    assert!(
        begin.elapsed() < Duration::from_secs(6),
        "{:?}",
        begin.elapsed()
    );
}

#[tokio::test]
async fn a_program_that_goes_when_its_stdin_closes_is_not_signalled() {
    let mut process = start(9, "cat; echo done by myself; exit 7");
    process.stop();
    let (lines, exit) = all(&mut process).await;
    assert_eq!(
        (lines.as_slice(), exit.code),
        (&["done by myself".to_owned()][..], Some(7))
    );
}

#[tokio::test]
async fn a_daemon_left_behind_by_a_finished_program_is_ended() {
    let mut process = start(
        10,
        "setsid sh -c 'echo $$; exec sleep 300' & read go; exit 0",
    );
    let daemon = line(&mut process).await;
    process.finish();
    assert_eq!(all(&mut process).await.1.code, Some(0));
    dies(&daemon).await;
}

#[tokio::test]
async fn a_dropped_handle_ends_the_program() {
    let mut process = start(11, "trap '' TERM; echo $$; sleep 300; sleep 300");
    let pid = line(&mut process).await;
    drop(process);
    dies(&pid).await;
}

#[tokio::test]
async fn a_silent_program_is_noticed_and_not_failed() {
    let mut process = runner()
        .quiet_after(Duration::from_millis(50))
        .start(
            &launch("/bin/sh", &["-c", "read go; echo went"]),
            &run_id(12),
        )
        .unwrap();
    for _ in 0..2 {
        assert!(matches!(next(&mut process).await, Heard::Quiet(_)));
    }
    process.say("go".to_owned());
    while !matches!(next(&mut process).await, Heard::Line(_)) {}
    while !matches!(next(&mut process).await, Heard::Exited(_)) {}
}

/// R19: one line without an end is cut and said, and what follows is heard.
#[tokio::test]
async fn a_line_that_is_too_long_is_marked_and_the_next_one_is_heard() {
    let mut process = start(
        13,
        "head -c 9000000 /dev/zero | tr '\\0' x; echo; echo after",
    );
    let Heard::Cut { start, bytes } = next(&mut process).await else {
        panic!("a cut line");
    };
    assert_eq!((start.len(), bytes), (4096, 9_000_000));
    assert_eq!(all(&mut process).await.0, ["after"]);
}

#[tokio::test]
async fn only_the_end_of_a_chatty_stderr_is_kept() {
    let script = "i=0; while [ $i -lt 20000 ]; do echo line-$i >&2; i=$((i+1)); done; exit 1";
    let (_, exit) = all(&mut start(14, script)).await;
    assert!(exit.stderr.len() <= 16 * 1024);
    assert!(exit.stderr.ends_with("line-19999"));
}

#[tokio::test]
async fn a_second_process_of_a_run_is_not_ended_with_the_first() {
    let mut first = start(18, "setsid sh -c 'echo $$; exec sleep 300' & read go");
    let mut second = start(18, "echo ready; read word; echo $word");
    let daemon = line(&mut first).await;
    assert_eq!(line(&mut second).await, "ready");
    first.finish();
    all(&mut first).await;
    dies(&daemon).await;
    second.say("still here".to_owned());
    assert_eq!(all(&mut second).await.0, ["still here"]);
}

#[tokio::test]
async fn what_a_crashed_bridge_left_is_swept_by_number_start_and_mark() {
    let mut process = start(15, "trap '' TERM; echo $$; sleep 300; sleep 300");
    let pid = line(&mut process).await;
    let left = process.identity();
    sweep(left, run_id(99).as_str()).await;
    let another = Identity {
        started: left.started + 1,
        ..left
    };
    sweep(another, run_id(98).as_str()).await;
    assert!(
        alive(&pid),
        "another run's process of that number is left alone"
    );
    sweep(left, run_id(15).as_str()).await;
    dies(&pid).await;
}

/// R22: missing, not executable, just being written, without its folder: each is said with what was tried.
#[tokio::test]
async fn a_program_that_does_not_start_says_which_and_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("plain");
    fs::write(&plain, "#!/bin/sh\n").unwrap();
    let why = |program: &Path| {
        runner()
            .start(&launch(&program.to_string_lossy(), &[]), &run_id(16))
            .map(|process| process.identity())
            .unwrap_err()
    };
    assert!(matches!(
        why(&folder.path().join("none")),
        StartError::NotFound(_)
    ));
    assert!(matches!(why(&plain), StartError::NotExecutable(_)));
    fs::set_permissions(&plain, fs::Permissions::from_mode(0o755)).unwrap();
    let writer = fs::OpenOptions::new().append(true).open(&plain).unwrap();
    assert!(matches!(why(&plain), StartError::BeingWritten(_)));
    drop(writer);

    let mut nowhere = launch("/bin/sh", &[]);
    nowhere.folder = folder.path().join("gone");
    let error = runner()
        .start(&nowhere, &run_id(17))
        .map(|_| ())
        .unwrap_err();
    let sentence = error.to_string();
    assert!(matches!(error, StartError::NoFolder { .. }));
    assert!(
        sentence.contains("gone") && sentence.contains("/bin/sh"),
        "{sentence}"
    );
}

#[tokio::test]
async fn a_program_is_asked_within_a_time_limit() {
    let sh = Path::new("/bin/sh");
    let ask =
        |script: &'static str, limit| async move { runner().ask(sh, &["-c", script], limit).await };
    assert_eq!(ask("echo 1.2.3", LIMIT).await.as_deref(), Some("1.2.3\n"));
    assert_eq!(ask("echo 1.2.3; exit 1", LIMIT).await, None);
    assert_eq!(ask("sleep 300", Duration::from_millis(50)).await, None);
}

#[test]
fn a_program_is_looked_for_in_path_order_and_must_be_executable() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
    for (at, mode) in [(&first, 0o644), (&second, 0o755)] {
        fs::create_dir(at).unwrap();
        fs::write(at.join("agent"), "").unwrap();
        fs::set_permissions(at.join("agent"), fs::Permissions::from_mode(mode)).unwrap();
    }
    let path = std::env::join_paths([Path::new("relative"), &first, &second]).unwrap();
    let environment = Environment::of([("PATH", path)]);
    assert_eq!(
        find_program("agent", &environment),
        Some(second.join("agent"))
    );
    assert_eq!(find_program("absent", &environment), None);
}
