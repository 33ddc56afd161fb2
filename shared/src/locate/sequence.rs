//! What two sequences have in common, in the same order.
//!
//! Both ends first; then what stands once in each (the heaviest increasing run of it, so that the shorter part of a
//! swap counts as the one that moved); then, between those, the heaviest common subsequence. Stretches that are too
//! large for that and share nothing unique are left apart.

use rustc_hash::FxHashMap;
use std::ops::Range;

/// Cells of a table that is still worth filling.
pub(crate) const TABLE: usize = 250_000;

/// What an element's neighbour in the sequence adds when both are matched side by side.
const TOGETHER: f32 = 0.3;

/// Pairs of equal elements, increasing on both sides. `weight` says what matching an old element is worth;
/// stretches of up to `small` cells are solved exactly before anything unique is looked for.
pub(crate) fn in_order(
    old: &[u32],
    new: &[u32],
    small: usize,
    weight: &dyn Fn(usize) -> f32,
) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut open = vec![(0..old.len(), 0..new.len())];
    while let Some((mut a, mut b)) = open.pop() {
        let exactly = a.len() * b.len() <= small;
        while !exactly && !a.is_empty() && !b.is_empty() && old[a.start] == new[b.start] {
            pairs.push((a.start, b.start));
            a.start += 1;
            b.start += 1;
        }
        while !exactly && !a.is_empty() && !b.is_empty() && old[a.end - 1] == new[b.end - 1] {
            a.end -= 1;
            b.end -= 1;
            pairs.push((a.end, b.end));
        }
        let cells = a.len() * b.len();
        if cells == 0 {
            continue;
        }
        let anchors = if cells <= small {
            Vec::new()
        } else {
            heaviest_increasing(&unique_pairs(old, new, &a, &b), weight)
        };
        if anchors.is_empty() {
            if cells <= TABLE {
                heaviest_common(old, new, &a, &b, weight, &mut pairs);
            }
            continue;
        }
        let mut from = (a.start, b.start);
        for (i, j) in anchors {
            pairs.push((i, j));
            open.push((from.0..i, from.1..j));
            from = (i + 1, j + 1);
        }
        open.push((from.0..a.end, from.1..b.end));
    }
    pairs.sort_unstable();
    pairs
}

/// Elements that stand once in each stretch, by their old index.
fn unique_pairs(
    old: &[u32],
    new: &[u32],
    a: &Range<usize>,
    b: &Range<usize>,
) -> Vec<(usize, usize)> {
    // Times in the old stretch, times in the new one, index there.
    let mut seen: FxHashMap<u32, (u32, u32, usize)> = FxHashMap::default();
    for i in a.clone() {
        seen.entry(old[i]).or_default().0 += 1;
    }
    for j in b.clone() {
        if let Some(entry) = seen.get_mut(&new[j]) {
            entry.1 += 1;
            entry.2 = j;
        }
    }
    a.clone()
        .filter_map(|i| match seen.get(&old[i]) {
            Some((1, 1, j)) => Some((i, *j)),
            _ => None,
        })
        .collect()
}

