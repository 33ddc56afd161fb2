//! What the model says, before it is written down in one of the interfaces.

use super::request::Asked;
use super::script::Script;
use serde_json::Value;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

static NUMBER: AtomicU64 = AtomicU64::new(1);

/// One answer of the model.
pub(super) struct Answer {
    pub(super) id: String,
    pub(super) model: String,
    pub(super) input_tokens: usize,
    pub(super) thinking: Option<String>,
    pub(super) content: Content,
    /// Before each chunk.
    pub(super) pause: Duration,
    /// Whether it ends without an end.
    pub(super) broken_off: bool,
}

pub(super) enum Content {
    Chunks(Vec<String>),
    Tool {
        id: String,
        name: String,
        input: Value,
    },
}

impl Answer {
    pub(super) fn new(asked: &Asked, script: &Script) -> Self {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let counted = |word: &str, count: usize| {
            Content::Chunks((1..=count).map(|at| format!("{word}-{at} ")).collect())
        };
        let (thinking, content, pause) = match script {
            Script::Tool { name, input } => {
                let tool = Content::Tool {
                    id: format!("toolu_scripted{number:06}"),
                    name: name.clone(),
                    input: input.clone(),
                };
                (None, tool, Duration::ZERO)
            }
            Script::Slow(count) => (None, counted("chunk", *count), Duration::from_millis(100)),
            Script::Long(count) => (None, counted("word", *count), Duration::ZERO),
            Script::Think(thought) => (Some(thought.clone()), words(asked), Duration::ZERO),
            Script::Words | Script::Drop | Script::Fail { .. } => {
                (None, words(asked), Duration::ZERO)
            }
        };
        Self {
            id: format!("msg_scripted{number:06}"),
            model: asked.model.clone(),
            input_tokens: asked.length / 4,
            thinking,
            content,
            pause,
            broken_off: *script == Script::Drop,
        }
    }

    /// The chunks that are streamed: half of them when it breaks off, none for a call.
    pub(super) fn streamed(&self) -> &[String] {
        let Content::Chunks(chunks) = &self.content else {
            return &[];
        };
        let told = if self.broken_off {
            chunks.len() / 2
        } else {
            chunks.len()
        };
        chunks.get(..told).unwrap_or_default()
    }

    pub(super) fn output_tokens(&self) -> usize {
        match &self.content {
            Content::Chunks(chunks) => chunks.len().max(1),
            Content::Tool { .. } => 8,
        }
    }
}

fn words(asked: &Asked) -> Content {
    let turns = asked.turns;
    let text = if asked.results.is_empty() {
        format!("turns={turns} last={:?}", asked.last)
    } else {
        let result = asked.results.join(" ");
        format!(
            "turns={turns} tools={} result={result:?}",
            asked.results.len()
        )
    };
    Content::Chunks(text.split_inclusive(' ').map(str::to_owned).collect())
}
