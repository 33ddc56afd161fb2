//! How alike two stretches of words are, rare words counting more than common ones.

use super::lexicon::{Class, Lexicon};
use super::units::{NONE, Token, Units};

/// What each word says, by its stem.
#[derive(Debug)]
pub(super) struct Rarity(Vec<f32>);

impl Rarity {
    /// Weighs the words of both versions by how few of their units hold them.
    pub(super) fn of(old: &Units, new: &Units, lexicon: &Lexicon) -> Self {
        let mut holders = vec![0_u32; lexicon.len()];
        let mut last = vec![NONE; lexicon.len()];
        let mut units = 0_u32;
        for version in [old, new] {
            for unit in &version.units {
                for token in version.slice(&unit.tokens) {
                    let stem = token.word.stem as usize;
                    if last[stem] != units {
                        last[stem] = units;
                        holders[stem] += 1;
                    }
                }
                units += 1;
            }
        }
        let all = units as f32;
        Self(
            holders
                .into_iter()
                .map(|held| (1.0 + all / (held.max(1) as f32)).ln())
                .collect(),
        )
    }

    /// The weight of a token; a word that stands in half of all units has about one.
    pub(super) fn weight(&self, token: &Token) -> f32 {
        let rarity = self.0.get(token.word.stem as usize).copied().unwrap_or(1.0);
        match token.word.class {
            Class::Sign => 0.15,
            Class::Short => rarity * 0.4,
            Class::Number | Class::Full => rarity,
        }
    }

    pub(super) fn sum(&self, tokens: &[Token]) -> f32 {
        tokens.iter().map(|token| self.weight(token)).sum()
    }
}

/// The words of a stretch by stem, to be compared many times.
#[derive(Debug)]
pub(super) struct Bag {
    /// (stem, weight), sorted by stem.
    stems: Vec<(u32, f32)>,
    weight: f32,
    order: Vec<u32>,
}

impl Bag {
    pub(super) fn of(tokens: &[Token], rarity: &Rarity) -> Self {
        let mut stems: Vec<(u32, f32)> = tokens
            .iter()
            .map(|token| (token.word.stem, rarity.weight(token)))
            .collect();
        stems.sort_unstable_by_key(|(stem, _)| *stem);
        Self {
            weight: stems.iter().map(|(_, weight)| weight).sum(),
            stems,
            order: tokens.iter().map(|token| token.word.stem).collect(),
        }
    }

    /// The weight of the words that both have.
    fn shared(&self, other: &Self) -> f32 {
        let (mut a, mut b) = (self.stems.iter().peekable(), other.stems.iter().peekable());
        let mut shared = 0.0;
        while let (Some((x, weight)), Some((y, _))) = (a.peek(), b.peek()) {
            match x.cmp(y) {
                std::cmp::Ordering::Less => {
                    a.next();
                }
                std::cmp::Ordering::Greater => {
                    b.next();
                }
                std::cmp::Ordering::Equal => {
                    shared += weight;
                    a.next();
                    b.next();
                }
            }
        }
        shared
    }

    /// The share of this stretch's words that the other has too, from 0 to 1.
    pub(super) fn covered_by(&self, other: &Self) -> f32 {
        self.shared(other) / self.weight.max(f32::EPSILON)
    }

    /// From 0 to 1: three fifths which words, two fifths in which order.
    pub(super) fn likeness(&self, other: &Self) -> f32 {
        let dice = 2.0 * self.shared(other) / (self.weight + other.weight).max(f32::EPSILON);
        // The order cannot make up for what is not there.
        if dice < 0.1 {
            return 0.6 * dice;
        }
        0.6 * dice + 0.4 * self.order_ratio(other).unwrap_or(dice)
    }

    /// Twice the longest common subsequence over both lengths; `None` for stretches too long to say.
    fn order_ratio(&self, other: &Self) -> Option<f32> {
        let (long, short) = if self.order.len() >= other.order.len() {
            (&self.order, &other.order)
        } else {
            (&other.order, &self.order)
        };
        let both = (long.len() + short.len()).max(1) as f32;
        if long.len() * short.len() > 1_000_000 {
            return None;
        }
        let mut row = vec![0_u32; short.len() + 1];
        for a in long {
            let mut diagonal = 0;
            for (at, b) in short.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if a == b {
                    diagonal + 1
                } else {
                    above.max(row[at])
                };
                diagonal = above;
            }
        }
        Some(2.0 * row[short.len()] as f32 / both)
    }
}

/// Bags of single units, made when first asked for.
#[derive(Debug)]
pub(super) struct Bags(Vec<Option<Bag>>);

impl Bags {
    pub(super) fn new(units: &Units) -> Self {
        Self(units.units.iter().map(|_| None).collect())
    }

    pub(super) fn fill(&mut self, units: &Units, rarity: &Rarity, at: u32) {
        let slot = &mut self.0[at as usize];
        if slot.is_none() {
            *slot = Some(Bag::of(units.slice(&units.unit(at).tokens), rarity));
        }
    }

    /// The bag of a unit that was filled.
    pub(super) fn get(&self, at: u32) -> Option<&Bag> {
        self.0.get(at as usize)?.as_ref()
    }
}
