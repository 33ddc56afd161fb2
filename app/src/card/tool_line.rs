//! The one line that stands for a tool call: what, on what. Pure.

use serde_json::Value;

/// A tool call in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ToolLine {
    /// The agent's own name for the tool.
    pub(super) name: String,
    /// The file, command or words it was about, if the input says.
    pub(super) about: Option<String>,
}

/// Names that agents give to the one input which says what a call is about, best first.
const ABOUT: [&str; 12] = [
    "file_path",
    "filePath",
    "path",
    "notebook_path",
    "command",
    "cmd",
    "pattern",
    "query",
    "url",
    "description",
    "title",
    "prompt",
];

/// How much of an input the line shows.
const LONGEST: usize = 120;

/// Says a call in one line. Paths beneath `root` lose it.
pub(super) fn tool_line(name: &str, input: &Value, root: &str) -> ToolLine {
    let about = match input {
        Value::String(text) => Some(text.as_str()),
        Value::Object(fields) => ABOUT
            .iter()
            .find_map(|key| fields.get(*key).and_then(Value::as_str)),
        _ => None,
    };
    ToolLine {
        name: if name.is_empty() { "Tool" } else { name }.to_owned(),
        about: about
            .map(|text| short(beneath(text, root)))
            .filter(|text| !text.is_empty()),
    }
}

fn beneath<'a>(path: &'a str, root: &str) -> &'a str {
    path.strip_prefix(root)
        .and_then(|rest| rest.strip_prefix('/'))
        .unwrap_or(path)
}

fn short(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let mut shown: String = line.chars().take(LONGEST).collect();
    if shown.len() < text.trim().len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_file_is_named_by_its_path_in_the_workspace() {
        let line = tool_line(
            "Read",
            &json!({"file_path": "/home/me/atlas/docs/api.md", "limit": 40}),
            "/home/me/atlas",
        );
        assert_eq!(line.about.as_deref(), Some("docs/api.md"));
    }

    #[test]
    fn a_command_is_cut_to_its_first_line() {
        let line = tool_line("Bash", &json!({"command": "grep -n a b\nrm c"}), "/x");
        assert_eq!(line.about.as_deref(), Some("grep -n a b…"));
    }

    #[test]
    fn a_call_with_an_input_nobody_knows_still_has_its_name() {
        assert_eq!(
            tool_line("Ponder", &json!([1, 2]), "/x"),
            ToolLine {
                name: "Ponder".to_owned(),
                about: None
            }
        );
    }
}
