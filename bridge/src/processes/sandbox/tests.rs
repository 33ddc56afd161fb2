//! Every way of writing that an agent's shell has, tried in each sandbox of this machine; and without one, for an attack
//! that would not work anyway proves nothing.

use super::super::launch::{Exit, Talk};
use super::super::runner::{Heard, Runner};
use super::*;
use crate::fresh;
use rex_shared::ids::RunId;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::timeout;

const LIMIT: Duration = Duration::from_secs(10);
/// `$HOME` is the person's, `$REX` REX's own; each starts in a workspace with `a.md` and `.git/HEAD`.
const WRITING: [&str; 24] = [
    "echo x > a.md",
    "echo x >> a.md",
    ": > a.md",
    "echo x | tee a.md",
    "exec 3<>a.md; echo x >&3",
    "dd if=/dev/zero of=a.md count=1",
    "truncate -s 0 a.md",
    "sed -i s/text/other/ a.md",
    "python3 -c 'open(\"a.md\", \"w\").write(\"x\")'",
    "python3 -c 'import os; os.truncate(\"a.md\", 0)'",
    "echo x > $TMPDIR/own; cp $TMPDIR/own a.md",
    "echo x > $TMPDIR/own; mv -f $TMPDIR/own a.md",
    "mv a.md b.md",
    "rm -f a.md",
    "mkdir made",
    "mkfifo made",
    "ln -s /etc/passwd made",
    "ln -s $PWD/a.md $TMPDIR/link; echo x > $TMPDIR/link",
    "ln a.md made && echo x >> made",
    "echo x > .git/HEAD",
    "echo x > /proc/self/cwd/a.md",
    "echo x > /proc/self/root$PWD/a.md",
    "setsid -w sh -c 'echo x > made'",
    "echo x > $HOME/.profile",
];
/// What Landlock lets through.
const MARKING: [&str; 3] = [
    "chmod 777 a.md",
    "touch -d 2001-01-01 a.md",
    "python3 -c 'import os; os.utime(\"a.md\", (1, 1))'",
];

struct Disk {
    _folder: TempDir,
    root: PathBuf,
}

impl Disk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for made in ["workspace/.git", "person", "rex", "records", "scratch"] {
            fs::create_dir_all(root.join(made)).unwrap();
        }
        for file in ["workspace/a.md", "workspace/.git/HEAD", "person/.profile"] {
            fs::write(root.join(file), "text\n").unwrap();
        }
        fs::write(root.join("rex/rex.db"), "secret\n").unwrap();
        Self {
            _folder: folder,
            root,
        }
    }

    fn runner(&self, choice: &str) -> Runner {
        let environment = Environment::of([
            ("PATH", "/usr/local/bin:/usr/bin:/bin"),
            ("HOME", self.root.join("person").to_str().unwrap()),
            (CHOICE_VARIABLE, choice),
        ]);
        let sandboxes = Sandboxes::of(&environment, &self.root.join("rex"));
        Runner::new(environment).within(sandboxes)
    }

    fn launch(&self, script: &str) -> Launch {
        let rex = self.root.join("rex");
        Launch {
            program: PathBuf::from("/bin/sh"),
            arguments: ["-c", script].map(str::to_owned).into(),
            environment: BTreeMap::from([("REX".to_owned(), rex.into())]),
            folder: self.root.join("workspace"),
            scratch: self.root.join("scratch"),
            talk: Talk::Pipes,
            files: BTreeMap::new(),
            records: RecordFolders::of([self.root.join("records")]),
            copy: None,
        }
    }

    /// The sandbox that is there, and what a script printed in it.
    async fn run(&self, choice: &str, script: &str) -> (Sandbox, Vec<String>, Exit) {
        let runner = self.runner(choice);
        let launch = self.launch(script);
        let sandbox = runner.sandbox(&launch.folder).await;
        let run: RunId = fresh::id();
        let mut process = runner.start(&launch, &run).unwrap();
        process.close_stdin();
        let mut said = Vec::new();
        loop {
            match timeout(LIMIT, process.next()).await.unwrap().unwrap() {
                Heard::Line(line) => said.push(line),
                Heard::Exited(exit) => return (sandbox, said, exit),
                other => panic!("a line or the end, not {other:?}"),
            }
        }
    }

    /// What is where, with everything the file system says of it but when it was read.
    fn state(&self) -> Vec<String> {
        let mut open = vec![self.root.join("workspace"), self.root.join("person")];
        let mut state = Vec::new();
        while let Some(path) = open.pop() {
            let data = path.symlink_metadata().unwrap();
            if data.is_dir() {
                open.extend(
                    fs::read_dir(&path)
                        .unwrap()
                        .map(|entry| entry.unwrap().path()),
                );
            }
            let text = if data.is_file() {
                fs::read(&path).unwrap()
            } else {
                Vec::new()
            };
            state.push(format!(
                "{} {:o} {} {}.{} {}.{} {text:?}",
                path.display(),
                data.mode(),
                data.ino(),
                data.mtime(),
                data.mtime_nsec(),
                data.ctime(),
                data.ctime_nsec(),
            ));
        }
        state.sort();
        state
    }
}

