//! Asking without a turn: a conversation is taken up as a turn would, which fails when it is not there.

use crate::agents::inquiry::{Answer, Heard, Inquiry, Question, models, texts};
use crate::agents::json_rpc::{self, Message};
use serde_json::{Value, json};

pub(super) struct CodexInquiry {
    pub(super) question: Question,
    pub(super) folder: String,
}

impl Inquiry for CodexInquiry {
    fn open(&mut self) -> Vec<String> {
        vec![json_rpc::request(1, "initialize", &super::hello())]
    }

    fn heard(&mut self, line: &Value) -> Heard {
        match (json_rpc::sorted(line), &self.question) {
            (Some(Message::Answer(1, Ok(_))), question) => {
                let (method, params) = match question {
                    Question::Session(id) => (
                        "thread/resume",
                        json!({
                            "threadId": id, "cwd": self.folder, "excludeTurns": true,
                            "approvalPolicy": "never", "sandbox": "read-only",
                        }),
                    ),
                    Question::Models => ("model/list", json!({})),
                };
                Heard::Say(vec![
                    json_rpc::notice("initialized", &json!({})),
                    json_rpc::request(2, method, &params),
                ])
            }
            (Some(Message::Answer(2, Ok(result))), Question::Models) => {
                Heard::Answer(models(texts(&result["data"], "model")))
            }
            (Some(Message::Answer(2, Ok(result))), Question::Session(id)) => {
                Heard::Answer(if result["thread"]["id"] == **id {
                    Answer::Has
                } else {
                    Answer::HasNot("it opened another conversation".to_owned())
                })
            }
            (Some(Message::Answer(2, Err(failure))), Question::Session(_)) => {
                Heard::Answer(Answer::HasNot(failure.words))
            }
            (Some(Message::Answer(_, Err(failure))), _) => {
                Heard::Answer(Answer::Unclear(failure.words))
            }
            _ => Heard::Nothing,
        }
    }
}
