//! Sending again what did not bring an answer: the same message, another run.

use super::columns::word;
use super::prompts::{check_open, next_state};
use super::writer::Durability;
use super::{Store, StoreError, StoredPrompt, entries, kept, places, runs};
use rex_shared::ids::{MessageId, Millis, RunId, ThreadId};
use rex_shared::transcript::{EntryKind, RunRecord, RunState};
use rex_shared::wire::prompt::PromptImage;
use rusqlite::{Connection, params};

impl Store {
    /// A new run for a message whose last one did not bring an answer: `running`, or `queued` behind another one.
    pub async fn retry_run(
        &self,
        thread: &ThreadId,
        message: &MessageId,
        run: RunId,
        reply: MessageId,
        now: Millis,
    ) -> Result<RunRecord, StoreError> {
        let (thread, message) = (thread.clone(), message.clone());
        self.write(Durability::Kept, move |db| {
            check_open(db, &thread)?;
            let last = runs::of_message(db, &thread, &message)?
                .pop()
                .ok_or(StoreError::UnknownMessage)?;
            if matches!(
                last.state,
                RunState::Queued | RunState::Running | RunState::Done
            ) {
                return Err(StoreError::NothingToRetry);
            }
            let state = next_state(db, &thread)?;
            db.execute(
                "INSERT INTO run (id, thread_id, message_id, reply_id, state, mode, sdk, gateway_id, model,
                   started_at, prompt_hash)
                 SELECT ?2, thread_id, message_id, ?3, ?4, mode, sdk, gateway_id, model, ?5, prompt_hash
                 FROM run WHERE id = ?1",
                params![
                    last.run_id.as_str(),
                    run.as_str(),
                    reply.as_str(),
                    word(&state),
                    now.0
                ],
            )?;
            kept::activity(db, &thread, now)?;
            Ok(runs::find(db, &run)?.0)
        })
        .await
    }

    /// What the person sent with this message, as it stands.
    pub async fn stored_prompt(
        &self,
        thread: &ThreadId,
        message: &MessageId,
    ) -> Result<Option<StoredPrompt>, StoreError> {
        let (thread, message) = (thread.clone(), message.clone());
        self.read(move |db| stored(db, &thread, &message)).await
    }
}

fn stored(
    db: &Connection,
    thread: &ThreadId,
    message: &MessageId,
) -> Result<Option<StoredPrompt>, StoreError> {
    let mut found = db.prepare_cached(&format!(
        "SELECT {} FROM message INDEXED BY message_by_message
         WHERE message_id = ?1 AND thread_id = ?2 AND role = 'user' ORDER BY seq, rowid",
        entries::COLUMNS
    ))?;
    let found = found.query_map(
        params![message.as_str(), thread.as_str()],
        entries::entry_of,
    )?;
    let mut known = false;
    let mut prompt = StoredPrompt {
        text: String::new(),
        images: Vec::new(),
        places: Vec::new(),
    };
    for entry in found {
        known = true;
        match entry?.body {
            EntryKind::Text { text } => prompt.text.push_str(&text),
            EntryKind::Image {
                media_type,
                data_base64,
            } => prompt.images.push(PromptImage {
                media_type,
                data_base64,
            }),
            _ => {}
        }
    }
    if !known {
        return Ok(None);
    }
    prompt.places = places::of_thread(db, thread)?;
    prompt
        .places
        .retain(|place| place.message_id.as_ref() == Some(message));
    Ok(Some(prompt))
}
