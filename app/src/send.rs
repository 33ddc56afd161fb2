//! Sending a prompt from wherever one can be written: the card's composer and the tray send the same way.
//!
//! Where the operating system cannot keep a run from writing, the bridge refuses it until the person said go on for
//! this workspace. The question is asked here, in words, and the same prompt is then sent again: its id is the same,
//! so that it is stored once.

use crate::api::{self, Answer, Failed};
use crate::browser::storage;
use crate::model::{Model, use_model};
use crate::reactive::{on_change, on_mouse};
use leptos::html;
use leptos::prelude::*;
use rex_shared::ids::{GatewayId, Sdk, ThreadId};
use rex_shared::json::from_json;
use rex_shared::wire::agent::AgentInfo;
use rex_shared::wire::message::Mode;
use rex_shared::wire::problem::{Problem, ProblemType};
use rex_shared::wire::prompt::{Accepted, Prompt};
use rex_shared::wire::thread::Draft;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};

/// By whom and how a prompt is answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    /// What the run may do.
    pub mode: Mode,
    /// Which agent program.
    pub sdk: Sdk,
    /// Through which gateway.
    pub gateway: GatewayId,
    /// Which model; `None` is the agent's own choice.
    pub model: Option<String>,
}

impl Choice {
    /// What a composer offers: what its draft says, else what was chosen last, else the first agent that is there.
    /// A chosen agent that is no longer there is not offered. The mode is always the draft's, else to ask.
    pub fn offered(draft: &Draft, last: Option<Self>, agents: &[AgentInfo]) -> Option<Self> {
        let here = |sdk: &Sdk| {
            agents
                .iter()
                .any(|agent| agent.sdk == *sdk && agent.version.is_some())
        };
        let drafted = draft.sdk.clone().map(|sdk| Self {
            mode: Mode::Ask,
            sdk,
            gateway: draft
                .gateway
                .clone()
                .unwrap_or_else(GatewayId::default_gateway),
            model: draft.model.clone(),
        });
        let first = agents
            .iter()
            .find(|agent| agent.version.is_some())
            .map(|agent| Self {
                mode: Mode::Ask,
                sdk: agent.sdk.clone(),
                gateway: GatewayId::default_gateway(),
                model: None,
            });
        let choice = drafted
            .filter(|choice| here(&choice.sdk))
            .or_else(|| last.filter(|choice| here(&choice.sdk)))
            .or(first)?;
        Some(Self {
            mode: draft.mode.unwrap_or_default(),
            ..choice
        })
    }

    /// What was chosen for the last prompt that was sent from this browser.
    pub fn last() -> Option<Self> {
        from_json(&storage::last_choice()?).ok()
    }

    fn remember(&self) {
        if let Ok(text) = serde_json::to_string(self) {
            storage::set_last_choice(&text);
        }
    }
}

/// Sends a prompt, asking the person first where the bridge says that the run would not be enforced.
///
/// `Ok(None)` is the person's no: nothing was sent, what was written is still where it was.
pub async fn send(model: Model, thread: &ThreadId, mut prompt: Prompt) -> Answer<Option<Accepted>> {
    let accepted = match api::prompt(thread, &prompt).await {
        Err(Failed::Problem(problem)) if problem.kind == ProblemType::SandboxUnenforced => {
            if !ask(model, &problem).await {
                return Ok(None);
            }
            prompt.accept_unenforced = true;
            api::prompt(thread, &prompt).await?
        }
        answer => answer?,
    };
    Choice {
        mode: prompt.mode,
        sdk: prompt.sdk,
        gateway: prompt.gateway,
        model: prompt.model,
    }
    .remember();
    Ok(Some(accepted))
}

/// A question about a send that waits for the person.
#[derive(Debug, Clone)]
pub struct Question {
    /// What would not be enforced.
    pub text: String,
    reply: Arc<Mutex<Reply>>,
}

#[derive(Debug, Default)]
struct Reply {
    said: Option<bool>,
    waiting: Option<Waker>,
}

impl Question {
    fn new(text: String) -> Self {
        Self {
            text,
            reply: Arc::default(),
        }
    }

    /// Answers it. Only the first answer counts.
    pub fn answer(&self, go_on: bool) {
        let mut reply = self.reply.lock().unwrap_or_else(PoisonError::into_inner);
        reply.said.get_or_insert(go_on);
        if let Some(waiting) = reply.waiting.take() {
            waiting.wake();
        }
    }

