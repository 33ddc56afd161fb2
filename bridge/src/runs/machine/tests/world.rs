//! Rows and a screen, as the effects of a run make them.

use super::*;

/// What the effects of a run make of the rows and of a screen.
#[derive(Default)]
pub(super) struct World {
    pub(super) rows: Vec<Entry>,
    pub(super) screen: Vec<Part>,
    pub(super) dialogs: Vec<Dialog>,
    pub(super) stages: Vec<Stage>,
    pub(super) told: Vec<Said>,
    pub(super) replays: u32,
    pub(super) ends: Vec<End>,
}

impl World {
    pub(super) fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Change(change) => {
                    if let Some(op) = change.write {
                        self.write(op);
                    }
                    if let Some(show) = change.show {
                        self.show(show);
                    }
                }
                Effect::Dialog(dialog) => {
                    self.dialogs
                        .retain(|known| known.dialog_id != dialog.dialog_id);
                    self.dialogs.push(dialog);
                }
                Effect::Stage(stage) => self.stages.push(stage),
                Effect::Tell(said) => self.told.push(said),
                Effect::Replay => self.replays += 1,
                Effect::End(end) => self.ends.push(end),
                Effect::Session(_)
                | Effect::Model(_)
                | Effect::Context(_)
                | Effect::Halt
                | Effect::NextId => {}
            }
        }
    }

    fn write(&mut self, op: RecordOp) {
        match op {
            RecordOp::Insert(new) => {
                let run = run();
                self.rows.push(Entry {
                    entry_id: new.entry_id,
                    message_id: new.message_id,
                    seq: self.rows.len() as u64,
                    role: new.role,
                    body: new.body,
                    run_id: Some(run.run_id),
                    mode: run.mode,
                    sdk: run.sdk,
                    gateway: run.gateway,
                    model: None,
                    cost_usd: None,
                    tokens: None,
                    duration_ms: None,
                    version: None,
                    created_at: NOW,
                });
            }
            RecordOp::Append {
                entry_id,
                text: new,
            } => match self.body(&entry_id) {
                EntryKind::Text { text } | EntryKind::Thinking { text } => text.push_str(&new),
                other => panic!("appended to {other:?}"),
            },
            RecordOp::Replace {
                entry_id,
                text: new,
            } => match self.body(&entry_id) {
                EntryKind::Text { text } | EntryKind::Thinking { text } => *text = new,
                other => panic!("replaced {other:?}"),
            },
            RecordOp::ToolInput {
                entry_id,
                input: new,
            } => match self.body(&entry_id) {
                EntryKind::ToolCall { input, .. } => *input = new,
                other => panic!("gave input to {other:?}"),
            },
        }
    }

    fn body(&mut self, id: &rex_shared::ids::EntryId) -> &mut EntryKind {
        let row = self.rows.iter_mut().find(|row| row.entry_id == *id);
        &mut row.expect("only written entries are changed").body
    }

    fn show(&mut self, show: Show) {
        match show {
            Show::Part { index, part } if index as usize == self.screen.len() => {
                self.screen.push(part);
            }
            Show::Part { index, part } => self.screen[index as usize] = part,
            Show::Delta {
                entry_id,
                at,
                text: new,
            } => {
                let part = self
                    .screen
                    .iter_mut()
                    .find(|part| *part.entry_id() == entry_id);
                let Some(Part::Text { text, .. } | Part::Thinking { text, .. }) = part else {
                    panic!("a delta for {entry_id}, which is not on screen")
                };
                assert_eq!(text.encode_utf16().count() as u64, at, "no gap, no overlap");
                text.push_str(&new);
            }
        }
    }

    /// The agent's message as anybody who comes later reads it from the rows.
    pub(super) fn read_back(&self, state: RunState) -> Vec<Part> {
        let mut asked = vec![Entry {
            message_id: run().message_id,
            role: Role::User,
            body: EntryKind::Text {
                text: "Why?".to_owned(),
            },
            ..self.rows.first().cloned().unwrap_or_else(|| unreachable!())
        }];
        asked.extend(self.rows.clone());
        let messages = assemble(&asked, &[RunRecord { state, ..run() }], &[]);
        messages[1].parts.clone()
    }
}
