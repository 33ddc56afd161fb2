//! What REX knows of an agent's own log, and that it says so.

use super::world::{Disk, World, words};
use crate::fresh;
use rex_shared::ids::{GatewayId, ThreadId};
use rex_shared::wire::agent::Gateway;
use rex_shared::wire::message::{Memory, Mode};
use std::fs;

const ANSWERS: &str = "echo 'text It is 12 %.'; remember; echo done";
const HAS: &str = "echo '\"has\"'";
const NONE: &str = "echo '\"none\"'";

/// S48 S49 S50 S51 S52 S55: the agent's word and the disk's are two lines, and what they mean together is a third.
#[tokio::test]
async fn each_of_the_four_cases_is_spelled_out() {
    for (agent, file, store, log, reading) in [
        (HAS, true, "has it (said ", "present", "normal"),
        (
            HAS,
            false,
            "has it (said ",
            "missing",
            "wrong config folder",
        ),
        (
            NONE,
            true,
            "no record (said ",
            "present",
            "left over from another config folder",
        ),
        (
            NONE,
            false,
            "no record (said ",
            "missing",
            "the cache was cleaned",
        ),
    ] {
        let disk = Disk::new();
        let world = World::start(&disk).await;
        world.ask("Why?", ANSWERS).await;
        if !file {
            fs::remove_dir_all(disk.records()).unwrap();
        }
        world.agent.plays(agent);
        let report = world.runs.asked_report(&world.thread).await.unwrap();
        let resumes = agent == HAS && file;
        let next = if resumes { "resumed: " } else { "replayed: " };
        for line in [
            format!("\n  sdk store:  {store}"),
            format!("\n  sdk log:    {log}\n"),
            format!("\n  reading:    {reading}"),
            format!("\n  next send:  {next}"),
            format!("\n  config      {}\n", disk.records().display()),
        ] {
            assert!(report.contains(&line), "{line}\n{report}");
        }
        let memory = world.ask("And?", ANSWERS).await.memory;
        let wanted = if resumes {
            Memory::Resumed
        } else {
            Memory::Replayed
        };
        assert_eq!(memory, Some(wanted), "{report}");
    }
}

/// S56: a resume that broke is found in the report: what was said before, what came of it, and the agent's own words.
#[tokio::test]
async fn a_difference_between_forecast_and_outcome_is_in_the_report() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world.ask("Is 10 % right?", ANSWERS).await;
    let before = world.runs.report(&world.thread).await.unwrap();
    assert!(!before.contains("DIFFERENT"), "{before}");
    let script = format!(
        "case \"$how\" in resume*) echo 'lost no such conversation'; exit 1;; esac; {ANSWERS}"
    );
    world.ask("And?", &script).await;
    let report = world.runs.report(&world.thread).await.unwrap();
    for line in [
        "\n  forecast    resumed: Scripted remembers this comment.",
        "\n  outcome     replayed\n",
        "\n  DIFFERENT   from the forecast: no such conversation\n",
        "(number 2)",
    ] {
        assert!(report.contains(line), "{line}\n{report}");
    }
    for words in ["Is 10 % right?", "It is 12 %.", "pricing.md"] {
        assert!(!report.contains(words), "{words}\n{report}");
    }
}

/// Two processes in one session lose the history of one: nobody is asked about a session that is in use.
#[tokio::test]
async fn a_session_is_not_asked_for_while_a_run_is_in_it() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world.ask("Why?", ANSWERS).await;
    world.agent.plays("echo 'text Half'; read -r line");
    let mut tab = world.follow().await;
    world.send(world.a_prompt("And?")).await.unwrap();
    tab.until_text("Half").await;
    let report = world.runs.asked_report(&world.thread).await.unwrap();
    assert!(
        report.contains("asked now and not answered: a process is in the session right now"),
        "{report}"
    );
    world.runs.stop(&world.thread).await.unwrap();
    tab.until_idle().await;
}

