//! What a person writes down about agents in `config.toml` of REX's home.
//!
//! ```toml
//! [acp.gemini]                      # an agent that speaks ACP; its name on the wire is acp:gemini
//! program = "gemini"                # in PATH, or an absolute path
//! arguments = ["--acp"]
//! pass = ["GEMINI_API_KEY"]         # variables of REX's own that it gets; others it does not get
//! environment = { NO_COLOR = "1" }  # and some of its own
//! writes = [".gemini"]              # folders of its records, below your home: the only ones it can write to
//!
//! [acp.gemini.gateway]              # only if it can be pointed at one: the variables that say so
//! base-url = "GOOGLE_GEMINI_BASE_URL"
//! key = "GEMINI_API_KEY"
//! model = "GEMINI_MODEL"
//!
//! [deepagents]
//! python = "/home/me/agents/bin/python"
//! ```
//!
//! Read once, at the start. What cannot be understood is an error there, for an agent that is silently missing is
//! looked for in the wrong place.

use super::acp::{Acp, GatewayVariables};
use super::found::Program;
use crate::processes::{Environment, RecordFolders};
use rex_shared::ids::Sdk;
use rex_shared::wire::agent::Capabilities;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// The file's name.
pub const CONFIGURATION: &str = "config.toml";

/// Everything that is configured.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Configuration {
    acp: BTreeMap<String, Stanza>,
    deepagents: Python,
}

/// An agent that speaks ACP.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Stanza {
    program: String,
    #[serde(default)]
    arguments: Vec<String>,
    /// The word a person reads; the name when it is left out.
    label: Option<String>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    #[serde(default)]
    pass: Vec<String>,
    /// Below the person's home, or absolute.
    #[serde(default)]
    writes: Vec<PathBuf>,
    gateway: Option<GatewayVariables>,
    /// Whether it can take up a session of an earlier process.
    #[serde(default = "yes")]
    resume: bool,
    #[serde(default)]
    images: bool,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Python {
    python: Option<PathBuf>,
}

/// A configuration that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadConfiguration {
    /// The file is there and cannot be read.
    #[error("{} cannot be read: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The file says something that is not understood.
    #[error("{} is not understood: {why}\nCorrect it, or take it away, and start again.", path.display())]
    NotUnderstood {
        /// The file.
        path: PathBuf,
        /// What, and in which line.
        why: String,
    },
}

impl Configuration {
    /// Reads the file of a home; without one nothing is configured.
    pub fn read(home: &Path) -> Result<Self, BadConfiguration> {
        let path = home.join(CONFIGURATION);
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                Self::parse(&text).map_err(|why| BadConfiguration::NotUnderstood { path, why })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(BadConfiguration::Unreadable { path, error }),
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        let configuration: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        for name in configuration.acp.keys() {
            Sdk::parse(&format!("acp:{name}"))
                .map_err(|error| format!("acp.{name} is no name for an agent: {error}"))?;
        }
        Ok(configuration)
    }

    /// The agents that speak ACP. `environment` is the bridge's own, of which each gets what it asks for.
    pub(super) fn agents(&self, environment: &Environment) -> Vec<Acp> {
        let agent = |(name, stanza): (&String, &Stanza)| {
            let sdk = Sdk::parse(&format!("acp:{name}")).ok()?;
            Some(stanza.agent(sdk, name, environment))
        };
        self.acp.iter().filter_map(agent).collect()
    }

    /// The Python that has Deep Agents.
    pub(super) fn python(&self) -> Option<&Path> {
        self.deepagents.python.as_deref()
    }
}

impl Stanza {
    fn agent(&self, sdk: Sdk, name: &str, environment: &Environment) -> Acp {
        let passed = environment.those_of(&self.pass);
        let home = environment.get("HOME").map(Path::new);
        let home = home.unwrap_or_else(|| Path::new("/"));
        let own = self.environment.iter();
        let own = own.map(|(name, value)| (name.clone(), OsString::from(value)));
        Acp {
            sdk,
            label: self.label.clone().unwrap_or_else(|| name.to_owned()),
            program: Program::in_path(&self.program),
            arguments: self.arguments.clone(),
            environment: passed.into_iter().chain(own).collect(),
            gateway: self.gateway.clone(),
            hint: format!(
                "Install {}, or correct [acp.{name}] in {CONFIGURATION}.",
                self.program
            ),
            capabilities: Capabilities {
                resume: self.resume,
                chosen_id: false,
                permissions: true,
                images: self.images,
                act: false,
                cost: true,
            },
            records: None,
            writes: RecordFolders::of(self.writes.iter().map(|folder| home.join(folder))),
        }
    }
}

