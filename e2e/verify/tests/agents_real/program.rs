//! The programs, and how they differ where a case can see it.

use serde_json::{Value, json};
use std::path::PathBuf;

/// A program to be driven.
pub(super) struct Program {
    /// REX's word for it, which is also the program's name in `PATH`.
    pub(super) sdk: &'static str,
    /// Where it is installed.
    pub(super) path: PathBuf,
    /// What the person wrote down about it; else it is found in `PATH`.
    pub(super) configuration: Option<String>,
    /// The folder of its own records, below the home.
    pub(super) records: &'static str,
    /// A call of its tools that reads `plan.md`.
    pub(super) reads: String,
    /// One that would write `written.md`.
    pub(super) writes: String,
    /// The variable that moves its configuration and records.
    pub(super) moved_by: &'static str,
    /// How the file of a record ends that a person could spoil; empty where one database holds all of them.
    pub(super) record_ends: &'static str,
    /// A call that reads a file outside the workspace, which asks the person; empty where nothing is ever asked.
    pub(super) reads_outside: String,
    /// Whether its model's thoughts can be seen.
    pub(super) thinks: bool,
    /// Whether it tells how many tokens a turn took.
    pub(super) counts: bool,
    /// Whether its process is kept between turns, and with it what it has open.
    pub(super) is_kept: bool,
    /// Whether it tells that a call failed; else every call that was answered is told as done.
    pub(super) tells_failures: bool,
}

/// Where a program is, as the variable says.
fn installed(variable: &str) -> PathBuf {
    let Some(path) = std::env::var_os(variable) else {
        panic!("{variable} says where the program is; run cargo verify --agents all");
    };
    PathBuf::from(path)
}

/// A call as the scripted model takes it. `$WORKSPACE` is put in later.
fn call(tool: &str, input: &Value) -> String {
    format!("TOOL:{tool} {input}")
}

pub(super) fn claude() -> Program {
    Program {
        sdk: "claude",
        path: installed("REX_CLAUDE"),
        configuration: None,
        records: ".claude/projects",
        reads: call("Read", &json!({"file_path": "$WORKSPACE/plan.md"})),
        writes: call(
            "Write",
            &json!({"file_path": "$WORKSPACE/written.md", "content": "x"}),
        ),
        moved_by: "CLAUDE_CONFIG_DIR",
        record_ends: ".jsonl",
        reads_outside: call("Read", &json!({"file_path": "$OUTSIDE"})),
        thinks: true,
        counts: true,
        is_kept: false,
        tells_failures: true,
    }
}

pub(super) fn codex() -> Program {
    Program {
        sdk: "codex",
        path: installed("REX_CODEX"),
        configuration: None,
        records: ".codex/sessions",
        reads: call("exec_command", &json!({"cmd": "cat plan.md"})),
        writes: call("exec_command", &json!({"cmd": "echo x > written.md"})),
        moved_by: "CODEX_HOME",
        record_ends: ".jsonl",
        reads_outside: String::new(),
        thinks: true,
        counts: true,
        is_kept: false,
        tells_failures: true,
    }
}

pub(super) fn pi() -> Program {
    Program {
        sdk: "pi",
        path: installed("REX_PI"),
        configuration: None,
        records: ".pi/agent/sessions",
        reads: call("read", &json!({"path": "plan.md"})),
        writes: call("write", &json!({"path": "written.md", "content": "x"})),
        moved_by: "PI_CODING_AGENT_DIR",
        record_ends: ".jsonl",
        reads_outside: String::new(),
        thinks: true,
        counts: true,
        is_kept: false,
        tells_failures: true,
    }
}

pub(super) fn opencode() -> Program {
    Program {
        sdk: "opencode",
        path: installed("REX_OPENCODE"),
        configuration: None,
        records: ".local/share/opencode",
        reads: call("read", &json!({"filePath": "$WORKSPACE/plan.md"})),
        writes: call(
            "write",
            &json!({"filePath": "$WORKSPACE/written.md", "content": "x"}),
        ),
        moved_by: "XDG_DATA_HOME",
        record_ends: "",
        reads_outside: call("read", &json!({"filePath": "$OUTSIDE"})),
        thinks: true,
        counts: true,
        is_kept: true,
        tells_failures: true,
    }
}

pub(super) fn deepagents() -> Program {
    let python = installed("REX_DEEPAGENTS_PYTHON");
    Program {
        sdk: "deepagents",
        configuration: Some(format!("[deepagents]\npython = {python:?}\n")),
        path: python,
        records: "",
        reads: call("read_file", &json!({"file_path": "/plan.md"})),
        writes: call(
            "write_file",
            &json!({"file_path": "/written.md", "content": "x"}),
        ),
        moved_by: "",
        record_ends: "",
        reads_outside: String::new(),
        thinks: false,
        counts: false,
        is_kept: false,
        tells_failures: false,
    }
}
