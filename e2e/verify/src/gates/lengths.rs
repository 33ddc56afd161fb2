//! No file over 400 lines: past that it has more than one reason to exist.

use super::Source;

const LIMIT: usize = 400;

/// Rust, TypeScript and CSS files that are too long.
pub(super) fn check(sources: &[Source]) -> Vec<String> {
    sources
        .iter()
        .filter(|source| {
            [".rs", ".ts", ".css"]
                .iter()
                .any(|ending| source.path.ends_with(ending))
        })
        .filter_map(|source| {
            let lines = source.text.lines().count();
            (lines > LIMIT).then(|| format!("{}: {lines} lines, more than {LIMIT}", source.path))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_file_is_found() {
        let file = |lines: usize| Source {
            path: "a.rs".to_owned(),
            text: "x\n".repeat(lines),
        };
        assert!(check(&[file(400)]).is_empty());
        assert_eq!(check(&[file(401)]).len(), 1);
    }
}
