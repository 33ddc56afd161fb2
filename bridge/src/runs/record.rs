//! Row first, frame second: what a run did is gathered for a moment, written in one transaction, and only then shown.

use super::machine::{Change, Show};
use crate::follow::Hub;
use crate::store::{RecordOp, Store, StoreError};
use rex_shared::ids::{MessageId, Millis, RunId, ThreadId};
use rex_shared::wire::follow::{Delta, EntryFrame, Frame};

/// What waits to be written, and what may be shown once it is.
#[derive(Debug)]
pub(super) struct Batch {
    thread: ThreadId,
    run: RunId,
    reply: MessageId,
    generation: u64,
    ops: Vec<RecordOp>,
    frames: Vec<Frame>,
}

impl Batch {
    pub(super) fn new(thread: ThreadId, run: RunId, reply: MessageId, generation: u64) -> Self {
        Self {
            thread,
            run,
            reply,
            generation,
            ops: Vec::new(),
            frames: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ops.is_empty() && self.frames.is_empty()
    }

    /// A frame that stands behind everything gathered so far.
    pub(super) fn show(&mut self, frame: Frame) {
        self.frames.push(frame);
    }

    /// One change. Text that goes on where the last one ended is one step with it.
    pub(super) fn add(&mut self, change: Change) {
        if let Some(op) = change.write {
            match (self.ops.last_mut(), op) {
                (
                    Some(RecordOp::Append {
                        entry_id: last,
                        text: gathered,
                    }),
                    RecordOp::Append { entry_id, text },
                ) if *last == entry_id => gathered.push_str(&text),
                (_, op) => self.ops.push(op),
            }
        }
        match change.show {
            None => {}
            Some(Show::Part { index, part }) => {
                self.frames.push(Frame::Entry(Box::new(EntryFrame {
                    thread_id: self.thread.clone(),
                    generation: self.generation,
                    message_id: self.reply.clone(),
                    index,
                    part,
                })));
            }
            Some(Show::Delta { entry_id, at, text }) => match self.frames.last_mut() {
                Some(Frame::Delta(last)) if last.entry_id == entry_id => last.text.push_str(&text),
                _ => self.frames.push(Frame::Delta(Delta {
                    thread_id: self.thread.clone(),
                    generation: self.generation,
                    entry_id,
                    at,
                    text,
                })),
            },
        }
    }

    /// Writes and shows. When writing fails nothing is shown and nothing is forgotten: the next flush tries again.
    pub(super) async fn flush(
        &mut self,
        store: &Store,
        hub: &Hub,
        now: Millis,
    ) -> Result<(), StoreError> {
        if !self.ops.is_empty() {
            store.append(&self.run, self.ops.clone(), now).await?;
            self.ops.clear();
        }
        for frame in self.frames.drain(..) {
            hub.tell_thread(&self.thread, frame);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rex_shared::ids::EntryId;

    fn delta(entry: &str, at: u64, text: &str) -> Change {
        let entry_id = EntryId::parse(entry).unwrap();
        Change {
            write: Some(RecordOp::Append {
                entry_id: entry_id.clone(),
                text: text.to_owned(),
            }),
            show: Some(Show::Delta {
                entry_id,
                at,
                text: text.to_owned(),
            }),
        }
    }

    #[test]
    fn text_that_goes_on_is_one_step() {
        let id = "00000000-0000-7000-8000-000000000001";
        let other = "00000000-0000-7000-8000-000000000002";
        let mut batch = Batch::new(
            ThreadId::parse(id).unwrap(),
            RunId::parse(id).unwrap(),
            MessageId::parse(id).unwrap(),
            1,
        );
        for change in [
            delta(id, 0, "a"),
            delta(id, 1, "b"),
            delta(other, 0, "x"),
            delta(id, 2, "c"),
        ] {
            batch.add(change);
        }
        let texts: Vec<&str> = batch
            .frames
            .iter()
            .map(|frame| match frame {
                Frame::Delta(delta) => delta.text.as_str(),
                _ => "",
            })
            .collect();
        assert_eq!(texts, ["ab", "x", "c"]);
        assert_eq!(batch.ops.len(), 3);
    }
}
