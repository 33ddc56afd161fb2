//! The composition root: everything the bridge is made of, in one place.

use crate::access::{ControlSecret, SignIns};
use crate::agents::{Configuration, Registry};
use crate::control::{ExportAsked, Link};
use crate::doctor::Doctor;
use crate::documents::Documents;
use crate::export::{self, Asked, Exporter};
use crate::follow::{Follow, Hub, LiveTable};
use crate::processes::{Environment, Runner, Sandboxes};
use crate::proposals::Proposals;
use crate::runs::{self, Means, Runs};
use crate::store::{Store, StoreError, WorkspaceRecord};
use crate::{follow, fresh, home, http};
use rex_shared::address::Address;
use rex_shared::ids::{BootId, Millis, ThreadId, WorkspaceId};
use rex_shared::wire::problem::{Problem, ProblemType};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use tokio_util::sync::CancellationToken;

/// What one running bridge consists of; the state of every handler.
pub struct Bridge {
    /// This start.
    pub boot_id: BootId,
    /// The loopback port.
    pub port: u16,
    /// `$REX_HOME`.
    pub home: PathBuf,
    /// The build that the page compares itself with.
    pub build: String,
    /// The record.
    pub store: Store,
    /// Who listens to what.
    pub hub: Hub,
    /// What is going on right now.
    pub live: LiveTable,
    /// Agent programs.
    pub agents: Registry,
    /// Documents of all workspaces.
    pub documents: Documents,
    /// Conversations that go on.
    pub runs: Runs,
    /// What act runs want changed.
    pub proposals: Proposals,
    /// Whether all of it is sound.
    pub doctor: Doctor,
    /// Streams to the tabs.
    pub follow: Follow,
    /// Codes and signed-in browsers.
    pub sign_ins: SignIns,
    /// What the home's own commands show.
    pub control: ControlSecret,
    /// Cancelled when the bridge stops: streams end, nothing new begins.
    pub stop: CancellationToken,
    /// The workspace that the bridge was started on.
    first: OnceLock<WorkspaceId>,
}

/// What a bridge is started with.
pub struct Setup {
    /// `$REX_HOME`, already held.
    pub home: PathBuf,
    /// The database's file.
    pub database: PathBuf,
    /// The bound port.
    pub port: u16,
    /// The bridge's own environment, for finding agent programs.
    pub environment: Environment,
    /// What the person wrote down about agents.
    pub configuration: Configuration,
    /// The `rex` binary, which is also the demo agent.
    pub program: PathBuf,
    /// What the home's own commands show.
    pub control: ControlSecret,
    /// Ends the bridge.
    pub stop: CancellationToken,
}

impl Bridge {
    /// Puts a bridge together. Blocks while the database is opened.
    pub fn open(setup: Setup) -> Result<Arc<Self>, StoreError> {
        let store = Store::open(&setup.database, fresh::now())?;
        let boot_id: BootId = fresh::id();
        let hub = Hub::default();
        let live = LiveTable::default();
        let environment = setup.environment;
        let agents = Registry::standard(
            environment.clone(),
            &setup.program,
            &setup.home,
            &setup.configuration,
        );
        let documents = Documents::new(store.clone(), hub.clone(), live.clone());
        let proposals = Proposals::new(
            store.clone(),
            documents.clone(),
            hub.clone(),
            live.clone(),
            fresh::now,
        );
        let runner =
            Runner::new(environment.clone()).within(Sandboxes::of(&environment, &setup.home));
        let doctor = Doctor::new(
            setup.home.clone(),
            Some(setup.port),
            environment.clone(),
            agents.clone(),
            runner.clone(),
        );
        let runs = Runs::new(Means {
            store: store.clone(),
            documents: documents.clone(),
            proposals: proposals.clone(),
            agents: agents.clone(),
            runner,
            environment,
            hub: hub.clone(),
            live: live.clone(),
            boot_id: boot_id.clone(),
            scratch: setup.home.join("runs"),
            hold: runs::HOLD,
            clock: fresh::now,
        });
        let follow = Follow {
            store: store.clone(),
            hub: hub.clone(),
            live: live.clone(),
            boot_id: boot_id.clone(),
            stop: setup.stop.clone(),
        };
        Ok(Arc::new(Self {
            boot_id,
            port: setup.port,
            build: http::build(),
            hub,
            live,
            agents,
            documents,
            runs,
            proposals,
            doctor,
            follow,
            sign_ins: SignIns::new(store.clone(), setup.stop.clone()),
            control: setup.control,
            stop: setup.stop,
            home: setup.home,
            store,
            first: OnceLock::new(),
        }))
    }

