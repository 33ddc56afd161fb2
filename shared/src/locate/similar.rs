//! Units that were reworded: the best pairs first, each new unit claimed once.
//!
//! Who stands between the same neighbours needs little likeness; who stands elsewhere needs much, and a lead over
//! the next best. A look-alike that has an ancestor of its own is never a candidate.

use super::equal::{company, same_parent};
use super::likeness::{Bags, Rarity};
use super::links::Links;
use super::units::{Units, index};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Likeness that is enough between the same neighbours.
const SAME_GAP: f32 = 0.34;
/// The same, for the n-th of as many sentences as there were.
const SAME_ORDINAL: f32 = 0.26;
/// The same, where nothing else is to choose from.
const ONLY_PAIR: f32 = 0.18;
/// In the same list, table, listing or paragraph, at another place.
const SAME_BLOCK: f32 = 0.45;
/// Anywhere else.
const ANYWHERE: f32 = 0.62;
/// What a pair that stands elsewhere must be better than the next best.
const LEAD: f32 = 0.05;
/// The shorter of a pair that stands elsewhere has at least this share of the longer.
const LENGTHS: f32 = 0.6;
/// Tokens of a unit that is looked for elsewhere.
const TELLING: usize = 4;
/// Pairs of one stretch that are all compared; larger stretches are looked up by their rare words.
const ALL_PAIRS: usize = 40_000;
/// What being a heading on one side only takes from a likeness.
const OTHER_FORM: f32 = 0.15;
/// What standing under a heading that went elsewhere takes from it.
const OTHER_PARENT: f32 = 0.08;

#[derive(Debug, Clone, Copy)]
struct Pair {
    old: u32,
    new: u32,
    /// Likeness and company together: who is taken first.
    rank: f32,
    near: bool,
}

/// What is needed to compare units.
pub(super) struct Market<'a> {
    pub(super) old: &'a Units,
    pub(super) new: &'a Units,
    pub(super) rarity: &'a Rarity,
    pub(super) old_bags: Bags,
    pub(super) new_bags: Bags,
    seen: FxHashSet<(u32, u32)>,
    pairs: Vec<Pair>,
}

impl<'a> Market<'a> {
    pub(super) fn new(old: &'a Units, new: &'a Units, rarity: &'a Rarity) -> Self {
        Self {
            old,
            new,
            rarity,
            old_bags: Bags::new(old),
            new_bags: Bags::new(new),
            seen: FxHashSet::default(),
            pairs: Vec::new(),
        }
    }

    /// Ties the free units that are alike.
    pub(super) fn tie_similar(&mut self, links: &mut Links) {
        let gaps = gaps(self.old, self.new, links);
        for (old, new) in &gaps {
            self.offer_gap(links, old, new);
        }
        self.offer_beside_moved(links);
        self.offer_in_blocks(links);
        self.offer_anywhere(links, &gaps);
        self.settle(links);
    }

    fn offer_gap(&mut self, links: &Links, old: &[u32], new: &[u32]) {
        if old.is_empty() || new.is_empty() || old.len() * new.len() > ALL_PAIRS {
            return;
        }
        for (a, i) in old.iter().enumerate() {
            for (b, j) in new.iter().enumerate() {
                let needed = if old.len() == 1 && new.len() == 1 {
                    ONLY_PAIR
                } else if old.len() == new.len() && a == b {
                    SAME_ORDINAL
                } else {
                    SAME_GAP
                };
                let apart = (relative(a, old.len()) - relative(b, new.len())).abs();
                self.offer(links, *i, *j, needed, 0.06 * (1.0 - apart), true);
            }
        }
    }

    /// What stands beside a unit that moved may have moved with it and changed.
    fn offer_beside_moved(&mut self, links: &Links) {
        let moved: Vec<_> = links
            .iter()
            .filter(|(_, link)| !link.in_order)
            .map(|(_, link)| (link.old.clone(), link.new.clone()))
            .collect();
        for (old, new) in moved {
            let after = |at: u32, n: u32| Some(at + n);
            let before = |at: u32, n: u32| at.checked_sub(n + 1);
            for i in free_run(|n| after(old.end, n), |at| links.old_is_free(at)) {
                for j in free_run(|n| after(new.end, n), |at| links.new_is_free(at)) {
                    self.offer(links, i, j, SAME_GAP, 0.0, true);
                }
            }
            for i in free_run(|n| before(old.start, n), |at| links.old_is_free(at)) {
                for j in free_run(|n| before(new.start, n), |at| links.new_is_free(at)) {
                    self.offer(links, i, j, SAME_GAP, 0.0, true);
                }
            }
        }
    }

