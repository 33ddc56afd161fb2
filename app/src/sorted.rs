//! Sorting, compiled once.
//!
//! The standard library's sort is compiled anew for every type sorted, which is much of a page whose lists are short.

/// The longest key.
const MOST: usize = 4;

/// Sorts by a key of numbers, the first counting most; what has the same key keeps its order.
pub fn sort_by_key<T, const N: usize>(items: &mut Vec<T>, key: impl Fn(&T) -> [i64; N]) {
    let padded = |item: &T| {
        let mut all = [0; MOST];
        all[..N].copy_from_slice(&key(item));
        all
    };
    let order = order(items.iter().map(padded).collect());
    let mut unsorted: Vec<_> = std::mem::take(items).into_iter().map(Some).collect();
    items.extend(order.into_iter().filter_map(|at| unsorted[at].take()));
}

#[inline(never)]
fn order(keys: Vec<[i64; MOST]>) -> Vec<usize> {
    let mut order: Vec<_> = (0..keys.len()).collect();
    order.sort_unstable_by_key(|at| (keys[*at], *at));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_keep_their_order() {
        let mut items = vec![("b", 2), ("c", 1), ("a", 2), ("d", 1)];
        sort_by_key(&mut items, |(_, key)| [*key]);
        assert_eq!(items, [("c", 1), ("d", 1), ("b", 2), ("a", 2)]);
    }
}
