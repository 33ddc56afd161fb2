//! Where free units find their successors: every pair that may be one is offered with its rank, then the best are
//! taken first, and each new unit is taken once.

use super::equal::{TELLING, company, same_parent};
use super::lexicon::Class;
use super::likeness::{Bag, Bags, Rarity};
use super::links::Links;
use super::units::{Form, Unit, Units};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// What a pair that stands elsewhere must be better than the next best.
const LEAD: f32 = 0.05;
/// How a unit ranks that stands elsewhere word for word: below what clearly took its place.
const WORD_FOR_WORD: f32 = 0.68;
/// How a unit ranks that was taken up word for word in a longer one.
const TAKEN_UP: f32 = 0.9;
/// What beginning with the same word adds for lines and rows, whose first word names them.
const SAME_KEY: f32 = 0.15;
/// What being a heading on one side only takes from a likeness.
const OTHER_FORM: f32 = 0.15;
/// What standing under another heading takes from a rank, when the own one is elsewhere.
const OTHER_PARENT: f32 = 0.2;
/// Words that a reworded unit shares at least with one that stands elsewhere.
const FAR_WORDS: usize = 3;
/// What each point of [`company`] adds to a rank.
const COMPANY: f32 = 0.02;

/// Where the new unit of a pair stands, seen from the old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Where {
    /// Between the same neighbours.
    Gap,
    /// Beside a unit that moved, or in the same list or table.
    Near,
    /// Anywhere else.
    Far,
}

/// A pair to be weighed.
#[derive(Debug, Clone)]
pub(super) struct Offer {
    pub(super) old: u32,
    /// The unit that is claimed, and the neighbours that belong to it when it was split.
    pub(super) new: u32,
    pub(super) span: Range<u32>,
    pub(super) place: Where,
    /// Likeness that is enough.
    pub(super) needed: f32,
    /// What standing in the same order adds to the rank.
    pub(super) order: f32,
}

#[derive(Debug, Clone, Copy)]
struct Pair {
    old: u32,
    new: u32,
    /// First and last unit of the span.
    span: (u32, u32),
    rank: f32,
    place: Where,
    /// The new unit holds the old one word for word, and more.
    taken_up: bool,
}