    /// Rows of a table that was sorted anew, items of a list.
    fn offer_in_blocks(&mut self, links: &Links) {
        let mut votes: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for (_, link) in links.iter() {
            let key = (
                self.old.unit(link.old.start).block,
                self.new.unit(link.new.start).block,
            );
            *votes.entry(key).or_default() += 1;
        }
        let old_free = free_by_block(self.old, |at| links.old_is_free(at));
        let new_free = free_by_block(self.new, |at| links.new_is_free(at));
        let mut blocks: Vec<_> = votes.into_keys().collect();
        blocks.sort_unstable();
        for (a, b) in blocks {
            let (Some(old), Some(new)) = (old_free.get(&a), new_free.get(&b)) else {
                continue;
            };
            if old.len() * new.len() <= ALL_PAIRS / 4 {
                for i in old {
                    for j in new {
                        self.offer(links, *i, *j, SAME_BLOCK, 0.0, true);
                    }
                }
            }
        }
    }

    fn offer_anywhere(&mut self, links: &Links, gaps: &[Gap]) {
        let old_gap = gap_numbers(gaps, |gap| &gap.0);
        let new_gap = gap_numbers(gaps, |gap| &gap.1);
        let index = RareWords::of(self.new, |at| links.new_is_free(at));
        for i in 0..self.old_bags.len() {
            if !links.old_is_free(i) || self.old.unit(i).len() < TELLING {
                continue;
            }
            for j in index.nearest(self.old, i, self.rarity) {
                let near = old_gap
                    .get(&i)
                    .is_some_and(|gap| new_gap.get(&j) == Some(gap));
                if near {
                    self.offer(links, i, j, SAME_GAP, 0.0, true);
                    continue;
                }
                let (a, b) = (self.old.unit(i).len() as f32, self.new.unit(j).len() as f32);
                if a.min(b) >= LENGTHS * a.max(b) {
                    self.offer(links, i, j, ANYWHERE, 0.0, false);
                }
            }
        }
    }

    fn offer(&mut self, links: &Links, old: u32, new: u32, needed: f32, order: f32, near: bool) {
        if !self.seen.insert((old, new)) {
            return;
        }
        self.old_bags.fill(self.old, self.rarity, old);
        self.new_bags.fill(self.new, self.rarity, new);
        let (Some(a), Some(b)) = (self.old_bags.get(old), self.new_bags.get(new)) else {
            return;
        };
        let mut likeness = a.likeness(b);
        if !self.old.unit(old).form.is_like(self.new.unit(new).form) {
            likeness -= OTHER_FORM;
        }
        let parents = same_parent(self.old, self.new, links, old, new);
        let strayed = !parents && links.of_old(self.old.unit(old).parent).is_some();
        if strayed {
            likeness -= OTHER_PARENT;
        }
        if likeness < needed {
            return;
        }
        let company = company(links, old, new) as f32 * 0.02;
        self.pairs.push(Pair {
            old,
            new,
            rank: likeness + order + company + if parents { 0.02 } else { 0.0 },
            near,
        });
    }

    fn settle(&mut self, links: &mut Links) {
        self.pairs.sort_by(|a, b| {
            b.rank
                .total_cmp(&a.rank)
                .then((a.old, a.new).cmp(&(b.old, b.new)))
        });
        let mut rivals: FxHashMap<(bool, u32), Vec<Pair>> = FxHashMap::default();
        for pair in &self.pairs {
            rivals.entry((true, pair.old)).or_default().push(*pair);
            rivals.entry((false, pair.new)).or_default().push(*pair);
        }
        for pair in &self.pairs {
            if !links.old_is_free(pair.old) || !links.new_is_free(pair.new) {
                continue;
            }
            let contested = !pair.near
                && [(true, pair.old), (false, pair.new)].iter().any(|key| {
                    rivals.get(key).is_some_and(|rivals| {
                        rivals.iter().any(|rival| {
                            (rival.old, rival.new) != (pair.old, pair.new)
                                && rival.rank > pair.rank - LEAD
                                && links.old_is_free(rival.old)
                                && links.new_is_free(rival.new)
                        })
                    })
                });
            if !contested {
                let equal = self.old.unit(pair.old).key == self.new.unit(pair.new).key;
                links.tie(pair.old, pair.new, equal, pair.near && !equal);
            }
        }
        self.pairs.clear();
    }
}

