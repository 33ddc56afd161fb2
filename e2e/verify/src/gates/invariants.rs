//! The invariants in the bridge's crate docs name their tests, and those tests exist.
//!
//! An invariant is a numbered item of the list in `bridge/src/lib.rs`; it names tests as `` `name_of_the_test` `` after
//! the words “Pinned by”.

use super::Source;

const DOCS: &str = "bridge/src/lib.rs";
const INVARIANTS: usize = 11;

/// Invariants that are missing, name no test, or name one that is not there.
pub(super) fn check(sources: &[Source]) -> Vec<String> {
    let Some(docs) = sources.iter().find(|source| source.path == DOCS) else {
        return vec![format!("{DOCS} is missing")];
    };
    let text: String = docs
        .text
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .fold(String::new(), |mut all, line| {
            all.push_str(line);
            all.push('\n');
            all
        });
    let mut findings = Vec::new();
    for number in 1..=INVARIANTS {
        let Some(item) = item(&text, number) else {
            findings.push(format!("{DOCS}: invariant {number} is not told"));
            continue;
        };
        let names = item
            .split_once("Pinned by")
            .map(|(_, names)| quoted(names))
            .unwrap_or_default();
        if names.is_empty() {
            findings.push(format!("{DOCS}: invariant {number} names no test"));
        }
        for name in names {
            if !sources.iter().any(|source| is_declared(source, name)) {
                findings.push(format!(
                    "{DOCS}: invariant {number} names `{name}`, which is no test"
                ));
            }
        }
    }
    findings
}

/// The text of item `number`, up to the next one or an empty line.
fn item(text: &str, number: usize) -> Option<&str> {
    let start = text.find(&format!("\n {number}. "))? + 1;
    let rest = &text[start..];
    let end = [format!("\n {}. ", number + 1), "\n\n".to_owned()]
        .iter()
        .filter_map(|mark| rest.find(mark.as_str()))
        .min();
    Some(&rest[..end.unwrap_or(rest.len())])
}

fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

fn is_declared(source: &Source, name: &str) -> bool {
    if source.path.ends_with(".rs") {
        source.text.contains(&format!("fn {name}("))
    } else {
        source.path.ends_with(".spec.ts") && source.text.contains(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(docs: &str, test: &str) -> Vec<String> {
        let file = |path: &str, text: &str| Source {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        check(&[file(DOCS, docs), file("bridge/src/a.rs", test)])
    }

    /// S145: each invariant names its tests, and one that is gone fails the gate.
    #[test]
    fn a_renamed_test_fails_the_page_that_names_it() {
        let docs: String = (1..=INVARIANTS)
            .map(|n| format!("//! {n}. Something holds.\n//!    Pinned by `holds`.\n"))
            .collect();
        let docs = format!("//! Invariants:\n//!\n{docs}");
        assert!(findings(&docs, "#[test]\nfn holds() {}").is_empty());
        assert_eq!(
            findings(&docs, "#[test]\nfn renamed() {}").len(),
            INVARIANTS
        );
    }

    #[test]
    fn an_untold_invariant_is_found() {
        assert_eq!(findings("//! Nothing.\n", "").len(), INVARIANTS);
    }
}
