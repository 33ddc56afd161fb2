//! `rex demo-agent`: an agent inside the binary, so that a new user and the tests see every flow with nothing installed.
//!
//! It speaks the Agent Client Protocol on stdin and stdout like any other, and is started like any other. It says
//! plainly that it is a demo: it reads the files and finds where the same words and numbers stand, and does not think.
//! The same files and the same question give the same answer. Its sessions are small files of its own. Deliberately
//! absent: a network and a model. It writes only where its prompt says that it works on a private copy.

mod answer;
mod change;
mod evidence;
mod memory;
mod peer;
mod serve;
#[cfg(test)]
mod tests;
mod turn;
mod wish;
mod workspace;

pub use memory::HAS_TURN;
use memory::Memory;
use peer::Peer;
use std::io::{BufRead as _, stdin, stdout};
use tokio::sync::mpsc;

/// The folder of its sessions, from the adapter.
pub const HOME_VARIABLE: &str = "REX_DEMO_HOME";

/// Serves stdin and stdout until stdin closes.
pub async fn run() -> anyhow::Result<()> {
    let (sender, incoming) = mpsc::unbounded_channel();
    // A blocked read cannot be given up, so it has a thread that ends with the process.
    std::thread::spawn(move || {
        for line in stdin().lock().lines() {
            let Ok(line) = line else {
                return;
            };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let peer = Peer::new(incoming, Box::new(stdout()));
    serve::serve(peer, Memory::of_this_process()).await?;
    Ok(())
}
