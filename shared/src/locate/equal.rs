//! Units that read the same in both versions: in order, or moved.
//!
//! What stands once in each version is matched first, and what lies below and above it goes with it: so a sentence
//! that many sections repeat stays with its own section, wherever that went.

use super::links::Links;
use super::sequence::{heaviest_increasing, in_order};
use super::units::{NONE, Unit, Units, index};
use rustc_hash::FxHashMap;

/// Tokens of a unit that stands for itself, wherever it turns up.
pub(super) const TELLING: usize = 5;

/// Twins of one sentence that are still compared by their neighbours.
const TWINS: usize = 64;

/// Ties equal units that kept their order, blocks that moved, and the twins beside both.
pub(super) fn tie_equal(old: &Units, new: &Units, links: &mut Links) {
    let only = only_ones(old, new, links);
    let weight = |at: usize| weight(&old.units[at]);
    let pairs: Vec<_> = only
        .iter()
        .map(|(i, j)| (*i as usize, *j as usize))
        .collect();
    for (i, j) in heaviest_increasing(&pairs, &weight) {
        links.tie(index(i), index(j), true, true);
    }
    tie_moved_blocks(old, new, links, &only);
    for step in [1, -1] {
        let anchors: Vec<_> = links
            .iter()
            .map(|(_, link)| (link.old.start, link.new.start, link.in_order))
            .collect();
        for (i, j, in_order) in anchors {
            for (a, b) in run_beside(old, new, links, (i, j), step) {
                links.tie(a, b, true, in_order);
            }
        }
    }
    tie_in_gaps(old, new, links, &weight);
    tie_twins(old, new, links);
}

/// What keeping a unit in its order is worth: its words, and a little for being there.
fn weight(unit: &Unit) -> f32 {
    0.5 + f32::from(u16::try_from(unit.len()).unwrap_or(u16::MAX)).sqrt()
}

/// Pairs of free units whose text stands once in each version, by the old one.
pub(super) fn only_ones(old: &Units, new: &Units, links: &Links) -> Vec<(u32, u32)> {
    // Times in the old version, times in the new one, index there.
    let mut times: FxHashMap<u64, (u32, u32, u32)> = FxHashMap::default();
    for unit in &old.units {
        times.entry(unit.key).or_default().0 += 1;
    }
    for (j, unit) in new.units.iter().enumerate() {
        if let Some(entry) = times.get_mut(&unit.key) {
            entry.1 += 1;
            entry.2 = index(j);
        }
    }
    let once = |(i, unit): (usize, &Unit)| match times.get(&unit.key) {
        Some((1, 1, j)) => Some((index(i), *j)),
        _ => None,
    };
    let pairs = old.units.iter().enumerate().filter_map(once);
    pairs
        .filter(|(i, j)| links.old_is_free(*i) && links.new_is_free(*j))
        .collect()
}

/// Units that follow one another in both versions moved together; a single one is left to compete with what stands
/// in its place.
fn tie_moved_blocks(old: &Units, new: &Units, links: &mut Links, only: &[(u32, u32)]) {
    for (i, j) in only {
        if !links.old_is_free(*i) || !links.new_is_free(*j) {
            continue;
        }
        let mut block = vec![(*i, *j)];
        for step in [1, -1] {
            block.extend(run_beside(old, new, links, (*i, *j), step));
        }
        let words: usize = block.iter().map(|(unit, _)| old.unit(*unit).len()).sum();
        if block.len() > 1 && words >= TELLING {
            for (a, b) in block {
                links.tie(a, b, true, false);
            }
        }
    }
}

/// The free equal units that follow a pair on both sides, downwards or upwards.
fn run_beside(
    old: &Units,
    new: &Units,
    links: &Links,
    pair: (u32, u32),
    step: i32,
) -> Vec<(u32, u32)> {
    let mut run = Vec::new();
    let (mut i, mut j) = pair;
    while let (Some(a), Some(b)) = (i.checked_add_signed(step), j.checked_add_signed(step)) {
        let free = links.old_is_free(a) && links.new_is_free(b);
        if !free || old.unit(a).key != new.unit(b).key {
            break;
        }
        run.push((a, b));
        (i, j) = (a, b);
    }
    run
}

/// What is left between two units that kept their order, in order too.
fn tie_in_gaps(old: &Units, new: &Units, links: &mut Links, weight: &dyn Fn(usize) -> f32) {
    let mut numbers = FxHashMap::default();
    let mut keys = |units: &Units, of: &[u32]| -> Vec<u32> {
        let number = |at: &u32| {
            let next = index(numbers.len());
            *numbers.entry(units.unit(*at).key).or_insert(next)
        };
        of.iter().map(number).collect()
    };
    for (free_old, free_new) in gaps(old, new, links) {
        let (a, b) = (keys(old, &free_old), keys(new, &free_new));
        for (i, j) in in_order(&a, &b, 0, &|at| weight(free_old[at] as usize)) {
            links.tie(free_old[i], free_new[j], true, true);
        }
    }
}

/// Free old units and free new ones between the same two neighbours that kept their order.
pub(super) type Gap = (Vec<u32>, Vec<u32>);

pub(super) fn gaps(old: &Units, new: &Units, links: &Links) -> Vec<Gap> {
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

/// Ties twins that are still free to those whose neighbours came along.
pub(super) fn tie_twins(old: &Units, new: &Units, links: &mut Links) {
    let mut places: FxHashMap<u64, Gap> = FxHashMap::default();
    for (at, unit) in old.units.iter().enumerate() {
        if links.old_is_free(index(at)) {
            places.entry(unit.key).or_default().0.push(index(at));
        }
    }
    for (at, unit) in new.units.iter().enumerate() {
        if links.new_is_free(index(at))
            && let Some(entry) = places.get_mut(&unit.key)
        {
            entry.1.push(index(at));
        }
    }
    let both =
        |(free_old, free_new): &Gap| (1..=TWINS).contains(&(free_old.len() * free_new.len()));
    let mut twins: Vec<Gap> = places.into_values().filter(both).collect();
    // By the old index, so that the outcome does not hang on the order of a hash table.
    twins.sort_unstable();
    for places in &twins {
        tie_by_company(old, new, links, places);
    }
}

/// Among twins only the one whose neighbours came along is the same.
fn tie_by_company(old: &Units, new: &Units, links: &mut Links, places: &Gap) {
    let mut pairs = Vec::new();
    for i in &places.0 {
        for j in &places.1 {
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
