//! Documents of a real folder, with a real database beside it.

mod changes;
mod kinds;
mod pages;
mod places;
mod renames;
mod watching;

use super::*;
use rex_shared::ids::ThreadId;
use rex_shared::wire::follow::{DocumentFrame, Frame};
use rex_shared::wire::place::{NewPlace, PlaceKind, PlaceState};
use rex_shared::wire::thread::NewThread;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};

const TERMS: &str =
    "# Terms\n\nRefunds are paid within 14 days.\n\nAsk support for anything else.\n";

struct World {
    temp: TempDir,
    store: Store,
    hub: Hub,
    documents: Documents,
    workspace: WorkspaceId,
    stop: CancellationToken,
    _stopped: DropGuard,
}

impl World {
    async fn new() -> Self {
        let temp = TempDir::new().unwrap();
        fs::create_dir(temp.path().join("ws")).unwrap();
        let root = temp.path().join("ws").canonicalize().unwrap();
        let store = Store::open(&temp.path().join("rex.db"), fresh::now()).unwrap();
        let hub = Hub::default();
        let documents = Documents::new(store.clone(), hub.clone(), LiveTable::default());
        let workspace = store
            .open_workspace(root.to_str().unwrap(), fresh::now())
            .await
            .unwrap()
            .workspace_id;
        let stop = CancellationToken::new();
        let world = Self {
            temp,
            store,
            hub,
            documents,
            workspace,
            _stopped: stop.clone().drop_guard(),
            stop,
        };
        world.write("terms.md", TERMS);
        world
    }

    /// The same with a comment on `terms.md`.
    async fn commented() -> (Self, ThreadId) {
        let world = Self::new().await;
        let thread = world
            .draft(vec![world.pick("terms.md", "within 14 days").await])
            .await;
        (world, thread)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.temp.path().join("ws").join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.at(name).parent().unwrap()).unwrap();
        fs::write(self.at(name), text).unwrap();
    }

    async fn page(&self, ask: Ask) -> rex_shared::wire::document::Document {
        self.documents.page(&self.workspace, ask).await.unwrap()
    }

    async fn shown(&self, name: &str) -> rex_shared::wire::document::Document {
        self.page(ask(name)).await
    }

    /// A place on the first `quote` of a document as it is now.
    async fn pick(&self, name: &str, quote: &str) -> NewPlace {
        let text = self.documents.read(&self.workspace, name).await.unwrap();
        let start = text.source.find(quote).unwrap();
        NewPlace {
            place_id: fresh::id(),
            document: name.to_owned(),
            kind: PlaceKind::Text,
            start: u32::try_from(start).unwrap(),
            end: u32::try_from(start + quote.len()).unwrap(),
            version: text.version,
            quote: quote.to_owned(),
        }
    }

    /// A draft with these places.
    async fn draft(&self, places: Vec<NewPlace>) -> ThreadId {
        let thread: ThreadId = fresh::id();
        let checked = self
            .documents
            .check_places(&self.workspace, &places)
            .await
            .unwrap();
        let new = NewThread {
            thread_id: thread.clone(),
            ws: None,
            note: None,
            places,
            is_note: false,
        };
        self.store
            .create_thread(&self.workspace, new, checked, fresh::now())
            .await
            .unwrap();
        thread
    }

    async fn states(&self, thread: &ThreadId) -> Vec<PlaceState> {
        let (_, row) = self.store.row(thread).await.unwrap().unwrap();
        row.places.iter().map(|place| place.state).collect()
    }

    /// Follows the workspace, starts to watch, and waits until `name` was dealt with for the first time.
    async fn watched(&self, name: &str) -> Told {
        let mut told = Told(self.hub.follow_workspace(&self.workspace));
        self.documents.watch(&self.workspace, self.stop.clone());
        told.document(name).await;
        told
    }
}

fn ask(name: &str) -> Ask {
    Ask {
        document: name.to_owned(),
        ..Ask::default()
    }
}

/// Frames as a tab gets them.
struct Told(crate::follow::Subscription);

impl Told {
    async fn next(&mut self) -> Frame {
        let frame = timeout(Duration::from_secs(10), self.0.recv());
        (*frame.await.unwrap().unwrap()).clone()
    }

    async fn document(&mut self, name: &str) -> DocumentFrame {
        loop {
            if let Frame::Document(frame) = self.next().await
                && frame.document == name
            {
                return frame;
            }
        }
    }
}
