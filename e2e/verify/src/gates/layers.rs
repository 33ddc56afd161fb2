//! Who may name what: the architecture, as rules over words in code.

use super::Source;

/// `words` stand only in Rust files below `allowed`, looked for below `within`.
struct Rule {
    within: &'static [&'static str],
    allowed: &'static [&'static str],
    words: &'static [&'static str],
    why: &'static str,
}

const RULES: [Rule; 7] = [
    Rule {
        within: &["bridge/src/", "shared/src/", "app/src/"],
        allowed: &["bridge/src/store/"],
        words: &["rusqlite", "SELECT ", "INSERT INTO", "DELETE FROM"],
        why: "only the store knows SQL",
    },
    Rule {
        within: &["bridge/src/", "shared/src/", "app/src/"],
        allowed: &["bridge/src/http/"],
        words: &["axum::", "use axum"],
        why: "only bridge/src/http knows axum",
    },
    Rule {
        within: &["bridge/src/", "shared/src/", "app/src/"],
        allowed: &["bridge/src/processes/"],
        words: &["Command::new", "process::Command"],
        why: "only bridge/src/processes starts programs",
    },
    Rule {
        within: &["app/src/"],
        allowed: &["app/src/browser/"],
        words: &["web_sys", "js_sys"],
        why: "only app/src/browser names what the browser brings",
    },
    Rule {
        within: &["shared/src/"],
        allowed: &[],
        words: &[
            "std::fs",
            "std::net",
            "std::time",
            "SystemTime",
            "leptos",
            "web_sys",
            "tokio",
            "getrandom",
        ],
        why: "shared is pure: no IO, no clock, no randomness",
    },
    Rule {
        within: &["bridge/src/", "shared/src/", "app/src/"],
        allowed: &[
            "bridge/src/agents/",
            "app/src/model/fixture.rs",
            "bridge/src/store/fixture.rs",
        ],
        words: &[
            "\"claude\"",
            "\"codex\"",
            "\"opencode\"",
            "\"deepagents\"",
            "\"pi\"",
            "\"demo\"",
        ],
        why: "an adapter declares what it can; no other code asks for an agent's name",
    },
    Rule {
        within: &["app/src/"],
        allowed: &[],
        words: &["inner_html", "insert_adjacent_html", "outer_html"],
        why: "no HTML string reaches the page",
    },
];

/// Code that names what its place in the architecture may not.
pub(super) fn check(sources: &[Source]) -> Vec<String> {
    let mut findings = Vec::new();
    for rule in &RULES {
        for source in sources
            .iter()
            .filter(|source| source.is_rust_in(rule.within) && !source.is_rust_in(rule.allowed))
        {
            for (number, line) in source.code() {
                if let Some(word) = rule.words.iter().find(|word| line.contains(**word)) {
                    findings.push(format!(
                        "{}:{number}: “{}”: {}",
                        source.path,
                        word.trim(),
                        rule.why
                    ));
                }
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> Source {
        Source {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn sql_outside_the_store_is_found_and_inside_it_is_not() {
        assert_eq!(
            check(&[file("bridge/src/http/a.rs", "let q = \"SELECT 1\";")]).len(),
            1
        );
        assert!(check(&[file("bridge/src/store/a.rs", "let q = \"SELECT 1\";")]).is_empty());
    }

    /// S44: what an agent can do is declared by its adapter; a branch on its name elsewhere is found.
    #[test]
    fn a_branch_on_an_agents_name_is_found() {
        let branch = "if agent.sdk.as_str() == \"demo\" {";
        assert_eq!(check(&[file("app/src/card/a.rs", branch)]).len(), 1);
        assert!(check(&[file("bridge/src/agents/a.rs", branch)]).is_empty());
    }

    #[test]
    fn comments_and_tests_may_say_anything() {
        assert!(
            check(&[file(
                "shared/src/a.rs",
                "// no std::fs here\n#[cfg(test)]\nuse std::fs;"
            )])
            .is_empty()
        );
    }
}
