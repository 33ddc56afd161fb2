//! Snapshots: the bytes of every version that an anchor, a change or a finding refers to, once per hash, compressed.

use super::writer::Durability;
use super::{CheckedPlace, Store, StoreError};
use rex_shared::ids::Version;
use rusqlite::{OptionalExtension as _, params};
use std::sync::Arc;

/// Quick, and text still shrinks to about a third.
const LEVEL: i32 = 3;
/// The largest document there is; a row that claims more is damaged.
const LARGEST: usize = 64 * 1024 * 1024;

impl Store {
    /// Keeps the bytes of a version, once.
    pub async fn keep_snapshot(
        &self,
        version: &Version,
        source: Arc<[u8]>,
    ) -> Result<(), StoreError> {
        let hash = version.clone();
        let known = self
            .read(move |db| {
                Ok(db
                    .prepare_cached("SELECT EXISTS (SELECT 1 FROM snapshot WHERE hash = ?1)")?
                    .query_row([hash.as_str()], |row| row.get::<_, bool>(0))?)
            })
            .await?;
        if known {
            return Ok(());
        }
        // Not on the writer thread: others have something to write meanwhile.
        let size = source.len();
        let packed = tokio::task::spawn_blocking(move || zstd::bulk::compress(&source, LEVEL))
            .await
            .map_err(|_| StoreError::Closed)??;
        let version = version.clone();
        self.write(Durability::Kept, move |db| {
            db.execute(
                "INSERT INTO snapshot (hash, size, content) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
                params![version.as_str(), super::columns::int(size as u64), packed],
            )?;
            Ok(())
        })
        .await
    }

    /// The bytes of a version that an anchor refers to.
    pub async fn snapshot(&self, version: &Version) -> Result<Option<Vec<u8>>, StoreError> {
        let version = version.clone();
        self.read(move |db| {
            let packed: Option<(usize, Vec<u8>)> = db
                .prepare_cached("SELECT size, content FROM snapshot WHERE hash = ?1")?
                .query_row([version.as_str()], |row| {
                    let size: i64 = row.get(0)?;
                    Ok((usize::try_from(size).unwrap_or_default(), row.get(1)?))
                })
                .optional()?;
            Ok(packed
                .map(|(size, content)| zstd::bulk::decompress(&content, size.min(LARGEST)))
                .transpose()?)
        })
        .await
    }
}

/// Keeps the versions that new places were picked in, and those they stand in now. One without a place does no harm, so this may come first.
pub(super) async fn keep_all(store: &Store, places: &[CheckedPlace]) -> Result<(), StoreError> {
    for checked in places {
        store
            .keep_snapshot(&checked.place.version, Arc::clone(&checked.source))
            .await?;
        if let (Some(now), Some(version)) = (&checked.now, &checked.standing.version) {
            store.keep_snapshot(version, Arc::clone(now)).await?;
        }
    }
    Ok(())
}
