//! Sentences for the person that belong to no pane, such as a malformed address or a failed act.

use crate::reactive::State;
use rex_shared::wire::thread::Undo;

/// One sentence, shown until it is closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Grows; the key of the list.
    pub key: u64,
    /// The sentence.
    pub text: String,
    /// What takes the act back that the sentence is about.
    pub undo: Option<Undo>,
}

/// What is to be said now, oldest first.
#[derive(Debug, Clone, Copy)]
pub struct Notices {
    /// The notices.
    pub list: State<Vec<Notice>>,
}

impl Notices {
    pub(super) fn new() -> Self {
        Self {
            list: State::default(),
        }
    }

    /// Says a sentence. One that stands already is not said twice.
    pub fn say(&self, text: impl Into<String>) {
        let text = text.into();
        if self
            .list
            .with_untracked(|list| list.iter().any(|notice| notice.text == text))
        {
            return;
        }
        self.add(text, None);
    }

    /// Says what was done, with the way to take it back.
    pub fn say_with_undo(&self, text: impl Into<String>, undo: Undo) {
        self.add(text.into(), Some(undo));
    }

    fn add(&self, text: String, undo: Option<Undo>) {
        self.list.update(|list| {
            let key = list.last().map_or(0, |last| last.key + 1);
            list.push(Notice { key, text, undo });
        });
    }

    /// Closes one.
    pub fn close(&self, key: u64) {
        self.list
            .update(|list| list.retain(|notice| notice.key != key));
    }
}