/// S36: before the first send through another gateway it is said that it has not seen the comment, and never again.
#[tokio::test]
async fn a_new_gateway_is_named_once_before_it_is_told_the_conversation() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world.ask("Is 10 % right?", ANSWERS).await;
    let gateway = Gateway {
        gateway_id: fresh::id(),
        name: "LiteLLM".to_owned(),
        sdks: Vec::new(),
        base_url: Some("http://localhost:4000".to_owned()),
        key_ref: None,
        models: Vec::new(),
    };
    world
        .store
        .create_gateway(gateway.clone(), fresh::now())
        .await
        .unwrap();
    let forecast = async || {
        let (id, sdk) = (&gateway.gateway_id, world.sdk());
        world
            .runs
            .forecast(&world.thread, &sdk, id, Mode::Ask)
            .await
            .unwrap()
    };
    let seeds = forecast().await;
    assert_eq!(seeds.memory, Memory::Seeded);
    let named =
        "LiteLLM has not seen this comment yet. It will be given the conversation so far (≈ ";
    assert!(seeds.reason.starts_with(named), "{}", seeds.reason);
    let mut prompt = world.a_prompt("And?");
    prompt.gateway = gateway.gateway_id.clone();
    world.agent.plays(ANSWERS);
    let mut tab = world.follow().await;
    world.send(prompt).await.unwrap();
    tab.until_idle().await;
    assert_eq!(
        world.messages().await.pop().unwrap().memory,
        Some(Memory::Seeded)
    );
    let resumes = forecast().await;
    assert_eq!(resumes.memory, Memory::Resumed);
    assert!(
        resumes.reason.starts_with("Scripted on LiteLLM remembers"),
        "{}",
        resumes.reason
    );
}

/// S43: the rows are the one durable place: with them alone the conversation goes on, and nothing else of REX's home
/// holds a word of it.
#[tokio::test]
async fn a_conversation_is_held_by_the_rows_alone() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world.ask("Is a mirabelle a plum?", ANSWERS).await;
    let said = world.messages().await;
    fs::remove_dir_all(disk.records()).unwrap();
    assert_eq!(world.messages().await, said);
    let holders = files_with(&disk.home(), "mirabelle");
    assert!(
        !holders.is_empty() && holders.iter().all(|name| name.starts_with("rex.db")),
        "{holders:?}"
    );
    assert_eq!(words(&world.ask("And?", ANSWERS).await), "It is 12 %.");
    assert!(world.last_prompt().await.contains("mirabelle"));
}

/// The names of the files below a folder that hold these words.
fn files_with(folder: &std::path::Path, words: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with(&path, words));
        } else if String::from_utf8_lossy(&fs::read(&path).unwrap()).contains(words) {
            found.push(path.file_name().unwrap().to_str().unwrap().to_owned());
        }
    }
    found
}

#[tokio::test]
async fn an_agent_is_asked_for_its_models_and_a_report_on_nothing_is_refused() {
    let disk = Disk::new();
    let world = World::start(&disk).await;
    world.agent.plays("echo '[\"large\", \"small\"]'");
    let models = world
        .runs
        .ask_for_models(&world.sdk(), &disk.review())
        .await;
    assert_eq!(models.unwrap(), ["large", "small"]);
    world.agent.plays("echo 'no list' >&2");
    let problem = world
        .runs
        .ask_for_models(&world.sdk(), &disk.review())
        .await;
    let problem = problem.unwrap_err();
    assert!(problem.detail.contains("no list"), "{}", problem.detail);
    let unknown: ThreadId = fresh::id();
    assert!(world.runs.asked_report(&unknown).await.is_err());
    assert!(is_default_kept(&world).await);
}

/// What is asked leaves no session behind.
async fn is_default_kept(world: &World) -> bool {
    let default = GatewayId::default_gateway();
    let session = world
        .store
        .session(&world.thread, &world.sdk(), &default)
        .await;
    session.unwrap().is_none()
}