/// A sandbox of this machine. A machine without it is told so, past the capture of what tests print.
async fn is_here(choice: &str, wanted: Sandbox) -> bool {
    let disk = Disk::new();
    let (held, ..) = disk.run(choice, "true").await;
    if held != wanted {
        let said = format!("NOT TESTED on this machine: {choice} is not here, or does not hold\n");
        std::io::stderr().write_all(said.as_bytes()).unwrap();
    }
    held == wanted
}

async fn nothing_is_changed_by(attacks: &[&str], choice: &str, wanted: Sandbox) {
    if !is_here(choice, wanted).await {
        return;
    }
    for attack in attacks {
        let disk = Disk::new();
        let before = disk.state();
        let (sandbox, ..) = disk.run(choice, attack).await;
        assert_eq!(sandbox, wanted);
        assert_eq!(disk.state(), before, "{attack}");
    }
}

#[tokio::test]
async fn without_a_sandbox_every_attack_changes_something() {
    for attack in WRITING.iter().chain(&MARKING) {
        let disk = Disk::new();
        let before = disk.state();
        let (sandbox, ..) = disk.run("off", attack).await;
        assert_eq!(sandbox, Sandbox::None);
        assert_ne!(disk.state(), before, "{attack}");
    }
}

/// G-S26: in bubblewrap nothing changes, neither a file's words nor its inode, mode and times.
#[tokio::test]
async fn in_bubblewrap_no_attack_changes_anything() {
    let attacks = [&WRITING[..], &MARKING].concat();
    nothing_is_changed_by(&attacks, "bubblewrap", Sandbox::Bubblewrap).await;
}

#[tokio::test]
async fn in_landlock_no_attack_changes_what_is_written() {
    nothing_is_changed_by(&WRITING, "landlock", Sandbox::Landlock).await;
}

/// G-S26 G-S28: neither the disk, nor REX's home, nor its process, nor a setting of the kernel.
#[tokio::test]
async fn in_bubblewrap_no_way_out_is_left() {
    if !is_here("bubblewrap", Sandbox::Bubblewrap).await {
        return;
    }
    let disk = Disk::new();
    let before = disk.state();
    for attack in [
        "mount -o remount,rw,bind / && echo x > a.md",
        "unshare -Urm sh -c 'mount -o remount,rw,bind / && echo x > a.md'",
        "umount $PWD; echo x > a.md",
        "umount -l $REX; cat $REX/rex.db",
        "cat $REX/rex.db",
        "ls /run",
        "ls /proc | grep -c '^[0-9]' | grep -v '^[1-9]$'",
        "[ -w /proc/sys/kernel/core_pattern ] && echo writable",
    ] {
        let (_, said, _) = disk.run("bubblewrap", attack).await;
        assert_eq!(said, [""; 0], "{attack}");
    }
    assert_eq!(disk.state(), before);
    assert!(disk.root.join("rex/rex.db").exists());
}

