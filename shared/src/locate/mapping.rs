//! A selection's words through the links: where each of them went, and what that makes of the place.

use super::aligned::Aligned;
use super::lexicon::Class;
use super::likeness::Bag;
use super::links::Link;
use super::sequence::in_order;
use super::units::{NONE, Token, index};
use crate::wire::place::PlaceState;
use std::ops::Range;

/// Share of the selected words, by weight, that must have a place.
const KEPT: f32 = 0.25;
/// Selections of up to so many tokens must have a place whole.
const FEW: usize = 3;
/// Bytes between two parts of a place that make them two places.
const APART: u32 = 400;
/// Cells up to which two sentences are compared exactly.
const SENTENCES: usize = 40_000;

/// Where selected tokens went.
#[derive(Debug, Clone)]
pub(super) struct Mapped {
    /// Tokens of the new version.
    pub(super) tokens: Range<u32>,
    pub(super) state: PlaceState,
    /// The first and the last selected token are the first and the last of the new ones.
    pub(super) ends: (bool, bool),
}

/// The place of a part of the selection that lies in one unit or several joined ones.
#[derive(Debug)]
struct Part {
    old: Range<u32>,
    new: Range<u32>,
    /// Weight of the selected tokens that have a place.
    weight: f32,
    in_order: bool,
}

impl Aligned {
    /// Maps tokens of the old version; `None` when they are gone.
    pub(super) fn map(&self, selected: Range<u32>) -> Option<Mapped> {
        let parts = self.parts(&selected);
        let (placed, parts) = self.heaviest_cluster(parts, &selected)?;
        let selection = self.old.slice(&selected);
        let all = self.rarity.sum(selection).max(f32::EPSILON);
        let needed = if selection.len() <= FEW { 0.99 } else { KEPT };
        if placed < needed * all {
            return None;
        }
        let new = parts.iter().map(|part| part.new.start).min()?
            ..parts.iter().map(|part| part.new.end).max()?;
        let first = parts.iter().min_by_key(|part| part.old.start)?;
        let last = parts.iter().max_by_key(|part| part.old.end)?;
        let ends = (
            first.old.start == selected.start && first.new.start == new.start,
            last.old.end == selected.end && last.new.end == new.end,
        );
        Some(Mapped {
            state: self.state(&selected, &new, &parts),
            tokens: new,
            ends,
        })
    }

    fn state(&self, selected: &Range<u32>, new: &Range<u32>, parts: &[Part]) -> PlaceState {
        if !self.reads_the_same(selected, new) {
            return PlaceState::Changed;
        }
        let moved = parts.iter().any(|part| !part.in_order) || self.changed_parents(selected, new);
        if moved {
            PlaceState::Moved
        } else {
            PlaceState::Exact
        }
    }

    /// Whether a reader sees the same words.
    pub(super) fn reads_the_same(&self, old: &Range<u32>, new: &Range<u32>) -> bool {
        let (old, new) = (self.old.slice(old), self.new.slice(new));
        old.len() == new.len() && old.iter().zip(new).all(|(a, b)| a.word.seen == b.word.seen)
    }

    /// Both headings are in both versions, but the words went from one to the other.
    fn changed_parents(&self, selected: &Range<u32>, new: &Range<u32>) -> bool {
        let old = self.old.unit(self.old.unit_of(selected.start)).parent;
        let new = self.new.unit(self.new.unit_of(new.start)).parent;
        old != NONE
            && new != NONE
            && self.links.of_old(old).is_some()
            && !self.links.ties(old, new)
            && self.links.of_new(new).is_some_and(|link| {
                let ancestor = self.old.unit(link.old.start).form;
                ancestor.is_like(self.new.unit(new).form)
            })
    }

