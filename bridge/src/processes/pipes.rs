//! What is written to a program's stdin and kept of its stderr.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{ChildStderr, ChildStdin};
use tokio::sync::{mpsc, watch};

const KEPT_OF_STDERR: usize = 16 * 1024;
/// How long an ended program's stderr is waited for: a grandchild may hold it open for ever.
const LAST_WORDS: Duration = Duration::from_millis(200);

enum Said {
    Line(String),
    Close,
}

/// The program's stdin. Saying never waits: a program that does not read must not hold the bridge up.
#[derive(Debug, Clone)]
pub(super) struct Stdin(mpsc::UnboundedSender<Said>);

impl std::fmt::Debug for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Said(…)")
    }
}

impl Stdin {
    pub(super) fn open(stdin: Option<ChildStdin>) -> Self {
        let (sender, said) = mpsc::unbounded_channel();
        if let Some(stdin) = stdin {
            tokio::spawn(write(stdin, said));
        }
        Self(sender)
    }

    pub(super) fn say(&self, line: String) {
        self.send(Said::Line(line));
    }

    pub(super) fn close(&self) {
        self.send(Said::Close);
    }

    fn send(&self, said: Said) {
        if self.0.send(said).is_err() {
            tracing::debug!("something was said to a program that no longer listens");
        }
    }
}

/// Ends, and so closes the pipe, at [`Said::Close`] or when the program closed it first.
async fn write(mut stdin: ChildStdin, mut said: mpsc::UnboundedReceiver<Said>) {
    while let Some(Said::Line(mut line)) = said.recv().await {
        line.push('\n');
        if let Err(error) = stdin.write_all(line.as_bytes()).await {
            tracing::debug!(%error, "a program closed its stdin");
            return;
        }
    }
}

/// The end of a program's stderr. It is always read, for a full pipe would stop the program.
#[derive(Debug)]
pub(super) struct Stderr {
    kept: Arc<Mutex<Vec<u8>>>,
    closed: watch::Receiver<bool>,
}

impl Stderr {
    pub(super) fn drain(stderr: Option<ChildStderr>) -> Self {
        let kept = Arc::default();
        let (sender, closed) = watch::channel(stderr.is_none());
        if let Some(stderr) = stderr {
            tokio::spawn(drain(stderr, Arc::clone(&kept), sender));
        }
        Self { kept, closed }
    }

    /// What was kept, once the pipe is closed or the wait for that is over.
    pub(super) async fn end(&mut self) -> String {
        let closed = self.closed.wait_for(|closed| *closed);
        let _closed = tokio::time::timeout(LAST_WORDS, closed).await.is_ok();
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).trim().to_owned()
    }
}

async fn drain(mut stderr: ChildStderr, kept: Arc<Mutex<Vec<u8>>>, closed: watch::Sender<bool>) {
    let mut piece = vec![0; 8 * 1024];
    while let Ok(length @ 1..) = stderr.read(&mut piece).await {
        let new = piece.get(..length).unwrap_or_default();
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(new);
        let surplus = kept.len().saturating_sub(KEPT_OF_STDERR);
        kept.drain(..surplus);
    }
    closed.send_replace(true);
}
