//! What an agent asked the model.

use super::form::Form;
use serde_json::Value;

/// The parts of a request that the answer depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The model's name.
    pub model: String,
    /// Whether the answer is to be streamed.
    pub stream: bool,
    /// How many user messages with words of the user's own it held.
    pub turns: usize,
    /// The newest such words.
    pub last: String,
    /// What the tools answered since then.
    pub results: Vec<String>,
    /// The names of the tools offered.
    pub tools: Vec<String>,
    /// Its length in bytes, from which tokens are guessed.
    pub length: usize,
}

/// One step of the conversation that a request holds, as far as it counts.
pub(super) enum Said {
    /// The texts of a user message, also those an agent puts there itself.
    ByUser(Vec<String>),
    /// A tool's answer.
    ByTool(String),
}

/// What the agents themselves put into user messages begins so.
const NOT_THE_USERS: [&str; 6] = [
    "<system-reminder>",
    "<environment_context>",
    "<turn_aborted>",
    "<user_instructions>",
    "<recommended_plugins>",
    "# AGENTS.md instructions",
];

impl Asked {
    /// Reads a request's body; `None` when it is none.
    pub(super) fn read(form: Form, body: &[u8]) -> Option<Self> {
        let request: Value = serde_json::from_slice(body).ok()?;
        let mut asked = Self {
            model: request.get("model")?.as_str()?.to_owned(),
            stream: request.get("stream") == Some(&Value::Bool(true)),
            turns: 0,
            last: String::new(),
            results: Vec::new(),
            tools: names(request.get("tools")),
            length: body.len(),
        };
        for said in form.said(&request)? {
            asked.take(said);
        }
        Some(asked)
    }

    fn take(&mut self, said: Said) {
        match said {
            Said::ByTool(result) => self.results.push(result),
            Said::ByUser(texts) => {
                let own = |text: &&String| {
                    let text = text.trim_start();
                    !NOT_THE_USERS.iter().any(|sign| text.starts_with(sign))
                };
                if let Some(newest) = texts.iter().rfind(own) {
                    self.turns += 1;
                    newest.clone_into(&mut self.last);
                    self.results.clear();
                }
            }
        }
    }
}

/// A tool's name stands beside its type, or below it.
fn names(tools: Option<&Value>) -> Vec<String> {
    tools
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|tool| {
            let name = tool.get("name").or_else(|| tool["function"].get("name"));
            Some(name?.as_str()?.to_owned())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn assert_read(form: Form, request: &Value) {
        let asked = Asked::read(form, request.to_string().as_bytes()).unwrap();
        assert_eq!((asked.turns, asked.last.as_str()), (2, "second"));
        assert_eq!(asked.results, ["words of a file"]);
        assert_eq!(asked.tools, ["Read"]);
    }

    #[test]
    fn turns_are_what_the_user_said_and_not_what_tools_or_reminders_say() {
        assert_read(
            Form::Messages,
            &json!({
                "model": "fake-large", "stream": true, "tools": [{"name": "Read"}],
                "messages": [
                    {"role": "user", "content": [{"type": "text", "text": "<system-reminder>x</system-reminder>"},
                                                 {"type": "text", "text": "first"}]},
                    {"role": "assistant", "content": "turns=1"},
                    {"role": "user", "content": "second"},
                    {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "Read", "input": {}}]},
                    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "words of a file"}]},
                ]
            }),
        );
        assert_read(
            Form::Responses,
            &json!({
                "model": "fake-large", "tools": [{"type": "function", "name": "Read"}],
                "input": [
                    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "<environment_context>x"}]},
                    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "first"}]},
                    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "turns=1"}]},
                    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "second"}]},
                    {"type": "function_call", "call_id": "t", "name": "Read", "arguments": "{}"},
                    {"type": "function_call_output", "call_id": "t", "output": "words of a file"},
                ]
            }),
        );
        assert_read(
            Form::Chat,
            &json!({
                "model": "fake-large", "tools": [{"type": "function", "function": {"name": "Read"}}],
                "messages": [
                    {"role": "system", "content": "be good"},
                    {"role": "user", "content": "first"},
                    {"role": "assistant", "content": "turns=1"},
                    {"role": "user", "content": [{"type": "text", "text": "second"}]},
                    {"role": "assistant", "tool_calls": [{"id": "t", "function": {"name": "Read", "arguments": "{}"}}]},
                    {"role": "tool", "tool_call_id": "t", "content": "words of a file"},
                ]
            }),
        );
    }
}
