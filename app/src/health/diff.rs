//! Two texts compared by word.

use leptos::html::{del, ins};
use leptos::prelude::*;
use rex_shared::wire::place::{WordFate, Words};

/// The old text with the new one written into it.
pub(crate) fn diff(words: Vec<Words>) -> AnyView {
    words
        .into_iter()
        .map(|words| match words.fate {
            WordFate::Kept => words.text.into_any(),
            WordFate::Removed => del().child(words.text).into_any(),
            WordFate::Added => ins().child(words.text).into_any(),
        })
        .collect::<Vec<_>>()
        .into_any()
}