fn relative(at: usize, of: usize) -> f32 {
    (at as f32 + 0.5) / of as f32
}

/// Up to four free units in a row.
fn free_run(at: impl Fn(u32) -> Option<u32>, is_free: impl Fn(u32) -> bool) -> Vec<u32> {
    (0..4)
        .map_while(|n| at(n).filter(|unit| is_free(*unit)))
        .collect()
}

fn free_by_block(units: &Units, is_free: impl Fn(u32) -> bool) -> FxHashMap<u32, Vec<u32>> {
    let mut free: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (at, unit) in units.units.iter().enumerate() {
        if is_free(index(at)) {
            free.entry(unit.block).or_default().push(index(at));
        }
    }
    free
}

/// Free old units and free new ones between the same two neighbours that kept their order.
type Gap = (Vec<u32>, Vec<u32>);

fn gap_numbers(gaps: &[Gap], side: impl Fn(&Gap) -> &Vec<u32>) -> FxHashMap<u32, usize> {
    let mut numbers = FxHashMap::default();
    for (number, gap) in gaps.iter().enumerate() {
        numbers.extend(side(gap).iter().map(|unit| (*unit, number)));
    }
    numbers
}

fn gaps(old: &Units, new: &Units, links: &Links) -> Vec<Gap> {
    let mut fixed: Vec<(u32, u32)> = links
        .iter()
        .filter(|(_, link)| link.in_order)
        .map(|(_, link)| (link.old.start, link.new.start))
        .collect();
    fixed.sort_unstable();
    fixed.push((index(old.units.len()), index(new.units.len())));
    let mut from = (0, 0);
    let mut gaps = Vec::new();
    for (i, j) in fixed {
        let free_old: Vec<u32> = (from.0..i).filter(|at| links.old_is_free(*at)).collect();
        let free_new: Vec<u32> = (from.1..j).filter(|at| links.new_is_free(*at)).collect();
        if !free_old.is_empty() || !free_new.is_empty() {
            gaps.push((free_old, free_new));
        }
        from = (i + 1, j + 1);
    }
    gaps
}

/// Units by the words that few of them have.
pub(super) struct RareWords(FxHashMap<u32, Vec<u32>>);

impl RareWords {
    /// Units that hold a word, at most; more make it a common one.
    const HOLDERS: usize = 48;
    /// Rare words of a unit that are looked up.
    const WORDS: usize = 8;
    /// Units that are compared in full.
    const NEAREST: usize = 6;

    pub(super) fn of(units: &Units, wanted: impl Fn(u32) -> bool) -> Self {
        let mut holders: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (at, unit) in units.units.iter().enumerate() {
            let at = index(at);
            if !wanted(at) {
                continue;
            }
            for token in units.slice(&unit.tokens) {
                let held = holders.entry(token.word.stem).or_default();
                if held.len() <= Self::HOLDERS && held.last() != Some(&at) {
                    held.push(at);
                }
            }
        }
        Self(holders)
    }

    /// The units that share most with unit `at` of `units`, by its rarest words.
    pub(super) fn nearest(&self, units: &Units, at: u32, rarity: &Rarity) -> Vec<u32> {
        let mut words: Vec<(f32, u32)> = units
            .slice(&units.unit(at).tokens)
            .iter()
            .map(|token| (rarity.weight(token), token.word.stem))
            .collect();
        words.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        words.dedup_by_key(|(_, stem)| *stem);
        let mut votes: FxHashMap<u32, f32> = FxHashMap::default();
        let listed = words.iter().filter_map(|(weight, stem)| {
            let held = self.0.get(stem)?;
            (held.len() <= Self::HOLDERS).then_some((weight, held))
        });
        for (weight, held) in listed.take(Self::WORDS) {
            for unit in held {
                *votes.entry(*unit).or_default() += weight;
            }
        }
        let mut nearest: Vec<(f32, u32)> =
            votes.into_iter().map(|(unit, vote)| (vote, unit)).collect();
        nearest.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        nearest.truncate(Self::NEAREST);
        nearest.into_iter().map(|(_, unit)| unit).collect()
    }
}