    fn parts(&self, selected: &Range<u32>) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut at = selected.start;
        while at < selected.end {
            let unit = self.old.unit_of(at);
            let Some(link) = self.links.of_old(unit) else {
                at = self.old.unit(unit).tokens.end;
                continue;
            };
            let group = self.old.tokens_of(&link.old);
            let part = at..group.end.min(selected.end);
            at = group.end;
            if let Some((new, weight)) = self.map_in(link, &group, &part) {
                parts.push(Part {
                    old: part,
                    new,
                    weight,
                    in_order: link.in_order,
                });
            }
        }
        parts
    }

    fn map_in(
        &self,
        link: &Link,
        group: &Range<u32>,
        part: &Range<u32>,
    ) -> Option<(Range<u32>, f32)> {
        let target = self.new.tokens_of(&link.new);
        let offset = target.start + (part.start - group.start);
        if link.equal && group.len() == target.len() {
            let weight = self.rarity.sum(self.old.slice(part));
            return Some((offset..offset + index(part.len()), weight));
        }
        if part == group && !link.shared {
            return Some((target, self.rarity.sum(self.old.slice(part))));
        }
        self.only_run(group, &target, part)
            .or_else(|| self.by_difference(group, &target, part))
    }

    /// The share of the selected words that turn up among the new ones, from 0 to 1.
    pub(super) fn share_of(&self, selected: &Range<u32>, new: &Range<u32>) -> f32 {
        let selected = Bag::of(self.old.slice(selected), &self.rarity);
        selected.covered_by(&Bag::of(self.new.slice(new), &self.rarity))
    }

    /// Whether the tokens have a place and kept their order.
    pub(super) fn keeps_order(&self, selected: &Range<u32>) -> bool {
        let parts = self.parts(selected);
        !parts.is_empty() && parts.iter().all(|part| part.in_order)
    }

    /// The selected words, where they stand once in the sentence before and after.
    pub(super) fn only_run(
        &self,
        group: &Range<u32>,
        target: &Range<u32>,
        part: &Range<u32>,
    ) -> Option<(Range<u32>, f32)> {
        let fold = |token: &Token| token.word.fold;
        let words: Vec<u32> = self.old.slice(part).iter().map(fold).collect();
        let runs = |tokens: &[Token]| -> Vec<usize> {
            let folds: Vec<u32> = tokens.iter().map(fold).collect();
            let windows = folds.windows(words.len()).enumerate();
            windows
                .filter(|(_, run)| *run == words)
                .map(|(at, _)| at)
                .take(2)
                .collect()
        };
        if runs(self.old.slice(group)).len() != 1 {
            return None;
        }
        let [only] = runs(self.new.slice(target))[..] else {
            return None;
        };
        let start = target.start + index(only);
        Some((
            start..start + index(part.len()),
            self.rarity.sum(self.old.slice(part)),
        ))
    }

    /// Kept words are where they are; replaced ones take the place of the old ones; deleted ones have none.
    pub(super) fn by_difference(
        &self,
        group: &Range<u32>,
        target: &Range<u32>,
        part: &Range<u32>,
    ) -> Option<(Range<u32>, f32)> {
        let (old, new) = (self.old.slice(group), self.new.slice(target));
        let hunks = self.hunks(old, new);
        let from = (part.start - group.start) as usize;
        let to = (part.end - group.start) as usize;
        let mut placed = 0.0;
        let mut range: Option<Range<usize>> = None;
        for hunk in hunks {
            let inside = from.max(hunk.old.start)..to.min(hunk.old.end);
            if inside.start >= inside.end || hunk.new.is_empty() {
                continue;
            }
            let target = hunk.share(&inside);
            placed += hunk.kept() * self.rarity.sum(&old[inside]);
            range = Some(match range {
                Some(range) => range.start.min(target.start)..range.end.max(target.end),
                None => target,
            });
        }
        let range = range?;
        Some((
            target.start + index(range.start)..target.start + index(range.end),
            placed,
        ))
    }

    fn hunks(&self, old: &[Token], new: &[Token]) -> Vec<Hunk> {
        let stem = |token: &Token| token.word.stem;
        let (a, b): (Vec<u32>, Vec<u32>) = (
            old.iter().map(stem).collect(),
            new.iter().map(stem).collect(),
        );
        let pairs = in_order(&a, &b, SENTENCES, &|at| self.rarity.weight(&old[at]));
        without_chance(&pairs, old, new)
    }

    fn heaviest_cluster(
        &self,
        mut parts: Vec<Part>,
        selected: &Range<u32>,
    ) -> Option<(f32, Vec<Part>)> {
        parts.sort_by_key(|part| part.new.start);
        let span = |tokens: &[Token]| match tokens {
            [first, .., last] => last.end - first.start,
            [only] => only.end - only.start,
            [] => 0,
        };
        let apart = APART.max(span(self.old.slice(selected)));
        let mut clusters: Vec<Vec<Part>> = Vec::new();
        let mut end = 0;
        for part in parts {
            let tokens = self.new.slice(&part.new);
            let start = tokens.first().map_or(0, |token| token.start);
            match clusters.last_mut() {
                Some(cluster) if start <= end + apart => cluster.push(part),
                _ => clusters.push(vec![part]),
            }
            end = end.max(tokens.last().map_or(0, |token| token.end));
        }
        clusters
            .into_iter()
            .map(|cluster| (cluster.iter().map(|part| part.weight).sum::<f32>(), cluster))
            .max_by(|a, b| a.0.total_cmp(&b.0))
    }
}

