//! Letting go: versions that a document passed through, once nothing refers to them any more.
//!
//! A version's text is kept while a place was made on it, a place was last found in it, a change leads to or from it,
//! a place is offered in it, a message was sent on it, a proposal or a write into files begins or ends with it, or an
//! undo would bring one of those back.

use super::StoreError;
use super::changes::KEPT;
use rusqlite::Connection;
use std::collections::HashSet;

/// Of a row of `snapshot`: that nothing refers to it.
const UNNEEDED: &str = "
  NOT EXISTS (SELECT 1 FROM thread_target AS t WHERE t.snapshot = snapshot.hash)
  AND NOT EXISTS (SELECT 1 FROM document AS d WHERE d.version = snapshot.hash)
  AND NOT EXISTS (SELECT 1 FROM document_change AS c WHERE c.before_hash = snapshot.hash)
  AND NOT EXISTS (SELECT 1 FROM document_change AS c WHERE c.after_hash = snapshot.hash)
  AND NOT EXISTS (SELECT 1 FROM place_resolution AS r WHERE r.content_hash = snapshot.hash)
  AND NOT EXISTS (SELECT 1 FROM place_offer AS o WHERE o.offered_hash = snapshot.hash)
  AND NOT EXISTS (SELECT 1 FROM message AS m WHERE m.content_hash = snapshot.hash)
  AND NOT EXISTS (SELECT 1 FROM proposal_file AS f WHERE f.old_hash = snapshot.hash)
  AND NOT EXISTS (SELECT 1 FROM proposal_file AS f WHERE f.new_hash = snapshot.hash)
  AND NOT EXISTS (SELECT 1 FROM file_write AS w WHERE w.before_hash = snapshot.hash)
  AND NOT EXISTS (SELECT 1 FROM file_write AS w WHERE w.after_hash = snapshot.hash)
  AND NOT EXISTS (
    SELECT 1 FROM removed_row AS u
    WHERE u.from_table IN ('thread_target', 'place_resolution', 'place_offer', 'message', 'proposal_file', 'file_write')
      AND instr(u.content, snapshot.hash))";

/// Lets go of a document's changes that are too many, and of what only they needed.
pub(super) fn let_go(db: &Connection, document: i64) -> Result<(), StoreError> {
    let mut gone = db.prepare_cached(
        "DELETE FROM document_change WHERE document_id = ?1 AND rowid NOT IN (
           SELECT rowid FROM document_change WHERE document_id = ?1 ORDER BY rowid DESC LIMIT ?2
         ) RETURNING before_hash, after_hash",
    )?;
    let gone: Vec<[String; 2]> = gone
        .query_map((document, KEPT), |row| Ok([row.get(0)?, row.get(1)?]))?
        .collect::<Result<_, _>>()?;
    for hash in gone.iter().flatten() {
        resolutions(db, document, hash)?;
        snapshot(db, hash)?;
    }
    Ok(())
}

/// Standings in a version that no change of the document needs: they would be found anew. A place's newest finding and
/// its standing in the present version stay.
fn resolutions(db: &Connection, document: i64, hash: &str) -> Result<(), StoreError> {
    db.prepare_cached(
        "DELETE FROM place_resolution WHERE content_hash = ?2
           AND place_id IN (SELECT id FROM thread_target WHERE document_id = ?1)
           AND NOT EXISTS (SELECT 1 FROM document AS d WHERE d.id = ?1 AND d.version = ?2)
           AND NOT EXISTS (
             SELECT 1 FROM document_change AS c
             WHERE c.document_id = ?1 AND ?2 IN (c.before_hash, c.after_hash))
           AND id NOT IN (
             SELECT max(x.id) FROM place_resolution AS x
             WHERE x.place_id = place_resolution.place_id AND x.start IS NOT NULL)",
    )?
    .execute((document, hash))?;
    let mut offers = db.prepare_cached(
        "DELETE FROM place_offer WHERE content_hash = ?2
           AND place_id IN (SELECT id FROM thread_target WHERE document_id = ?1)
           AND NOT EXISTS (
             SELECT 1 FROM place_resolution AS r
             WHERE r.place_id = place_offer.place_id AND r.content_hash = ?2)
         RETURNING offered_hash",
    )?;
    let offered: HashSet<String> = offers
        .query_map((document, hash), |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for hash in &offered {
        snapshot(db, hash)?;
    }
    Ok(())
}

/// Lets go of every version that nothing refers to: of those that were kept for an undo whose time is over, and of
/// those whose place was never stored.
pub(super) fn sweep(db: &Connection) -> Result<(), StoreError> {
    db.execute(&format!("DELETE FROM snapshot WHERE {UNNEEDED}"), [])?;
    Ok(())
}

fn snapshot(db: &Connection, hash: &str) -> Result<(), StoreError> {
    db.prepare_cached(&format!(
        "DELETE FROM snapshot WHERE hash = ?1 AND {UNNEEDED}"
    ))?
    .execute([hash])?;
    Ok(())
}
