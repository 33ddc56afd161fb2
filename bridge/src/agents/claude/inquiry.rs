//! Asking without a turn: the program answers a request for its settings, and goes at once when the session it was started
//! with is not there.

use super::outcome::SESSION_LOST;
use crate::agents::inquiry::{Answer, Heard, Inquiry, Question, models, texts};
use serde_json::{Value, json};

pub(super) struct ClaudeInquiry(pub(super) Question);

impl Inquiry for ClaudeInquiry {
    fn open(&mut self) -> Vec<String> {
        let request = json!({"subtype": "initialize"});
        vec![
            json!({"type": "control_request", "request_id": "rex-asks", "request": request})
                .to_string(),
        ]
    }

    fn heard(&mut self, line: &Value) -> Heard {
        match line["type"].as_str() {
            Some("control_response") => Heard::Answer(match self.0 {
                Question::Session(_) => Answer::Has,
                Question::Models => {
                    let names = texts(&line["response"]["response"]["models"], "value");
                    // The default is what no choice means.
                    models(names.filter(|name| *name != "default"))
                }
            }),
            Some("result") => {
                let words = line["errors"][0].as_str().unwrap_or("it did not say why");
                let words = words.to_owned();
                Heard::Answer(if words.contains(SESSION_LOST) {
                    Answer::HasNot(words)
                } else {
                    Answer::Unclear(words)
                })
            }
            _ => Heard::Nothing,
        }
    }
}