    async fn answered(&self) -> bool {
        std::future::poll_fn(|context| {
            let mut reply = self.reply.lock().unwrap_or_else(PoisonError::into_inner);
            match reply.said {
                Some(said) => Poll::Ready(said),
                None => {
                    reply.waiting = Some(context.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }
}

async fn ask(model: Model, problem: &Problem) -> bool {
    let question = Question::new(format!("{} {}", problem.detail, problem.hint));
    let before = model
        .question
        .try_update(|open| open.replace(question.clone()));
    if let Some(Some(before)) = before {
        before.answer(false);
    }
    let go_on = question.answered().await;
    model.question.set(None);
    go_on
}

/// The question of [`send`], in front of the page while one waits.
pub(crate) fn draw_question() -> AnyView {
    view! { <SendQuestion /> }.into_any()
}

#[component]
fn SendQuestion() -> impl IntoView {
    let model = use_model();
    let dialog = NodeRef::<html::Dialog>::new();
    on_change(move || {
        let Some(dialog) = dialog.get() else { return };
        if model.question.with(Option::is_some) {
            // Fails only when it is open already.
            drop(dialog.show_modal());
        } else {
            dialog.close();
        }
    });
    let answer = move |go_on: bool| {
        model.question.with_untracked(|question| {
            if let Some(question) = question {
                question.answer(go_on);
            }
        });
    };
    view! {
        <dialog class="question" node_ref=dialog aria-labelledby="question-title" on:close=move |_| answer(false)>
            <h2 class="question__title" id="question-title">"This run is not enforced"</h2>
            <p>
                {move || model.question.with(|question| question.as_ref().map(|question| question.text.clone()))}
            </p>
            <p class="question__acts">
                <button class="btn" type="button" on:click=on_mouse(move |_| answer(false))>"Do not send"</button>
                <button class="btn btn--primary" type="button" on:click=on_mouse(move |_| answer(true))>
                    "Go on in this workspace"
                </button>
            </p>
        </dialog>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rex_shared::wire::agent::{Capabilities, Sandbox};

    fn agent(sdk: &str, version: Option<&str>) -> AgentInfo {
        AgentInfo {
            sdk: Sdk::parse(sdk).unwrap(),
            label: sdk.to_owned(),
            version: version.map(str::to_owned),
            capabilities: Capabilities {
                resume: true,
                chosen_id: false,
                permissions: true,
                images: false,
                act: false,
                cost: false,
            },
            sandbox: Sandbox::None,
            built_in: false,
            hint: None,
            models: None,
        }
    }

    fn choice(sdk: &str, mode: Mode) -> Choice {
        Choice {
            mode,
            sdk: Sdk::parse(sdk).unwrap(),
            gateway: GatewayId::default_gateway(),
            model: None,
        }
    }

    #[test]
    fn a_composer_offers_the_drafts_choice_else_the_last_one_else_the_first_agent_there() {
        let agents = [
            agent("codex", None),
            agent("claude", Some("2.1")),
            agent("demo", Some("1")),
        ];
        let blank = Draft::default();
        let offered = |draft: &Draft, last| Choice::offered(draft, last, &agents);

        assert_eq!(offered(&blank, None), Some(choice("claude", Mode::Ask)));
        let last = choice("demo", Mode::Act);
        assert_eq!(
            offered(&blank, Some(last.clone())),
            Some(choice("demo", Mode::Ask))
        );
        assert_eq!(
            offered(&blank, Some(choice("codex", Mode::Ask))),
            Some(choice("claude", Mode::Ask))
        );
        let drafted = Draft {
            sdk: Some(Sdk::parse("claude").unwrap()),
            mode: Some(Mode::Act),
            ..Draft::default()
        };
        assert_eq!(
            offered(&drafted, Some(last)),
            Some(choice("claude", Mode::Act))
        );
        assert_eq!(Choice::offered(&blank, None, &[]), None);
    }

    #[test]
    fn only_the_first_answer_to_a_question_counts() {
        use std::future::Future as _;
        use std::pin::pin;
        use std::task::Context;

        let question = Question::new("Not enforced.".to_owned());
        let mut answered = pin!(question.answered());
        let mut context = Context::from_waker(Waker::noop());
        assert_eq!(answered.as_mut().poll(&mut context), Poll::Pending);
        question.answer(true);
        question.answer(false);
        assert_eq!(answered.as_mut().poll(&mut context), Poll::Ready(true));
    }
}
