//! What a run may do to the disk, and what is said of it before and after.

use super::world::{Disk, PRICING, Setting, World};
use rex_shared::wire::agent::Sandbox;
use rex_shared::wire::message::{Message, Mode};
use rex_shared::wire::problem::ProblemType;
use std::io::Write as _;

/// An agent that tries to change the workspace in every way a shell has, and goes on when it cannot.
const ATTACKS: &str = r#"
( echo x > redirected.md; echo x >> pricing.md; echo x | tee pricing.md teed.md; cp "$0" copied.md
  python3 -c "open('by-python.md', 'w').write('x')"; sed -i s/12/13/ pricing.md; mv pricing.md moved.md
  chmod 777 moved.md pricing.md; touch -d 2001-01-01 moved.md pricing.md; rm -rf .git
  ln -s /etc/passwd link.md; ln moved.md hard.md; setsid -w sh -c 'echo x > by-a-child.md'
  nohup setsid sh -c 'echo x > later.md' & wait ) > /dev/null 2>&1
echo 'text Tried.'; remember; echo done
"#;

async fn attacked(sandbox: &'static str, accepted: bool) -> (World, Disk) {
    let disk = Disk::new();
    let setting = Setting {
        accepted,
        sandbox: Some(sandbox),
        ..Setting::default()
    };
    let world = World::start_with(&disk, setting).await;
    world.agent.plays(ATTACKS);
    (world, disk)
}

fn files(disk: &Disk) -> Vec<String> {
    let entries = std::fs::read_dir(disk.review()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// The sandbox that was asked for, if this machine has it; where it has not, that is said.
async fn holds(world: &World, sandbox: &str) -> Option<Sandbox> {
    let found = world.runs.sandbox(&world.workspace).await;
    if found == Sandbox::None {
        let said = format!("NOT TESTED on this machine: {sandbox} is not here\n");
        std::io::stderr().write_all(said.as_bytes()).unwrap();
        return None;
    }
    Some(found)
}

fn receipt(message: &Message) -> (bool, &[String]) {
    let receipt = message.receipt.as_ref().unwrap();
    (receipt.enforced, &receipt.changed)
}

/// S91: in ask nothing changes, whatever the agent tries, and the receipt of the run says so. Nobody has to agree to it
/// before.
#[tokio::test]
async fn an_agent_that_tries_to_write_changes_nothing_and_the_receipt_says_so() {
    for sandbox in ["bubblewrap", "landlock"] {
        let (world, disk) = attacked(sandbox, false).await;
        let Some(found) = holds(&world, sandbox).await else {
            continue;
        };
        assert_eq!(found.word(), sandbox);
        let reply = world.ask("Change it!", ATTACKS).await;
        assert_eq!(files(&disk), ["pricing.md"], "{sandbox}");
        let text = std::fs::read_to_string(disk.review().join("pricing.md")).unwrap();
        assert_eq!(text, PRICING);
        match found {
            Sandbox::Bubblewrap => assert_eq!(receipt(&reply), (true, &[][..])),
            // The mode and the times of a file are not kept by it, and it does not say that they are.
            _ => assert_eq!(receipt(&reply), (false, &["pricing.md".to_owned()][..])),
        }
    }
}

/// G-S27: where nothing keeps a run from writing, it is said before the run, and the alarm is there after it.
#[tokio::test]
async fn without_a_sandbox_it_is_said_before_the_run_and_the_alarm_shows_after() {
    let (world, disk) = attacked("off", false).await;
    let refused = world.send(world.a_prompt("Change it!")).await.unwrap_err();
    assert_eq!(refused.kind, ProblemType::SandboxUnenforced);
    assert_eq!(files(&disk), ["pricing.md"], "nothing was started");

    let mut agreed = world.a_prompt("Change it!");
    agreed.accept_unenforced = true;
    let mut tab = world.follow().await;
    world.send(agreed).await.unwrap();
    tab.until_idle().await;
    let messages = world.messages().await;
    let (enforced, changed) = receipt(messages.last().unwrap());
    assert!(!enforced);
    assert_eq!(changed, files(&disk));
    assert!(changed.len() > 7, "{changed:?}");
}

/// An edit of the person's while a run goes on is not laid to a run that could not have made it.
#[tokio::test]
async fn what_somebody_else_changes_meanwhile_is_not_laid_to_an_enforced_run() {
    let (world, disk) = attacked("bubblewrap", false).await;
    if holds(&world, "bubblewrap").await.is_none() {
        return;
    }
    let waits =
        "echo 'text Reading.'; while [ ! -e mine.md ]; do sleep 0.02; done; remember; echo done";
    world.agent.plays(waits);
    let mut tab = world.follow().await;
    world.send(world.a_prompt("Why?")).await.unwrap();
    tab.until_text("Reading.").await;
    std::fs::write(disk.review().join("mine.md"), "mine").unwrap();
    tab.until_idle().await;
    let messages = world.messages().await;
    let said = receipt(messages.last().unwrap());
    assert_eq!(said, (true, &["mine.md".to_owned()][..]));
}

/// In act a run writes into its private copy and nowhere else, and nobody has to agree to it before.
#[tokio::test]
async fn an_act_run_writes_into_its_copy_and_nowhere_else() {
    for sandbox in ["bubblewrap", "landlock"] {
        let (world, disk) = attacked(sandbox, false).await;
        if holds(&world, sandbox).await.is_none() {
            continue;
        }
        let outside = disk.review().with_file_name("outside.md");
        let script = format!(
            "sed -i 's/10 %/12 %/' pricing.md; ( echo x > {} ) 2> /dev/null; echo \"text $PWD\"; echo done",
            outside.display()
        );
        world.agent.plays(&script);
        let mut act = world.a_prompt("Change it!");
        act.mode = Mode::Act;
        let mut tab = world.follow().await;
        world.send(act).await.unwrap();
        tab.until_idle().await;
        assert!(!outside.exists(), "{sandbox}");
        let text = std::fs::read_to_string(disk.review().join("pricing.md")).unwrap();
        assert_eq!(text, PRICING, "{sandbox}");
        let messages = world.messages().await;
        assert_eq!(
            receipt(messages.last().unwrap()),
            (true, &[][..]),
            "{sandbox}"
        );
        let said = rex_shared::prompt::words(messages.last().unwrap());
        assert_eq!(said, Some(disk.review().display().to_string()), "{sandbox}");
        let proposals = world.store.proposals(&world.thread).await.unwrap();
        assert_eq!(proposals.len(), 1, "{sandbox}");
        assert_eq!(proposals[0].files[0].document(), "pricing.md");
    }
}
