//! The one style sheet: `style/rex.css` with its imports put in, each in its layer.

use anyhow::{Context as _, bail};
use std::path::Path;

/// Resolves every `@import url("x.css") layer(y);` of `folder/rex.css` into `@layer y { … }`.
pub fn joined(folder: &Path) -> anyhow::Result<String> {
    let entry = read(&folder.join("rex.css"))?;
    let mut css = String::new();
    for line in entry.lines() {
        if let Some(import) = line.trim().strip_prefix("@import") {
            let (file, layer) =
                parse(import).with_context(|| format!("style/rex.css: cannot read “{line}”"))?;
            let body = read(&folder.join(file))?;
            if body.contains("@import") {
                bail!("style/{file}: only rex.css imports");
            }
            for piece in ["@layer ", layer, " {\n", &without_comments(&body), "}\n"] {
                css.push_str(piece);
            }
        } else {
            css.push_str(line);
            css.push('\n');
        }
    }
    Ok(without_comments(&css))
}

fn read(file: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// `url("x.css") layer(y);` → (`x.css`, `y`).
fn parse(import: &str) -> Option<(&str, &str)> {
    let (file, rest) = import.trim().strip_prefix("url(\"")?.split_once("\")")?;
    let layer = rest.trim().strip_prefix("layer(")?.strip_suffix(");")?;
    Some((file, layer))
}

/// Comments are for readers of the source; strings never hold comment marks in these files.
fn without_comments(css: &str) -> String {
    let mut kept = String::with_capacity(css.len());
    let mut rest = css;
    while let Some((before, after)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
        + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_put_in_with_their_layer_and_without_comments() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(
            folder.path().join("rex.css"),
            "@layer a, b;\n@import url(\"one.css\") layer(a);\n/* why */\n@import url(\"two.css\") layer(b);\n",
        )
        .unwrap();
        std::fs::write(
            folder.path().join("one.css"),
            "/* said */\n.x { color: red; }\n",
        )
        .unwrap();
        std::fs::write(folder.path().join("two.css"), ".y { color: blue; }\n").unwrap();
        assert_eq!(
            joined(folder.path()).unwrap(),
            "@layer a, b;\n@layer a {\n.x { color: red; }\n}\n@layer b {\n.y { color: blue; }\n}\n"
        );
    }

    #[test]
    fn a_missing_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(
            folder.path().join("rex.css"),
            "@import url(\"gone.css\") layer(a);\n",
        )
        .unwrap();
        assert!(format!("{:#}", joined(folder.path()).unwrap_err()).contains("gone.css"));
    }
}
