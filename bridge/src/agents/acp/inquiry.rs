//! Asking without a turn: a session is taken up as a turn would. The models are told with a new session, which stays empty.

use super::dialogue::{hello, model_option};
use crate::agents::inquiry::{Answer, Heard, Inquiry, Question, models, texts};
use crate::agents::json_rpc::{self, Message};
use serde_json::{Value, json};

pub(super) struct AcpInquiry {
    pub(super) question: Question,
    pub(super) folder: String,
}

impl AcpInquiry {
    fn second(&self, can: &Value) -> Heard {
        let mut params = json!({"cwd": self.folder, "mcpServers": []});
        let method = match &self.question {
            Question::Models => "session/new",
            Question::Session(id) => {
                params["sessionId"] = json!(id);
                if !can["sessionCapabilities"]["resume"].is_null() {
                    "session/resume"
                } else if can["loadSession"] == true {
                    "session/load"
                } else {
                    let words = "it cannot take up a session of an earlier process";
                    return Heard::Answer(Answer::HasNot(words.to_owned()));
                }
            }
        };
        Heard::Say(vec![json_rpc::request(2, method, &params)])
    }
}

impl Inquiry for AcpInquiry {
    fn open(&mut self) -> Vec<String> {
        vec![json_rpc::request(1, "initialize", &hello())]
    }

    fn heard(&mut self, line: &Value) -> Heard {
        match (json_rpc::sorted(line), &self.question) {
            (Some(Message::Answer(1, Ok(result))), _) => self.second(&result["agentCapabilities"]),
            (Some(Message::Answer(2, Ok(_))), Question::Session(_)) => Heard::Answer(Answer::Has),
            (Some(Message::Answer(2, Ok(result))), Question::Models) => {
                let options = result["configOptions"].as_array();
                let chosen = model_option(&result);
                let option = options
                    .into_iter()
                    .flatten()
                    .find(|option| option["id"].as_str() == chosen.as_deref());
                let offered = option.map_or(&Value::Null, |option| &option["options"]);
                Heard::Answer(models(texts(offered, "value")))
            }
            (Some(Message::Answer(2, Err(failure))), Question::Session(_)) => {
                Heard::Answer(Answer::HasNot(failure.words))
            }
            (Some(Message::Answer(_, Err(failure))), _) => {
                Heard::Answer(Answer::Unclear(failure.words))
            }
            (Some(Message::Request(id, ..)), _) => Heard::Say(vec![json_rpc::unknown_method(&id)]),
            _ => Heard::Nothing,
        }
    }
}
