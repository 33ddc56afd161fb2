//! A person's machine, and the real `rex` on it.

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A person's machine: a home folder and some documents.
pub(crate) struct Machine {
    temp: tempfile::TempDir,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let machine = Self {
            temp: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(machine.path("docs")).unwrap();
        fs::write(machine.path("docs/a.md"), "# A\n").unwrap();
        machine
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.temp.path().canonicalize().unwrap().join(name)
    }

    /// `rex` with nothing of this process's environment but what every program needs.
    pub(crate) fn rex(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rex"));
        command
            .args(arguments)
            .current_dir(self.temp.path())
            .env_clear()
            .env("HOME", self.temp.path())
            .env("TMPDIR", self.temp.path())
            .env("RUST_LOG", "trace")
            .env("PATH", "/usr/bin:/bin");
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.rex(arguments).output().unwrap()
    }

    /// Starts a bridge on any free port and waits until it is ready.
    pub(crate) fn serve(&self, target: &str) -> Rex {
        self.serve_with(target, &[])
    }

    /// The same with these variables.
    pub(crate) fn serve_with(&self, target: &str, variables: &[(&str, &str)]) -> Rex {
        let log = self.path("log");
        let mut child = self
            .rex(&[target, "--port", "0", "--no-open", "--json"])
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .stderr(File::create(&log).unwrap())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let ready: Value = serde_json::from_str(&line)
            .unwrap_or_else(|_| panic!("{line:?}\n{}", fs::read_to_string(&log).unwrap()));
        Rex {
            child,
            ready,
            out,
            log,
        }
    }
}

/// A running bridge.
pub(crate) struct Rex {
    pub(crate) child: Child,
    pub(crate) ready: Value,
    pub(crate) out: BufReader<ChildStdout>,
    pub(crate) log: PathBuf,
}

impl Rex {
    pub(crate) fn port(&self) -> u16 {
        let url = self.ready["url"].as_str().unwrap();
        url.split([':', '/'])
            .find_map(|part| part.parse().ok())
            .unwrap()
    }

    pub(crate) fn code(&self) -> &str {
        self.ready["signInUrl"]
            .as_str()
            .unwrap()
            .split_once("#code=")
            .unwrap()
            .1
    }

    pub(crate) fn ask(&self, method: &str, path: &str, secret: &str, body: &str) -> (u16, String) {
        let mut stream = self.send(method, path, secret, body);
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (
            head.split(' ').nth(1).unwrap().parse().unwrap(),
            body.to_owned(),
        )
    }

    /// The same without waiting for an answer.
    pub(crate) fn send(&self, method: &str, path: &str, secret: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port())).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(10)))
            .unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {secret}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.port(),
            body.len()
        )
        .unwrap();
        stream
    }

    pub(crate) fn sign_in(&self, code: &str) -> Option<String> {
        let (_, body) = self.ask(
            "POST",
            "/api/sign-in",
            "",
            &format!(r#"{{"code":"{code}"}}"#),
        );
        let answer: Value = serde_json::from_str(&body).unwrap();
        answer["secret"].as_str().map(str::to_owned)
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Ends it as a service manager would; how long it took, and what else stood on stdout.
    pub(crate) fn end(mut self) -> (Duration, String) {
        let started = Instant::now();
        self.signal(Signal::TERM);
        let status = self.child.wait().unwrap();
        let took = started.elapsed();
        assert_eq!(
            status.code(),
            Some(0),
            "{}",
            fs::read_to_string(&self.log).unwrap()
        );
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).unwrap();
        (took, rest)
    }
}

impl Drop for Rex {
    fn drop(&mut self) {
        // A test that failed in the middle.
        if matches!(self.child.try_wait(), Ok(None)) {
            drop(self.child.kill());
            drop(self.child.wait());
        }
    }
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

pub(crate) fn text(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Asks again and again, for ten seconds.
pub(crate) fn wait_until(mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(10);
    while !holds() {
        assert!(Instant::now() < until, "ten seconds were not enough");
        std::thread::yield_now();
    }
}