/// Splits and joins: what stands free beside a pair and belongs to it.
pub(super) fn widen(market: &Market<'_>, links: &mut Links) {
    let changed: Vec<u32> = links
        .iter()
        .filter(|(_, link)| !link.equal)
        .map(|(number, _)| number)
        .collect();
    for number in &changed {
        take_split(market, links, *number);
    }
    for number in &changed {
        take_joined(market, links, *number);
    }
}

/// New units that one pair can have on its side.
const SPAN: u32 = 3;
/// What a neighbour must add to the likeness to be a part.
const GAIN: f32 = 0.04;
/// The share of a unit's words that must turn up in what its neighbour's successor gained.
const JOINED: f32 = 0.5;

fn take_split(market: &Market<'_>, links: &mut Links, number: u32) {
    loop {
        let Some(link) = links.get(number) else {
            return;
        };
        let (old, new) = (link.old.clone(), link.new.clone());
        if new.end - new.start >= SPAN {
            return;
        }
        let own = bag(market.old, &old, market.rarity);
        let likeness = |span: &Range<u32>| own.likeness(&bag(market.new, span, market.rarity));
        let now = likeness(&new);
        let wider = [
            Some(new.start..new.end + 1).filter(|_| links.new_is_free(new.end)),
            new.start
                .checked_sub(1)
                .filter(|before| links.new_is_free(*before))
                .map(|before| before..new.end),
        ];
        let best = wider
            .into_iter()
            .flatten()
            .map(|span| (likeness(&span), span))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        match best {
            Some((gained, span)) if gained >= now + GAIN => links.widen(number, old, span),
            _ => return,
        }
    }
}

fn take_joined(market: &Market<'_>, links: &mut Links, number: u32) {
    loop {
        let Some(link) = links.get(number) else {
            return;
        };
        let (old, new) = (link.old.clone(), link.new.clone());
        if old.end - old.start >= SPAN {
            return;
        }
        let gained = Gained::of(market, &old, &new);
        let next = Some(old.end).filter(|at| links.old_is_free(*at));
        let before = old.start.checked_sub(1).filter(|at| links.old_is_free(*at));
        if let Some(next) = next.filter(|at| gained.holds(market, *at)) {
            links.widen(number, old.start..next + 1, new);
        } else if let Some(before) = before.filter(|at| gained.holds(market, *at)) {
            links.widen(number, before..old.end, new);
        } else {
            return;
        }
    }
}

fn bag(units: &Units, span: &Range<u32>, rarity: &Rarity) -> super::likeness::Bag {
    super::likeness::Bag::of(units.slice(&units.tokens_of(span)), rarity)
}

/// Words that the new side of a pair has and the old side has not.
struct Gained(FxHashMap<u32, u32>);

impl Gained {
    fn of(market: &Market<'_>, old: &Range<u32>, new: &Range<u32>) -> Self {
        let mut left: FxHashMap<u32, u32> = FxHashMap::default();
        for token in market.new.slice(&market.new.tokens_of(new)) {
            *left.entry(token.word.stem).or_default() += 1;
        }
        for token in market.old.slice(&market.old.tokens_of(old)) {
            if let Some(count) = left.get_mut(&token.word.stem) {
                *count = count.saturating_sub(1);
            }
        }
        Self(left)
    }

    fn holds(&self, market: &Market<'_>, unit: u32) -> bool {
        let tokens = market.old.slice(&market.old.unit(unit).tokens);
        let mut left = self.0.clone();
        let mut found = 0.0;
        for token in tokens {
            if let Some(count) = left.get_mut(&token.word.stem).filter(|count| **count > 0) {
                *count -= 1;
                found += market.rarity.weight(token);
            }
        }
        found >= JOINED * market.rarity.sum(tokens).max(f32::EPSILON) && found > NONE_AT_ALL
    }
}

/// Signs alone join nothing.
const NONE_AT_ALL: f32 = 0.5;