/// Of pairs with increasing old indices, the heaviest part whose new indices increase too.
pub(super) fn heaviest_increasing(
    pairs: &[(usize, usize)],
    weight: &dyn Fn(usize) -> f32,
) -> Vec<(usize, usize)> {
    let mut ranks: Vec<usize> = pairs.iter().map(|(_, j)| *j).collect();
    ranks.sort_unstable();
    // For each rank the best chain that ends at or below it, as a binary indexed tree of (weight, pair).
    let mut best: Vec<(f32, Option<usize>)> = vec![(0.0, None); pairs.len() + 1];
    let mut before = Vec::with_capacity(pairs.len());
    for (at, (i, j)) in pairs.iter().enumerate() {
        let rank = ranks.partition_point(|other| other < j);
        let mut top = (0.0, None);
        let mut node = rank;
        while node > 0 {
            if best[node].0 > top.0 {
                top = best[node];
            }
            node &= node - 1;
        }
        before.push(top.1);
        let total = top.0 + weight(*i).max(f32::MIN_POSITIVE);
        let mut node = rank + 1;
        while node < best.len() {
            if total > best[node].0 {
                best[node] = (total, Some(at));
            }
            node += node & node.wrapping_neg();
        }
    }
    let mut end = (0.0, None);
    let mut node = pairs.len();
    while node > 0 {
        if best[node].0 > end.0 {
            end = best[node];
        }
        node &= node - 1;
    }
    let mut chain = Vec::new();
    let mut at = end.1;
    while let Some(pair) = at {
        chain.push(pairs[pair]);
        at = before[pair];
    }
    chain.reverse();
    chain
}

/// The heaviest common subsequence of two stretches; matches side by side count more than scattered ones.
fn heaviest_common(
    old: &[u32],
    new: &[u32],
    a: &Range<usize>,
    b: &Range<usize>,
    weight: &dyn Fn(usize) -> f32,
    pairs: &mut Vec<(usize, usize)>,
) {
    let width = b.len() + 1;
    // Best of the first i and j elements; best of those that ends by matching the last two.
    let mut best = vec![0.0_f32; (a.len() + 1) * width];
    let mut ending = vec![f32::MIN; (a.len() + 1) * width];
    for i in 1..=a.len() {
        let element = old[a.start + i - 1];
        let worth = weight(a.start + i - 1);
        for j in 1..=b.len() {
            let here = i * width + j;
            let diagonal = here - width - 1;
            let mut top = best[here - 1].max(best[here - width]);
            if element == new[b.start + j - 1] {
                let matched = worth + best[diagonal].max(ending[diagonal] + TOGETHER * worth);
                ending[here] = matched;
                top = top.max(matched);
            }
            best[here] = top;
        }
    }
    let (mut i, mut j) = (a.len(), b.len());
    let mut must_match = false;
    while i > 0 && j > 0 {
        let here = i * width + j;
        if must_match || (ending[here] >= best[here] && ending[here] > f32::MIN) {
            pairs.push((a.start + i - 1, b.start + j - 1));
            let diagonal = here - width - 1;
            let worth = weight(a.start + i - 1);
            must_match = ending[diagonal] + TOGETHER * worth > best[diagonal];
            i -= 1;
            j -= 1;
        } else if best[here - width] >= best[here - 1] {
            i -= 1;
        } else {
            j -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(old: &str, new: &str, small: usize) -> String {
        let codes = |text: &str| text.chars().map(u32::from).collect::<Vec<_>>();
        let chars: Vec<char> = old.chars().collect();
        in_order(&codes(old), &codes(new), small, &|_| 1.0)
            .into_iter()
            .map(|(i, _)| chars[i])
            .collect()
    }

    #[test]
    fn the_shorter_part_of_a_swap_is_the_one_that_moved() {
        assert_eq!(matched("abcdeXY", "XYabcde", 0), "abcde");
        assert_eq!(matched("abcdeXY", "XYabcde", 1000), "abcde");
    }

    #[test]
    fn repeated_elements_are_matched_between_unique_ones() {
        assert_eq!(matched("1.2.3.", "0.1.3.", 0), "1.3.");
    }

    #[test]
    fn matches_side_by_side_win_over_scattered_ones() {
        let codes = |text: &str| text.chars().map(u32::from).collect::<Vec<_>>();
        let pairs = in_order(&codes("Aab"), &codes("aXabB"), 1000, &|_| 1.0);
        assert_eq!(pairs, [(1, 2), (2, 3)]);
    }

    #[test]
    fn nothing_in_common_is_no_pair() {
        assert_eq!(matched("abc", "xyz", 0), "");
        assert_eq!(matched("", "xyz", 0), "");
    }
}
