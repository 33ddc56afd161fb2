//! One page of a document for the browser: blocks, and where every place stands.

use super::{Documents, Text, text};
use crate::store::Standing;
use crate::workspaces::{Refused, blocking};
use rex_shared::document::Block;
use rex_shared::ids::{PlaceId, Version, WorkspaceId};
use rex_shared::wire::document::{Document, DocumentPlace};
use rex_shared::wire::problem::{Problem, ProblemType};
use std::collections::HashMap;

/// Blocks of a page when nothing else is said, and at most.
const USUAL_BLOCKS: u32 = 200;
const MOST_BLOCKS: u32 = 2000;

/// What the page asks for.
#[derive(Debug, Clone, Default)]
pub struct Ask {
    /// A name of the document.
    pub document: String,
    /// Ordinal of the first block.
    pub from: Option<u32>,
    /// Number of blocks; 200 when left out.
    pub count: Option<u32>,
    /// A version that the page has: blocks that are in it come without their content.
    pub since: Option<Version>,
    /// A version to show instead of the one on disk.
    pub version: Option<Version>,
}

impl Documents {
    /// A page of a document. Writes nothing.
    pub async fn page(&self, workspace: &WorkspaceId, ask: Ask) -> Result<Document, Problem> {
        let text = match &ask.version {
            Some(version) => self.older(workspace, &ask.document, version).await?,
            None => self.read(workspace, &ask.document).await?,
        };
        let tree = self.tree(&text).await?;
        let old = match &ask.since {
            Some(since) if *since != text.version => self.known(&text.document, since).await?,
            _ => None,
        };
        let old_tree = match old {
            Some(old) => Some(self.tree(&old).await?),
            None => None,
        };
        let has_all = ask.since.as_ref() == Some(&text.version);
        let from = ask.from.unwrap_or(0);
        let count = ask.count.unwrap_or(USUAL_BLOCKS).min(MOST_BLOCKS);
        let painted = tree.clone();
        let mut blocks = blocking(move || Ok(painted.page(from as usize, count as usize))).await?;
        if has_all {
            blocks.iter_mut().for_each(leave_out);
        } else if let Some(old) = old_tree {
            let ids = old.ids();
            blocks
                .iter_mut()
                .filter(|block| ids.contains(block.block_id.as_str()))
                .for_each(leave_out);
        }
        Ok(Document {
            places: self.places(workspace, &text).await?,
            document: text.document,
            version: text.version,
            format: text.format,
            read_only: text.read_only,
            total: u32::try_from(tree.total()).unwrap_or(u32::MAX),
            from,
            blocks,
        })
    }

    /// A version that is not on disk any more, or not yet.
    async fn older(
        &self,
        workspace: &WorkspaceId,
        name: &str,
        version: &Version,
    ) -> Result<Text, Problem> {
        let document = self.identity(workspace, name).await?;
        match self.known(&document, version).await? {
            Some(text) => Ok(text),
            // Not kept any more, but it may be what is on disk.
            None => match self.read(workspace, name).await {
                Ok(text) if text.version == *version => Ok(text),
                _ => Err(Problem::new(
                    ProblemType::UnknownDocument,
                    "This version is not kept",
                    "REX keeps the versions that comments refer to, and those it showed lately. This is neither.",
                    "Open the document as it is now.",
                )),
            },
        }
    }

    /// The document that a name leads to; a name that leads nowhere is one whose file may be gone.
    pub(super) async fn identity(
        &self,
        workspace: &WorkspaceId,
        name: &str,
    ) -> Result<String, Problem> {
        let root = self.workspaces().root(workspace).await?;
        let asked = name.to_owned();
        blocking(move || match root.document(&asked) {
            Ok(document) => Ok(document),
            Err(Refused::Missing) => Ok(asked),
            Err(refused) => Err(text::not_read(&asked, &refused)),
        })
        .await
    }

    /// A version that was served lately or that a place refers to, read as this document.
    async fn known(&self, document: &str, version: &Version) -> Result<Option<Text>, Problem> {
        let Some(bytes) = self.version_bytes(version).await? else {
            return Ok(None);
        };
        let document = document.to_owned();
        blocking(move || Text::of(document, bytes).map(Some)).await
    }

    /// Every place of the document, as it stands in this version.
    async fn places(
        &self,
        workspace: &WorkspaceId,
        text: &Text,
    ) -> Result<Vec<DocumentPlace>, Problem> {
        let mut places = self
            .0
            .store
            .document_places(workspace, &text.document)
            .await?;
        if places.is_empty() {
            return Ok(places);
        }
        let standings: HashMap<PlaceId, Standing> = self
            .standings(workspace, text)
            .await?
            .into_iter()
            .map(|(anchor, standing)| (anchor.place_id, standing))
            .collect();
        for shown in &mut places {
            let place = &mut shown.place;
            let Some(standing) = standings.get(&place.place_id) else {
                continue;
            };
            place.state = standing.state;
            if let Some(found) = &standing.found {
                place.start = found.start;
                place.end = found.end;
                place.quote.clone_from(&found.quote);
                place.version = text.version.clone();
            }
        }
        Ok(places)
    }
}

fn leave_out(block: &mut Block) {
    block.node = None;
    block.source = None;
}
