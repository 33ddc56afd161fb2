//! The agent's message while it is written: what the rows written so far assemble to.
//!
//! Every change is a step for the record and what a follower sees once that step is stored, so that live and cold
//! history cannot differ: a test compares the two after any sequence of events.

use super::change::{Change, Show, TooLong, Voice, derived};
use crate::store::{NewEntry, RecordOp};
use rex_shared::assembly::unanswered;
use rex_shared::ids::{EntryId, MessageId, RunId};
use rex_shared::transcript::{EntryKind, RunState};
use rex_shared::wire::message::{Part, Role, ToolResult, ToolStatus};
use std::collections::HashMap;
use uuid::Uuid;

/// Bytes that one answer may have, over all its parts.
const LONGEST: usize = 16 * 1024 * 1024;
/// Entries that are no part of the message (unknown lines, diagnostics) one run may leave.
const MOST_UNSHOWN: usize = 200;
/// Bytes of one of them.
const LONGEST_UNSHOWN: usize = 64 * 1024;

/// The message that grows.
#[derive(Debug)]
pub(super) struct Reply {
    run: Uuid,
    message_id: MessageId,
    parts: Vec<Part>,
    /// UTF-16 units of each part's text.
    units: Vec<u64>,
    blocks: HashMap<(Voice, String), usize>,
    entries: u64,
    bytes: usize,
    unshown: usize,
}

impl Reply {
    /// An empty one.
    pub(super) fn new(run: &RunId, message_id: MessageId) -> Self {
        Self {
            run: Uuid::parse_str(run.as_str()).unwrap_or_default(),
            message_id,
            parts: Vec::new(),
            units: Vec::new(),
            blocks: HashMap::new(),
            entries: 0,
            bytes: 0,
            unshown: 0,
        }
    }

    /// Whether anything of it was shown.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether a tool call waits for its result.
    pub(super) fn tool_runs(&self) -> bool {
        self.parts.iter().any(is_running)
    }

    /// Another process answers now: its blocks are other blocks.
    pub(super) fn new_process(&mut self) {
        self.blocks.clear();
    }

    /// Characters appended to a block.
    pub(super) fn append(
        &mut self,
        voice: Voice,
        key: String,
        delta: String,
    ) -> Result<Vec<Change>, TooLong> {
        if delta.is_empty() {
            return Ok(Vec::new());
        }
        self.weigh(delta.len())?;
        let Some(&index) = self.blocks.get(&(voice, key.clone())) else {
            return Ok(vec![self.open_block(voice, key, delta)]);
        };
        Ok(vec![self.extend(index, delta)])
    }

    /// The whole text of a block.
    pub(super) fn whole(
        &mut self,
        voice: Voice,
        key: String,
        text: String,
    ) -> Result<Vec<Change>, TooLong> {
        self.weigh(text.len())?;
        let Some(&index) = self.blocks.get(&(voice, key.clone())) else {
            if text.is_empty() {
                return Ok(Vec::new());
            }
            return Ok(vec![self.open_block(voice, key, text)]);
        };
        let (Part::Text { text: shown, .. } | Part::Thinking { text: shown, .. }) =
            &mut self.parts[index]
        else {
            return Ok(Vec::new());
        };
        self.bytes = self.bytes.saturating_sub(text.len().min(shown.len()));
        if *shown == text {
            return Ok(Vec::new());
        }
        if let Some(rest) = text.strip_prefix(shown.as_str()) {
            let rest = rest.to_owned();
            return Ok(vec![self.extend(index, rest)]);
        }
        self.units[index] = utf16(&text);
        shown.clone_from(&text);
        let entry_id = self.parts[index].entry_id().clone();
        Ok(vec![Change {
            write: Some(RecordOp::Replace { entry_id, text }),
            show: Some(self.show(index)),
        }])
    }

    /// A tool was called, or more is known of its input.
    pub(super) fn tool_started(
        &mut self,
        call_id: String,
        name: String,
        input: serde_json::Value,
    ) -> Result<Vec<Change>, TooLong> {
        self.weigh(json_length(&input))?;
        if let Some(index) = self
            .call(&call_id)
            .filter(|&index| is_running(&self.parts[index]))
        {
            let Part::Tool {
                entry_id,
                input: known,
                ..
            } = &mut self.parts[index]
            else {
                return Ok(Vec::new());
            };
            known.clone_from(&input);
            let entry_id = entry_id.clone();
            return Ok(vec![Change {
                write: Some(RecordOp::ToolInput { entry_id, input }),
                show: Some(self.show(index)),
            }]);
        }
        let entry_id = self.entry_id();
        let part = Part::Tool {
            entry_id: entry_id.clone(),
            call_id: call_id.clone(),
            name: name.clone(),
            input: input.clone(),
            status: ToolStatus::Running,
            result: None,
        };
        let body = EntryKind::ToolCall {
            call_id,
            name,
            input,
        };
        Ok(vec![self.insert(entry_id, body, Some(part))])
    }

