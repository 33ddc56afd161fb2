//! A bridge with one program, a model server behind two gateways, and one thread.

use crate::program::Program;
use rex_shared::ids::{GatewayId, MessageId, Sdk};
use rex_shared::wire::agent::{Gateway, GatewayPatch, Sandbox};
use rex_shared::wire::follow::Status;
use rex_shared::wire::message::{Forecast, History, Message, Mode, Part, ToolStatus};
use rex_shared::wire::prompt::Prompt;
use rex_shared::wire::workspace::Workspace;
use rex_verify::bridge::{Bridge, command};
use rex_verify::model_server::{Logged, ModelServer};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use ureq::Agent as Client;

/// The coldest program takes ten seconds to begin on a busy machine.
const LIMIT: Duration = Duration::from_secs(120);
/// The models.
pub(super) const MODEL: &str = "fake-large";
pub(super) const OTHER_MODEL: &str = "fake-small";
const THREAD: &str = "01890a5d-ac96-774b-bcce-b302099a8057";
/// The gateways.
pub(super) const FIRST: &str = "01890a5d-ac96-774b-bcce-b302099a8001";
pub(super) const SECOND: &str = "01890a5d-ac96-774b-bcce-b302099a8002";

pub(super) struct World {
    folder: TempDir,
    sdk: Sdk,
    records: PathBuf,
    runtime: Runtime,
    model: ModelServer,
    bridge: Option<Bridge>,
    client: Client,
    bearer: String,
}

/// One send: what was said before it and what came of it.
pub(super) struct Sent {
    pub(super) forecast: Forecast,
    pub(super) message: Message,
}

