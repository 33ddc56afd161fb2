//! What the page knows, as signals in one small context.
//!
//! Top-level signals live as long as the page, so [`Model`] is `Copy` and closures take it as it is. Rows that come and
//! go (rail rows, messages, parts) are `SharedState`s, because one of those outlives whatever pane first showed it.
//! Nothing here asks, listens or touches the browser: [`apply`] takes a frame, [`crate::api`] and [`crate::follow`]
//! bring it. So every rule is tested on the host.

mod apply;
mod compared;
mod document;
#[cfg(test)]
pub(crate) mod fixture;
mod merge;
mod notice;
mod pane;
mod rail;
#[cfg(test)]
mod tests;
mod tray;

pub use apply::Applied;
pub use compared::Compared;
pub use document::OpenDocument;
pub use notice::{Notice, Notices};
pub use pane::{MessageRow, Painted, PartRow, ThreadPane};
pub use rail::{Activity, LaneFilter, RailRows};
pub use tray::{Pick, Picked, Tray};

use crate::api::Failed;
use crate::reactive::{State, Stored};
use leptos::prelude::*;
use rex_shared::address::{Address, Epoch, Navigation};
use rex_shared::ids::{PlaceId, ThreadId, WorkspaceId};
use rex_shared::wire::document::Files;
use rex_shared::wire::problem::ProblemType;
use rex_shared::wire::workspace::Workspace;
use std::collections::HashMap;

/// Whether the bridge knows this browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Access {
    /// Not asked yet: nothing is drawn but the frame.
    #[default]
    Asking,
    /// It does.
    Known,
    /// It does not: the sign-in page shows.
    Unknown,
}

/// How fresh the page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Connection {
    /// The first connection is being made.
    #[default]
    Connecting,
    /// The stream is open.
    Connected,
    /// Too many tabs hold a stream; this one asks every two seconds.
    Polling,
    /// The stream is lost and is being made again.
    NotConnected,
}

/// Light, dark, or what the system says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

/// What the rail shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the names say it")]
pub enum RailTab {
    #[default]
    Threads,
    Files,
}

/// Everything the page knows. Get it with [`use_model`].
#[derive(Debug, Clone, Copy)]
pub struct Model {
    /// Whether the bridge knows this browser.
    pub access: State<Access>,
    /// How fresh the page is.
    pub connection: State<Connection>,
    /// The address as it stands; only [`crate::navigate`] writes it.
    pub address: State<Address>,
    /// The open workspace with its agents and gateways; `None` until it came.
    pub workspace: State<Option<Workspace>>,
    /// The file tree; `None` until it came.
    pub files: State<Option<Files>>,
    /// The rail's rows by id, and which are shown.
    pub rail: RailRows,
    /// The document on the paper.
    pub document: OpenDocument,
    /// The thread whose card is open. The card stays open while documents change.
    pub open_thread: State<Option<ThreadId>>,
    /// What the card shows of it.
    pub pane: ThreadPane,
    /// The proposal that stands in the place of the paper.
    pub compared: State<Option<Compared>>,
    /// A thread that the pointer or focus is on in card, rail or paper, to be marked in the others.
    pub pointed: State<Option<ThreadId>>,
    /// Picked passages not yet sent; `None` when no tray is open.
    pub tray: State<Option<Tray>>,
    /// What was picked and the tray has yet to take.
    pub picked: State<Vec<Picked>>,
    /// A place that lost its text and gets the next one that is selected.
    pub bereft: State<Option<(ThreadId, PlaceId)>>,
    /// What is written in the tray.
    pub tray_text: State<String>,
    /// A question about a send that waits for the person.
    pub question: State<Option<crate::send::Question>>,
    /// Whether the dialog with the gateways is open.
    pub gateways_shown: State<bool>,
    /// Light, dark, or what the system says.
    pub theme: State<Theme>,
    /// Whether the rail is folded to a strip.
    pub rail_is_slim: State<bool>,
    /// Whether the rail lies over the paper, where there is no room for it beside.
    pub drawer_is_open: State<bool>,
    /// What the rail shows.
    pub rail_tab: State<RailTab>,
    /// Folders of the tree that the person opened (`true`) or closed.
    pub open_folders: State<HashMap<String, bool>>,
    /// Sentences for the person that belong to no pane.
    pub notices: Notices,
    /// The bridge was built anew since this page was loaded: a reload is offered.
    pub newer_build: State<bool>,
    /// Why a one-time code was not taken; the sign-in page says it.
    pub code_refused: State<Option<String>>,
    /// Counts changes of the file tree that frames told of: it is asked for again.
    pub files_changed: State<u64>,
    first_build: Stored<Option<String>>,
    navigation: Stored<Navigation>,
    workspaces: Stored<Navigation>,
}

