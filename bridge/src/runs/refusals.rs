//! Why a prompt is not taken, as a person reads it.

use crate::agents::Missing;
use rex_shared::wire::problem::{Problem, ProblemType};

pub(super) fn nothing_to_send() -> Problem {
    Problem::new(
        ProblemType::BadRequest,
        "Nothing to send",
        "The message is blank. Nothing was changed.",
        "Write something first.",
    )
}

pub(super) fn mode_unavailable(agent: &str) -> Problem {
    Problem::new(
        ProblemType::ModeUnavailable,
        "This agent cannot propose changes",
        format!(
            "REX does not let {agent} change files, not even in a private copy. Nothing was sent."
        ),
        "Choose Ask, or another agent.",
    )
}

pub(super) fn sandbox_unenforced() -> Problem {
    Problem::new(
        ProblemType::SandboxUnenforced,
        "Not enforced here",
        "On this machine nothing keeps an agent's program from writing files; only the agent's own rules do. \
         Nothing was sent.",
        "Say go on once for this folder, and the run will be marked not enforced.",
    )
}

pub(super) fn unknown_agent(missing: &Missing) -> Problem {
    Problem::new(
        ProblemType::UnknownAgent,
        "This agent is not here",
        format!("{missing}. Nothing was sent."),
        "Install it, or choose another agent.",
    )
}

pub(super) fn no_models(why: &str) -> Problem {
    Problem::new(
        ProblemType::UnknownAgent,
        "It did not say which models it has",
        format!("The program was started and asked, but {why}. Nothing was sent to a model."),
        "Write the model's name into a gateway, or leave the choice to the program.",
    )
}

pub(super) fn gateway_does_not_serve(name: &str) -> Problem {
    Problem::new(
        ProblemType::UnknownGateway,
        "This gateway does not serve this agent",
        format!("{name} is not set up for this agent. Nothing was sent."),
        "Choose another gateway, or add the agent to this one.",
    )
}

pub(super) fn nothing_to_retry() -> Problem {
    Problem::new(
        ProblemType::NothingToRetry,
        "Nothing to try again",
        "The last run of this comment ended well or is still going on. Nothing was sent.",
        "Write a new message.",
    )
}

pub(super) fn dialog_closed() -> Problem {
    Problem::new(
        ProblemType::DialogClosed,
        "Question closed",
        "The agent no longer waits for this answer, so it was not passed on.",
        "Ask again if it still matters.",
    )
}
