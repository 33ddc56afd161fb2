//! Entries and their rows: one `message` row per entry, each kind in columns of its own.

use super::StoreError;
use super::columns::{get, get_count, get_json, get_option, get_tokens, int, json, word};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use rex_shared::ids::{EntryId, GatewayId, MessageId, Millis, RunId, Sdk, ThreadId, Version};
use rex_shared::transcript::{Entry, EntryKind};
use rex_shared::wire::message::{Mode, Role};
use rusqlite::{Connection, Row, params};

/// Who makes notices: REX itself, not an agent.
pub(super) const OURSELVES: &str = "rex";
/// The notice that says from where on another mode holds.
pub(super) const MODE_CHANGE: &str = "modeChange";

/// Columns of an entry, for [`entry_of`].
pub(super) const COLUMNS: &str = "id, message_id, seq, role, kind, run_id, mode, sdk, gateway_id, model,
  cost_usd, tokens_input, tokens_output, tokens_cache_read, tokens_cache_write, duration_ms, content_hash,
  created_at, is_error, tool_name, tool_call_id, notice, media_type, original_type, text, tool_input, payload, image";

/// An entry to be inserted.
pub(super) struct NewRow<'a> {
    pub(super) entry_id: &'a EntryId,
    pub(super) thread_id: &'a ThreadId,
    /// `None` while the message waits behind a run.
    pub(super) seq: Option<i64>,
    pub(super) message_id: &'a MessageId,
    pub(super) opens: bool,
    pub(super) role: Role,
    pub(super) body: &'a EntryKind,
    pub(super) run_id: Option<&'a RunId>,
    pub(super) mode: Mode,
    pub(super) sdk: &'a Sdk,
    pub(super) gateway: &'a GatewayId,
    pub(super) model: Option<&'a str>,
    pub(super) version: Option<&'a Version>,
    pub(super) created_at: Millis,
}

/// The columns in which the kinds differ.
#[derive(Default)]
struct Body<'a> {
    kind: &'static str,
    is_error: Option<bool>,
    tool_name: Option<&'a str>,
    tool_call_id: Option<&'a str>,
    notice: Option<&'a str>,
    media_type: Option<&'a str>,
    original_type: Option<&'a str>,
    text: Option<&'a str>,
    tool_input: Option<String>,
    payload: Option<String>,
    image: Option<Vec<u8>>,
}

impl<'a> Body<'a> {
    fn of(entry: &'a EntryKind) -> Result<Self, StoreError> {
        Ok(match entry {
            EntryKind::Text { text } => Self {
                kind: "text",
                text: Some(text),
                ..Self::default()
            },
            EntryKind::Thinking { text } => Self {
                kind: "thinking",
                text: Some(text),
                ..Self::default()
            },
            EntryKind::ToolCall {
                call_id,
                name,
                input,
            } => Self {
                kind: "toolCall",
                tool_name: Some(name),
                tool_call_id: Some(call_id),
                tool_input: Some(json(input)?),
                ..Self::default()
            },
            EntryKind::ToolResult {
                call_id,
                text,
                is_error,
            } => Self {
                kind: "toolResult",
                tool_call_id: Some(call_id),
                text: Some(text),
                is_error: Some(*is_error),
                ..Self::default()
            },
            EntryKind::Image {
                media_type,
                data_base64,
            } => Self {
                kind: "image",
                media_type: Some(media_type),
                image: Some(
                    BASE64
                        .decode(data_base64)
                        .map_err(|_| StoreError::BadImage)?,
                ),
                ..Self::default()
            },
            EntryKind::Notice { name, detail } => Self {
                kind: "notice",
                notice: Some(name),
                payload: Some(json(detail)?),
                ..Self::default()
            },
            EntryKind::Other {
                original_type,
                payload,
            } => Self {
                kind: "other",
                original_type: Some(original_type),
                payload: Some(json(payload)?),
                ..Self::default()
            },
        })
    }
}

