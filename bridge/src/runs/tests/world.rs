//! A home, a workspace and the runs in it, without HTTP and without a browser.

use super::agent::Scripted;
use crate::agents::Registry;
use crate::documents::Documents;
use crate::follow::{Follow, Hub, LiveTable};
use crate::fresh;
use crate::processes::{Environment, Runner, Sandboxes};
use crate::proposals::Proposals;
use crate::runs::{Means, Runs};
use crate::store::{CheckedPlace, Found, Standing, Store, WorkspaceRecord};
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use rex_shared::ids::{GatewayId, MessageId, Millis, Sdk, ThreadId, Version};
use rex_shared::wire::follow::{Frame, Snapshot};
use rex_shared::wire::message::{Message, Mode, Part};
use rex_shared::wire::place::{NewPlace, PlaceKind, PlaceState};
use rex_shared::wire::problem::Problem;
use rex_shared::wire::prompt::{Accepted, Prompt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long anything may take before a test gives up on it.
const CAP: Duration = Duration::from_secs(10);

/// What outlives a bridge: the home, the workspace, the agent's own records.
pub(super) struct Disk {
    folder: tempfile::TempDir,
}

impl Disk {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for part in ["home", "review"] {
            std::fs::create_dir(folder.path().join(part)).unwrap();
        }
        std::fs::write(folder.path().join("review/pricing.md"), PRICING).unwrap();
        Self { folder }
    }

    pub(super) fn review(&self) -> PathBuf {
        self.folder.path().join("review").canonicalize().unwrap()
    }

    pub(super) fn records(&self) -> PathBuf {
        self.folder.path().join("records")
    }

    pub(super) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }
}

/// The document under review.
pub(super) const PRICING: &str = "# Pricing\n\nTeams pay 10 %.\n\n## Volume\n\nTeams pay 12 %.\n";

/// One start of a bridge.
pub(super) struct World {
    pub(super) store: Store,
    pub(super) runs: Runs,
    pub(super) live: LiveTable,
    pub(super) hub: Hub,
    pub(super) agent: Scripted,
    pub(super) workspace: WorkspaceRecord,
    pub(super) thread: ThreadId,
    follow: Follow,
    stop: CancellationToken,
    hold: Duration,
}

/// How a world differs from the usual one.
pub(super) struct Setting {
    pub(super) hold: Duration,
    pub(super) clock: fn() -> Millis,
    pub(super) accepted: bool,
    /// The sandbox that is tried; `None` tries nothing.
    pub(super) sandbox: Option<&'static str>,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            hold: Duration::ZERO,
            clock: fresh::now,
            accepted: true,
            sandbox: None,
        }
    }
}

impl World {
    pub(super) async fn start(disk: &Disk) -> Self {
        Self::start_with(disk, Setting::default()).await
    }

    pub(super) async fn start_with(disk: &Disk, setting: Setting) -> Self {
        let now = (setting.clock)();
        let store = Store::open(&disk.home().join("rex.db"), now).unwrap();
        let workspace = store
            .open_workspace(disk.review().to_str().unwrap(), now)
            .await
            .unwrap();
        if setting.accepted {
            store
                .accept_unenforced(&workspace.workspace_id)
                .await
                .unwrap();
        }
        let workspace = store
            .workspace(&workspace.workspace_id)
            .await
            .unwrap()
            .unwrap();
        let agent = Scripted::new(&disk.records());
        let environment = Environment::of([
            ("PATH", "/usr/bin:/bin"),
            ("REX_SANDBOX", setting.sandbox.unwrap_or("off")),
        ]);
        let sandboxes = Sandboxes::of(&environment, &disk.home());
        let hub = Hub::default();
        let live = LiveTable::default();
        let documents = Documents::new(store.clone(), hub.clone(), live.clone());
        let means = Means {
            store: store.clone(),
            proposals: Proposals::new(
                store.clone(),
                documents.clone(),
                hub.clone(),
                live.clone(),
                setting.clock,
            ),
            documents,
            agents: Registry::new(vec![Arc::new(agent.clone())], environment.clone()),
            runner: Runner::new(environment.clone()).within(sandboxes),
            environment,
            hub: hub.clone(),
            live: live.clone(),
            boot_id: fresh::id(),
            scratch: disk.home().join("runs"),
            hold: setting.hold,
            clock: setting.clock,
        };
        let stop = CancellationToken::new();
        let follow = Follow {
            store: store.clone(),
            hub: hub.clone(),
            live: live.clone(),
            boot_id: means.boot_id.clone(),
            stop: stop.clone(),
        };
        let runs = Runs::new(means);
        runs.recover().await.unwrap();
        let thread = ThreadId::parse("01890a5d-ac96-774b-bcce-b302099a8057").unwrap();
        Self {
            store,
            runs,
            live,
            hub,
            agent,
            workspace,
            thread,
            follow,
            stop,
            hold: setting.hold,
        }
    }

    /// A stream as a tab reads it.
    pub(super) async fn follow(&self) -> Tab {
        self.follow_of(&self.thread).await
    }

    /// The stream of another thread.
    pub(super) async fn follow_of(&self, thread: &ThreadId) -> Tab {
        let frames = self
            .follow
            .thread(thread, &self.workspace.workspace_id)
            .await
            .unwrap();
        Tab {
            frames: frames.boxed(),
            seen: Vec::new(),
        }
    }

