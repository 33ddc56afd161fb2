//! Which units hold a rare word: so that a unit's look-alikes are found without comparing it with all.

use super::likeness::Rarity;
use super::units::{Units, index};
use rustc_hash::FxHashMap;

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
