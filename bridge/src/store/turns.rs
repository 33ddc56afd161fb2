//! Turns that are over, many in one transaction: how a large record is made where nobody watches it grow.

use super::writer::Durability;
use super::{Store, StoreError, WholeTurn, prompts, record, runs, snapshots};

impl Store {
    /// Stores turns in the order given, each as [`Store::begin_run`], [`Store::append`] and [`Store::finish_run`] would;
    /// all of them or none.
    pub async fn add_turns(&self, turns: Vec<WholeTurn>) -> Result<(), StoreError> {
        for turn in &turns {
            snapshots::keep_all(self, &turn.prompt.places).await?;
        }
        self.write(Durability::Kept, move |db| {
            for turn in &turns {
                prompts::begin(db, &turn.prompt, turn.at)?;
                record::append(db, &turn.prompt.run_id, &turn.stream, turn.at)?;
                runs::finish(db, &turn.prompt.run_id, &turn.end, turn.at)?;
            }
            Ok(())
        })
        .await
    }
}
