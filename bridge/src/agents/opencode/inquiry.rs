//! Asking without a turn: the server is asked for the session by its id, or for its providers.

use crate::agents::inquiry::{Answer, Heard, Inquiry, Question, models};
use serde_json::{Value, json};

pub(super) struct OpenCodeInquiry(pub(super) Question);

impl Inquiry for OpenCodeInquiry {
    fn open(&mut self) -> Vec<String> {
        let path = match &self.0 {
            Question::Session(id) => format!("/session/{id}"),
            Question::Models => "/config/providers".to_owned(),
        };
        vec![json!({"id": 1, "method": "GET", "path": path}).to_string()]
    }

    fn heard(&mut self, line: &Value) -> Heard {
        if line["id"] != 1 {
            return Heard::Nothing;
        }
        let body = &line["body"];
        Heard::Answer(match (line["status"].as_u64(), &self.0) {
            (Some(200), Question::Models) => offered(&body["providers"]),
            (Some(200), Question::Session(id)) if body["id"] == **id => Answer::Has,
            (Some(404), Question::Session(_)) => {
                let words = body["data"]["message"].as_str().unwrap_or("Not found");
                Answer::HasNot(words.to_owned())
            }
            (Some(status), _) => Answer::Unclear(format!("it answered {status}")),
            (None, _) => Answer::Unclear("it did not answer".to_owned()),
        })
    }
}

/// `provider/model`, as it is chosen.
fn offered(providers: &Value) -> Answer {
    let mut names = Vec::new();
    for provider in providers.as_array().into_iter().flatten() {
        let Some(id) = provider["id"].as_str() else {
            continue;
        };
        let of_it = provider["models"].as_object().into_iter().flatten();
        names.extend(of_it.map(|(model, _)| format!("{id}/{model}")));
    }
    models(names.iter().map(String::as_str))
}
