//! Units that read the same in both versions: in order, or moved.

use super::links::Links;
use super::sequence::in_order;
use super::units::{NONE, Unit, Units, index};
use rustc_hash::FxHashMap;

/// Tokens of a unit that stands for itself, wherever it turns up.
const TELLING: usize = 5;

/// Twins of one sentence that are still compared by their neighbours.
const TWINS: usize = 64;

/// Ties equal units that kept their order, then those that moved.
pub(super) fn tie_equal(old: &Units, new: &Units, links: &mut Links) {
    let (old_keys, new_keys) = dense_keys(old, new);
    let weight = |at: usize| weight(&old.units[at]);
    for (i, j) in in_order(&old_keys, &new_keys, 0, &weight) {
        links.tie(index(i), index(j), true, true);
    }
    tie_moved(old, new, links);
}

/// What keeping a unit in its order is worth: its words, and a little for being there.
fn weight(unit: &Unit) -> f32 {
    0.5 + f32::from(u16::try_from(unit.len()).unwrap_or(u16::MAX)).sqrt()
}

fn dense_keys(old: &Units, new: &Units) -> (Vec<u32>, Vec<u32>) {
    let mut numbers = FxHashMap::default();
    let mut number = |unit: &Unit| {
        let next = index(numbers.len());
        *numbers.entry(unit.key).or_insert(next)
    };
    let old = old.units.iter().map(&mut number).collect();
    let new = new.units.iter().map(&mut number).collect();
    (old, new)
}

/// Where units with one key stand: all of them counted, those without a link listed.
#[derive(Default)]
struct Places {
    all: (usize, usize),
    old: Vec<u32>,
    new: Vec<u32>,
}

/// Ties equal units that are still free and moved: unique ones, and twins whose neighbours came along.
pub(super) fn tie_moved(old: &Units, new: &Units, links: &mut Links) {
    let mut places: FxHashMap<u64, Places> = FxHashMap::default();
    for (at, unit) in old.units.iter().enumerate() {
        let entry = places.entry(unit.key).or_default();
        entry.all.0 += 1;
        if links.old_is_free(index(at)) {
            entry.old.push(index(at));
        }
    }
    for (at, unit) in new.units.iter().enumerate() {
        if let Some(entry) = places.get_mut(&unit.key) {
            entry.all.1 += 1;
            if links.new_is_free(index(at)) {
                entry.new.push(index(at));
            }
        }
    }
    places.retain(|_, entry| !entry.old.is_empty() && !entry.new.is_empty());
    let mut twins = Vec::new();
    for entry in places.into_values() {
        let (i, j) = (entry.old[0], entry.new[0]);
        if entry.all == (1, 1) && old.unit(i).len() >= TELLING {
            links.tie(i, j, true, false);
        } else if entry.old.len() * entry.new.len() <= TWINS {
            twins.push(entry);
        }
    }
    let moved: Vec<(u32, u32)> = links
        .iter()
        .filter(|(_, link)| !link.in_order)
        .map(|(_, link)| (link.old.start, link.new.start))
        .collect();
    for (i, j) in moved {
        spread(old, new, links, (i, j));
    }
    // By the old index, so that the outcome does not hang on the order of a hash table.
    twins.sort_by_key(|entry| entry.old[0]);
    for entry in &twins {
        tie_twins(old, new, links, entry);
    }
}

/// What stands beside a moved unit on both sides moved with it.
fn spread(old: &Units, new: &Units, links: &mut Links, (i, j): (u32, u32)) {
    for step in [1, -1] {
        let (mut i, mut j) = (i, j);
        while let (Some(a), Some(b)) = (i.checked_add_signed(step), j.checked_add_signed(step)) {
            let free = links.old_is_free(a) && links.new_is_free(b);
            if !free || old.unit(a).key != new.unit(b).key {
                break;
            }
            links.tie(a, b, true, false);
            (i, j) = (a, b);
        }
    }
}

/// Among twins only the one whose neighbours came along is the same.
fn tie_twins(old: &Units, new: &Units, links: &mut Links, places: &Places) {
    let mut pairs = Vec::new();
    for i in &places.old {
        for j in &places.new {
            let score = company(links, *i, *j);
            if score >= 2 {
                let parents = same_parent(old, new, links, *i, *j);
                pairs.push((score, parents, *i, *j));
            }
        }
    }
    pairs.sort_by(|a, b| {
        b.0.cmp(&a.0)
            .then(b.1.cmp(&a.1))
            .then((a.2, a.3).cmp(&(b.2, b.3)))
    });
    for (score, parents, i, j) in &pairs {
        let rivals = pairs.iter().filter(|other| {
            (other.0, other.1) == (*score, *parents)
                && ((other.2 == *i) != (other.3 == *j))
                && links.old_is_free(other.2)
                && links.new_is_free(other.3)
        });
        if links.old_is_free(*i) && links.new_is_free(*j) && rivals.count() == 0 {
            links.tie(*i, *j, true, false);
        }
    }
}

/// How many neighbours agree: two points for each next one, one for each after that.
pub(super) fn company(links: &Links, i: u32, j: u32) -> u32 {
    [(1, 2), (-1, 2), (2, 1), (-2, 1)]
        .into_iter()
        .filter(
            |(step, _)| match (i.checked_add_signed(*step), j.checked_add_signed(*step)) {
                (Some(a), Some(b)) => links.ties(a, b),
                _ => false,
            },
        )
        .map(|(_, points)| points)
        .sum()
}

/// Whether both stand under the same heading.
pub(super) fn same_parent(old: &Units, new: &Units, links: &Links, i: u32, j: u32) -> bool {
    match (old.unit(i).parent, new.unit(j).parent) {
        (NONE, NONE) => true,
        (NONE, _) | (_, NONE) => false,
        (a, b) => links.ties(a, b),
    }
}