impl Sent {
    /// What the agent said.
    pub(super) fn text(&self) -> String {
        let texts = self.message.parts.iter().filter_map(|part| match part {
            Part::Text { text, .. } => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// How its calls of tools ended.
    pub(super) fn tools(&self) -> Vec<ToolStatus> {
        let tools = self.message.parts.iter().filter_map(|part| match part {
            Part::Tool { status, .. } => Some(*status),
            _ => None,
        });
        tools.collect()
    }
}

impl World {
    pub(super) fn new(program: &Program) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["home", "person", "workspace", "bin"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        fs::write(
            folder.path().join("workspace/plan.md"),
            "Backups are kept.\n",
        )
        .unwrap();
        match &program.configuration {
            Some(text) => fs::write(folder.path().join("home/config.toml"), text).unwrap(),
            None => {
                let in_path = folder.path().join("bin").join(program.sdk);
                let real = fs::canonicalize(&program.path).unwrap();
                std::os::unix::fs::symlink(real, in_path).unwrap();
            }
        }
        let runtime = Runtime::new().unwrap();
        let model = runtime.block_on(ModelServer::start()).unwrap();
        let bridge = start(folder.path());
        let (_, bearer) = bridge.sign_in().unwrap();
        let world = Self {
            sdk: Sdk::parse(program.sdk).unwrap(),
            records: folder.path().join("person").join(program.records),
            folder,
            runtime,
            model,
            bridge: Some(bridge),
            client: client(),
            bearer,
        };
        for (id, name) in [(FIRST, "First"), (SECOND, "Second")] {
            let _made: Gateway = world.post("/api/gateways", &world.gateway(id, name));
        }
        world
    }

    fn gateway(&self, id: &str, name: &str) -> Gateway {
        Gateway {
            gateway_id: GatewayId::parse(id).unwrap(),
            name: name.to_owned(),
            sdks: vec![self.sdk.clone()],
            base_url: Some(self.model.url()),
            key_ref: Some("env:SCRIPTED_KEY".to_owned()),
            models: vec![MODEL.to_owned(), OTHER_MODEL.to_owned()],
        }
    }

    /// Sends through the first gateway and waits for the end of the run.
    pub(super) fn ask(&self, text: &str) -> Sent {
        self.ask_through(FIRST, MODEL, text)
    }

    pub(super) fn ask_through(&self, gateway: &str, model: &str, text: &str) -> Sent {
        let sent = self.send((gateway, model), text, |_| {});
        let said = sent.forecast.memory;
        assert_eq!(sent.message.memory, Some(said), "the forecast was kept");
        sent
    }

    /// Sends and stops at the first words.
    pub(super) fn ask_and_stop(&self, text: &str) -> Sent {
        let mut stopped = false;
        self.send((FIRST, MODEL), text, |event| {
            if event == "delta" && !stopped {
                stopped = true;
                self.post_empty(&format!("/api/threads/{THREAD}/stop"));
            }
        })
    }

    fn send(&self, (gateway, model): (&str, &str), text: &str, mut seen: impl FnMut(&str)) -> Sent {
        let sdk = &self.sdk;
        let query = format!("sdk={sdk}&gateway={gateway}&model={model}&mode=ask");
        let forecast = self.get(&format!("/api/threads/{THREAD}/forecast?{query}"));
        let mut follow = self
            .client
            .get(self.url(&format!("/api/threads/{THREAD}/follow")))
            .header("authorization", &self.bearer)
            .call()
            .unwrap();
        let mut lines = BufReader::new(follow.body_mut().as_reader()).lines();
        let prompt = Prompt {
            message_id: MessageId::parse(&uuid::Uuid::now_v7().to_string()).unwrap(),
            ws: None,
            text: text.to_owned(),
            places: Vec::new(),
            mode: Mode::Ask,
            sdk: sdk.clone(),
            gateway: GatewayId::parse(gateway).unwrap(),
            model: Some(model.to_owned()),
            images: Vec::new(),
            accept_unenforced: true,
        };
        let _accepted: serde_json::Value =
            self.post(&format!("/api/threads/{THREAD}/prompt"), &prompt);
        let mut event = String::new();
        let mut was_busy = false;
        loop {
            let line = lines.next().unwrap().unwrap();
            if let Some(name) = line.strip_prefix("event:") {
                name.trim().clone_into(&mut event);
            } else if let Some(data) = line.strip_prefix("data:") {
                if event == "status" {
                    let status: Status = serde_json::from_str(data).unwrap();
                    if was_busy && !status.busy {
                        break;
                    }
                    was_busy |= status.busy;
                }
                seen(&event);
            }
        }
        let history: History = self.get(&format!("/api/threads/{THREAD}/history"));
        Sent {
            forecast,
            message: history.messages.into_iter().next_back().unwrap(),
        }
    }

    /// Ends the bridge as a crash does and starts another on the same home.
    pub(super) fn restart(&mut self) {
        self.bridge = None;
        self.bridge = Some(start(self.folder.path()));
    }

    /// The same, and takes the agent's own records away in between.
    pub(super) fn restart_without_records(&mut self) {
        self.bridge = None;
        assert!(self.records.exists(), "{}", self.records.display());
        fs::remove_dir_all(&self.records).unwrap();
        self.bridge = Some(start(self.folder.path()));
    }

    /// Gives the first gateway another name of the same machine.
    pub(super) fn move_gateway(&self) {
        let moved = self.model.url().replace("127.0.0.1", "localhost");
        let patch = GatewayPatch {
            base_url: Some(Some(moved)),
            ..GatewayPatch::default()
        };
        let mut answer = self
            .client
            .patch(self.url(&format!("/api/gateways/{FIRST}")))
            .header("authorization", &self.bearer)
            .send_json(&patch)
            .unwrap();
        let _moved: Gateway = answer.body_mut().read_json().unwrap();
    }

    /// A script with the workspace's folder put in.
    pub(super) fn in_workspace(&self, script: &str) -> String {
        let workspace = self.folder.path().join("workspace");
        script.replace("$WORKSPACE", workspace.to_str().unwrap())
    }

    /// What lies in the workspace.
    pub(super) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path().join("workspace")).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    /// What keeps the program from writing here.
    pub(super) fn sandbox(&self) -> Sandbox {
        let workspace: Workspace = self.get("/api/workspace");
        let mut agents = workspace.agents.into_iter();
        agents.find(|agent| agent.sdk == self.sdk).unwrap().sandbox
    }

    /// The names of the files of the person's home and of REX's that hold these words.
    pub(super) fn files_with(&self, words: &str) -> Vec<String> {
        let mut folders = ["home", "person"]
            .map(|name| self.folder.path().join(name))
            .to_vec();
        let mut found = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if holds(&fs::read(&path).unwrap_or_default(), words) {
                    found.push(path.file_name().unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        found
    }

    pub(super) fn report(&self) -> String {
        let mut answer = self
            .client
            .get(self.url(&format!("/api/threads/{THREAD}/debug")))
            .header("authorization", &self.bearer)
            .call()
            .unwrap();
        answer.body_mut().read_to_string().unwrap()
    }

    /// Every request that asked the model something; what a program asks on the side has no tools.
    pub(super) fn asked_of_the_model(&self) -> Vec<Logged> {
        let log = self.model.log();
        log.into_iter()
            .filter(|asked| !asked.tools.is_empty())
            .collect()
    }

    /// Waits until the model's client has gone in the middle of an answer.
    pub(super) fn until_the_client_is_gone(&self) {
        let gone = self
            .model
            .log_until(|log| log.iter().any(|request| request.client_gone));
        let gone = async { tokio::time::timeout(LIMIT, gone).await };
        self.runtime.block_on(gone).unwrap();
    }

    fn url(&self, path: &str) -> String {
        let url = &self.bridge.as_ref().unwrap().ready.url;
        format!("{}{path}", url.trim_end_matches('/'))
    }

    fn get<T: DeserializeOwned>(&self, path: &str) -> T {
        let answer = self
            .client
            .get(self.url(path))
            .header("authorization", &self.bearer)
            .call();
        answer.unwrap().body_mut().read_json().unwrap()
    }

    fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> T {
        let answer = self
            .client
            .post(self.url(path))
            .header("authorization", &self.bearer)
            .send_json(body);
        answer.unwrap().body_mut().read_json().unwrap()
    }

    fn post_empty(&self, path: &str) {
        self.client
            .post(self.url(path))
            .header("authorization", &self.bearer)
            .send_empty()
            .unwrap();
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // A bridge that is killed leaves its servers to the next one, and there is none.
        if let Some(bridge) = self.bridge.take() {
            drop(bridge.end());
        }
    }
}

/// A bridge whose `PATH` begins with the program and whose person's home is nobody's.
fn start(folder: &Path) -> Bridge {
    let Some(rex) = std::env::var_os("REX_BINARY") else {
        panic!("REX_BINARY says which rex; run cargo verify --agents all");
    };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = [folder.join("bin")]
        .into_iter()
        .chain(std::env::split_paths(&path));
    let mut command = command(
        Path::new(&rex),
        &folder.join("home"),
        &folder.join("workspace"),
    );
    command
        .env("PATH", std::env::join_paths(folders).unwrap())
        .env("HOME", folder.join("person"))
        .env("SCRIPTED_KEY", "not-a-real-key");
    Bridge::start_by(&mut command).unwrap()
}

fn holds(bytes: &[u8], words: &str) -> bool {
    let words = words.as_bytes();
    bytes.windows(words.len()).any(|part| part == words)
}

fn client() -> Client {
    Client::config_builder()
        .timeout_global(Some(LIMIT))
        .proxy(None)
        .build()
        .into()
}