/// Words of a sentence and what stands for them in its successor: the same ones, or others.
#[derive(Debug, PartialEq, Eq)]
struct Hunk {
    old: Range<usize>,
    new: Range<usize>,
    same: bool,
}

impl Hunk {
    /// How much of the old words the new ones can stand for: all, where as many or nearly as many took their place.
    fn kept(&self) -> f32 {
        if self.same || self.old.len() <= FEW {
            return 1.0;
        }
        (self.new.len() as f32 / self.old.len() as f32).min(1.0)
    }

    /// What stands for a part of the hunk: word for word where both are as long, else in proportion.
    fn share(&self, part: &Range<usize>) -> Range<usize> {
        let (before, behind) = (part.start - self.old.start, self.old.end - part.end);
        if self.same || self.old.len() == self.new.len() {
            return self.new.start + before..self.new.end - behind;
        }
        let scaled = |n: usize| n * self.new.len() / self.old.len();
        let start = self.new.start + scaled(before);
        let end = self.new.end - scaled(behind);
        if start < end {
            start..end
        } else {
            self.new.clone()
        }
    }
}

/// Pairs as hunks, leaving out those that chance made: a few common words between rewritten ones.
fn without_chance(pairs: &[(usize, usize)], old: &[Token], new: &[Token]) -> Vec<Hunk> {
    let mut runs: Vec<Hunk> = Vec::new();
    for (i, j) in pairs {
        match runs.last_mut() {
            Some(run) if run.old.end == *i && run.new.end == *j => {
                run.old.end += 1;
                run.new.end += 1;
            }
            _ => runs.push(Hunk {
                old: *i..i + 1,
                new: *j..j + 1,
                same: true,
            }),
        }
    }
    let mut hunks: Vec<Hunk> = Vec::new();
    let mut from = (0, 0);
    let ends = runs
        .iter()
        .skip(1)
        .map(|run| (run.old.start, run.new.start));
    let ends: Vec<_> = ends.chain([(old.len(), new.len())]).collect();
    for (run, next) in runs.into_iter().zip(ends) {
        let rewritten_before = from.0 < run.old.start && from.1 < run.new.start;
        let rewritten_behind = run.old.end < next.0 && run.new.end < next.1;
        let light = run.old.len() <= 2
            && old[run.old.clone()]
                .iter()
                .all(|token| matches!(token.word.class, Class::Sign | Class::Short));
        if light && rewritten_before && rewritten_behind {
            continue;
        }
        push_between(&mut hunks, from, (run.old.start, run.new.start));
        from = (run.old.end, run.new.end);
        hunks.push(run);
    }
    push_between(&mut hunks, from, (old.len(), new.len()));
    hunks
}

fn push_between(hunks: &mut Vec<Hunk>, from: (usize, usize), to: (usize, usize)) {
    if from.0 < to.0 || from.1 < to.1 {
        hunks.push(Hunk {
            old: from.0..to.0,
            new: from.1..to.1,
            same: false,
        });
    }
}
