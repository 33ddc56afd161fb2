//! Words that mean one thing: `session` is the agent's own log and nothing else; names that say nothing are no names.

use super::Source;

/// Where the agent's own log is spoken of.
const SESSION: [&str; 14] = [
    "app/src/card/words.rs",
    "bridge/src/agents/",
    "bridge/src/demo/",
    "bridge/src/doctor/agent.rs",
    "bridge/src/processes/",
    "bridge/src/runs/",
    "bridge/src/store/",
    "bridge/src/http/routes/debug.rs",
    "bridge/src/http/routes/forecast.rs",
    "bridge/src/lib.rs",
    "shared/src/forecast",
    "shared/src/prompt",
    "shared/src/wire/",
    "e2e/verify/",
];

/// Words that have another name here, and what that is.
const OTHERS: [(&str, &str); 6] = [
    ("list_threads", "the listing is stored_threads"),
    ("listThreads", "the listing is stored_threads"),
    ("conversation_id", "the only id is the thread's"),
    ("comment_id", "code says thread; comment is the page's word"),
    ("turn_id", "code says message; turn is the page's word"),
    ("todo!", "nothing is left for later in code"),
];

const EMPTY_NAMES: [&str; 8] = [
    "util", "utils", "helper", "helpers", "manager", "misc", "common", "stuff",
];

/// Words used for something else than they mean.
pub(super) fn check(sources: &[Source]) -> Vec<String> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| source.path.ends_with(".rs")) {
        let stem = source
            .path
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .trim_end_matches(".rs");
        if EMPTY_NAMES.contains(&stem) {
            findings.push(format!(
                "{}: “{stem}” does not say what is in it",
                source.path
            ));
        }
        if source.path.starts_with("e2e/verify/src/gates/") {
            continue;
        }
        for (number, line) in source.code() {
            if !SESSION.iter().any(|folder| source.path.starts_with(folder))
                && line
                    .replace("session_storage", "")
                    .to_lowercase()
                    .contains("session")
            {
                findings.push(format!(
                    "{}:{number}: “session” is the agent's own log; say what this is",
                    source.path
                ));
            }
            for (word, instead) in OTHERS {
                if line.contains(word) {
                    findings.push(format!("{}:{number}: “{word}”: {instead}", source.path));
                }
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        check(&[Source {
            path: path.to_owned(),
            text: text.to_owned(),
        }])
        .len()
    }

    /// S144: a session is an agent's own log and nothing else, and the listing has one name.
    #[test]
    fn session_is_the_agents_log_and_nothing_else() {
        assert_eq!(found("app/src/model/mod.rs", "struct Session;"), 1);
        assert_eq!(found("bridge/src/agents/claude.rs", "struct Session;"), 0);
        assert_eq!(found("app/src/api.rs", "fn list_threads() {}"), 1);
        assert_eq!(found("app/src/api.rs", "fn stored_threads() {}"), 0);
    }

    #[test]
    fn a_file_says_what_is_in_it() {
        assert_eq!(found("app/src/utils.rs", ""), 1);
        assert_eq!(found("app/src/address.rs", ""), 0);
    }
}
