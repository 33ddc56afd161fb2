//! Those who follow one thread, and what they are told outside a run's own frames.

use super::Means;
use crate::follow::{rail_changed, snapshot};
use rex_shared::assembly::assemble;
use rex_shared::ids::{MessageId, ThreadId};
use rex_shared::wire::follow::{EntryFrame, Frame, MessageFrame};
use rex_shared::wire::message::{Message, Usage};

pub(super) struct Followers {
    means: Means,
    thread: ThreadId,
}

impl Followers {
    pub(super) fn new(means: Means, thread: ThreadId) -> Self {
        Self { means, thread }
    }

    pub(super) fn status(&self) {
        self.tell(Frame::Status(self.means.live.status(&self.thread)));
    }

    pub(super) async fn rail_changed(&self) {
        rail_changed(
            &self.means.store,
            &self.means.hub,
            &self.means.live,
            &self.thread,
        )
        .await;
    }

    /// Everything anew, for a change that has no frame of its own.
    pub(super) async fn snapshot(&self) {
        let Means {
            store,
            live,
            boot_id,
            ..
        } = &self.means;
        match snapshot(store, live, boot_id, &self.thread).await {
            Ok(snapshot) => self.tell(Frame::Snapshot(Box::new(snapshot))),
            Err(error) => {
                tracing::warn!(thread = %self.thread, %error, "followers were not told of a change");
            }
        }
    }

    /// A message as it is stored: its header, and on its first showing its parts. Gives what the thread has used.
    pub(super) async fn message(&self, id: &MessageId, with_parts: bool) -> Usage {
        let stored = match self.means.store.conversation(&self.thread, None).await {
            Ok(Some(stored)) => stored,
            Ok(None) => return Usage::default(),
            Err(error) => {
                tracing::warn!(thread = %self.thread, %error, "followers were not told of a message");
                return Usage::default();
            }
        };
        let generation = self.means.live.generation(&self.thread);
        let messages = assemble(&stored.entries, &stored.runs, &stored.places);
        if let Some(message) = messages
            .into_iter()
            .rev()
            .find(|message| message.message_id == *id)
        {
            let parts = message.parts.clone();
            self.tell(Frame::Message(Box::new(MessageFrame {
                thread_id: self.thread.clone(),
                generation,
                message: Message {
                    parts: Vec::new(),
                    ..message
                },
            })));
            for (index, part) in (0..).zip(parts).filter(|_| with_parts) {
                self.tell(Frame::Entry(Box::new(EntryFrame {
                    thread_id: self.thread.clone(),
                    generation,
                    message_id: id.clone(),
                    index,
                    part,
                })));
            }
        }
        stored.usage
    }

    fn tell(&self, frame: Frame) {
        self.means.hub.tell_thread(&self.thread, frame);
    }
}
