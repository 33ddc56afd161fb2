//! Between rows and the vocabulary: ids and words as text, small records as JSON.

use rex_shared::wire::message::Tokens;
use rusqlite::types::Type;
use rusqlite::{Result, Row};
use serde::Serialize;
use serde::de::value::{Error as WordError, StringDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer as _};

/// The wire's word for a value that is one word there: a state, a kind, a mode.
pub(super) fn word<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        // Nothing without a word is ever passed; a CHECK would refuse the empty one.
        _ => String::new(),
    }
}

/// An id or a word of the wire.
pub(super) fn get<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> Result<T> {
    read(column, row.get(column)?)
}

/// An id or a word of the wire that may be missing.
pub(super) fn get_option<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> Result<Option<T>> {
    row.get::<_, Option<String>>(column)?
        .map(|text| read(column, text))
        .transpose()
}

fn read<T: DeserializeOwned>(column: &str, text: String) -> Result<T> {
    let text: StringDeserializer<WordError> = text.into_deserializer();
    T::deserialize(text).map_err(|error| unreadable(column, error))
}

/// A record kept as JSON.
pub(super) fn get_json<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> Result<Option<T>> {
    row.get::<_, Option<String>>(column)?
        .map(|text| serde_json::from_str(&text).map_err(|error| unreadable(column, error)))
        .transpose()
}

/// A record as JSON.
pub(super) fn json<T: Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

/// A count or offset. SQLite's integers are signed; ours never come near the end.
pub(super) fn int(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// A count or offset that may be missing.
pub(super) fn get_count(row: &Row<'_>, column: &str) -> Result<Option<u64>> {
    Ok(row
        .get::<_, Option<i64>>(column)?
        .map(|count| u64::try_from(count).unwrap_or_default()))
}

/// Tokens of four columns, `None` when nobody counted.
pub(super) fn get_tokens(row: &Row<'_>) -> Result<Option<Tokens>> {
    let Some(input) = get_count(row, "tokens_input")? else {
        return Ok(None);
    };
    Ok(Some(Tokens {
        input,
        output: get_count(row, "tokens_output")?.unwrap_or_default(),
        cache_read: get_count(row, "tokens_cache_read")?.unwrap_or_default(),
        cache_write: get_count(row, "tokens_cache_write")?.unwrap_or_default(),
    }))
}

fn unreadable(
    column: &str,
    error: impl std::error::Error + Send + Sync + 'static,
) -> rusqlite::Error {
    tracing::error!(column, "a row holds what this version cannot read");
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(error))
}
