//! A home, a workspace and a comment in it, and what an act run would do.

use crate::documents::Documents;
use crate::follow::{Hub, LiveTable};
use crate::fresh;
use crate::proposals::{PrivateCopy, Proposals};
use crate::store::Store;
use crate::store::fixture::{ended, prompt};
use rex_shared::ids::{HunkId, ProposalId, ThreadId, WorkspaceId};
use rex_shared::transcript::RunState;
use rex_shared::wire::problem::Problem;
use rex_shared::wire::proposal::{Accept, AcceptHunk, HunkState, Proposal, ProposalChanged};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub(super) struct World {
    pub(super) folder: TempDir,
    pub(super) store: Store,
    pub(super) documents: Documents,
    pub(super) proposals: Proposals,
    pub(super) workspace: WorkspaceId,
    pub(super) thread: ThreadId,
}

impl World {
    /// A workspace with these files.
    pub(super) async fn new(files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        for (path, text) in files {
            put(&folder.path().join("review").join(path), text);
        }
        let store = Store::open(&folder.path().join("rex.db"), fresh::now()).unwrap();
        Self::on(folder, store, fresh::id()).await
    }

    /// What the next bridge finds.
    pub(super) async fn restarted(self) -> Self {
        self.store.close().await;
        let store = Store::open(&self.folder.path().join("rex.db"), fresh::now()).unwrap();
        Self::on(self.folder, store, self.thread).await
    }

    async fn on(folder: TempDir, store: Store, thread: ThreadId) -> Self {
        let root = folder.path().canonicalize().unwrap().join("review");
        fs::create_dir_all(&root).unwrap();
        let root = root.to_str().unwrap().to_owned();
        let workspace = store.open_workspace(&root, fresh::now()).await.unwrap();
        let (hub, live) = (Hub::default(), LiveTable::default());
        let documents = Documents::new(store.clone(), hub.clone(), live.clone());
        let proposals = Proposals::new(store.clone(), documents.clone(), hub, live, fresh::now);
        Self {
            folder,
            store,
            documents,
            proposals,
            workspace: workspace.workspace_id,
            thread,
        }
    }

    pub(super) fn root(&self) -> PathBuf {
        self.folder.path().join("review")
    }

    pub(super) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap()
    }

    pub(super) fn copy(&self) -> PrivateCopy {
        PrivateCopy::make(&self.root(), &self.folder.path().join("runs")).unwrap()
    }

    /// What a run that does this in its copy proposes.
    pub(super) async fn act(&self, edit: impl FnOnce(&Path)) -> Option<ProposalId> {
        let run = self.store.begin_run(
            prompt(&self.workspace, &self.thread, "Change it."),
            fresh::now(),
        );
        let run = run.await.unwrap().run.run_id;
        let copy = self
            .proposals
            .put_into(&self.thread, self.copy())
            .await
            .unwrap();
        edit(&copy.path());
        let proposed = self
            .proposals
            .propose(&self.thread, &run, copy)
            .await
            .unwrap();
        let end = ended(RunState::Done);
        self.store
            .finish_run(&run, end, fresh::now())
            .await
            .unwrap();
        proposed
    }

    pub(super) async fn proposal(&self, proposal: &ProposalId) -> Proposal {
        self.proposals.proposal(proposal).await.unwrap()
    }

    pub(super) async fn accept(
        &self,
        proposal: &ProposalId,
        hunks: &[HunkId],
    ) -> Result<ProposalChanged, Problem> {
        let hunks = hunks.iter().map(|hunk_id| AcceptHunk {
            hunk_id: hunk_id.clone(),
            text: None,
        });
        let accept = Accept {
            hunks: hunks.collect(),
            base: None,
        };
        self.proposals.accept(proposal, accept).await
    }

    /// The hunks of a proposal, in the order of its files.
    pub(super) async fn hunks(&self, proposal: &ProposalId) -> Vec<HunkId> {
        let files = self.proposal(proposal).await.files;
        let hunks = files.into_iter().flat_map(|file| file.hunks);
        hunks.map(|hunk| hunk.hunk_id).collect()
    }

    pub(super) async fn states(&self, proposal: &ProposalId) -> Vec<HunkState> {
        let files = self.proposal(proposal).await.files;
        let hunks = files.into_iter().flat_map(|file| file.hunks);
        hunks.map(|hunk| hunk.state).collect()
    }
}

pub(super) fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
