//! Which units of the old version became which of the new one.

use super::sequence::heaviest_increasing;
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
    /// The new side has another ancestor too: only a part of it stands for the old side.
    pub(super) shared: bool,
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
            shared: false,
        });
    }

    /// Ties a free old unit to new ones that have an ancestor already and took it up.
    pub(super) fn join(&mut self, old: u32, host: u32) {
        self.by_old[old as usize] = index(self.links.len());
        let host = &mut self.links[host as usize];
        host.shared = true;
        let joined = Link {
            old: old..old + 1,
            ..host.clone()
        };
        self.links.push(joined);
    }

    /// Says anew which links kept their order: the heaviest run of them that does.
    pub(super) fn settle_order(&mut self, weight: impl Fn(&Link) -> f32) {
        let mut sorted: Vec<usize> = (0..self.links.len())
            .filter(|at| !self.links[*at].shared)
            .collect();
        sorted.sort_unstable_by_key(|at| self.links[*at].old.start);
        let pairs: Vec<(usize, usize)> = sorted
            .iter()
            .enumerate()
            .map(|(rank, at)| (rank, self.links[*at].new.start as usize))
            .collect();
        let kept = heaviest_increasing(&pairs, &|rank| weight(&self.links[sorted[rank]]));
        for at in &sorted {
            self.links[*at].in_order = false;
        }
        for (rank, _) in kept {
            self.links[sorted[rank]].in_order = true;
        }
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
        let link = self.by_old.get(old as usize).copied().unwrap_or(NONE);
        self.links.get(link as usize)
    }

    pub(super) fn of_new(&self, new: u32) -> Option<&Link> {
        self.links.get(self.number_of_new(new) as usize)
    }

    pub(super) fn get(&self, number: u32) -> Option<&Link> {
        self.links.get(number as usize)
    }

    pub(super) fn number_of_new(&self, new: u32) -> u32 {
        self.by_new.get(new as usize).copied().unwrap_or(NONE)
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
