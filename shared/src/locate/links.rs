//! Which units of the old version became which of the new one.

use super::units::{NONE, Units, index};
use std::ops::Range;

/// Neighbouring old units and the neighbouring new units that they became.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) old: Range<u32>,
    pub(super) new: Range<u32>,
    /// They read the same; each side is one unit.
    pub(super) equal: bool,
    /// They stand where they stood among the units around them.
    pub(super) in_order: bool,
}

/// All links between two versions. Each unit has at most one.
#[derive(Debug)]
pub(super) struct Links {
    links: Vec<Link>,
    by_old: Vec<u32>,
    by_new: Vec<u32>,
}

impl Links {
    pub(super) fn between(old: &Units, new: &Units) -> Self {
        Self {
            links: Vec::new(),
            by_old: vec![NONE; old.units.len()],
            by_new: vec![NONE; new.units.len()],
        }
    }

    /// Ties one unit to one unit; both must be free.
    pub(super) fn tie(&mut self, old: u32, new: u32, equal: bool, in_order: bool) {
        let link = index(self.links.len());
        self.by_old[old as usize] = link;
        self.by_new[new as usize] = link;
        self.links.push(Link {
            old: old..old + 1,
            new: new..new + 1,
            equal,
            in_order,
        });
    }

    /// Takes free neighbours into a link.
    pub(super) fn widen(&mut self, link: u32, old: Range<u32>, new: Range<u32>) {
        self.by_old[old.start as usize..old.end as usize].fill(link);
        self.by_new[new.start as usize..new.end as usize].fill(link);
        let widened = &mut self.links[link as usize];
        widened.old = old;
        widened.new = new;
        widened.equal = false;
    }

    pub(super) fn of_old(&self, old: u32) -> Option<&Link> {
        self.links.get(self.number_of_old(old) as usize)
    }

    pub(super) fn of_new(&self, new: u32) -> Option<&Link> {
        let link = self.by_new.get(new as usize).copied().unwrap_or(NONE);
        self.links.get(link as usize)
    }

    pub(super) fn get(&self, number: u32) -> Option<&Link> {
        self.links.get(number as usize)
    }

    pub(super) fn number_of_old(&self, old: u32) -> u32 {
        self.by_old.get(old as usize).copied().unwrap_or(NONE)
    }

    /// Whether there is such an old unit, still without a successor.
    pub(super) fn old_is_free(&self, old: u32) -> bool {
        self.by_old.get(old as usize) == Some(&NONE)
    }

    /// Whether there is such a new unit, still without an ancestor.
    pub(super) fn new_is_free(&self, new: u32) -> bool {
        self.by_new.get(new as usize) == Some(&NONE)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Link)> {
        self.links
            .iter()
            .enumerate()
            .map(|(at, link)| (index(at), link))
    }

    /// Whether `old` became `new`, alone or among others.
    pub(super) fn ties(&self, old: u32, new: u32) -> bool {
        self.of_old(old).is_some_and(|link| link.new.contains(&new))
    }
}
