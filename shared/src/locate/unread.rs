//! Places in what no reader reads: a link's target, a comment, a rule, a definition. They have no words to match, so
//! only the same characters between the same neighbours are the same place.

use super::Located;
use super::aligned::Aligned;
use crate::wire::place::PlaceState;
use std::ops::Range;

/// Finds a range of the old text that holds no token.
pub(super) fn locate(aligned: &Aligned, old: &str, new: &str, range: &Range<usize>) -> Located {
    let selection = &old[range.clone()];
    let quote = selection.trim();
    let lead = selection.len() - selection.trim_start().len();
    let stretch =
        stretch_at(aligned, aligned.old.tokens_in(range).start, new).unwrap_or(0..new.len());
    let mut found = new[stretch.clone()].match_indices(quote);
    let (Some((at, _)), None) = (found.next(), found.next()) else {
        return Located::GONE;
    };
    let start = stretch.start + at;
    let whole = start.saturating_sub(lead)..(start + selection.len()).saturating_sub(lead);
    let same = new.get(whole.clone()) == Some(selection);
    Located::at(
        PlaceState::Exact,
        if same {
            whole
        } else {
            start..start + quote.len()
        },
    )
}

/// The stretch of the new text that lies where the old one is between token `next` and the one before it; `None`
/// where these went apart or are gone.
pub(super) fn stretch_at(aligned: &Aligned, next: u32, new: &str) -> Option<Range<usize>> {
    let start = match next.checked_sub(1) {
        Some(before) => {
            let mapped = aligned.map(before..next)?;
            aligned.new.slice(&mapped.tokens).last()?.end as usize
        }
        None => 0,
    };
    let end = if (next as usize) < aligned.old.tokens.len() {
        let mapped = aligned.map(next..next + 1)?;
        aligned.new.slice(&mapped.tokens).first()?.start as usize
    } else {
        new.len()
    };
    (start <= end && new.get(start..end).is_some()).then_some(start..end)
}
