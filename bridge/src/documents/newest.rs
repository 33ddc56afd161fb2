//! What was used last, up to a weight.

use std::collections::VecDeque;

/// Keeps the newest values whose weights fit; always the very newest one.
pub(super) struct Newest<K, V> {
    items: VecDeque<(K, V, usize)>,
    weight: usize,
    most: usize,
}

impl<K: PartialEq, V: Clone> Newest<K, V> {
    /// Keeps values up to `most` weight together.
    pub(super) fn new(most: usize) -> Self {
        Self {
            items: VecDeque::new(),
            weight: 0,
            most,
        }
    }

    /// The value of a key, which becomes the newest.
    pub(super) fn get(&mut self, key: &K) -> Option<V> {
        let at = self.items.iter().position(|(known, _, _)| known == key)?;
        let item = self.items.remove(at)?;
        let value = item.1.clone();
        self.items.push_front(item);
        Some(value)
    }

    /// Keeps a value, and lets go of the oldest ones that no longer fit.
    pub(super) fn put(&mut self, key: K, value: V, weight: usize) {
        if self.get(&key).is_some() {
            return;
        }
        self.items.push_front((key, value, weight));
        self.weight += weight;
        while self.weight > self.most && self.items.len() > 1 {
            if let Some((_, _, weight)) = self.items.pop_back() {
                self.weight -= weight;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_go_first_and_the_newest_always_stays() {
        let mut newest = Newest::new(10);
        newest.put("a", 1, 4);
        newest.put("b", 2, 4);
        assert_eq!(newest.get(&"a"), Some(1));
        newest.put("c", 3, 4);
        assert_eq!(newest.get(&"b"), None);
        assert_eq!(newest.get(&"a"), Some(1));
        newest.put("huge", 4, 99);
        assert_eq!(newest.get(&"huge"), Some(4));
        assert_eq!(newest.get(&"a"), None);
    }
}
