//! Units that were reworded: which pairs are worth weighing, and how alike they must be.
//!
//! Who stands between the same neighbours needs little likeness; who stands elsewhere needs much, and a lead over
//! the next best. A look-alike that has an ancestor of its own is never a candidate.

use super::equal::{Gap, TELLING, gaps, only_ones};
use super::links::Links;
use super::market::{Market, Offer, Where};
use super::rare::RareWords;
use super::units::{Form, Units, index};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Likeness that is enough between the same neighbours.
const SAME_GAP: f32 = 0.34;
/// The same, for the n-th of as many sentences as there were.
const SAME_ORDINAL: f32 = 0.30;
/// The same, where nothing else is to choose from.
const ONLY_PAIR: f32 = 0.28;
/// In the same list, table, listing or paragraph, at another place.
const SAME_BLOCK: f32 = 0.45;
/// Anywhere else.
const ANYWHERE: f32 = 0.62;
/// What a pair that stands elsewhere must be better than the unit's own look-alikes in its own version: where many
/// sentences are made alike, likeness says little.
const FAMILY: f32 = 0.1;
/// The shorter of a pair that stands elsewhere has at least this share of the longer.
const LENGTHS: f32 = 0.6;
/// Pairs of one stretch that are all compared; larger stretches are looked up by their rare words.
const ALL_PAIRS: usize = 40_000;
/// What standing at the same height of a stretch adds to a rank.
const ORDER: f32 = 0.06;
/// Free units beside a moved one that may have come with it.
const COMPANIONS: u32 = 4;
/// Times that what was found to have moved is asked what came with it.
const ROUNDS: usize = 3;

