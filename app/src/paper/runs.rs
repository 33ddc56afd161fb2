//! Runs of blocks: what the browser leaves out or draws as one piece.
//!
//! A browser looks at every piece that it may leave out whenever something moves, so a long document is cut into
//! hundreds of runs and not into thousands of blocks.

use super::block::block_view;
use super::pages::Shown;
use super::sheet::Sheet;
use crate::model::Model;
use crate::reactive::Each;
use leptos::html;
use leptos::prelude::*;
use rex_shared::document::Node;
use std::ops::Range;

/// A run is cut before it holds more blocks than this.
const MOST: usize = 60;

/// Blocks that stand in one element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// What it is known by: its first block's key; nothing for the first run, whose beginning may change.
    pub key: String,
    /// Its blocks, by index.
    pub blocks: Range<usize>,
}

/// Cuts a document into runs.
///
/// A run begins where a block's own content says so, at one in sixteen of them: so an edit changes the run that it is
/// in, and blocks of all others keep their elements. A heading stays with what follows it.
pub(super) fn runs(blocks: &[Shown]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (at, shown) in blocks.iter().enumerate() {
        let after_heading = at.checked_sub(1).is_some_and(|before| {
            matches!(blocks[before].readable.body.node, Node::Heading { .. })
        });
        match runs.last_mut() {
            Some(run) if after_heading || !(begins(shown) || run.blocks.len() >= MOST) => {
                run.blocks.end = at + 1;
            }
            last => {
                let key = last.map(|_| shown.key.clone()).unwrap_or_default();
                runs.push(Run {
                    key,
                    blocks: at..at + 1,
                });
            }
        }
    }
    runs
}

/// Ids are hexadecimal digits, each as likely as any other.
fn begins(shown: &Shown) -> bool {
    shown.readable.block_id.ends_with('0')
}

/// A run of the document. Its element stays as long as a run with its key does.
pub(super) fn run_view(model: Model, sheet: Sheet, key: String) -> impl IntoView {
    let counted = key.clone();
    let blocks = move || sheet.blocks_of(&key, <[Shown]>::to_vec).unwrap_or_default();
    let count = move || {
        sheet
            .blocks_of(&counted, <[Shown]>::len)
            .unwrap_or_default()
    };
    html::div()
        .class("run")
        .style(("--blocks", move || count().to_string()))
        .child(view! {
            <Each
                each=blocks
                key=|shown: &Shown| shown.key.clone()
                children=move |shown| block_view(model, sheet, shown)
            />
        })
}

#[cfg(test)]
mod tests {
    use super::super::pages::Pages;
    use super::super::pages::tests::document;
    use super::*;

    fn cut(texts: &[&str]) -> Vec<(String, Range<usize>)> {
        let pages = Pages::begin(document('a', texts), None).unwrap();
        let runs = runs(&pages.blocks).into_iter();
        runs.map(|run| (run.key, run.blocks)).collect()
    }

    #[test]
    fn an_edit_changes_the_run_that_it_is_in_and_leaves_the_others() {
        let before = cut(&["a", "b", "c0", "d", "e0", "f"]);
        let keys = ["", "id-c0.0", "id-e0.0"].map(str::to_owned);
        assert_eq!(before[0], (keys[0].clone(), 0..2));
        assert_eq!(before[1], (keys[1].clone(), 2..4));
        assert_eq!(before[2], (keys[2].clone(), 4..6));
        let after = cut(&["new", "a", "b", "c0", "d", "d2", "e0", "f"]);
        let kept: Vec<_> = after.into_iter().map(|(key, _)| key).collect();
        assert_eq!(kept, keys);
    }

    #[test]
    fn a_run_is_never_very_long() {
        let names: Vec<String> = (1..200).map(|n| format!("{n}x")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let runs = cut(&names);
        assert!(runs.iter().all(|(_, blocks)| blocks.len() <= MOST));
        assert_eq!(runs.len(), 4);
    }
}
