//! A file's bytes as they are: images for the page, anything else as a download that nothing runs.

use super::{Documents, text};
use crate::workspaces::blocking;
use rex_shared::ids::WorkspaceId;
use rex_shared::wire::problem::Problem;

/// A file's bytes and what may be said of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raw {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// An image type, by the file's name; `None` for everything else.
    pub image: Option<&'static str>,
}

impl Documents {
    /// Reads a file of up to 32 MB whole.
    pub async fn raw(&self, workspace: &WorkspaceId, name: &str) -> Result<Raw, Problem> {
        let root = self.workspaces().root(workspace).await?;
        let name = name.to_owned();
        blocking(move || {
            let opened = root
                .read(&name)
                .map_err(|refused| text::not_read(&name, &refused))?;
            let image = image_type(&opened.document);
            Ok(Raw {
                bytes: text::bytes(opened)?,
                image,
            })
        })
        .await
    }
}

fn image_type(document: &str) -> Option<&'static str> {
    let (_, extension) = document.rsplit_once('.')?;
    Some(match extension.to_ascii_lowercase().as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "bmp" => "image/bmp",
        "ico" => "image/x-icon",
        "svg" => "image/svg+xml",
        _ => return None,
    })
}