impl Market<'_> {
    /// Ties the free units that are alike.
    pub(super) fn tie_similar(&mut self, links: &mut Links) {
        let gaps = gaps(self.old, self.new, links);
        for (old, new) in &gaps {
            self.offer_gap(links, old, new);
        }
        for (old, new) in only_ones(self.old, self.new, links) {
            self.offer_word_for_word(old, new);
        }
        self.offer_beside_moved(links);
        self.offer_in_blocks(links);
        self.offer_anywhere(links, &gaps);
        for _ in 0..ROUNDS {
            if !self.settle(links) {
                break;
            }
            self.offer_beside_moved(links);
        }
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
                let apart = (height(a, old.len()) - height(b, new.len())).abs();
                self.offer(
                    links,
                    &Offer {
                        old: *i,
                        new: *j,
                        span: *j..*j + 1,
                        place: Where::Gap,
                        needed,
                        order: ORDER * (1.0 - apart),
                    },
                );
            }
        }
    }

    /// What stands beside a unit that moved may have moved with it and changed.
    fn offer_beside_moved(&mut self, links: &Links) {
        let moved: Vec<(Range<u32>, Range<u32>)> = links
            .iter()
            .filter(|(_, link)| !link.in_order)
            .map(|(_, link)| (link.old.clone(), link.new.clone()))
            .collect();
        for (old, new) in moved {
            let below = |from: u32| (0..COMPANIONS).map(move |n| from.checked_add(n));
            let above = |from: u32| (1..=COMPANIONS).map(move |n| from.checked_sub(n));
            for i in free_run(below(old.end), |at| links.old_is_free(at)) {
                for j in free_run(below(new.end), |at| links.new_is_free(at)) {
                    self.offer_near(links, i, j, SAME_GAP);
                }
            }
            for i in free_run(above(old.start), |at| links.old_is_free(at)) {
                for j in free_run(above(new.start), |at| links.new_is_free(at)) {
                    self.offer_near(links, i, j, SAME_GAP);
                }
            }
        }
    }

    /// Rows of a table that was sorted anew, items of a list.
    fn offer_in_blocks(&mut self, links: &Links) {
        let block_of = |units: &Units, unit: u32| units.unit(unit).block;
        let mut blocks: Vec<(u32, u32)> = links
            .iter()
            .map(|(_, link)| {
                (
                    block_of(self.old, link.old.start),
                    block_of(self.new, link.new.start),
                )
            })
            .collect();
        blocks.sort_unstable();
        blocks.dedup();
        let old_free = free_by_block(self.old, |at| links.old_is_free(at));
        let new_free = free_by_block(self.new, |at| links.new_is_free(at));
        let own = RareWords::of(self.old, |_| true);
        for (a, b) in blocks {
            let (Some(old), Some(new)) = (old_free.get(&a), new_free.get(&b)) else {
                continue;
            };
            if old.len() * new.len() > ALL_PAIRS / 4 {
                continue;
            }
            for i in old {
                let needed = SAME_BLOCK.max(self.family_likeness(&own, *i) + FAMILY);
                let is_line = self.old.unit(*i).form == Form::Line;
                for j in new {
                    // In a log or a listing numbers are all that tells lines apart.
                    if !is_line || self.shares_words(*i, &(*j..*j + 1)) {
                        self.offer_near(links, *i, *j, needed);
                    }
                }
            }
        }
    }

    fn offer_near(&mut self, links: &Links, old: u32, new: u32, needed: f32) {
        self.offer(
            links,
            &Offer {
                old,
                new,
                span: new..new + 1,
                place: Where::Near,
                needed,
                order: 0.0,
            },
        );
    }

    fn offer_anywhere(&mut self, links: &Links, gaps: &[Gap]) {
        let old_gap = gap_numbers(gaps, |gap| &gap.0);
        let new_gap = gap_numbers(gaps, |gap| &gap.1);
        let newcomers = RareWords::of(self.new, |at| links.new_is_free(at));
        let own = RareWords::of(self.old, |_| true);
        let free = (0..index(self.old.units.len())).filter(|at| links.old_is_free(*at));
        for old in free
            .filter(|at| self.old.unit(*at).len() >= TELLING)
            .collect::<Vec<_>>()
        {
            let mut family = None;
            for new in newcomers.nearest(self.old, old, self.rarity) {
                let near = old_gap
                    .get(&old)
                    .is_some_and(|gap| new_gap.get(&new) == Some(gap));
                let (place, span, needed) = if near {
                    (Where::Gap, new..new + 1, SAME_GAP)
                } else {
                    let family = *family.get_or_insert_with(|| self.family_likeness(&own, old));
                    let span = self.best_span(links, old, new);
                    (Where::Far, span, ANYWHERE.max(family + FAMILY))
                };
                let (a, b) = (self.old.unit(old).len(), self.new.tokens_of(&span).len());
                if near || a.min(b) as f32 >= LENGTHS * a.max(b) as f32 {
                    self.offer(
                        links,
                        &Offer {
                            old,
                            new,
                            span,
                            place,
                            needed,
                            order: 0.0,
                        },
                    );
                }
            }
        }
    }

    /// A new unit alone, or with the free neighbour that it makes two halves of one sentence with.
    fn best_span(&mut self, links: &Links, old: u32, new: u32) -> Range<u32> {
        let before = new
            .checked_sub(1)
            .filter(|at| links.new_is_free(*at))
            .map(|at| at..new + 1);
        let behind = Some(new..new + 2).filter(|_| links.new_is_free(new + 1));
        let alone = self.likeness(old, &(new..new + 1));
        [before, behind]
            .into_iter()
            .flatten()
            .map(|span| (self.likeness(old, &span), span))
            .filter(|(likeness, _)| *likeness > alone + super::widen::GAIN)
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map_or(new..new + 1, |(_, span)| span)
    }

    /// The likeness of an old unit to the most alike other one of its own version.
    fn family_likeness(&mut self, own: &RareWords, unit: u32) -> f32 {
        self.old_bags.fill(self.old, self.rarity, unit);
        let mut nearest = 0.0_f32;
        for other in own.nearest(self.old, unit, self.rarity) {
            self.old_bags.fill(self.old, self.rarity, other);
            if let (true, Some(a), Some(b)) = (
                other != unit,
                self.old_bags.get(unit),
                self.old_bags.get(other),
            ) {
                nearest = nearest.max(a.likeness(b));
            }
        }
        nearest
    }
}

fn height(at: usize, of: usize) -> f32 {
    (at as f32 + 0.5) / of as f32
}

/// The free units that a walk meets before the first that is not.
fn free_run(walk: impl Iterator<Item = Option<u32>>, is_free: impl Fn(u32) -> bool) -> Vec<u32> {
    walk.map_while(|at| at.filter(|unit| is_free(*unit)))
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

fn gap_numbers(gaps: &[Gap], side: impl Fn(&Gap) -> &Vec<u32>) -> FxHashMap<u32, usize> {
    let mut numbers = FxHashMap::default();
    for (number, gap) in gaps.iter().enumerate() {
        numbers.extend(side(gap).iter().map(|unit| (*unit, number)));
    }
    numbers
}
