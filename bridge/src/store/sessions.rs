//! Sessions: what is known of the agents' own logs. A cache; losing a row costs a replay and no word.

use super::columns::get;
use super::writer::Durability;
use super::{SessionAnswer, SessionRecord, Store, StoreError};
use rex_shared::ids::{GatewayId, Millis, Sdk, ThreadId};
use rusqlite::{OptionalExtension as _, Row, params};

const COLUMNS: &str = "thread_id, sdk, gateway_id, base_url, session_id, created_at, folder, n, finished_at, agent_has, asked_at";

impl Store {
    /// The session row of this combination.
    pub async fn session(
        &self,
        thread: &ThreadId,
        sdk: &Sdk,
        gateway: &GatewayId,
    ) -> Result<Option<SessionRecord>, StoreError> {
        let (thread, sdk, gateway) = (thread.clone(), sdk.clone(), gateway.clone());
        self.read(move |db| {
            Ok(db
                .prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM thread_session WHERE thread_id = ?1 AND sdk = ?2 AND gateway_id = ?3"
                ))?
                .query_row(
                    params![thread.as_str(), sdk.as_str(), gateway.as_str()],
                    session_of,
                )
                .optional()?)
        })
        .await
    }

    /// Every session row of a thread, the oldest first.
    pub async fn sessions(&self, thread: &ThreadId) -> Result<Vec<SessionRecord>, StoreError> {
        let thread = thread.clone();
        self.read(move |db| {
            let mut found = db.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM thread_session WHERE thread_id = ?1 ORDER BY created_at, sdk, gateway_id"
            ))?;
            let found = found.query_map([thread.as_str()], session_of)?;
            Ok(found.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Opens a new session for this combination in place of the one before: `n` grows by one, the agent's id is not
    /// known yet.
    pub async fn open_session(
        &self,
        thread: &ThreadId,
        sdk: &Sdk,
        gateway: &GatewayId,
        base_url: Option<String>,
        folder: &str,
        now: Millis,
    ) -> Result<SessionRecord, StoreError> {
        let (thread, sdk, gateway) = (thread.clone(), sdk.clone(), gateway.clone());
        let folder = folder.to_owned();
        self.write(Durability::Streamed, move |db| {
            let opened = db
                .prepare_cached(&format!(
                    "INSERT INTO thread_session (thread_id, sdk, gateway_id, base_url, folder, created_at, n)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1)
                     ON CONFLICT DO UPDATE SET base_url = excluded.base_url, folder = excluded.folder,
                       created_at = excluded.created_at, n = n + 1, session_id = NULL, finished_at = NULL,
                       agent_has = NULL, asked_at = NULL
                     RETURNING {COLUMNS}"
                ))?
                .query_row(
                    params![
                        thread.as_str(),
                        sdk.as_str(),
                        gateway.as_str(),
                        base_url,
                        folder,
                        now.0
                    ],
                    session_of,
                )?;
            Ok(opened)
        })
        .await
    }

    /// The agent named its session.
    pub async fn name_session(
        &self,
        thread: &ThreadId,
        sdk: &Sdk,
        gateway: &GatewayId,
        session_id: &str,
    ) -> Result<(), StoreError> {
        let (thread, sdk, gateway) = (thread.clone(), sdk.clone(), gateway.clone());
        let session_id = session_id.to_owned();
        self.write(Durability::Streamed, move |db| {
            db.prepare_cached(
                "UPDATE thread_session SET session_id = ?4
                 WHERE thread_id = ?1 AND sdk = ?2 AND gateway_id = ?3",
            )?
            .execute(params![
                thread.as_str(),
                sdk.as_str(),
                gateway.as_str(),
                session_id
            ])?;
            Ok(())
        })
        .await
    }

    /// The agent was asked whether it has this session. Of another one that has taken its place meanwhile nothing was
    /// said.
    pub async fn answer_session(
        &self,
        session: &SessionRecord,
        answer: SessionAnswer,
    ) -> Result<(), StoreError> {
        let session = session.clone();
        self.write(Durability::Streamed, move |db| {
            db.prepare_cached(
                "UPDATE thread_session SET agent_has = ?5, asked_at = ?6
                 WHERE thread_id = ?1 AND sdk = ?2 AND gateway_id = ?3 AND session_id IS ?4",
            )?
            .execute(params![
                session.thread_id.as_str(),
                session.sdk.as_str(),
                session.gateway_id.as_str(),
                session.session_id,
                answer.has,
                answer.asked_at.0
            ])?;
            Ok(())
        })
        .await
    }

    /// A turn in the session finished, so that it can be resumed; it was the agent's own word that it has it.
    pub async fn finish_session_turn(
        &self,
        thread: &ThreadId,
        sdk: &Sdk,
        gateway: &GatewayId,
        now: Millis,
    ) -> Result<(), StoreError> {
        let (thread, sdk, gateway) = (thread.clone(), sdk.clone(), gateway.clone());
        self.write(Durability::Streamed, move |db| {
            db.prepare_cached(
                "UPDATE thread_session SET finished_at = ?4, agent_has = 1, asked_at = ?4
                 WHERE thread_id = ?1 AND sdk = ?2 AND gateway_id = ?3",
            )?
            .execute(params![
                thread.as_str(),
                sdk.as_str(),
                gateway.as_str(),
                now.0
            ])?;
            Ok(())
        })
        .await
    }
}

fn session_of(row: &Row<'_>) -> rusqlite::Result<SessionRecord> {
    Ok(SessionRecord {
        thread_id: get(row, "thread_id")?,
        sdk: get(row, "sdk")?,
        gateway_id: get(row, "gateway_id")?,
        base_url: row.get("base_url")?,
        session_id: row.get("session_id")?,
        folder: row.get("folder")?,
        n: row.get("n")?,
        created_at: Millis(row.get("created_at")?),
        finished_at: row.get::<_, Option<i64>>("finished_at")?.map(Millis),
        answer: answer_of(row.get("agent_has")?, row.get("asked_at")?),
    })
}

fn answer_of(has: Option<bool>, asked_at: Option<i64>) -> Option<SessionAnswer> {
    Some(SessionAnswer {
        has: has?,
        asked_at: Millis(asked_at?),
    })
}
