//! Every statement the project claims is pinned by a test that names its number.
//!
//! The claims are `e2e/statements.txt`, one a line: the number (`S26`, or `G-S26` for a goal of the security page) and
//! what it says. A Rust test names numbers in the doc
//! comment directly above it (`/// S26: …`, `/// S48 S49: …`), a journey at the start of its title.

use super::Source;
use std::collections::BTreeSet;

const LIST: &str = "e2e/statements.txt";

/// How many statements are claimed, and which of them no test names; also tests that name a number not claimed.
pub(super) fn check(sources: &[Source]) -> (usize, Vec<String>) {
    let Some(list) = sources.iter().find(|source| source.path == LIST) else {
        return (0, vec![format!("{LIST} is missing")]);
    };
    let claimed: BTreeSet<String> = list
        .text
        .lines()
        .filter_map(|line| number(line.split_whitespace().next()?))
        .collect();
    let pinned: BTreeSet<String> = sources
        .iter()
        .flat_map(|source| {
            if source.path.ends_with(".rs") {
                in_rust(&source.text)
            } else if source.path.ends_with(".spec.ts") {
                in_journeys(&source.text)
            } else {
                Vec::new()
            }
        })
        .collect();
    let missing = claimed
        .difference(&pinned)
        .map(|number| format!("{number} is claimed in {LIST}, but no test names it"));
    let unclaimed = pinned
        .difference(&claimed)
        .map(|number| format!("a test names {number}, which {LIST} does not list"));
    (claimed.len(), missing.chain(unclaimed).collect())
}

/// A word that is a number of a statement or of a goal.
fn number(word: &str) -> Option<String> {
    let of_statement = word.strip_prefix("G-").unwrap_or(word);
    let digits = of_statement.strip_prefix('S')?;
    digits.parse::<u16>().is_ok().then(|| word.to_owned())
}

/// The numbers at the start of a title: `S48 S49: …`.
fn numbers(title: &str) -> Vec<String> {
    let Some((head, _)) = title.split_once(':') else {
        return Vec::new();
    };
    let words: Vec<Option<String>> = head.split_whitespace().map(number).collect();
    words
        .into_iter()
        .collect::<Option<Vec<String>>>()
        .unwrap_or_default()
}

/// Numbers in doc comments that stand above a test, attributes between them allowed.
fn in_rust(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(comment) = line.strip_prefix("///") {
            waiting.extend(numbers(comment));
        } else if line.starts_with("#[") {
            if line.contains("test]") || line.contains("test(") {
                found.append(&mut waiting);
            }
        } else {
            waiting.clear();
        }
    }
    found
}

/// Numbers at the start of the titles of `test("…")`.
fn in_journeys(text: &str) -> Vec<String> {
    let titles = text
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("test("));
    titles
        .filter_map(|line| line.split(['"', '`']).nth(1))
        .flat_map(numbers)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(list: &str, rust: &str, journey: &str) -> Vec<Source> {
        let file = |path: &str, text: &str| Source {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        vec![
            file(LIST, list),
            file("a.rs", rust),
            file("b.spec.ts", journey),
        ]
    }

    #[test]
    fn a_claim_without_a_test_is_found() {
        let (claimed, findings) = check(&sources(
            "S1 one\nS2 two\n",
            "/// S1: x\n#[test]\nfn a() {}",
            "",
        ));
        assert_eq!(claimed, 2);
        assert_eq!(
            findings,
            ["S2 is claimed in e2e/statements.txt, but no test names it"]
        );
    }

    #[test]
    fn several_numbers_and_both_kinds_of_test_count() {
        let rust = "/// S1 S2: x\n#[tokio::test]\nasync fn a() {}";
        assert!(
            check(&sources(
                "S1 a\nS2 b\nS3 c\n",
                rust,
                "test(\"S3: opens\", async () => {});"
            ))
            .1
            .is_empty()
        );
    }

    #[test]
    fn a_goal_of_the_security_page_is_another_thing_than_the_statement_of_its_number() {
        let list = "S26 one\nG-S26 two\n";
        let rust = "/// G-S26: x\n#[test]\nfn a() {}";
        let (claimed, findings) = check(&sources(list, rust, ""));
        assert_eq!(claimed, 2);
        assert_eq!(
            findings,
            ["S26 is claimed in e2e/statements.txt, but no test names it"]
        );
    }

    #[test]
    fn a_number_in_the_middle_of_a_comment_or_above_no_test_does_not_count() {
        assert!(in_rust("/// about S1: x\n#[test]\nfn a() {}").is_empty());
        assert!(in_rust("/// S1: x\nfn a() {}\n#[test]\nfn b() {}").is_empty());
    }
}
