//! A bridge with one program, a model server behind two gateways, and one thread.

mod sending;

use crate::program::Program;
use rex_shared::ids::{GatewayId, Sdk};
use rex_shared::wire::agent::{Gateway, GatewayPatch, Sandbox};
use rex_shared::wire::workspace::Workspace;
use rex_verify::bridge::{Bridge, command};
use rex_verify::model_server::{Logged, ModelServer};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
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
        let bridge = start(folder.path(), None);
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

    /// Ends the bridge as a crash does and starts another on the same home, with one more variable.
    pub(super) fn restart_with(&mut self, variable: &str, folder: &str) {
        let folder = self.folder.path().join(folder);
        fs::create_dir_all(&folder).unwrap();
        self.bridge = None;
        self.bridge = Some(start(self.folder.path(), Some((variable, &folder))));
    }

    /// Spoils every file of the agent's own records whose name ends so.
    pub(super) fn spoil_records(&self, ending: &str) {
        let spoilt = below(&self.records)
            .into_iter()
            .filter(|path| path.to_str().is_some_and(|path| path.ends_with(ending)))
            .map(|path| fs::write(path, "no record\n").unwrap())
            .count();
        assert!(spoilt > 0, "{}", self.records.display());
    }

    /// Moves the folder under review away, or back.
    pub(super) fn move_workspace(&self, from: &str, to: &str) {
        let folder = self.folder.path();
        fs::rename(folder.join(from), folder.join(to)).unwrap();
    }

    /// The report after the agents were asked.
    pub(super) fn asked_report(&self) -> String {
        let mut answer = self
            .client
            .post(self.url(&format!("/api/threads/{THREAD}/debug")))
            .header("authorization", &self.bearer)
            .send_empty()
            .unwrap();
        answer.body_mut().read_to_string().unwrap()
    }

    /// The models the agent says it offers through its own sign-in.
    pub(super) fn models(&self) -> Vec<String> {
        let mut answer = self
            .client
            .post(self.url(&format!("/api/agents/{}/models", self.sdk)))
            .header("authorization", &self.bearer)
            .send_empty()
            .unwrap();
        answer.body_mut().read_json().unwrap()
    }

    /// Ends the bridge as a crash does and starts another on the same home.
    pub(super) fn restart(&mut self) {
        self.bridge = None;
        self.bridge = Some(start(self.folder.path(), None));
    }

    /// The same, and takes the agent's own records away in between.
    pub(super) fn restart_without_records(&mut self) {
        self.bridge = None;
        assert!(self.records.exists(), "{}", self.records.display());
        fs::remove_dir_all(&self.records).unwrap();
        self.bridge = Some(start(self.folder.path(), None));
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
        let folders = ["home", "person"].map(|name| below(&self.folder.path().join(name)));
        folders
            .into_iter()
            .flatten()
            .filter(|path| holds(&fs::read(path).unwrap_or_default(), words))
            .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
            .collect()
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
fn start(folder: &Path, variable: Option<(&str, &Path)>) -> Bridge {
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
        .env("SCRIPTED_KEY", "not-a-real-key")
        .envs(variable);
    Bridge::start_by(&mut command).unwrap()
}

/// Every file below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            // A link leads out of the folder.
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found
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
