//! Places that lost their text: what they were on, where they may belong, and the place that stands in for one.

use super::places::{add, anchor, of_id};
use super::writer::Durability;
use super::{
    CheckedPlace, PlaceRecord, Store, StoreError, kept, offers, snapshots, threads, workspaces,
};
use rex_shared::ids::{Millis, PlaceId, ThreadId};
use rex_shared::wire::place::PlaceState;
use rusqlite::params;

impl Store {
    /// One place of this thread with its anchor and its offers.
    pub async fn place_record(
        &self,
        thread: &ThreadId,
        place: &PlaceId,
    ) -> Result<Option<PlaceRecord>, StoreError> {
        let (thread, place) = (thread.clone(), place.clone());
        self.read(move |db| {
            let (Some(place), Some((_, anchor))) =
                (of_id(db, &thread, &place)?, anchor(db, &place)?)
            else {
                return Ok(None);
            };
            let offers = match (place.state, workspaces::version_of(db, &place.place_id)?) {
                (PlaceState::Gone, Some(now)) => offers::of_place(db, &place.place_id, &now)?,
                _ => Vec::new(),
            };
            Ok(Some(PlaceRecord {
                place,
                anchor,
                offers,
            }))
        })
        .await
    }

    /// The person says that a lost place's text is gone for good, or takes that back. Refused when it is there.
    pub async fn say_gone(
        &self,
        thread: &ThreadId,
        place: &PlaceId,
        gone: bool,
        now: Millis,
    ) -> Result<(), StoreError> {
        let (thread, place) = (thread.clone(), place.clone());
        self.write(Durability::Kept, move |db| {
            let known = of_id(db, &thread, &place)?.ok_or(StoreError::UnknownPlace)?;
            if known.state != PlaceState::Gone {
                return Err(StoreError::MovedOn(
                    "the text of this passage is there again".to_owned(),
                ));
            }
            db.execute(
                "UPDATE thread_target SET said_gone_at = ?2 WHERE id = ?1",
                params![place.as_str(), gone.then_some(now.0)],
            )?;
            Ok(())
        })
        .await
    }

    /// A new place that stands in for `replaced`, brought by the same message. A repeat is harmless.
    pub async fn reattach(
        &self,
        thread: &ThreadId,
        replaced: &PlaceId,
        place: CheckedPlace,
        now: Millis,
    ) -> Result<(), StoreError> {
        snapshots::keep_all(self, std::slice::from_ref(&place)).await?;
        let (thread, replaced) = (thread.clone(), replaced.clone());
        self.write(Durability::Kept, move |db| {
            let workspace =
                threads::find_workspace(db, &thread)?.ok_or(StoreError::UnknownThread)?;
            let old = of_id(db, &thread, &replaced)?.ok_or(StoreError::UnknownPlace)?;
            let taken: bool = db.query_row(
                "SELECT EXISTS (SELECT 1 FROM thread_target WHERE replaces = ?1 AND id <> ?2)",
                params![replaced.as_str(), place.place.place_id.as_str()],
                |row| row.get(0),
            )?;
            if taken {
                return Err(StoreError::MovedOn(
                    "this passage was put onto other text already".to_owned(),
                ));
            }
            add(
                db,
                &workspace,
                &thread,
                &place,
                old.message_id.as_ref(),
                now,
            )?;
            db.execute(
                "UPDATE thread_target SET replaces = ?2 WHERE id = ?1",
                params![place.place.place_id.as_str(), replaced.as_str()],
            )?;
            kept::gone_places(db, &thread)?;
            kept::activity(db, &thread, now)
        })
        .await
    }
}
