//! Asking without a turn: the program says in which session it is, and goes at once when the one it was started with is not
//! there.

use super::outcome::SESSION_LOST;
use crate::agents::inquiry::{Answer, Heard, Inquiry, Question, models, unanswered};
use crate::processes::Exit;
use serde_json::{Value, json};

pub(super) struct PiInquiry(pub(super) Question);

impl Inquiry for PiInquiry {
    fn open(&mut self) -> Vec<String> {
        let request = match self.0 {
            Question::Session(_) => "get_state",
            Question::Models => "get_available_models",
        };
        vec![json!({"id": "asks", "type": request}).to_string()]
    }

    fn heard(&mut self, line: &Value) -> Heard {
        if line["type"] != "response" || line["id"] != "asks" {
            return Heard::Nothing;
        }
        let data = &line["data"];
        Heard::Answer(match &self.0 {
            Question::Models => {
                let offered = data["models"].as_array().into_iter().flatten();
                let names: Vec<String> = offered
                    .filter_map(|model| {
                        Some(format!(
                            "{}/{}",
                            model["provider"].as_str()?,
                            model["id"].as_str()?
                        ))
                    })
                    .collect();
                models(names.iter().map(String::as_str))
            }
            Question::Session(id) if data["sessionId"] != **id => {
                Answer::HasNot("it began another session".to_owned())
            }
            // A record that it cannot read it begins anew under the same name.
            Question::Session(_) if data["messageCount"] == 0 => {
                Answer::HasNot("it began the session anew".to_owned())
            }
            Question::Session(_) => Answer::Has,
        })
    }

    fn ended(&mut self, exit: &Exit) -> Answer {
        let lost = |line: &&str| SESSION_LOST.iter().any(|sign| line.contains(sign));
        match exit.stderr.lines().find(lost) {
            Some(words) => Answer::HasNot(words.to_owned()),
            None => unanswered(exit),
        }
    }
}
