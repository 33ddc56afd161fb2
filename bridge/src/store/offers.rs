//! Offers: where a place that is gone may belong, and what a document without a file may have become.
//!
//! Offers are a cache like the standings they come with, and nothing is ever applied from here.

use super::columns::get;
use super::writer::Durability;
use super::{Store, StoreError, workspaces};
use rex_shared::ids::{PlaceId, Version, WorkspaceId};
use rex_shared::wire::document::RenameOffer;
use rex_shared::wire::place::Offer;
use rusqlite::{Connection, params};

impl Store {
    /// Adds offers for places that are gone from this version of their document.
    pub async fn add_offers(
        &self,
        version: &Version,
        offers: Vec<(PlaceId, Offer)>,
    ) -> Result<(), StoreError> {
        let version = version.clone();
        self.write(Durability::Streamed, move |db| {
            for (place, offer) in &offers {
                let mut all = of_place(db, place, &version)?;
                if !all.contains(offer) {
                    all.push(offer.clone());
                    put(db, place, &version, &all)?;
                }
            }
            Ok(())
        })
        .await
    }

    /// Adds files that a document without a file may have become.
    pub async fn offer_renames(
        &self,
        workspace: &WorkspaceId,
        document: &str,
        offers: Vec<RenameOffer>,
    ) -> Result<(), StoreError> {
        let (workspace, document) = (workspace.clone(), document.to_owned());
        self.write(Durability::Streamed, move |db| {
            let Some(row) = workspaces::find_document(db, &workspace, &document)? else {
                return Ok(());
            };
            for offer in &offers {
                db.prepare_cached(
                    "INSERT OR REPLACE INTO rename_offer (document_id, path, alike) VALUES (?1, ?2, ?3)",
                )?
                .execute(params![row, offer.to, offer.alike])?;
            }
            Ok(())
        })
        .await
    }

    /// What documents of a workspace may have become, the likeliest first.
    pub async fn rename_offers(
        &self,
        workspace: &WorkspaceId,
    ) -> Result<Vec<RenameOffer>, StoreError> {
        let workspace = workspace.clone();
        self.read(move |db| {
            let mut found = db.prepare_cached(
                "SELECT d.path AS was, o.path, o.alike
                 FROM rename_offer AS o JOIN document AS d ON d.id = o.document_id
                 WHERE d.workspace_id = ?1 ORDER BY d.path, o.alike DESC, o.path",
            )?;
            let found = found.query_map([workspace.as_str()], |row| {
                Ok(RenameOffer {
                    from: row.get("was")?,
                    to: row.get("path")?,
                    alike: row.get("alike")?,
                })
            })?;
            Ok(found.collect::<Result<_, _>>()?)
        })
        .await
    }
}

/// Offers of a place that is gone from this version of its document.
pub(super) fn of_place(
    db: &Connection,
    place: &PlaceId,
    version: &Version,
) -> Result<Vec<Offer>, StoreError> {
    let mut found = db.prepare_cached(
        r#"SELECT path, offered_hash, start, "end", line, quote FROM place_offer
           WHERE place_id = ?1 AND content_hash = ?2 ORDER BY ordinal"#,
    )?;
    let found = found.query_map(params![place.as_str(), version.as_str()], |row| {
        Ok(Offer {
            document: row.get("path")?,
            version: get(row, "offered_hash")?,
            start: row.get("start")?,
            end: row.get("end")?,
            line: row.get("line")?,
            quote: row.get("quote")?,
        })
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// Puts these offers in place of the ones that were there.
pub(super) fn put(
    db: &Connection,
    place: &PlaceId,
    version: &Version,
    offers: &[Offer],
) -> Result<(), StoreError> {
    db.prepare_cached("DELETE FROM place_offer WHERE place_id = ?1 AND content_hash = ?2")?
        .execute(params![place.as_str(), version.as_str()])?;
    for (ordinal, offer) in offers.iter().enumerate() {
        db.prepare_cached(
            r#"INSERT INTO place_offer
               (place_id, content_hash, ordinal, path, offered_hash, start, "end", line, quote)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"#,
        )?
        .execute(params![
            place.as_str(),
            version.as_str(),
            i64::try_from(ordinal).unwrap_or(i64::MAX),
            offer.document,
            offer.version.as_str(),
            offer.start,
            offer.end,
            offer.line,
            offer.quote,
        ])?;
    }
    Ok(())
}
