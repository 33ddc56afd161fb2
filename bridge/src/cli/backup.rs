//! `rex backup`: the database of a home as one file, whether a bridge holds it or not.

use super::say;
use crate::home;
use crate::store::{self, StoreError};
use anyhow::{Context as _, bail};
use std::io;
use std::path::Path;

pub(super) fn run(named: Option<&Path>, to: &Path) -> anyhow::Result<()> {
    let database = home::database_in(&home::locate(named)?);
    match store::back_up(&database, to) {
        Ok(()) => {
            say(&format!(
                "{} holds everything of {}.",
                to.display(),
                database.display()
            ));
            Ok(())
        }
        Err(StoreError::Io(error)) if error.kind() == io::ErrorKind::AlreadyExists => {
            bail!(
                "{} is there already. It was left as it is; name another file",
                to.display()
            )
        }
        Err(StoreError::Io(error))
            if error.kind() == io::ErrorKind::NotFound && !database.exists() =>
        {
            bail!(
                "there is no database at {}; name the right home with --home",
                database.display()
            )
        }
        Err(error) => Err(error).with_context(|| format!("{} was not written", to.display())),
    }
}
