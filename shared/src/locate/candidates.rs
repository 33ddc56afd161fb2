//! Where a lost place may belong: only ever offered, for a person to say "Yes, here".

use super::aligned::Aligned;
use super::likeness::Bag;
use super::rare::RareWords;
use super::units::index;
use std::ops::Range;

/// Less likeness than this is not worth a look.
const WORTH_A_LOOK: f32 = 0.25;

/// A passage of the new text that resembles a lost one.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Bytes of the new text.
    pub range: Range<usize>,
    /// From 0 to 1.
    pub likeness: f32,
}

/// The nearest look-alikes of the selected tokens, best first, at most `most` and no two overlapping. That they have
/// ancestors of their own does not matter here.
pub(super) fn candidates(aligned: &Aligned, selected: &Range<u32>, most: usize) -> Vec<Candidate> {
    if selected.is_empty() {
        return Vec::new();
    }
    let (old, new) = (&aligned.old, &aligned.new);
    let first = old.unit_of(selected.start);
    let units = first..old.unit_of(selected.end - 1) + 1;
    let group = old.tokens_of(&units);
    let lost = Bag::of(old.slice(&group), &aligned.rarity);
    let index_of_new = RareWords::of(new, |_| true);
    let count = index(new.units.len());
    let mut starts: Vec<u32> = units
        .clone()
        .flat_map(|unit| {
            let into = unit - first;
            let near = index_of_new.nearest(old, unit, &aligned.rarity);
            near.into_iter().map(move |at| at.saturating_sub(into))
        })
        .collect();
    starts.sort_unstable();
    starts.dedup();
    let mut found: Vec<(f32, Range<u32>)> = starts
        .into_iter()
        .map(|start| {
            let span = start..(start + (units.end - units.start)).min(count);
            let target = new.tokens_of(&span);
            let likeness = lost.likeness(&Bag::of(new.slice(&target), &aligned.rarity));
            let part = aligned
                .only_run(&group, &target, selected)
                .or_else(|| aligned.by_difference(&group, &target, selected));
            (likeness, part.map_or(target, |(part, _)| part))
        })
        .filter(|(likeness, _)| *likeness >= WORTH_A_LOOK)
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.start.cmp(&b.1.start)));
    let mut kept: Vec<(f32, Range<u32>)> = Vec::new();
    for (likeness, tokens) in found {
        let apart =
            |other: &(f32, Range<u32>)| tokens.end <= other.1.start || other.1.end <= tokens.start;
        if kept.len() < most && kept.iter().all(apart) {
            kept.push((likeness, tokens));
        }
    }
    kept.into_iter()
        .filter_map(|(likeness, tokens)| {
            let tokens = new.slice(&tokens);
            Some(Candidate {
                range: tokens.first()?.start as usize..tokens.last()?.end as usize,
                likeness,
            })
        })
        .collect()
}
