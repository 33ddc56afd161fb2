//! Sending what the tray holds: as a new comment, or in the open one.

use super::Desk;
use crate::api;
use crate::browser::ids;
use crate::navigate;
use crate::send::{Choice, send};
use leptos::task::spawn_local;
use rex_shared::ids::ThreadId;
use rex_shared::wire::place::AddPlaces;
use rex_shared::wire::prompt::Prompt;
use rex_shared::wire::thread::{Draft, ThreadPatch};

impl Desk {
    /// Asks about the picks: in the open comment, or as a new one.
    pub(super) fn ask(self, in_open: bool) {
        let text = self.model.tray_text.get_untracked();
        let text = text.trim().to_owned();
        if text.is_empty() {
            self.model.notices.say("Write your question first.");
            return self.write();
        }
        let Some(tray) = self.model.tray.get_untracked() else {
            return;
        };
        let open = self.model.open_thread.get_untracked();
        let into = open.filter(|_| in_open);
        self.stop_resting();
        self.busy.set(true);
        spawn_local(async move {
            self.acts.said().await;
            self.send_to(into, tray.thread_id, text).await;
            self.busy.set(false);
        });
    }

    async fn send_to(self, into: Option<ThreadId>, draft: ThreadId, text: String) {
        let model = self.model;
        let composer = match &into {
            Some(_) => model.pane.draft.get_untracked(),
            None => Draft::default(),
        };
        let agents = model
            .workspace
            .with_untracked(|known| known.as_ref().map(|known| known.agents.clone()));
        let Some(choice) = Choice::offered(&composer, Choice::last(), &agents.unwrap_or_default())
        else {
            return model.notices.say(
                "No agent program was found, so nothing was sent. Your passages and your text are kept.",
            );
        };
        if let Some(open) = &into
            && let Err(failed) = self.move_to(open).await
        {
            return model.failed(&failed);
        }
        let prompt = Prompt {
            message_id: ids::message_id(),
            ws: model.ws(),
            text: text.clone(),
            places: Vec::new(),
            mode: choice.mode,
            sdk: choice.sdk,
            gateway: choice.gateway,
            model: choice.model,
            images: Vec::new(),
            accept_unenforced: false,
        };
        let thread = into.clone().unwrap_or(draft);
        let sent = send(model, &thread, prompt).await;
        match (&sent, into) {
            (Ok(Some(_)), None) => {
                self.close();
                navigate::to_thread(model, thread);
            }
            (Ok(Some(_)), Some(_)) => self.close(),
            (_, None) => self.keep_text(),
            // The passages are in the open comment now; so must the words be.
            (_, Some(_)) => {
                self.close();
                self.put_into_composer(&thread, composer, &text).await;
            }
        }
        if let Err(failed) = sent {
            model.failed(&failed);
        }
    }

    async fn move_to(self, open: &ThreadId) -> api::Answer<()> {
        let place_ids = self.model.tray.with_untracked(|tray| {
            let picks = tray.iter().flat_map(|tray| &tray.picks);
            picks.map(|pick| pick.place.place_id.clone()).collect()
        });
        let places = AddPlaces {
            places: Vec::new(),
            place_ids,
        };
        let thread = api::add_places(open, &places).await?;
        self.show_in_card(thread);
        Ok(())
    }

    async fn put_into_composer(self, thread: &ThreadId, composer: Draft, text: &str) {
        let text = format!("{}\n\n{text}", composer.text).trim().to_owned();
        let draft = Draft { text, ..composer };
        let patch = ThreadPatch {
            draft: Some(draft.clone()),
            ..ThreadPatch::default()
        };
        self.model.pane.draft.set(draft);
        if let Err(failed) = api::patch_thread(thread, &patch).await {
            self.model.failed(&failed);
        }
    }
}
