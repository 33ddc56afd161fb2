//! `rex export`: the comments of documents as a file, from the bridge that holds the home or, with none running, from
//! the home itself.

use super::{Export, failed, serve};
use crate::control::{self, ControlError, ExportAsked, Exported};
use crate::fresh;
use crate::home::{self, Home};
use anyhow::Context as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

pub(super) async fn run(arguments: Export) -> anyhow::Result<()> {
    let root = home::locate(arguments.home.folder.as_deref())?;
    let documents = arguments
        .documents
        .iter()
        .map(|path| absolute(path))
        .collect::<Result<_, _>>()?;
    let asked = ExportAsked {
        documents,
        format: arguments.format,
    };
    let text = match control::ask::<Exported>(&root, control::EXPORT, &asked).await {
        Ok((exported, _)) => exported.text,
        Err(ControlError::NotRunning(_)) if root.exists() => alone(&root, asked).await?,
        Err(error) => return Err(error.into()),
    };
    match arguments.out {
        Some(out) => {
            fs::write(&out, text).with_context(|| format!("{} cannot be written", out.display()))
        }
        None => {
            let mut stdout = std::io::stdout().lock();
            let written = stdout
                .write_all(text.as_bytes())
                .and_then(|()| stdout.flush());
            written.context("the export could not be written to the end")
        }
    }
}

/// With no bridge running this process may be the one that holds the home, for as long as it reads.
async fn alone(root: &Path, asked: ExportAsked) -> anyhow::Result<String> {
    let home = Home::take(root)?;
    let bridge = serve::open(&home, 0, &crate::access::Secret::new()?)?;
    let exported = bridge.export(asked, fresh::now()).await;
    bridge.store.close().await;
    exported.map_err(failed)
}

/// The path with its folder's links followed; the file itself may be gone, and a link stands for itself.
fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        anyhow::bail!("{} is not a document", path.display());
    };
    Ok(folder
        .canonicalize()
        .unwrap_or_else(|_| folder.to_owned())
        .join(name))
}
