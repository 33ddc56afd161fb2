//! Two versions cut into units, and every unit's successor: worked out once for all places.

use super::equal::{tie_equal, tie_twins};
use super::lexicon::Lexicon;
use super::likeness::Rarity;
use super::links::Links;
use super::market::Market;
use super::units::Units;
use super::walk::read;
use super::widen::widen;
use crate::document::Format;
use std::ops::Range;

/// What the places of a document are mapped through.
#[derive(Debug)]
pub(super) struct Aligned {
    pub(super) old: Units,
    pub(super) new: Units,
    pub(super) rarity: Rarity,
    pub(super) links: Links,
}

impl Aligned {
    /// Aligns the part `from` of the old text with the part `to` of the new one.
    pub(super) fn of(
        format: Format,
        (old, from): (&str, Range<usize>),
        (new, to): (&str, Range<usize>),
    ) -> Self {
        let mut lexicon = Lexicon::default();
        let old = read(format, &old[from.clone()], from.start, &mut lexicon);
        let new = read(format, &new[to.clone()], to.start, &mut lexicon);
        let rarity = Rarity::of(&old, &new, &lexicon);
        let mut links = Links::between(&old, &new);
        tie_equal(&old, &new, &mut links);
        let mut market = Market::new(&old, &new, &rarity);
        market.tie_similar(&mut links);
        // Reworded neighbours may tell twins apart that equal ones could not.
        tie_twins(&old, &new, &mut links);
        widen(&market, &mut links);
        links.settle_order(|link| old.tokens_of(&link.old).len() as f32);
        Self {
            old,
            new,
            rarity,
            links,
        }
    }
}
