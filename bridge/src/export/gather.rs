//! Reading documents and rows into a bundle.

use super::{Bundle, BundleDocument, BundleThread, FORMAT, Format, Lines, html, markdown};
use crate::agents::Registry;
use crate::documents::{self, Ask, Documents};
use crate::store::{RowQuery, Store, StoreError, WorkspaceRecord};
use rex_shared::assembly::assemble;
use rex_shared::ids::{Millis, ThreadId, Version, WorkspaceId};
use rex_shared::wire::document::Document;
use rex_shared::wire::message::Message;
use rex_shared::wire::place::Place;
use rex_shared::wire::problem::{Problem, ProblemType};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Rows of one reading.
const ROWS: u32 = 200;

/// What is to be exported.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Of which workspace.
    pub workspace: WorkspaceRecord,
    /// Workspace-relative paths.
    pub documents: Vec<String>,
    /// As what.
    pub format: Format,
}

/// Writes exports. Changes nothing.
pub struct Exporter<'a> {
    /// The record.
    pub store: &'a Store,
    /// The documents of its workspaces.
    pub documents: &'a Documents,
    /// For the words that agents are called by.
    pub agents: &'a Registry,
}

impl Exporter<'_> {
    /// The file's text. Fails when a document is neither on disk nor has a comment.
    pub async fn write(&self, asked: &Asked, now: Millis) -> Result<String, Problem> {
        let bundle = self.bundle(asked, now).await?;
        Ok(match asked.format {
            Format::Md => markdown::write(&bundle),
            Format::Json => serde_json::to_string_pretty(&bundle).map_err(|error| {
                Problem::new(
                    ProblemType::Internal,
                    "The export could not be written",
                    format!("{error}. Nothing was changed."),
                    "Export it as Markdown instead.",
                )
            })?,
            Format::Html => {
                let mut shown = Vec::new();
                for document in bundle.documents.iter().filter(|at| at.version.is_some()) {
                    shown.push(
                        self.whole(&asked.workspace.workspace_id, &document.document)
                            .await?,
                    );
                }
                html::write(&bundle, &shown)
            }
        })
    }

    /// Everything that is to be written.
    pub async fn bundle(&self, asked: &Asked, now: Millis) -> Result<Bundle, Problem> {
        let workspace = &asked.workspace.workspace_id;
        let mut found = BTreeSet::new();
        let mut documents = Vec::new();
        for name in &asked.documents {
            let document = self.document(workspace, name).await?;
            let threads = self.threads_in(workspace, &document.document).await?;
            if document.version.is_none() && threads.is_empty() {
                return Err(unknown(name));
            }
            found.extend(threads);
            if !documents.contains(&document) {
                documents.push(document);
            }
        }
        let mut threads = Vec::new();
        let mut versions = BTreeMap::new();
        for (_, thread) in found {
            if let Some(thread) = self.thread(&thread, &mut versions).await? {
                threads.push(thread);
            }
        }
        let mut formats = BTreeMap::new();
        for place in threads.iter().flat_map(|thread| &thread.thread.places) {
            if !formats.contains_key(&place.document)
                && let Ok(text) = self.documents.read(workspace, &place.document).await
            {
                formats.insert(place.document.clone(), text.format);
            }
        }
        let agents = threads
            .iter()
            .flat_map(|thread| &thread.messages)
            .map(|message| (message.sdk.clone(), self.agents.label(&message.sdk)))
            .collect();
        Ok(Bundle {
            format: FORMAT,
            workspace: Path::new(&asked.workspace.root)
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            exported_at: now,
            documents,
            formats,
            threads,
            agents,
            versions: versions
                .into_iter()
                .map(|(version, (text, _))| (version, text))
                .collect(),
        })
    }

    async fn document(
        &self,
        workspace: &WorkspaceId,
        name: &str,
    ) -> Result<BundleDocument, Problem> {
        match self.documents.read(workspace, name).await {
            Ok(text) => Ok(BundleDocument {
                document: text.document,
                version: Some(text.version),
            }),
            Err(problem) if problem.kind == ProblemType::UnknownDocument => Ok(BundleDocument {
                document: name.to_owned(),
                version: None,
            }),
            Err(problem) => Err(problem),
        }
    }

    /// Threads with a place in a document, by number.
    async fn threads_in(
        &self,
        workspace: &WorkspaceId,
        document: &str,
    ) -> Result<BTreeSet<(u32, ThreadId)>, StoreError> {
        let mut found = BTreeSet::new();
        let mut after = None;
        loop {
            let query = RowQuery {
                workspace_id: workspace.clone(),
                lane: None,
                document: Some(document.to_owned()),
                limit: ROWS,
                after,
            };
            let rows = self.store.rows(query).await?;
            after = rows.last().map(|row| row.thread_id.clone());
            found.extend(rows.into_iter().map(|row| (row.number, row.thread_id)));
            if after.is_none() {
                return Ok(found);
            }
        }
    }

    /// A thread whole; `None` when it was deleted meanwhile.
    async fn thread(
        &self,
        thread: &ThreadId,
        versions: &mut BTreeMap<Version, (String, documents::Lines)>,
    ) -> Result<Option<BundleThread>, Problem> {
        let Some(stored) = self.store.thread(thread).await? else {
            return Ok(None);
        };
        let mut lines = BTreeMap::new();
        for place in &stored.places {
            if !versions.contains_key(&place.version)
                && let Some(text) = self.documents.version_text(&place.version).await?
            {
                let numbers = documents::Lines::new(&text);
                versions.insert(place.version.clone(), (text.to_string(), numbers));
            }
            if let Some((_, numbers)) = versions.get(&place.version) {
                lines.insert(place.place_id.clone(), lines_of(numbers, place));
            }
        }
        Ok(Some(BundleThread {
            messages: self.messages(thread).await?,
            thread: stored,
            lines,
        }))
    }

    async fn messages(&self, thread: &ThreadId) -> Result<Vec<Message>, StoreError> {
        let mut pages = Vec::new();
        let mut before = None;
        loop {
            let Some(page) = self.store.conversation(thread, before.as_ref()).await? else {
                break;
            };
            let messages = assemble(&page.entries, &page.runs, &page.places);
            before = messages.first().map(|message| message.message_id.clone());
            pages.push(messages);
            if !page.has_earlier {
                break;
            }
        }
        pages.reverse();
        Ok(pages.into_iter().flatten().collect())
    }

    /// A document with all its blocks.
    async fn whole(&self, workspace: &WorkspaceId, name: &str) -> Result<Document, Problem> {
        let ask = |from| Ask {
            document: name.to_owned(),
            from: Some(from),
            count: Some(u32::MAX),
            ..Ask::default()
        };
        let mut whole = self.documents.page(workspace, ask(0)).await?;
        while (whole.blocks.len() as u64) < u64::from(whole.total) {
            let from = u32::try_from(whole.blocks.len()).unwrap_or(u32::MAX);
            let more = self.documents.page(workspace, ask(from)).await?;
            if more.version != whole.version || more.blocks.is_empty() {
                // It changed in between: once more, from its beginning.
                whole = self.documents.page(workspace, ask(0)).await?;
                continue;
            }
            whole.blocks.extend(more.blocks);
        }
        Ok(whole)
    }
}

fn lines_of(lines: &documents::Lines, place: &Place) -> Lines {
    let last = (place.end.max(place.start + 1) - 1) as usize;
    Lines(lines.of(place.start as usize), lines.of(last))
}

fn unknown(name: &str) -> Problem {
    Problem::new(
        ProblemType::UnknownDocument,
        "There is no such document",
        format!("“{name}” is not in this folder and has no comments. Nothing was written."),
        "Check the path; it is the one that the file tree shows.",
    )
}
