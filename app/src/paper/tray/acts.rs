//! What is still to be told the bridge, in order, one at a time.
//!
//! The tray shows what a person did at once; the bridge hears of it here. Every act can be repeated without harm, for
//! ids are the page's own, so an act that did not get through is simply said again until it does.

use crate::api::{self, Answer, Failed};
use crate::browser::timer;
use crate::model::Model;
use crate::reactive::Stored;
use leptos::task::spawn_local;
use rex_shared::ids::{PlaceId, ThreadId};
use rex_shared::wire::place::{AddPlaces, NewPlace};
use rex_shared::wire::thread::{Draft, NewThread, ThreadPatch};
use std::collections::VecDeque;

/// Between two tries while the bridge does not answer, in milliseconds.
const AGAIN: u32 = 1000;

/// How often someone who waits looks whether all is said, in milliseconds.
const LOOK: u32 = 30;

/// One thing to tell the bridge about a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Act {
    /// A passage was picked.
    Pick(ThreadId, NewPlace),
    /// A pick was taken away.
    Drop(ThreadId, PlaceId),
    /// The text stands like this now.
    Write(ThreadId, String),
}

/// Acts that wait for their turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Acts {
    model: Model,
    waiting: Stored<VecDeque<Act>>,
    working: Stored<bool>,
    made: Stored<Option<ThreadId>>,
}

impl Acts {
    /// Nothing to tell.
    pub(super) fn new(model: Model) -> Self {
        Self {
            model,
            waiting: Stored::default(),
            working: Stored::new(false),
            made: Stored::default(),
        }
    }

    /// Says that the bridge has this draft already.
    pub(super) fn knows(self, thread: &ThreadId) {
        self.made.set_value(Some(thread.clone()));
    }

    /// Adds an act. A text that is still waiting is replaced by the newer one.
    pub(super) fn add(self, act: Act) {
        self.waiting.update_value(|waiting| push(waiting, act));
        if !self.working.get_value() {
            self.working.set_value(true);
            spawn_local(self.work());
        }
    }

    /// Forgets what was not said yet.
    pub(super) fn forget(self) {
        self.waiting.update_value(VecDeque::clear);
    }

    /// Waits until everything is said.
    pub(super) async fn said(self) {
        while self.working.try_get_value() == Some(true) {
            timer::sleep(LOOK).await;
        }
    }

    async fn work(self) {
        while let Some(Some(act)) = self.waiting.try_update_value(VecDeque::pop_front) {
            loop {
                match self.tell(&act).await {
                    Ok(()) => break self.told(&act),
                    Err(Failed::NotConnected) => {
                        self.model.failed(&Failed::NotConnected);
                        timer::sleep(AGAIN).await;
                    }
                    Err(failed) => break self.refused(&act, &failed),
                }
            }
        }
        self.working.try_set_value(false);
    }

    async fn tell(self, act: &Act) -> Answer<()> {
        match act {
            Act::Pick(thread, place) if self.made.get_value().as_ref() != Some(thread) => {
                let draft = NewThread {
                    thread_id: thread.clone(),
                    ws: self.model.ws(),
                    note: None,
                    places: vec![place.clone()],
                    is_note: false,
                };
                api::make_thread(&draft).await?;
                self.knows(thread);
            }
            Act::Pick(thread, place) => {
                let places = AddPlaces {
                    places: vec![place.clone()],
                    place_ids: Vec::new(),
                };
                api::add_places(thread, &places).await?;
            }
            Act::Drop(thread, place) => api::remove_place(thread, place).await?,
            Act::Write(thread, text) => {
                let draft = Draft {
                    text: text.clone(),
                    ..Draft::default()
                };
                let patch = ThreadPatch {
                    draft: Some(draft),
                    ..ThreadPatch::default()
                };
                api::patch_thread(thread, &patch).await?;
            }
        }
        Ok(())
    }

    fn told(self, act: &Act) {
        if let Act::Pick(_, place) = act {
            self.model.tray.update(|tray| {
                let picks = tray.iter_mut().flat_map(|tray| &mut tray.picks);
                for pick in picks.filter(|pick| pick.place.place_id == place.place_id) {
                    pick.stored = true;
                }
            });
        }
    }

    /// A pick that the bridge does not take is no pick.
    fn refused(self, act: &Act, failed: &Failed) {
        self.model.failed(failed);
        if let Act::Pick(_, place) = act {
            self.model.tray.update(|tray| {
                if let Some(open) = tray {
                    open.picks
                        .retain(|pick| pick.place.place_id != place.place_id);
                    if open.picks.is_empty() {
                        *tray = None;
                    }
                }
            });
        }
    }
}

fn push(waiting: &mut VecDeque<Act>, act: Act) {
    if let Act::Write(of, _) = &act {
        waiting.retain(|old| !matches!(old, Act::Write(thread, _) if thread == of));
    }
    waiting.push_back(act);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_text_is_still_to_be_said() {
        let thread = ThreadId::parse("01890a5d-ac96-774b-bcce-b302099a8057").unwrap();
        let place = PlaceId::parse("01890a5d-ac96-774b-bcce-b302099a8058").unwrap();
        let write = |text: &str| Act::Write(thread.clone(), text.to_owned());
        let drop = Act::Drop(thread.clone(), place);
        let mut waiting = VecDeque::new();
        for act in [write("W"), drop.clone(), write("Which one?")] {
            push(&mut waiting, act);
        }
        assert_eq!(waiting, [drop, write("Which one?")]);
    }
}