/// Inserts an entry.
pub(super) fn insert(db: &Connection, row: &NewRow<'_>) -> Result<(), StoreError> {
    let body = Body::of(row.body)?;
    db.prepare_cached(
        "INSERT INTO message (id, thread_id, seq, message_id, opens, role, kind, run_id, mode, sdk, gateway_id,
           model, content_hash, created_at, is_error, tool_name, tool_call_id, notice, media_type, original_type,
           text, tool_input, payload, image)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
           ?22, ?23, ?24)",
    )?
    .execute(params![
        row.entry_id.as_str(),
        row.thread_id.as_str(),
        row.seq,
        row.message_id.as_str(),
        row.opens,
        word(&row.role),
        body.kind,
        row.run_id.map(RunId::as_str),
        word(&row.mode),
        row.sdk.as_str(),
        row.gateway.as_str(),
        row.model,
        row.version.map(Version::as_str),
        row.created_at.0,
        body.is_error,
        body.tool_name,
        body.tool_call_id,
        body.notice,
        body.media_type,
        body.original_type,
        body.text,
        body.tool_input,
        body.payload,
        body.image,
    ])?;
    Ok(())
}

/// An entry from its row.
pub(super) fn entry_of(row: &Row<'_>) -> rusqlite::Result<Entry> {
    Ok(Entry {
        entry_id: get(row, "id")?,
        message_id: get(row, "message_id")?,
        seq: get_count(row, "seq")?.unwrap_or_default(),
        role: get(row, "role")?,
        body: body_of(row)?,
        run_id: get_option(row, "run_id")?,
        mode: get(row, "mode")?,
        sdk: get(row, "sdk")?,
        gateway: get(row, "gateway_id")?,
        model: row.get("model")?,
        cost_usd: row.get("cost_usd")?,
        tokens: get_tokens(row)?,
        duration_ms: get_count(row, "duration_ms")?,
        version: get_option(row, "content_hash")?,
        created_at: Millis(row.get("created_at")?),
    })
}

fn body_of(row: &Row<'_>) -> rusqlite::Result<EntryKind> {
    let kind: String = row.get("kind")?;
    Ok(match kind.as_str() {
        "text" => EntryKind::Text {
            text: said(row, "text")?,
        },
        "thinking" => EntryKind::Thinking {
            text: said(row, "text")?,
        },
        "toolCall" => EntryKind::ToolCall {
            call_id: said(row, "tool_call_id")?,
            name: said(row, "tool_name")?,
            input: get_json(row, "tool_input")?.unwrap_or_default(),
        },
        "toolResult" => EntryKind::ToolResult {
            call_id: said(row, "tool_call_id")?,
            text: said(row, "text")?,
            is_error: row.get::<_, Option<bool>>("is_error")?.unwrap_or_default(),
        },
        "image" => EntryKind::Image {
            media_type: said(row, "media_type")?,
            data_base64: BASE64.encode(row.get::<_, Option<Vec<u8>>>("image")?.unwrap_or_default()),
        },
        "notice" => EntryKind::Notice {
            name: said(row, "notice")?,
            detail: get_json(row, "payload")?.unwrap_or_default(),
        },
        _ => EntryKind::Other {
            original_type: said(row, "original_type")?,
            payload: get_json(row, "payload")?.unwrap_or_default(),
        },
    })
}

fn said(row: &Row<'_>, column: &str) -> rusqlite::Result<String> {
    Ok(row.get::<_, Option<String>>(column)?.unwrap_or_default())
}

/// What a run used, written to the last entry of its reply.
pub(super) fn set_usage(
    db: &Connection,
    reply: &MessageId,
    end: &super::RunEnd,
) -> Result<(), StoreError> {
    let tokens = end.tokens;
    db.prepare_cached(
        "UPDATE message SET cost_usd = ?2, tokens_input = ?3, tokens_output = ?4, tokens_cache_read = ?5,
           tokens_cache_write = ?6, duration_ms = ?7
         WHERE id = (SELECT id FROM message WHERE message_id = ?1 ORDER BY seq DESC LIMIT 1)",
    )?
    .execute(params![
        reply.as_str(),
        end.cost_usd,
        tokens.map(|tokens| int(tokens.input)),
        tokens.map(|tokens| int(tokens.output)),
        tokens.map(|tokens| int(tokens.cache_read)),
        tokens.map(|tokens| int(tokens.cache_write)),
        end.duration_ms.map(int),
    ])?;
    Ok(())
}
