//! Looking at a database's file from outside, for whoever wants to know whether it is sound. Changes nothing, and needs
//! no bridge.

use super::StoreError;
use super::gateways;
use super::migrate::{self, MIGRATIONS};
use super::open;
use rex_shared::wire::agent::Gateway;
use rusqlite::Connection;
use std::path::Path;

/// How many faults are told.
const FAULTS: usize = 5;

/// What was found in a database's file.
#[derive(Debug, Clone, PartialEq)]
pub struct Examined {
    /// Its schema, which is this build's or an older one.
    pub schema: u32,
    /// Faults of the file and rows that point at nothing; none in a sound one.
    pub damage: Vec<String>,
    /// The file's size.
    pub bytes: u64,
    /// The size of the log beside it.
    pub log_bytes: u64,
    /// The gateways it names.
    pub gateways: Vec<Gateway>,
}

/// Reads all of the file at `path`; `None` when there is none. Blocks for as long as that takes.
pub fn examine(path: &Path) -> Result<Option<Examined>, StoreError> {
    let (found, looking) = open::look(path, migrate::newest(MIGRATIONS))?;
    let (Some(schema), Some(db)) = (found, looking) else {
        return Ok(None);
    };
    let size = |path: &Path| path.metadata().map_or(0, |data| data.len());
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    Ok(Some(Examined {
        schema,
        damage: damage(&db)?,
        bytes: size(path),
        log_bytes: size(Path::new(&log)),
        gateways: gateways::all(&db)?,
    }))
}

fn damage(db: &Connection) -> Result<Vec<String>, StoreError> {
    let mut check = db.prepare(&format!("PRAGMA quick_check({FAULTS})"))?;
    let faults = check.query_map([], |row| row.get::<_, String>(0))?;
    let mut damage = faults.collect::<Result<Vec<_>, _>>()?;
    damage.retain(|fault| fault != "ok");
    let mut check = db.prepare("PRAGMA foreign_key_check")?;
    let orphans = check.query_map([], |row| row.get::<_, String>(0))?;
    for table in orphans.take(FAULTS) {
        damage.push(format!("a row of {} points at nothing", table?));
    }
    Ok(damage)
}