impl Model {
    /// A page that knows nothing yet. Needs a reactive owner that lives as long as the page.
    pub fn new() -> Self {
        Self {
            access: State::default(),
            connection: State::default(),
            address: State::default(),
            workspace: State::default(),
            files: State::default(),
            rail: RailRows::new(),
            document: OpenDocument::new(),
            open_thread: State::default(),
            pane: ThreadPane::new(),
            compared: State::default(),
            pointed: State::default(),
            tray: State::default(),
            picked: State::default(),
            bereft: State::default(),
            tray_text: State::default(),
            question: State::default(),
            gateways_shown: State::default(),
            theme: State::default(),
            rail_is_slim: State::default(),
            drawer_is_open: State::default(),
            rail_tab: State::default(),
            open_folders: State::default(),
            notices: Notices::new(),
            newer_build: State::default(),
            code_refused: State::default(),
            files_changed: State::default(),
            first_build: Stored::new(None),
            navigation: Stored::new(Navigation::default()),
            workspaces: Stored::new(Navigation::default()),
        }
    }

    /// The workspace to ask for: the address's, else the one that came, else the bridge's own.
    pub fn ws(&self) -> Option<WorkspaceId> {
        let addressed = self.address.with_untracked(|at| at.ws.id().cloned());
        addressed.or_else(|| {
            self.workspace.with_untracked(|known| {
                known
                    .as_ref()
                    .map(|known| known.workspace.workspace_id.clone())
            })
        })
    }

    /// Takes the workspace as the bridge says it is. The first build seen is the one that served this page.
    pub fn take_workspace(&self, workspace: Workspace) {
        let first = self.first_build.get_value();
        let first = first.unwrap_or_else(|| workspace.build.clone());
        self.newer_build.set(first != workspace.build);
        self.first_build.set_value(Some(first));
        self.workspace.set(Some(workspace));
    }

    /// Forgets what belongs to the workspace that was open.
    pub(crate) fn leave_workspace(&self) {
        self.workspaces.update_value(|at| {
            at.go();
        });
        self.workspace.set(None);
        self.files.set(None);
        self.rail.clear();
    }

    /// Take this before asking the bridge; see [`Self::still`].
    pub fn now(&self) -> Epoch {
        self.navigation.with_value(Navigation::now)
    }

    /// Whether an answer to what was asked at `asked` may still change the screen: the last click wins.
    pub fn still(&self, asked: Epoch) -> bool {
        self.navigation.with_value(|at| at.still(asked))
    }

    /// Like [`Self::now`], for what belongs to the workspace and not to what is open in it.
    pub(crate) fn in_workspace(&self) -> Epoch {
        self.workspaces.with_value(Navigation::now)
    }

    /// Whether the workspace is still the one of `asked`.
    pub(crate) fn still_in(&self, asked: Epoch) -> bool {
        self.workspaces.with_value(|at| at.still(asked))
    }

    /// Every answer that is still under way is from now on late.
    pub(crate) fn go(&self) -> Epoch {
        self.navigation
            .try_update_value(Navigation::go)
            .unwrap_or_else(|| Navigation::default().now())
    }

    /// Says a failure: an unknown browser is shown the sign-in page, everything else becomes a notice.
    pub fn failed(&self, failed: &Failed) {
        if failed.kind() == Some(ProblemType::UnknownBrowser) {
            self.access.set(Access::Unknown);
        } else {
            self.notices.say(failed.to_string());
        }
    }
}

impl Default for Model {
    fn default() -> Self {
        Self::new()
    }
}

/// The model of this page.
pub fn use_model() -> Model {
    expect_context()
}