/// Free units on offer, and what is needed to compare them.
pub(super) struct Market<'a> {
    pub(super) old: &'a Units,
    pub(super) new: &'a Units,
    pub(super) rarity: &'a Rarity,
    pub(super) old_bags: Bags,
    new_bags: Bags,
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

    /// A unit that stands elsewhere word for word, alone: it may have moved, or a twin of it was written while it
    /// was reworded itself.
    pub(super) fn offer_word_for_word(&mut self, old: u32, new: u32) {
        if self.old.unit(old).len() >= TELLING && self.seen.insert((old, new)) {
            self.pairs.push(Pair {
                old,
                new,
                span: (new, new),
                rank: WORD_FOR_WORD,
                place: Where::Near,
                taken_up: false,
            });
        }
    }

    /// Weighs a pair; it is on the market if it is alike enough. Each is weighed once.
    pub(super) fn offer(&mut self, links: &Links, offer: &Offer) {
        let (old, new) = (offer.old, offer.new);
        if !self.seen.insert((old, new)) {
            return;
        }
        let taken_up = offer.place == Where::Gap && self.takes_up(old, new);
        let mut likeness = self.likeness(old, &offer.span);
        if !self.old.unit(old).form.is_like(self.new.unit(new).form) {
            likeness -= OTHER_FORM;
        }
        if offer.place == Where::Gap && same_key(self.old, self.new, old, new) {
            likeness += SAME_KEY;
        }
        let says_little = offer.place == Where::Far && !self.shares_words(old, &offer.span);
        if (likeness < offer.needed || says_little) && !taken_up {
            return;
        }
        let parents = same_parent(self.old, self.new, links, old, new);
        let strayed = !parents
            && links.of_old(self.old.unit(old).parent).is_some()
            && links.of_new(self.new.unit(new).parent).is_some();
        let mut rank = likeness + offer.order + company(links, old, new) as f32 * COMPANY;
        if parents {
            rank += COMPANY;
        } else if strayed {
            rank -= OTHER_PARENT;
        }
        self.pairs.push(Pair {
            old,
            new,
            span: (offer.span.start, offer.span.end - 1),
            rank: if taken_up { rank.max(TAKEN_UP) } else { rank },
            place: offer.place,
            taken_up,
        });
    }

    /// How alike an old unit and neighbouring new ones are.
    pub(super) fn likeness(&mut self, old: u32, span: &Range<u32>) -> f32 {
        self.old_bags.fill(self.old, self.rarity, old);
        let Some(own) = self.old_bags.get(old) else {
            return 0.0;
        };
        if span.len() > 1 {
            return own.likeness(&Bag::of(
                self.new.slice(&self.new.tokens_of(span)),
                self.rarity,
            ));
        }
        self.new_bags.fill(self.new, self.rarity, span.start);
        self.new_bags
            .get(span.start)
            .map_or(0.0, |other| own.likeness(other))
    }

    /// Whether an old unit shares enough full words with new ones; numbers and signs are none.
    pub(super) fn shares_words(&self, old: u32, span: &Range<u32>) -> bool {
        let there = self.new.slice(&self.new.tokens_of(span));
        let mut words: Vec<u32> = self
            .old
            .slice(&self.old.unit(old).tokens)
            .iter()
            .filter(|token| token.word.class == Class::Full)
            .map(|token| token.word.stem)
            .filter(|stem| there.iter().any(|token| token.word.stem == *stem))
            .collect();
        words.sort_unstable();
        words.dedup();
        words.len() >= FAR_WORDS
    }

    fn takes_up(&self, old: u32, new: u32) -> bool {
        let (a, b) = (self.old.unit(old), self.new.unit(new));
        if a.len() < TELLING || a.len() >= b.len() {
            return false;
        }
        let (a, b) = (self.old.slice(&a.tokens), self.new.slice(&b.tokens));
        // A full stop may have become a comma.
        let a = &a[..a.len() - 1];
        b.windows(a.len())
            .any(|run| run.iter().zip(a).all(|(x, y)| x.word.fold == y.word.fold))
    }

    /// Ties the pairs on offer, the best first. Whether any was tied that stands elsewhere than it stood.
    pub(super) fn settle(&mut self, links: &mut Links) -> bool {
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.sort_by(|a, b| {
            b.rank
                .total_cmp(&a.rank)
                .then((a.old, a.new).cmp(&(b.old, b.new)))
        });
        let mut rivals: FxHashMap<(bool, u32), Vec<Pair>> = FxHashMap::default();
        for pair in &pairs {
            rivals.entry((true, pair.old)).or_default().push(*pair);
            rivals.entry((false, pair.new)).or_default().push(*pair);
        }
        let mut moved = false;
        for pair in &pairs {
            if !links.old_is_free(pair.old) {
                continue;
            }
            if !links.new_is_free(pair.new) {
                if pair.taken_up {
                    links.join(pair.old, links.number_of_new(pair.new));
                }
                continue;
            }
            if pair.place == Where::Far && is_contested(pair, &rivals, links) {
                continue;
            }
            let equal = self.old.unit(pair.old).key == self.new.unit(pair.new).key;
            let in_order = pair.place == Where::Gap && !equal;
            links.tie(pair.old, pair.new, equal, in_order);
            moved |= !in_order;
        }
        moved
    }
}

/// Another free unit would do nearly as well; halves of the same two sentences are no rivals.
fn is_contested(pair: &Pair, rivals: &FxHashMap<(bool, u32), Vec<Pair>>, links: &Links) -> bool {
    let near_best = |rival: &Pair| {
        let same_span = rival.old == pair.old && rival.span == pair.span;
        !same_span
            && rival.rank > pair.rank - LEAD
            && links.old_is_free(rival.old)
            && links.new_is_free(rival.new)
    };
    [(true, pair.old), (false, pair.new)]
        .iter()
        .filter_map(|key| rivals.get(key))
        .any(|rivals| rivals.iter().any(near_best))
}

/// Lines and rows that begin with the same word, as `status: …` does.
fn same_key(old: &Units, new: &Units, i: u32, j: u32) -> bool {
    let (a, b) = (old.unit(i), new.unit(j));
    let first =
        |units: &Units, unit: &Unit| units.slice(&unit.tokens).first().map(|token| token.word);
    let key = first(old, a).filter(|word| word.class != Class::Sign);
    matches!(a.form, Form::Line | Form::Row { .. })
        && a.form.is_like(b.form)
        && key.is_some()
        && key.map(|word| word.fold) == first(new, b).map(|word| word.fold)
}
