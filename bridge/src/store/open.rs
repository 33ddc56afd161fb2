//! Opening: look first, change second, and refuse in a sentence what cannot be opened safely.

use super::error::StoreError;
use super::migrate;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// Connections that only read.
const READERS: usize = 3;
/// Statements a connection keeps prepared; more than the store has.
const STATEMENTS: usize = 128;

/// The connections of an opened database.
pub(super) struct Opened {
    /// The only one that can write; `None` when nothing can be written.
    pub(super) writer: Option<Connection>,
    /// Those that only read.
    pub(super) readers: Vec<Connection>,
    /// Why there is no writer.
    pub(super) read_only: Option<String>,
}

/// Opens the database for writing, else for reading.
pub(super) fn open(path: &Path, migrations: &[&str]) -> Result<Opened, StoreError> {
    let known = migrate::newest(migrations);
    let (found, looking) = look(path, known)?;
    let opened = match for_writing(path) {
        Ok(mut writer) => {
            let schema = found.unwrap_or_default();
            if schema < known {
                if found.is_some() {
                    let copy = migrate::back_up(&writer, path, schema)?;
                    tracing::info!(backup = %copy.display(), "the database was backed up");
                }
                migrate::run(&mut writer, migrations, schema)?;
            }
            Ok(Opened {
                writer: Some(writer),
                readers: readers(|| for_reading(path))?,
                read_only: None,
            })
        }
        Err(error) if cannot_write(&error) => only_reading(path, found, known),
        Err(error) => Err(refused(path, error)),
    };
    // Held until here: after a kill a long log is read through once, not once for looking and once for opening.
    drop(looking);
    opened
}

/// Opens a database that cannot be written.
pub(super) fn only_reading(
    path: &Path,
    found: Option<u32>,
    known: u32,
) -> Result<Opened, StoreError> {
    let Some(found) = found else {
        return Err(StoreError::ReadOnly(format!(
            "no database can be made at {}; make the folder writable, or choose another --home",
            path.display()
        )));
    };
    if found < known {
        return Err(StoreError::OlderSchemaReadOnly {
            path: path.to_owned(),
            found,
            known,
        });
    }
    let mut why = format!(
        "{} cannot be written: reading goes on, sending does not. Make it writable and start REX again",
        path.display()
    );
    let readers = match readers(|| for_reading(path)) {
        Ok(readers) => readers,
        // Without a writable folder the log cannot be read, only the file itself.
        Err(_) => {
            why.push_str("; its newest changes may be missing");
            readers(|| immutable(path)).map_err(|error| refused(path, error))?
        }
    };
    Ok(Opened {
        writer: None,
        readers,
        read_only: Some(why),
    })
}

/// The schema of the database at `path`, `None` when there is none yet, and the connection that looked. Changes
/// nothing, the log included.
pub(super) fn look(
    path: &Path,
    known: u32,
) -> Result<(Option<u32>, Option<Connection>), StoreError> {
    if std::fs::metadata(path).map_or(0, |file| file.len()) == 0 {
        return Ok((None, None));
    }
    let through = |db: Connection| schema_of(&db).map(|schema| (schema, db));
    let ((schema, objects), db) = match for_reading(path).and_then(through) {
        Err(error) if cannot_write(&error) => immutable(path).and_then(through),
        looked => looked,
    }
    .map_err(|error| refused(path, error))?;
    if schema > known {
        return Err(StoreError::NewerSchema {
            path: path.to_owned(),
            found: schema,
            known,
        });
    }
    if schema == 0 && objects > 0 {
        return Err(StoreError::NotOurs {
            path: path.to_owned(),
        });
    }
    Ok(((objects > 0).then_some(schema), Some(db)))
}

fn schema_of(db: &Connection) -> rusqlite::Result<(u32, u32)> {
    let schema = db.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let objects = db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok((schema, objects))
}

fn for_writing(path: &Path) -> rusqlite::Result<Connection> {
    let db = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    configure(&db)?;
    if db.is_readonly(rusqlite::MAIN_DB)? {
        return Err(rusqlite::Error::SqliteFailure(
            rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_READONLY),
            None,
        ));
    }
    db.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    // A log that once grew does not keep the disk.
    db.query_row("PRAGMA journal_size_limit = 67108864", [], |_| Ok(()))?;
    Ok(db)
}

fn for_reading(path: &Path) -> rusqlite::Result<Connection> {
    let db = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    configure(&db)?;
    db.pragma_update(None, "query_only", true)?;
    // In KiB, and for each reader; the system keeps the file's pages as well.
    db.pragma_update(None, "cache_size", -512)?;
    Ok(db)
}

/// Opens a file that nobody writes, without touching anything beside it.
pub(super) fn immutable(path: &Path) -> rusqlite::Result<Connection> {
    let mut address = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                address.push(char::from(*byte));
            }
            _ => drop(write!(address, "%{byte:02X}")),
        }
    }
    address.push_str("?immutable=1");
    let db = Connection::open_with_flags(
        address,
        OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_URI,
    )?;
    configure(&db)?;
    Ok(db)
}

fn configure(db: &Connection) -> rusqlite::Result<()> {
    db.busy_timeout(Duration::from_secs(5))?;
    db.set_prepared_statement_cache_capacity(STATEMENTS);
    db.pragma_update(None, "foreign_keys", true)?;
    // A database that somebody else put here must not run functions of its own.
    db.pragma_update(None, "trusted_schema", false)
}

fn readers(open: impl Fn() -> rusqlite::Result<Connection>) -> rusqlite::Result<Vec<Connection>> {
    (0..READERS)
        .map(|_| {
            let reader = open()?;
            // Opening is lazy: the first read tells whether it can be read at all.
            schema_of(&reader)?;
            Ok(reader)
        })
        .collect()
}

fn cannot_write(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied)
    )
}

fn refused(path: &Path, error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => StoreError::Damaged {
            path: path.to_owned(),
            detail: error.to_string(),
        },
        _ => error.into(),
    }
}
