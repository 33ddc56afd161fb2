//! Which block of the answer a piece belongs to.
//!
//! A block is streamed under (message, index) and then told once more as a whole, without its index. The whole one
//! belongs to the block that is open; when nothing was streamed (the program fell back to a plain request) it is new.

use crate::agents::seam::Event;
use serde_json::Value;
use std::collections::BTreeMap;

/// The blocks of the turn so far.
#[derive(Default)]
pub(super) struct Blocks {
    message: String,
    open: Option<u64>,
    /// What was streamed of a message and not yet told whole, and whether it is thinking.
    streamed: BTreeMap<u64, bool>,
    /// The next index of a block that was never streamed.
    next: u64,
}

impl Blocks {
    /// A `stream_event` of the main conversation.
    pub(super) fn streamed(&mut self, event: &Value) -> Option<Event> {
        let index = event["index"].as_u64().unwrap_or_default();
        match event["type"].as_str()? {
            "message_start" => {
                let id = event["message"]["id"].as_str().unwrap_or_default();
                self.begin(id);
                None
            }
            "content_block_start" => {
                self.open = Some(index);
                self.next = self.next.max(index.saturating_add(1));
                None
            }
            "content_block_delta" => self.delta(index, &event["delta"]),
            "content_block_stop" => {
                self.open = None;
                None
            }
            _ => None,
        }
    }

    fn begin(&mut self, message: &str) {
        message.clone_into(&mut self.message);
        self.open = None;
        self.streamed.clear();
        self.next = 0;
    }

    fn delta(&mut self, index: u64, delta: &Value) -> Option<Event> {
        let key = self.key(index);
        match delta["type"].as_str()? {
            "text_delta" => {
                self.streamed.insert(index, false);
                let delta = delta["text"].as_str()?.to_owned();
                Some(Event::Text { key, delta })
            }
            "thinking_delta" => {
                self.streamed.insert(index, true);
                let delta = delta["thinking"].as_str()?.to_owned();
                Some(Event::Thinking { key, delta })
            }
            _ => None,
        }
    }

    /// Blocks from `index` on will never be told whole: the stream broke off and is tried anew.
    pub(super) fn taken_back(&mut self, index: u64) -> Vec<Event> {
        let gone = self.streamed.split_off(&index);
        gone.into_iter()
            .map(|(index, thinking)| whole(self.key(index), String::new(), thinking))
            .collect()
    }

    /// The content of an `assistant` event.
    pub(super) fn whole(&mut self, message: &Value) -> Vec<Event> {
        let id = message["id"].as_str().unwrap_or_default();
        if id != self.message {
            self.begin(id);
        }
        let content = message["content"].as_array();
        content
            .into_iter()
            .flatten()
            .filter_map(|block| self.block(block))
            .collect()
    }

    fn block(&mut self, block: &Value) -> Option<Event> {
        let index = self.open.take().unwrap_or(self.next);
        self.next = self.next.max(index.saturating_add(1));
        self.streamed.remove(&index);
        let key = self.key(index);
        match block["type"].as_str()? {
            "text" => Some(whole(key, block["text"].as_str()?.to_owned(), false)),
            "thinking" => Some(whole(key, block["thinking"].as_str()?.to_owned(), true)),
            "tool_use" => Some(Event::ToolStarted {
                call_id: block["id"].as_str()?.to_owned(),
                name: block["name"].as_str()?.to_owned(),
                input: block["input"].clone(),
            }),
            other => Some(Event::Other {
                original_type: other.to_owned(),
                payload: block.clone(),
            }),
        }
    }

    fn key(&self, index: u64) -> String {
        format!("{}/{index}", self.message)
    }
}

fn whole(key: String, text: String, thinking: bool) -> Event {
    if thinking {
        Event::ThinkingWhole { key, text }
    } else {
        Event::TextWhole { key, text }
    }
}
