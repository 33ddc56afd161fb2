//! Which lines of two versions are each other's, and in the same order.

use std::collections::HashMap;
use std::ops::Range;

/// The lines that stand once in each version, reduced to a longest run of them that is in order in both.
pub(super) fn lines_in_order(old: &str, new: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let there = lines_once(new);
    let mut pairs: Vec<_> = lines_once(old)
        .into_iter()
        .filter_map(|(text, at)| {
            let found = *there.get(text)?;
            Some((at..at + text.len(), found..found + text.len()))
        })
        .collect();
    pairs.sort_unstable_by_key(|(line, _)| line.start);
    longest_increasing(&pairs)
}

fn lines_once(text: &str) -> HashMap<&str, usize> {
    let mut seen: HashMap<&str, Option<usize>> = HashMap::new();
    let mut at = 0;
    for piece in text.split_inclusive('\n') {
        let line = piece.trim_end();
        if !line.trim_start().is_empty() {
            seen.entry(line)
                .and_modify(|place| *place = None)
                .or_insert(Some(at));
        }
        at += piece.len();
    }
    seen.into_iter()
        .filter_map(|(line, at)| Some((line, at?)))
        .collect()
}

/// A longest subsequence whose second halves increase, by patience sorting.
fn longest_increasing(pairs: &[(Range<usize>, Range<usize>)]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut piles: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, (_, line)) in pairs.iter().enumerate() {
        let pile = piles.partition_point(|&top| pairs[top].1.start < line.start);
        before.push(pile.checked_sub(1).map(|below| piles[below]));
        if pile == piles.len() {
            piles.push(at);
        } else {
            piles[pile] = at;
        }
    }
    let mut chain = Vec::with_capacity(piles.len());
    let mut next = piles.last().copied();
    while let Some(at) = next {
        chain.push(pairs[at].clone());
        next = before[at];
    }
    chain.reverse();
    chain
}
