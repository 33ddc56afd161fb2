//! What an agent asked the model.

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

impl Asked {
    /// Reads a request's body; `None` when it is none.
    pub(super) fn read(body: &[u8]) -> Option<Self> {
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
        let messages = request.get("messages")?.as_array()?;
        for message in messages.iter().filter(|message| message["role"] == "user") {
            let words = words(&message["content"]);
            if let Some(newest) = words.last() {
                asked.turns += 1;
                newest.clone_into(&mut asked.last);
                asked.results.clear();
            }
            asked.results.extend(results(&message["content"]));
        }
        Some(asked)
    }
}

fn names(tools: Option<&Value>) -> Vec<String> {
    tools
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|tool| Some(tool.get("name")?.as_str()?.to_owned()))
        .collect()
}

/// The texts of a user message. What the agent itself puts between them is not the user's.
fn words(content: &Value) -> Vec<String> {
    let own = |text: &str| !text.trim_start().starts_with("<system-reminder>");
    match content {
        Value::String(text) if own(text) => vec![text.clone()],
        Value::Array(blocks) => blocks
            .iter()
            .filter(|block| block["type"] == "text")
            .filter_map(|block| block["text"].as_str())
            .filter(|text| own(text))
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}

fn results(content: &Value) -> Vec<String> {
    content
        .as_array()
        .into_iter()
        .flatten()
        .filter(|block| block["type"] == "tool_result")
        .map(|block| match &block["content"] {
            Value::String(text) => text.clone(),
            other => words(other).join(" "),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_what_the_user_said_and_not_what_tools_or_reminders_say() {
        let body = serde_json::json!({
            "model": "fake-large", "stream": true, "tools": [{"name": "Read"}],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "<system-reminder>x</system-reminder>"},
                                             {"type": "text", "text": "first"}]},
                {"role": "assistant", "content": "turns=1"},
                {"role": "user", "content": "second"},
                {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "Read", "input": {}}]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "words of a file"}]},
            ]
        });
        let asked = Asked::read(body.to_string().as_bytes()).unwrap();
        assert_eq!((asked.turns, asked.last.as_str()), (2, "second"));
        assert_eq!(asked.results, ["words of a file"]);
        assert_eq!(asked.tools, ["Read"]);
    }
}
