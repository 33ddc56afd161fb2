//! How another `rex` command of the same home talks to the running bridge: `/api/local`, over loopback, by a secret
//! in a file that only the home's owner can read.
//!
//! The caller first sees that the home is held. A file that a dead bridge left behind is never acted on: the next
//! holder removes it before it does anything else.

use crate::access::Secret;
use crate::export::Format;
use crate::home::{self, Home};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::{Request, header};
use hyper_util::rt::TokioIo;
use rex_shared::ids::{BootId, ThreadId};
use rex_shared::wire::problem::Problem;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

const NOTICE: &str = "bridge.json";

/// Something a command may ask.
pub struct Call {
    /// Where.
    pub path: &'static str,
    /// A bridge that does not answer within this is not asked any longer.
    patience: Duration,
    /// Bytes of the answer at most.
    answer: usize,
}

impl Call {
    /// One that is answered at once, in a few lines.
    const fn short(path: &'static str) -> Self {
        Self {
            path,
            patience: Duration::from_millis(900),
            answer: 64 * 1024,
        }
    }
}

/// What a bridge tells the commands of its home about itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notice {
    /// Its process, for people.
    pub pid: u32,
    /// Its port.
    pub port: u16,
    /// Its start.
    pub boot_id: BootId,
    /// Its version.
    pub version: String,
    secret: Word,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
struct Word(String);

impl std::fmt::Debug for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Word(…)")
    }
}

impl Notice {
    /// The notice of this process.
    pub fn new(port: u16, boot_id: BootId, secret: &Secret) -> Self {
        Self {
            pid: std::process::id(),
            port,
            boot_id,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            secret: Word(secret.reveal().to_owned()),
        }
    }

    /// Puts it up; from now on commands find the bridge.
    pub fn put_up(&self, home: &Home) -> io::Result<()> {
        home.write(NOTICE, &serde_json::to_string(self)?)
    }

    /// Takes down one's own, or a dead bridge's.
    pub fn take_down(home: &Home) {
        home.remove(NOTICE);
    }

    /// The one that is up in a home. It says nothing unless somebody holds that home.
    pub fn read(home: &Path) -> Option<Self> {
        serde_json::from_str(&std::fs::read_to_string(home.join(NOTICE)).ok()?).ok()
    }
}

/// A new sign-in link.
pub const LINK: Call = Call::short("/api/local/link");
/// Open a folder in the running bridge.
pub const OPEN: Call = Call::short("/api/local/open");
/// Documents and their comments as one text.
pub const EXPORT: Call = Call {
    path: "/api/local/export",
    patience: Duration::from_secs(120),
    answer: 512 * 1024 * 1024,
};

/// The report on a thread.
pub const DEBUG: Call = Call {
    answer: 1024 * 1024,
    ..Call::short("/api/local/debug")
};
/// The same once its agents were asked: they start and answer one after the other.
pub const DEBUG_ASKING: Call = Call {
    patience: Duration::from_secs(10 * 60),
    ..DEBUG
};

/// Body of `POST` [`LINK`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LinkAsked {
    /// End every sign-in first.
    pub rotate: bool,
}

/// Body of `POST` [`OPEN`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OpenAsked {
    /// The folder, as an absolute path.
    pub folder: PathBuf,
    /// A document of it to show, by workspace-relative path.
    pub document: Option<String>,
}

/// Body of `POST` [`DEBUG`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DebugAsked {
    /// The thread.
    pub thread_id: ThreadId,
    /// Ask the agents first, which starts their programs.
    pub ask_agents: bool,
}

/// The report.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    /// As text, for people.
    pub report: String,
}

/// Body of `POST` [`EXPORT`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ExportAsked {
    /// Absolute paths of documents, all in one workspace.
    pub documents: Vec<PathBuf>,
    /// As what.
    pub format: Format,
}

/// Answer of [`EXPORT`].
#[derive(Clone, Serialize, Deserialize)]
pub struct Exported {
    /// The file's text.
    pub text: String,
}

/// An address of the page, and the same with a new one-time code.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// The address.
    pub url: String,
    /// The address with the code in its fragment.
    pub sign_in_url: String,
    /// The code, as a person types it.
    pub code: String,
}

/// Why the running bridge did not do it.
#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    /// Nobody holds the home.
    #[error("no REX is running for the home {}; start one with: rex FOLDER", .0.display())]
    NotRunning(PathBuf),
    /// The home is held by a bridge that does not answer.
    #[error(
        "another REX holds the home {} ({who}) and does not answer; \
         wait until it has started, end it, or name another home with --home FOLDER",
        home.display()
    )]
    Silent {
        /// The home.
        home: PathBuf,
        /// Process and port, as far as they are known.
        who: String,
    },
    /// It answered with a problem.
    #[error("{} {} {}", .0.title, .0.detail, .0.hint)]
    Refused(Box<Problem>),
}

/// Asks the bridge that holds `home`. Answers or fails within the call's patience.
pub async fn ask<T: DeserializeOwned>(
    home: &Path,
    call: Call,
    body: &impl Serialize,
) -> Result<(T, Notice), ControlError> {
    let until = Instant::now() + call.patience;
    let mut notice = Notice::read(home);
    // A bridge that is just starting has the home before it has a port.
    while notice.is_none() && home::is_held(home) && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(20)).await;
        notice = Notice::read(home);
    }
    if !home::is_held(home) {
        return Err(ControlError::NotRunning(home.to_owned()));
    }
    let silent = |notice: Option<&Notice>| ControlError::Silent {
        home: home.to_owned(),
        who: match (notice, home::holder(home)) {
            (Some(notice), _) => format!("process {}, port {}", notice.pid, notice.port),
            (None, Some(pid)) => format!("process {pid}"),
            (None, None) => "process unknown".to_owned(),
        },
    };
    let Some(notice) = notice else {
        return Err(silent(None));
    };
    let answer = match timeout_at(until, post(&notice, &call, body)).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) => {
            tracing::debug!(error = %error, "the running bridge could not be asked");
            return Err(silent(Some(&notice)));
        }
        Err(_) => return Err(silent(Some(&notice))),
    };
    match serde_json::from_slice(&answer) {
        Ok(answer) => Ok((answer, notice)),
        Err(_) => match serde_json::from_slice(&answer) {
            Ok(problem) => Err(ControlError::Refused(problem)),
            Err(_) => Err(silent(Some(&notice))),
        },
    }
}

async fn post(
    notice: &Notice,
    call: &Call,
    body: &impl Serialize,
) -> Result<Bytes, Box<dyn std::error::Error + Send + Sync>> {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, notice.port)).await?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    let connection = tokio::spawn(connection);
    let request = Request::post(call.path)
        .header(header::HOST, format!("127.0.0.1:{}", notice.port))
        .header(header::AUTHORIZATION, format!("Bearer {}", notice.secret.0))
        .header(header::CONTENT_TYPE, "application/json")
        .body(Full::new(Bytes::from(serde_json::to_vec(body)?)))?;
    let response = sender.send_request(request).await?;
    let answer = Limited::new(response.into_body(), call.answer)
        .collect()
        .await?
        .to_bytes();
    connection.abort();
    Ok(answer)
}
