//! Sends, and what came of each.

use super::{FIRST, MODEL, THREAD, World};
use rex_bridge::processes::{Identity, sweep};
use rex_shared::ids::{GatewayId, MessageId, Sdk};
use rex_shared::wire::follow::Status;
use rex_shared::wire::message::{Forecast, History, Message, Mode, Part, ToolStatus};
use rex_shared::wire::prompt::Prompt;
use serde_json::json;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};

/// One send: what was said before it and what came of it.
pub(crate) struct Sent {
    pub(crate) forecast: Forecast,
    pub(crate) message: Message,
}

impl Sent {
    /// What the agent said.
    pub(crate) fn text(&self) -> String {
        let texts = self.message.parts.iter().filter_map(|part| match part {
            Part::Text { text, .. } => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// How its calls of tools ended.
    pub(crate) fn tools(&self) -> Vec<ToolStatus> {
        let tools = self.message.parts.iter().filter_map(|part| match part {
            Part::Tool { status, .. } => Some(*status),
            _ => None,
        });
        tools.collect()
    }
}

impl World {
    /// Sends through the first gateway and waits for the end of the run.
    pub(crate) fn ask(&self, text: &str) -> Sent {
        self.ask_through(FIRST, MODEL, text)
    }

    pub(crate) fn ask_through(&self, gateway: &str, model: &str, text: &str) -> Sent {
        let sent = self.send((gateway, model), text, |_, _| {});
        let said = sent.forecast.memory;
        assert_eq!(sent.message.memory, Some(said), "the forecast was kept");
        sent
    }

    /// Sends and stops at the first words.
    pub(crate) fn ask_and_stop(&self, text: &str) -> Sent {
        let mut stopped = false;
        self.send((FIRST, MODEL), text, |event, _| {
            if event == "delta" && !stopped {
                stopped = true;
                self.post_empty(&format!("/api/threads/{THREAD}/stop"));
            }
        })
    }

    /// Sends, and at the first question of the agent answers it.
    pub(crate) fn ask_and_answer(&self, text: &str, answer: &str) -> Sent {
        self.send((FIRST, MODEL), text, |event, data| {
            let frame: serde_json::Value = serde_json::from_str(data).unwrap();
            if event == "dialog" && frame["dialog"]["state"] == "open" {
                let id = frame["dialog"]["dialogId"].as_str().unwrap();
                let path = format!("/api/threads/{THREAD}/dialogs/{id}");
                let body = json!({"answer": answer, "text": null});
                self.client
                    .post(self.url(&path))
                    .header("authorization", &self.bearer)
                    .send_json(body)
                    .unwrap();
            }
        })
    }

    /// Sends and kills the agent's process at the first words.
    pub(crate) fn ask_and_kill(&self, text: &str) -> Sent {
        let mut killed = false;
        self.send((FIRST, MODEL), text, |event, _| {
            if event == "delta" && !killed {
                killed = true;
                self.kill_the_agent();
            }
        })
    }

    /// Whatever carries the mark of the newest run, or of this start of the bridge, which servers carry.
    fn kill_the_agent(&self) {
        let history: History = self.get(&format!("/api/threads/{THREAD}/history"));
        let run = history.messages.into_iter().next_back().unwrap().run_id;
        let report = self.report();
        let boot = report.split("start ").nth(1).unwrap();
        let boot = boot.lines().next().unwrap();
        let nobody = Identity { pid: 0, started: 0 };
        for mark in [run.unwrap().as_str(), boot] {
            self.runtime.block_on(sweep(nobody, mark));
        }
    }

    fn send(
        &self,
        (gateway, model): (&str, &str),
        text: &str,
        mut seen: impl FnMut(&str, &str),
    ) -> Sent {
        let sdk = &self.sdk;
        let query = format!("sdk={sdk}&gateway={gateway}&model={model}&mode=ask");
        let forecast = self.get(&format!("/api/threads/{THREAD}/forecast?{query}"));
        let mut follow = self
            .client
            .get(self.url(&format!("/api/threads/{THREAD}/follow")))
            .header("authorization", &self.bearer)
            .call()
            .unwrap();
        let mut lines = BufReader::new(follow.body_mut().as_reader()).lines();
        let prompt = Prompt {
            message_id: MessageId::parse(&uuid::Uuid::now_v7().to_string()).unwrap(),
            ws: None,
            text: text.to_owned(),
            places: Vec::new(),
            mode: Mode::Ask,
            sdk: sdk.clone(),
            gateway: GatewayId::parse(gateway).unwrap(),
            model: Some(model.to_owned()),
            images: Vec::new(),
            accept_unenforced: true,
        };
        let _accepted: serde_json::Value =
            self.post(&format!("/api/threads/{THREAD}/prompt"), &prompt);
        let mut event = String::new();
        let mut was_busy = false;
        loop {
            let line = lines.next().unwrap().unwrap();
            if let Some(name) = line.strip_prefix("event:") {
                name.trim().clone_into(&mut event);
            } else if let Some(data) = line.strip_prefix("data:") {
                if event == "status" {
                    let status: Status = serde_json::from_str(data).unwrap();
                    if was_busy && !status.busy {
                        break;
                    }
                    was_busy |= status.busy;
                }
                seen(&event, data);
            }
        }
        let history: History = self.get(&format!("/api/threads/{THREAD}/history"));
        let sent = Sent {
            forecast,
            message: history.messages.into_iter().next_back().unwrap(),
        };
        note(&self.sdk, &sent);
        sent
    }

    /// Sends what cannot begin: how it failed.
    pub(crate) fn ask_in_vain(&self, text: &str) -> Sent {
        self.send((FIRST, MODEL), text, |_, _| {})
    }
}

/// Notes what was said before a send and what came of it, for the table at the end.
fn note(sdk: &Sdk, sent: &Sent) {
    let Some(table) = std::env::var_os("REX_TABLE") else {
        return;
    };
    let test = std::thread::current();
    let case = test.name().unwrap_or_default().rsplit("::").next();
    let outcome = sent.message.memory.map(|memory| format!("{memory:?}"));
    let line = format!(
        "{sdk}\t{}\t{:?}\t{}\n",
        case.unwrap_or_default(),
        sent.forecast.memory,
        outcome.as_deref().unwrap_or("not begun")
    );
    let mut file = fs::OpenOptions::new().append(true).open(table).unwrap();
    file.write_all(line.as_bytes()).unwrap();
}