    /// A tool answered. A result whose call is not there is kept and not shown.
    pub(super) fn tool_done(
        &mut self,
        call_id: String,
        text: String,
        is_error: bool,
    ) -> Result<Vec<Change>, TooLong> {
        self.weigh(text.len())?;
        let index = self.call(&call_id);
        if let Some(Part::Tool { status, result, .. }) = index.map(|index| &mut self.parts[index]) {
            *status = if is_error {
                ToolStatus::Failed
            } else {
                ToolStatus::Done
            };
            *result = Some(ToolResult {
                text: text.clone(),
                is_error,
            });
        }
        let entry_id = self.entry_id();
        let body = EntryKind::ToolResult {
            call_id,
            text,
            is_error,
        };
        let mut change = self.insert(entry_id, body, None);
        change.show = index.map(|index| self.show(index));
        Ok(vec![change])
    }

    /// Something REX does not model. A part of the message becomes a marker; the rest is kept, within limits.
    pub(super) fn other(
        &mut self,
        original_type: String,
        payload: serde_json::Value,
    ) -> Vec<Change> {
        if self.unshown == MOST_UNSHOWN {
            return Vec::new();
        }
        self.unshown += 1;
        let payload = if json_length(&payload) > LONGEST_UNSHOWN {
            serde_json::json!({ "tooLong": json_length(&payload) })
        } else {
            payload
        };
        let entry_id = self.entry_id();
        let part = original_type
            .strip_prefix(EntryKind::UNKNOWN_PART)
            .map(|kind| Part::Unknown {
                entry_id: entry_id.clone(),
                original_type: kind.to_owned(),
            });
        vec![self.insert(
            entry_id,
            EntryKind::Other {
                original_type,
                payload,
            },
            part,
        )]
    }

    /// A remark of REX's own on this run.
    pub(super) fn notice(&mut self, name: &str, detail: serde_json::Value) -> Vec<Change> {
        if self.unshown == MOST_UNSHOWN {
            return Vec::new();
        }
        self.unshown += 1;
        let entry_id = self.entry_id();
        let body = EntryKind::Notice {
            name: name.to_owned(),
            detail,
        };
        vec![self.insert(entry_id, body, None)]
    }

    /// The run ended: tool calls that never got a result say so.
    pub(super) fn close(&mut self, state: RunState) -> Vec<Change> {
        let open: Vec<usize> = (0..self.parts.len())
            .filter(|&index| is_running(&self.parts[index]))
            .collect();
        open.into_iter()
            .map(|index| {
                if let Part::Tool { status, .. } = &mut self.parts[index] {
                    *status = unanswered(Some(state));
                }
                Change {
                    write: None,
                    show: Some(self.show(index)),
                }
            })
            .collect()
    }

    fn open_block(&mut self, voice: Voice, key: String, text: String) -> Change {
        self.blocks.insert((voice, key), self.parts.len());
        let entry_id = self.entry_id();
        let (body, part) = match voice {
            Voice::Text => (
                EntryKind::Text { text: text.clone() },
                Part::Text {
                    entry_id: entry_id.clone(),
                    text,
                },
            ),
            Voice::Thinking => (
                EntryKind::Thinking { text: text.clone() },
                Part::Thinking {
                    entry_id: entry_id.clone(),
                    text,
                },
            ),
        };
        self.insert(entry_id, body, Some(part))
    }

    fn extend(&mut self, index: usize, text: String) -> Change {
        let at = self.units[index];
        self.units[index] += utf16(&text);
        let (Part::Text {
            text: shown,
            entry_id,
        }
        | Part::Thinking {
            text: shown,
            entry_id,
        }) = &mut self.parts[index]
        else {
            return Change {
                write: None,
                show: None,
            };
        };
        shown.push_str(&text);
        let entry_id = entry_id.clone();
        Change {
            write: Some(RecordOp::Append {
                entry_id: entry_id.clone(),
                text: text.clone(),
            }),
            show: Some(Show::Delta { entry_id, at, text }),
        }
    }

    fn insert(&mut self, entry_id: EntryId, body: EntryKind, part: Option<Part>) -> Change {
        let show = part.map(|part| {
            let text = match &part {
                Part::Text { text, .. } | Part::Thinking { text, .. } => utf16(text),
                _ => 0,
            };
            self.units.push(text);
            self.parts.push(part);
            self.show(self.parts.len() - 1)
        });
        Change {
            write: Some(RecordOp::Insert(NewEntry {
                entry_id,
                message_id: self.message_id.clone(),
                role: Role::Assistant,
                body,
            })),
            show,
        }
    }

    fn show(&self, index: usize) -> Show {
        Show::Part {
            index: u32::try_from(index).unwrap_or(u32::MAX),
            part: self.parts[index].clone(),
        }
    }

    /// The newest call of this id.
    fn call(&self, wanted: &str) -> Option<usize> {
        self.parts
            .iter()
            .rposition(|part| matches!(part, Part::Tool { call_id, .. } if call_id == wanted))
    }

    /// Derived from the run, so that the machine needs no randomness.
    fn entry_id(&mut self) -> EntryId {
        self.entries += 1;
        derived(&self.run, &format!("entry {}", self.entries))
    }

    fn weigh(&mut self, bytes: usize) -> Result<(), TooLong> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > LONGEST {
            Err(TooLong)
        } else {
            Ok(())
        }
    }
}

fn is_running(part: &Part) -> bool {
    matches!(
        part,
        Part::Tool {
            status: ToolStatus::Running,
            ..
        }
    )
}

fn utf16(text: &str) -> u64 {
    text.encode_utf16().count() as u64
}

fn json_length(value: &serde_json::Value) -> usize {
    value.to_string().len()
}
