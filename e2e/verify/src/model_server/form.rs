//! The interfaces it speaks: what a request says and how an answer is written down in each.

mod chat;
mod messages;
mod responses;

use super::answer::Answer;
use super::request::Said;
use serde_json::Value;
use std::time::Duration;

/// Some bytes of a streamed answer, and how long before they are sent.
pub(super) struct Piece {
    pub(super) after: Duration,
    pub(super) text: String,
}

/// One of the interfaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Anthropic's Messages.
    Messages,
    /// OpenAI's Responses.
    Responses,
    /// OpenAI's Chat Completions, which most gateways speak.
    Chat,
}

impl Form {
    /// By the end of the request's path.
    pub(super) fn of(path: &str) -> Option<Self> {
        if path.ends_with("/messages") || path.ends_with("/messages/count_tokens") {
            Some(Self::Messages)
        } else if path.ends_with("/responses") {
            Some(Self::Responses)
        } else if path.ends_with("/chat/completions") {
            Some(Self::Chat)
        } else {
            None
        }
    }

    /// What was said in the conversation that a request holds, in order.
    pub(super) fn said(self, request: &Value) -> Option<Vec<Said>> {
        match self {
            Self::Messages => messages::said(request),
            Self::Responses => responses::said(request),
            Self::Chat => chat::said(request),
        }
    }

    /// An answer as a stream.
    pub(super) fn pieces(self, answer: &Answer) -> Vec<Piece> {
        match self {
            Self::Messages => messages::pieces(answer),
            Self::Responses => responses::pieces(answer),
            Self::Chat => chat::pieces(answer),
        }
    }

    /// An answer at once.
    pub(super) fn whole(self, answer: &Answer) -> Value {
        match self {
            Self::Messages => messages::whole(answer),
            Self::Responses => responses::whole(answer),
            Self::Chat => chat::whole(answer),
        }
    }

    /// The body of a failed request.
    pub(super) fn error(self, status: u16, reason: &str) -> Value {
        match self {
            Self::Messages => messages::error(status, reason),
            Self::Responses | Self::Chat => chat::error(status, reason),
        }
    }
}

/// The texts of a message: one text, or blocks of which those of the type `kind` are.
fn texts(content: &Value, kind: &str) -> Vec<String> {
    match content {
        Value::String(text) => vec![text.clone()],
        Value::Array(blocks) => blocks
            .iter()
            .filter(|block| block["type"] == kind)
            .filter_map(|block| Some(block["text"].as_str()?.to_owned()))
            .collect(),
        _ => Vec::new(),
    }
}

/// A named event of a stream.
fn named(after: Duration, event: &Value) -> Piece {
    let name = event["type"].as_str().unwrap_or_default();
    Piece {
        after,
        text: format!("event: {name}\ndata: {event}\n\n"),
    }
}
