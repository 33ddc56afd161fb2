//! Sentences that were split, joined, or taken up in another: what stands free beside a pair and belongs to it.

use super::equal::TELLING;
use super::likeness::{Bag, Rarity};
use super::links::Links;
use super::market::Market;
use super::rare::RareWords;
use super::units::{Units, index};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Units that one pair can have on a side.
const SPAN: u32 = 3;
/// What a neighbour must add to the likeness to be a part.
pub(super) const GAIN: f32 = 0.04;
/// The share of a unit's words that must turn up in what its neighbour's successor gained.
const JOINED: f32 = 0.5;
/// The same, for a unit from farther away.
const TAKEN_UP: f32 = 0.8;
/// Weight of words that says something; signs alone join nothing.
const SOMETHING: f32 = 0.5;

/// Widens the links of reworded units.
pub(super) fn widen(market: &Market<'_>, links: &mut Links) {
    let changed: Vec<u32> = links
        .iter()
        .filter(|(_, link)| !link.equal && !link.shared)
        .map(|(number, _)| number)
        .collect();
    for number in &changed {
        take_split(market, links, *number);
    }
    for number in &changed {
        take_joined(market, links, *number);
    }
    take_up(market, links);
}

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
        let behind = Some(new.start..new.end + 1).filter(|_| links.new_is_free(new.end));
        let before = new.start.checked_sub(1).filter(|at| links.new_is_free(*at));
        let best = [behind, before.map(|at| at..new.end)]
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
        let joins = |at: &u32| links.old_is_free(*at) && gained.share(market, *at) >= JOINED;
        if joins(&old.end) {
            links.widen(number, old.start..old.end + 1, new);
        } else if let Some(before) = old.start.checked_sub(1).filter(joins) {
            links.widen(number, before..old.end, new);
        } else {
            return;
        }
    }
}

/// A sentence that is gone from its place may stand, nearly whole, in what another one became: a footnote taken into
/// the text, say.
fn take_up(market: &Market<'_>, links: &mut Links) {
    let grew: Vec<u32> = (0..index(market.new.units.len()))
        .filter(|unit| links.of_new(*unit).is_some_and(|link| !link.equal))
        .collect();
    if grew.is_empty() {
        return;
    }
    let hosts = RareWords::of(market.new, |unit| grew.binary_search(&unit).is_ok());
    for old in 0..index(market.old.units.len()) {
        if !links.old_is_free(old) || market.old.unit(old).len() < TELLING {
            continue;
        }
        let host = hosts
            .nearest(market.old, old, market.rarity)
            .into_iter()
            .find_map(|unit| {
                let link = links.of_new(unit)?;
                let gained = Gained::of(market, &link.old, &link.new);
                (gained.share(market, old) >= TAKEN_UP).then_some(links.number_of_new(unit))
            });
        if let Some(host) = host {
            links.join(old, host);
        }
    }
}

fn bag(units: &Units, span: &Range<u32>, rarity: &Rarity) -> Bag {
    Bag::of(units.slice(&units.tokens_of(span)), rarity)
}

/// Words that the new side of a pair has and the old side has not, counted by stem.
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

    /// The share of an old unit's words that are among them, by weight.
    fn share(&self, market: &Market<'_>, unit: u32) -> f32 {
        let tokens = market.old.slice(&market.old.unit(unit).tokens);
        let mut left = self.0.clone();
        let mut found = 0.0;
        for token in tokens {
            if let Some(count) = left.get_mut(&token.word.stem).filter(|count| **count > 0) {
                *count -= 1;
                found += market.rarity.weight(token);
            }
        }
        if found < SOMETHING {
            return 0.0;
        }
        found / market.rarity.sum(tokens).max(f32::EPSILON)
    }
}
