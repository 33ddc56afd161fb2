//! How a repeated or late frame meets what is known, so that frames in any order and number end in the same state.
//!
//! Within a run everything only grows: text gets longer, a tool call goes from running to its end, a header learns facts.

use rex_shared::wire::message::{Message, Part, ToolStatus};

/// A header that knows what either knew; of two facts the newer frame's.
pub(super) fn merged_header(old: &Message, new: Message) -> Message {
    Message {
        run_id: new.run_id.or_else(|| old.run_id.clone()),
        model: new.model.or_else(|| old.model.clone()),
        cost_usd: new.cost_usd.or(old.cost_usd),
        tokens: new.tokens.or(old.tokens),
        duration_ms: new.duration_ms.or(old.duration_ms),
        memory: new.memory.or(old.memory),
        forecast: new.forecast.or_else(|| old.forecast.clone()),
        receipt: new.receipt.or_else(|| old.receipt.clone()),
        refusal: new.refusal.or_else(|| old.refusal.clone()),
        failure: new.failure.or_else(|| old.failure.clone()),
        interrupted: new.interrupted || old.interrupted,
        parts: Vec::new(),
        ..new
    }
}

/// The further state of a part.
pub(super) fn merged_part(old: &Part, new: Part) -> Part {
    let is_late = match (old, &new) {
        (Part::Text { text: old, .. }, Part::Text { text: new, .. })
        | (Part::Thinking { text: old, .. }, Part::Thinking { text: new, .. }) => {
            old.starts_with(new.as_str())
        }
        (Part::Tool { status: old, .. }, Part::Tool { status: new, .. }) => {
            *old != ToolStatus::Running && *new == ToolStatus::Running
        }
        _ => false,
    };
    if is_late { old.clone() } else { new }
}

/// What a delta does to a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Growth {
    /// These characters are appended.
    By(String),
    /// They are there already.
    Known,
    /// Something before them is missing, or the texts differ.
    Gap,
}

/// UTF-16 units of a text. Most texts are ASCII, and this is asked for every few characters of a long one.
fn units(text: &str) -> u64 {
    if text.is_ascii() {
        return text.len() as u64;
    }
    text.chars().map(|c| c.len_utf16() as u64).sum()
}

/// Lays `added`, which starts at `at` UTF-16 units of the text, over what is known of it.
pub(super) fn growth(known: &str, at: u64, added: &str) -> Growth {
    if at == units(known) {
        return Growth::By(added.to_owned());
    }
    let mut before = 0;
    let overlap = known.char_indices().find_map(|(byte, c)| {
        let here = before;
        before += c.len_utf16() as u64;
        (here == at).then_some(byte)
    });
    match overlap.and_then(|byte| known.get(byte..)) {
        Some(rest) if rest.starts_with(added) => Growth::Known,
        Some(rest) => match added.strip_prefix(rest) {
            Some(new) => Growth::By(new.to_owned()),
            None => Growth::Gap,
        },
        None => Growth::Gap,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delta_grows_the_text_is_known_or_leaves_a_gap() {
        let grown = |text: &str| Growth::By(text.to_owned());
        assert_eq!(growth("", 0, "a"), grown("a"));
        assert_eq!(growth("ab", 2, "c"), grown("c"));
        assert_eq!(growth("abc", 1, "b"), Growth::Known);
        assert_eq!(growth("abc", 2, "cd"), grown("d"));
        assert_eq!(growth("abc", 4, "e"), Growth::Gap);
        assert_eq!(growth("abc", 1, "x"), Growth::Gap);
    }

    #[test]
    fn offsets_count_utf16_units() {
        assert_eq!(growth("🦖", 2, "é"), Growth::By("é".to_owned()));
        assert_eq!(growth("🦖é", 2, "é"), Growth::Known);
        assert_eq!(growth("🦖", 1, "x"), Growth::Gap, "half a character");
    }
}