#[tokio::test]
async fn its_temp_folder_and_its_records_can_be_written_and_are_really_there() {
    for (choice, wanted) in [
        ("bubblewrap", Sandbox::Bubblewrap),
        ("landlock", Sandbox::Landlock),
    ] {
        if !is_here(choice, wanted).await {
            continue;
        }
        let disk = Disk::new();
        let script = "echo a > $TMPDIR/a && echo b > $HOME/../records/b && cat a.md; exit 7";
        let (_, said, exit) = disk.run(choice, script).await;
        assert_eq!(
            (said.as_slice(), exit.code),
            (&["text".to_owned()][..], Some(7))
        );
        assert!(disk.root.join("scratch/a").exists(), "{choice}");
        assert!(disk.root.join("records/b").exists(), "{choice}");
    }
}

#[tokio::test]
async fn a_program_that_is_asked_to_go_says_its_last_words_and_nothing_outlives_it() {
    if !is_here("bubblewrap", Sandbox::Bubblewrap).await {
        return;
    }
    let disk = Disk::new();
    let runner = disk.runner("bubblewrap");
    let script = "trap 'echo last; exit 3' TERM; setsid sh -c 'echo ready; sleep 600' & \
         while true; do sleep 600 & wait $!; done";
    let launch = disk.launch(script);
    runner.sandbox(&launch.folder).await;
    let mut process = runner.start(&launch, &fresh::id::<RunId>()).unwrap();
    let pid = process.identity().pid;
    assert_eq!(process.next().await, Some(Heard::Line("ready".to_owned())));
    process.stop();
    let words = timeout(LIMIT, process.next()).await.unwrap();
    assert_eq!(words, Some(Heard::Line("last".to_owned())));
    let Some(Heard::Exited(exit)) = timeout(LIMIT, process.next()).await.unwrap() else {
        panic!("the end");
    };
    assert_eq!((exit.code, exit.signal), (Some(3), None));
    assert!(!Path::new(&format!("/proc/{pid}")).exists());
}

#[tokio::test]
async fn a_killed_program_tells_its_signal_and_a_missing_one_that_it_is_missing() {
    if !is_here("bubblewrap", Sandbox::Bubblewrap).await {
        return;
    }
    let disk = Disk::new();
    let (_, _, exit) = disk.run("bubblewrap", "kill -9 $$").await;
    assert_eq!((exit.code, exit.signal), (None, Some(9)));
    let runner = disk.runner("bubblewrap");
    let mut missing = disk.launch("true");
    runner.sandbox(&missing.folder).await;
    missing.program = PathBuf::from("/nowhere/agent");
    let error = runner.start(&missing, &fresh::id::<RunId>()).unwrap_err();
    assert!(matches!(error, StartError::NotFound(_)), "{error}");
}

/// G-S27: where nothing holds it is said, not assumed.
#[tokio::test]
async fn a_sandbox_that_does_not_hold_is_not_taken() {
    let disk = Disk::new();
    let bin = disk.root.join("bin");
    fs::create_dir(&bin).unwrap();
    // It starts the program as bubblewrap does, and keeps it from nothing.
    let pretends = "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"\n";
    fs::write(bin.join("bwrap"), pretends).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(bin.join("bwrap"), mode).unwrap();
    let environment = Environment::of([
        ("PATH", format!("{}:/usr/bin:/bin", bin.display())),
        (CHOICE_VARIABLE, "bubblewrap".to_owned()),
    ]);
    let sandboxes = Sandboxes::of(&environment, &disk.root.join("rex"));
    let runner = Runner::new(environment).within(sandboxes);
    let before = disk.root.join("workspace");
    assert_eq!(runner.sandbox(&before).await, Sandbox::None);
    let left: Vec<_> = fs::read_dir(&before).unwrap().collect();
    assert_eq!(left.len(), 2, "what was tried is taken away again");
}