    /// Writes exports.
    pub fn exporter(&self) -> Exporter<'_> {
        Exporter {
            store: &self.store,
            documents: &self.documents,
            agents: &self.agents,
        }
    }

    /// Documents and their comments as one text.
    pub async fn export(&self, asked: ExportAsked, now: Millis) -> Result<String, Problem> {
        let known = self.store.workspaces().await?;
        let (workspace, documents) = export::within(&known, &asked.documents)?;
        let asked = Asked {
            workspace,
            documents,
            format: asked.format,
        };
        self.exporter().write(&asked, now).await
    }

    /// Opens a folder for review. The first one is the workspace that calls without `ws` mean.
    pub async fn open_workspace(&self, folder: &Path) -> Result<WorkspaceRecord, Problem> {
        let root = folder
            .canonicalize()
            .map_err(|error| unreadable(folder, &error))?;
        if !root.is_dir() {
            return Err(unreadable(folder, &io::ErrorKind::NotADirectory.into()));
        }
        home::keep_apart(&self.home, &root).map_err(|error| {
            Problem::new(
                ProblemType::Conflict,
                "REX's own home is in there",
                error.to_string(),
                "Start REX again with another --home.",
            )
        })?;
        let Some(root) = root.to_str() else {
            return Err(Problem::new(
                ProblemType::BadRequest,
                "This folder cannot be named",
                "Its path is not UTF-8. Nothing was changed.",
                "Rename the folder, or open it by another path.",
            ));
        };
        let workspace = self.store.open_workspace(root, fresh::now()).await?;
        self.first.get_or_init(|| workspace.workspace_id.clone());
        self.documents
            .watch(&workspace.workspace_id, self.stop.clone());
        // Tried before anybody looks, for looking starts nothing.
        self.runs.sandbox(&workspace).await;
        Ok(workspace)
    }

    /// Watches the folders of earlier days too, so that their comments are found again before anybody looks.
    pub async fn watch_known_workspaces(&self) -> Result<(), StoreError> {
        for workspace in self.store.workspaces().await? {
            let root = Path::new(&workspace.root);
            if root.is_dir() && home::keep_apart(&self.home, root).is_ok() {
                self.documents
                    .watch(&workspace.workspace_id, self.stop.clone());
            }
        }
        Ok(())
    }

    /// The workspace that is meant: the one named, else the one the bridge was started on.
    pub async fn workspace(&self, named: Option<&WorkspaceId>) -> Result<WorkspaceRecord, Problem> {
        let Some(id) = named.or_else(|| self.first.get()) else {
            return Err(StoreError::UnknownWorkspace.into());
        };
        match self.store.workspace(id).await? {
            Some(workspace) => Ok(workspace),
            None => Err(StoreError::UnknownWorkspace.into()),
        }
    }

    /// The page's address for a workspace and a document of it, with a new one-time code.
    pub fn link(
        &self,
        workspace: Option<WorkspaceId>,
        document: Option<String>,
    ) -> Result<Link, getrandom::Error> {
        let mut address = Address::default().with_doc(document);
        if let Some(workspace) = workspace.filter(|id| self.first.get() != Some(id)) {
            address = address.with_ws(workspace);
        }
        let url = address.link(&format!("http://127.0.0.1:{}", self.port));
        let code = self.sign_ins.issue(fresh::now())?.reveal();
        Ok(Link {
            sign_in_url: format!("{url}#code={code}"),
            url,
            code,
        })
    }

    /// Tells the workspace that a thread's row changed. Call it after the change was stored.
    pub async fn rail_changed(&self, thread: &ThreadId) {
        follow::rail_changed(&self.store, &self.hub, &self.live, thread).await;
    }
}

fn unreadable(folder: &Path, error: &io::Error) -> Problem {
    Problem::new(
        ProblemType::UnknownWorkspace,
        "This folder cannot be opened",
        format!("{}: {error}. Nothing was changed.", folder.display()),
        "Check the path, and that you may read it.",
    )
}
