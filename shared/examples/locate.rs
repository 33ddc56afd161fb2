//! Runs anchoring cases: `locate CASES.json…`, or `locate --folder DIR` for one pair of texts with many places.
//!
//! Prints one JSON line a case: `id`, `status`, `start`, `end`, and `elsewhere` where the passage stands in another
//! file. Offsets here, and only here, count Unicode characters.

#![expect(clippy::print_stdout, reason = "printing is what this program is for")]

use rex_shared::document::Format;
use rex_shared::locate::{Alignment, Located, OtherFile, elsewhere};
use rex_shared::wire::place::{PlaceKind, PlaceState};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::error::Error;
use std::ops::Range;
use std::path::Path;

#[derive(Deserialize)]
struct Case {
    id: String,
    format: Format,
    before: String,
    after: String,
    selection: Characters,
    /// Other files of the later state, by path.
    #[serde(default)]
    after_files: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Anchor {
    id: String,
    selection: Characters,
}

/// A range in Unicode characters.
#[derive(Deserialize, Clone, Copy)]
struct Characters {
    start: usize,
    end: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--folder", folder] => locate_folder(Path::new(folder)),
        [] => Err("usage: locate CASES.json… | locate --folder DIR".into()),
        _ => arguments
            .iter()
            .try_for_each(|file| locate_cases(Path::new(file))),
    }
}

fn locate_cases(file: &Path) -> Result<(), Box<dyn Error>> {
    let cases: Vec<Case> = serde_json::from_str(&std::fs::read_to_string(file)?)?;
    for case in cases {
        let (before, after) = (Ruler::new(&case.before), Ruler::new(&case.after));
        let range = before.bytes(case.selection);
        let alignment = Alignment::new(case.format, &case.before, &case.after);
        let located = alignment.locate(range.clone(), PlaceKind::Text);
        let mut answer = line(&case.id, &located, &after);
        if located.state == PlaceState::Gone {
            answer["elsewhere"] = in_other_files(&case, &range);
        }
        println!("{answer}");
    }
    Ok(())
}

fn in_other_files(case: &Case, range: &Range<usize>) -> serde_json::Value {
    let files: Vec<_> = case
        .after_files
        .iter()
        .map(|(path, after)| OtherFile {
            path,
            format: case.format,
            before: None,
            after,
        })
        .collect();
    let Some(found) = elsewhere(case.format, &case.before, range, &files) else {
        return serde_json::Value::Null;
    };
    let range = Ruler::new(&case.after_files[&found.path]).characters(&found.range);
    json!({ "path": found.path, "start": range.start, "end": range.end })
}

/// One alignment answers for all anchors of the folder.
fn locate_folder(folder: &Path) -> Result<(), Box<dyn Error>> {
    let read = |name: &str| std::fs::read_to_string(folder.join(name));
    let (before, after) = (read("before.md")?, read("after.md")?);
    let anchors: Vec<Anchor> = serde_json::from_str(&read("anchors.json")?)?;
    let (old, new) = (Ruler::new(&before), Ruler::new(&after));
    let alignment = Alignment::new(Format::Markdown, &before, &after);
    for anchor in anchors {
        let located = alignment.locate(old.bytes(anchor.selection), PlaceKind::Text);
        println!("{}", line(&anchor.id, &located, &new));
    }
    Ok(())
}

fn line(id: &str, located: &Located, ruler: &Ruler) -> serde_json::Value {
    let range = located.range.clone().map(|range| ruler.characters(&range));
    json!({
        "id": id,
        "status": located.state,
        "start": range.map(|range| range.start),
        "end": range.map(|range| range.end),
    })
}

/// The byte at which each character begins, and the end of the text.
struct Ruler(Vec<usize>);

impl Ruler {
    fn new(text: &str) -> Self {
        Self(
            text.char_indices()
                .map(|(at, _)| at)
                .chain([text.len()])
                .collect(),
        )
    }

    /// Bytes of a range of characters; what lies behind the text is its end.
    fn bytes(&self, range: Characters) -> Range<usize> {
        let byte = |at: usize| self.0[at.min(self.0.len() - 1)];
        byte(range.start)..byte(range.end)
    }

    fn characters(&self, range: &Range<usize>) -> Characters {
        let character = |at: usize| self.0.partition_point(|start| *start < at);
        Characters {
            start: character(range.start),
            end: character(range.end),
        }
    }
}