    pub(super) fn end_streams(&self) {
        self.stop.cancel();
    }

    pub(super) fn sdk(&self) -> Sdk {
        Sdk::parse("acp:scripted").unwrap()
    }

    pub(super) fn a_prompt(&self, text: &str) -> Prompt {
        Prompt {
            message_id: fresh::id(),
            ws: None,
            text: text.to_owned(),
            places: Vec::new(),
            mode: Mode::Ask,
            sdk: self.sdk(),
            gateway: GatewayId::default_gateway(),
            model: None,
            images: Vec::new(),
            accept_unenforced: false,
        }
    }

    pub(super) async fn send(&self, prompt: Prompt) -> Result<Accepted, Problem> {
        self.runs
            .prompt(&self.thread, &self.workspace, prompt, Vec::new())
            .await
    }

    /// Sends, plays `script`, and waits for the end of the run.
    pub(super) async fn ask(&self, text: &str, script: &str) -> Message {
        self.ask_about(text, Vec::new(), script).await
    }

    pub(super) async fn ask_about(
        &self,
        text: &str,
        places: Vec<CheckedPlace>,
        script: &str,
    ) -> Message {
        self.agent.plays(script);
        let mut tab = self.follow().await;
        let prompt = self.a_prompt(text);
        self.runs
            .prompt(&self.thread, &self.workspace, prompt, places)
            .await
            .unwrap();
        tab.until_idle().await;
        if self.hold.is_zero() {
            tab.until(|frame| matches!(frame, Frame::Status(status) if !status.live))
                .await;
        }
        self.messages().await.pop().unwrap()
    }

    /// What a tab that comes now is shown.
    pub(super) async fn snapshot(&self) -> Snapshot {
        self.follow().await.snapshot().await
    }

    pub(super) async fn messages(&self) -> Vec<Message> {
        self.snapshot().await.messages
    }

    pub(super) async fn last_prompt(&self) -> String {
        self.agent.turns().pop().unwrap().prompt
    }
}

/// A checked place on words of the document under review.
pub(super) fn place_on(words: &str) -> CheckedPlace {
    let start = PRICING.find(words).unwrap();
    let version = Version::parse(blake3::hash(PRICING.as_bytes()).to_hex().as_str()).unwrap();
    let (start, end) = (
        u32::try_from(start).unwrap(),
        u32::try_from(start + words.len()).unwrap(),
    );
    CheckedPlace {
        place: NewPlace {
            place_id: fresh::id(),
            document: "pricing.md".to_owned(),
            kind: PlaceKind::Text,
            start,
            end,
            version: version.clone(),
            quote: words.to_owned(),
        },
        source: PRICING.as_bytes().into(),
        standing: Standing {
            state: PlaceState::Exact,
            version: Some(version),
            found: Some(Found {
                start,
                end,
                quote: words.to_owned(),
            }),
            offers: Vec::new(),
        },
        now: None,
    }
}

/// A tab that follows a thread.
pub(super) struct Tab {
    frames: BoxStream<'static, Arc<Frame>>,
    pub(super) seen: Vec<Arc<Frame>>,
}

impl Tab {
    /// The next frame; `None` when the stream ended.
    pub(super) async fn next(&mut self) -> Option<Arc<Frame>> {
        let frame = tokio::time::timeout(CAP, self.frames.next())
            .await
            .expect("a frame within 10 s")?;
        self.seen.push(frame.clone());
        Some(frame)
    }

    pub(super) async fn until(&mut self, wanted: impl Fn(&Frame) -> bool) -> Arc<Frame> {
        loop {
            let frame = self.next().await.expect("the stream goes on");
            if wanted(&frame) {
                return frame;
            }
        }
    }

    pub(super) async fn snapshot(&mut self) -> Snapshot {
        match &*self.next().await.expect("the stream begins") {
            Frame::Snapshot(snapshot) => (**snapshot).clone(),
            other => panic!("a stream begins with a snapshot, not with {other:?}"),
        }
    }

    /// Waits until a run that was busy has ended.
    pub(super) async fn until_idle(&mut self) {
        self.until(|frame| matches!(frame, Frame::Status(status) if status.busy))
            .await;
        self.until(|frame| matches!(frame, Frame::Status(status) if !status.busy))
            .await;
    }

    /// Waits until so much text of the answer was shown.
    pub(super) async fn until_text(&mut self, wanted: &str) {
        while !self.text().contains(wanted) {
            self.next().await.expect("the stream goes on");
        }
    }

    /// The text of the answers that this tab was shown, as it would stand on screen.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for frame in &self.seen {
            match &**frame {
                Frame::Entry(entry) => {
                    if let Part::Text { text: shown, .. } = &entry.part {
                        text.push_str(shown);
                    }
                }
                Frame::Delta(delta) => text.push_str(&delta.text),
                _ => {}
            }
        }
        text
    }
}

/// The text of a message.
pub(super) fn words(message: &Message) -> String {
    rex_shared::prompt::words(message).unwrap_or_default()
}

/// The id of a prompt's message, to ask for later.
pub(super) fn id_of(prompt: &Prompt) -> MessageId {
    prompt.message_id.clone()
}

/// Whether anything but a folder lies below `path`.
pub(super) fn is_empty(path: &Path) -> bool {
    std::fs::read_dir(path).map_or(true, |mut entries| entries.next().is_none())
}
