//! Keeping the end of a conversation in view while text streams in: only while it was there, and until someone reads
//! further up. Nobody's scroll or focus is taken.

use crate::browser::{listen, scroll};
use crate::model::{Model, Painted};
use crate::reactive::{State, Stored, on_change};
use leptos::html;
use leptos::prelude::*;
use rex_shared::ids::MessageId;
use rex_shared::wire::message::Role;

/// Keeps the end in view while it is.
#[derive(Clone, Copy)]
pub(super) struct AtEnd {
    pane: NodeRef<html::Div>,
    /// The end is in view, so it stays there.
    at_end: State<bool>,
    /// Something came below what is in view.
    newer: State<bool>,
    /// The person has not touched the conversation yet, so it shows its end whatever comes.
    untouched: Stored<bool>,
    /// How far down the pane stood at the last scroll.
    top: Stored<i32>,
    /// The newest message seen.
    newest: Stored<Option<MessageId>>,
}

impl AtEnd {
    /// Watches the list, and brings the message into view that the address names.
    pub(super) fn new(model: Model, pane: NodeRef<html::Div>, list: NodeRef<html::Ol>) -> Self {
        let end = Self {
            pane,
            at_end: State::new(true),
            newer: State::new(false),
            untouched: Stored::new(true),
            top: Stored::new(0),
            newest: Stored::new(None),
        };
        let watches = StoredValue::new_local(None);
        on_change(move || {
            let (Some(pane), Some(list)) = (pane.get(), list.get()) else {
                return;
            };
            watches.set_value(Some((
                listen::Sized::of(&list, move || end.grew(model)),
                listen::Sized::of(&pane, move || end.resized()),
            )));
        });
        let named = Stored::new(true);
        on_change(move || {
            if model.pane.painted.get() == Painted::Nothing || !named.get_value() {
                return;
            }
            named.set_value(false);
            let message = model.address.with_untracked(|at| at.message.id().cloned());
            if let Some(message) = message {
                request_animation_frame(move || {
                    if scroll::to_id(&format!("message-{message}")) {
                        end.taken();
                        end.at_end.set(false);
                        end.scrolled();
                    }
                });
            }
        });
        end
    }

    fn grew(self, model: Model) {
        let Some(pane) = self.pane.try_get_untracked().flatten() else {
            return;
        };
        let streams = model.pane.busy.get_untracked();
        let untouched = self.untouched.try_get_value().unwrap_or_default();
        let sent = self.sent_something(model);
        if sent || self.at_end.get_untracked() && (streams || untouched) {
            self.show();
        } else if streams && !scroll::is_at_end(&pane) {
            self.newer.set(true);
        }
    }

    /// The room changed, not what is in it.
    fn resized(self) {
        if self.at_end.try_get_untracked() == Some(true) {
            self.show();
        }
    }

    /// Whether the newest message is one that the person just sent: that is theirs to see.
    fn sent_something(self, model: Model) -> bool {
        let newest = model.pane.messages.with_untracked(|rows| {
            rows.last()
                .map(|row| (row.message_id.clone(), row.role == Role::User))
        });
        let Some((id, is_own)) = newest else {
            return false;
        };
        let before = self
            .newest
            .try_update_value(|newest| newest.replace(id.clone()))
            .flatten();
        is_own && before.is_some_and(|before| before != id)
    }

    /// Shows the end, and knows that the event of this scroll is no one's but its own.
    fn show(self) {
        if let Some(pane) = self.pane.try_get_untracked().flatten() {
            scroll::to_end(&pane);
            self.top.set_value(scroll::top(&pane));
        }
    }

    /// The person or the page scrolled.
    pub(super) fn scrolled(self) {
        let Some(pane) = self.pane.try_get_untracked().flatten() else {
            return;
        };
        let top = scroll::top(&pane);
        let went_up = top < self.top.get_value();
        self.top.set_value(top);
        let at_end = scroll::is_at_end(&pane);
        // Text that grew between a scroll and its event is no sign that the reader went away from the end.
        if (at_end || went_up) && self.at_end.get_untracked() != at_end {
            self.at_end.set(at_end);
        }
        if at_end && self.newer.get_untracked() {
            self.newer.set(false);
        }
    }

    /// The person acts in the conversation.
    pub(super) fn taken(self) {
        self.untouched.set_value(false);
    }

    /// Whether there is something new below what is in view.
    pub(super) fn offers_newest(self) -> bool {
        !self.at_end.get() && self.newer.get()
    }

    /// Goes to it.
    pub(super) fn go_newest(self) {
        self.show();
        self.scrolled();
    }
}
