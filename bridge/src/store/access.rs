//! Access: the browsers that signed in, and choices that hold for the whole home. Secrets are here as hashes only.

use super::columns::get;
use super::writer::Durability;
use super::{BrowserRecord, Store, StoreError};
use rex_shared::ids::{BrowserId, Millis};
use rusqlite::{OptionalExtension as _, Row, params};

/// A browser that was not used for so long has to sign in again: 90 days.
const UNUSED_MS: i64 = 90 * 24 * 60 * 60 * 1000;
const COLUMNS: &str = "id, label, created_at, last_used_at";

impl Store {
    /// Signs a browser in.
    pub async fn add_browser(
        &self,
        browser: BrowserRecord,
        secret_hash: [u8; 32],
    ) -> Result<(), StoreError> {
        self.write(Durability::Kept, move |db| {
            db.execute(
                "INSERT INTO browser (id, secret_hash, label, created_at, last_used_at) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![
                    browser.browser_id.as_str(),
                    secret_hash,
                    browser.label,
                    browser.created_at.0,
                    browser.last_used_at.0
                ],
            )?;
            Ok(())
        })
        .await
    }

    /// The browser with this secret, unless it is void after 90 unused days.
    pub async fn browser_by_secret(
        &self,
        secret_hash: [u8; 32],
        now: Millis,
    ) -> Result<Option<BrowserRecord>, StoreError> {
        self.read(move |db| {
            Ok(db
                .prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM browser WHERE secret_hash = ?1 AND last_used_at >= ?2"
                ))?
                .query_row(params![secret_hash, now.0 - UNUSED_MS], browser_of)
                .optional()?)
        })
        .await
    }

    /// Browsers that are signed in, the first one first.
    pub async fn browsers(&self, now: Millis) -> Result<Vec<BrowserRecord>, StoreError> {
        self.read(move |db| {
            let mut found = db.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM browser WHERE last_used_at >= ?1 ORDER BY created_at, id"
            ))?;
            let found = found.query_map([now.0 - UNUSED_MS], browser_of)?;
            Ok(found.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Notes when a browser was last seen.
    pub async fn touch_browser(&self, browser: &BrowserId, now: Millis) -> Result<(), StoreError> {
        let browser = browser.clone();
        self.write(Durability::Streamed, move |db| {
            db.execute(
                "UPDATE browser SET last_used_at = max(last_used_at, ?2) WHERE id = ?1",
                params![browser.as_str(), now.0],
            )?;
            Ok(())
        })
        .await
    }

    /// Puts a browser out; whether there was one.
    pub async fn remove_browser(&self, browser: &BrowserId) -> Result<bool, StoreError> {
        let browser = browser.clone();
        self.write(Durability::Kept, move |db| {
            Ok(db.execute("DELETE FROM browser WHERE id = ?1", [browser.as_str()])? > 0)
        })
        .await
    }

    /// Ends every sign-in.
    pub async fn end_sign_ins(&self) -> Result<(), StoreError> {
        self.write(Durability::Kept, |db| {
            db.execute("DELETE FROM browser", [])?;
            Ok(())
        })
        .await
    }

    /// A choice that holds for the whole home.
    pub async fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        let key = key.to_owned();
        self.read(move |db| {
            Ok(db
                .query_row("SELECT value FROM setting WHERE key = ?1", [key], |row| {
                    row.get(0)
                })
                .optional()?)
        })
        .await
    }

    /// Makes that choice.
    pub async fn set_setting(&self, key: &str, value: &str) -> Result<(), StoreError> {
        let (key, value) = (key.to_owned(), value.to_owned());
        self.write(Durability::Kept, move |db| {
            db.execute(
                "INSERT INTO setting (key, value) VALUES (?1, ?2)
                 ON CONFLICT DO UPDATE SET value = excluded.value",
                params![key, value],
            )?;
            Ok(())
        })
        .await
    }
}

fn browser_of(row: &Row<'_>) -> rusqlite::Result<BrowserRecord> {
    Ok(BrowserRecord {
        browser_id: get(row, "id")?,
        label: row.get("label")?,
        created_at: Millis(row.get("created_at")?),
        last_used_at: Millis(row.get("last_used_at")?),
    })
}