fn yes() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::examples::{self, first, through_gateway};
    use crate::agents::found::Found;
    use crate::agents::seam::{Agent as _, BadTurn, Secret};

    const GEMINI: &str = r#"
        [acp.gemini]
        program = "gemini"
        arguments = ["--acp"]
        pass = ["GEMINI_API_KEY", "NOT_SET"]
        environment = { NO_COLOR = "1" }
        writes = [".gemini", "/var/gemini"]

        [acp.gemini.gateway]
        base-url = "GOOGLE_GEMINI_BASE_URL"
        key = "GEMINI_API_KEY"
        model = "GEMINI_MODEL"

        [acp.plain]
        program = "/opt/plain"
        label = "Plain"
        resume = false
    "#;

    fn agents() -> Vec<Acp> {
        let configuration = Configuration::parse(GEMINI).unwrap();
        configuration.agents(&Environment::of([
            ("GEMINI_API_KEY", "own"),
            ("HOME", "/home/a"),
            ("ANTHROPIC_API_KEY", "of another"),
        ]))
    }

    fn found() -> Found {
        examples::found("/bin/gemini", "1")
    }

    #[test]
    fn an_agent_gets_what_its_stanza_says_and_no_more() {
        let agents = agents();
        let [gemini, plain] = agents.as_slice() else {
            panic!("two agents");
        };
        assert_eq!(
            (gemini.sdk().as_str(), gemini.label()),
            ("acp:gemini", "gemini")
        );
        assert_eq!(
            (plain.sdk().as_str(), plain.label()),
            ("acp:plain", "Plain")
        );
        assert!(gemini.capabilities().resume && !plain.capabilities().resume);
        let mut turn = first();
        turn.model = None;
        let launch = gemini.launch(&found(), &turn).unwrap();
        assert_eq!(launch.arguments, ["--acp"]);
        let names: Vec<&String> = launch.environment.keys().collect();
        assert_eq!(names, ["GEMINI_API_KEY", "NO_COLOR"]);
        let written = ["/home/a/.gemini", "/var/gemini"].map(PathBuf::from);
        assert_eq!(launch.records.folders, written);
    }

    #[test]
    fn a_gateway_is_told_by_the_variables_named_or_refused() {
        let agents = agents();
        let mut turn = through_gateway(first());
        turn.key = Some(Secret::new("a-key".to_owned()));
        let launch = agents[0].launch(&found(), &turn).unwrap();
        assert_eq!(
            launch.environment["GOOGLE_GEMINI_BASE_URL"],
            "http://gateway/v1"
        );
        assert_eq!(launch.environment["GEMINI_API_KEY"], "a-key");
        assert_eq!(launch.environment["GEMINI_MODEL"], "fake-large");
        let refused = agents[1].launch(&found(), &turn);
        assert_eq!(refused, Err(BadTurn::NoGateway("Plain".to_owned())));
    }

    #[test]
    fn what_is_not_understood_is_said_with_its_line() {
        let home = tempfile::tempdir().unwrap();
        assert!(Configuration::read(home.path()).unwrap().acp.is_empty());
        for (text, said) in [
            ("[acp.x]\nprogramm = \"x\"\n", "programm"),
            ("[acp.x]\nprogram = 3\n", "line 2"),
            ("[acp.\"a b\"]\nprogram = \"x\"\n", "acp.a b"),
            ("[agents]\n", "agents"),
        ] {
            std::fs::write(home.path().join(CONFIGURATION), text).unwrap();
            let error = Configuration::read(home.path()).unwrap_err().to_string();
            assert!(
                error.contains(said) && error.contains(CONFIGURATION),
                "{error}"
            );
        }
    }
}
