//! The card against the model it draws: what frames, history and other documents do to an open comment.

use crate::model::fixture::{self, text, thread};
use crate::model::{Applied, Model};
use crate::reactive::Derived;
use leptos::prelude::*;
use rex_shared::wire::follow::{EntryFrame, Frame, MessageFrame};
use rex_shared::wire::message::{History, Message, Mode, Part, Refusal, RefusalClass, Role};

/// The open comment.
const OPEN: u32 = 1;

/// A message that says nothing yet.
pub(super) fn message(number: u32, role: Role) -> Message {
    fixture::message(number, role, Vec::new())
}

pub(super) fn refusal() -> Refusal {
    Refusal {
        provider: "LiteLLM".to_owned(),
        model: Some("claude-sonnet".to_owned()),
        class: RefusalClass::Overloaded,
        status: Some(529),
        reason: "the upstream has no capacity right now".to_owned(),
    }
}

fn history(messages: Vec<Message>) -> History {
    History {
        thread_id: thread(OPEN),
        messages,
        permission_mode: Mode::Ask,
        interrupted: false,
        has_earlier: false,
    }
}

fn snapshot(messages: Vec<Message>) -> Frame {
    Frame::Snapshot(Box::new(fixture::snapshot(OPEN, 0, messages)))
}

fn header(message: Message) -> Frame {
    Frame::Message(Box::new(MessageFrame {
        thread_id: thread(OPEN),
        generation: 1,
        message,
    }))
}

fn said(message: &Message, part: Part) -> Frame {
    Frame::Entry(Box::new(EntryFrame {
        thread_id: thread(OPEN),
        generation: 1,
        message_id: message.message_id.clone(),
        index: 0,
        part,
    }))
}

/// Runs with the comment open, as if its address was pasted.
fn with_open_card(test: impl FnOnce(Model)) {
    let owner = Owner::new();
    owner.with(|| {
        let model = Model::new();
        model.open_thread.set(Some(thread(OPEN)));
        test(model);
    });
}

/// S63: the card's rows are the same ones after another document was opened, so its view is not drawn anew.
#[test]
fn opening_another_document_leaves_the_card_as_it_is() {
    with_open_card(|model| {
        let asked = Message {
            parts: vec![text(1, "Which is true?")],
            ..message(1, Role::User)
        };
        model.apply(snapshot(vec![asked]));
        let drawings = Derived::since(move |drawn: Option<&u32>| {
            model.open_thread.track();
            model.pane.places.track();
            model.pane.messages.track();
            drawn.map_or(1, |drawn| drawn + 1)
        });
        let before = (drawings.get_untracked(), model.pane.plain());
        model.document.open(Some("docs/components.md".to_owned()));
        assert_eq!(model.open_thread.get_untracked(), Some(thread(OPEN)));
        assert_eq!(before, (drawings.get_untracked(), model.pane.plain()));
    });
}

/// S121: stored messages paint the pane; whether the last attempt was refused is only known from the snapshot.
#[test]
fn history_paints_the_messages_and_the_snapshot_tells_of_the_refusal() {
    with_open_card(|model| {
        let refused = Message {
            refusal: Some(refusal()),
            ..message(2, Role::Assistant)
        };
        let stored = vec![message(1, Role::User), refused];
        model.pane.take_history(history(stored.clone()));
        assert_eq!(model.pane.plain(), stored);
        assert_eq!(model.pane.refused.get_untracked(), None);
        model.apply(snapshot(stored.clone()));
        assert_eq!(model.pane.plain(), stored);
        assert_eq!(model.pane.refused.get_untracked(), Some(refusal()));
    });
}

/// S136: the mark of a refusal goes when a later reply says something, not when it begins.
#[test]
fn a_refusal_stands_until_a_later_reply_speaks() {
    with_open_card(|model| {
        let refused = Message {
            refusal: Some(refusal()),
            ..message(2, Role::Assistant)
        };
        model.apply(snapshot(vec![message(1, Role::User), refused]));
        let reply = message(3, Role::Assistant);
        model.apply(header(reply.clone()));
        assert!(model.pane.refused.get_untracked().is_some());
        assert_eq!(model.apply(said(&reply, text(1, "Now."))), Applied::Taken);
        assert_eq!(model.pane.refused.get_untracked(), None);
        assert!(model.pane.plain()[2].refusal.is_none());
    });
}
