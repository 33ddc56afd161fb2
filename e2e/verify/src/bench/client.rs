//! A browser's part of the protocol: signed in, with a connection that is kept open.

use crate::bridge::Bridge;
use anyhow::{Context as _, ensure};
use serde::Serialize;
use std::io::{BufRead as _, BufReader};
use std::time::{Duration, Instant};
use ureq::{Agent, BodyReader};

/// How long an answer of an agent, or a change on disk, may take to be told.
const PATIENCE: Duration = Duration::from_secs(30);

/// A browser that signed in.
#[derive(Clone)]
pub(super) struct Client {
    agent: Agent,
    origin: String,
    bearer: String,
}

impl Client {
    /// Signs in as a browser does.
    pub(super) fn sign_in(bridge: &Bridge) -> anyhow::Result<Self> {
        let (_, bearer) = bridge.sign_in()?;
        // No limit on a whole answer: a follow stream has no end.
        let agent = Agent::config_builder().proxy(None).build().into();
        Ok(Self {
            agent,
            origin: bridge.ready.url.trim_end_matches('/').to_owned(),
            bearer,
        })
    }

    /// The body of a GET.
    pub(super) fn get(&self, path: &str) -> anyhow::Result<String> {
        Ok(self
            .agent
            .get(format!("{}{path}", self.origin))
            .header("authorization", &self.bearer)
            .call()
            .with_context(|| format!("GET {path}"))?
            .body_mut()
            .read_to_string()?)
    }

    /// The JSON that answers a POST.
    pub(super) fn post(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> anyhow::Result<serde_json::Value> {
        Ok(self
            .agent
            .post(format!("{}{path}", self.origin))
            .header("authorization", &self.bearer)
            .send_json(body)
            .with_context(|| format!("POST {path}"))?
            .body_mut()
            .read_json()?)
    }

    /// A follow stream.
    pub(super) fn follow(&self, path: &str) -> anyhow::Result<Frames> {
        let answer = self
            .agent
            .get(format!("{}{path}", self.origin))
            .header("authorization", &self.bearer)
            .call()
            .with_context(|| format!("GET {path}"))?;
        Ok(Frames(BufReader::new(answer.into_body().into_reader())))
    }
}

/// The frames of a follow stream.
pub(super) struct Frames(BufReader<BodyReader<'static>>);

impl Frames {
    /// Reads until a frame of this event holds `wanted`.
    pub(super) fn until(
        &mut self,
        event: &str,
        wanted: impl Fn(&serde_json::Value) -> bool,
    ) -> anyhow::Result<()> {
        let began = Instant::now();
        let mut name = String::new();
        let mut line = String::new();
        // The bridge pings every five seconds, so a line always comes.
        while began.elapsed() < PATIENCE {
            line.clear();
            ensure!(self.0.read_line(&mut line)? > 0, "the stream ended");
            if let Some(event) = line.trim_end().strip_prefix("event: ") {
                event.clone_into(&mut name);
            } else if let Some(data) = line.strip_prefix("data: ").filter(|_| name == event)
                && wanted(&serde_json::from_str(data)?)
            {
                return Ok(());
            }
        }
        anyhow::bail!("no {event} came as expected within {PATIENCE:?}")
    }
}
