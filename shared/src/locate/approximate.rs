//! Approximate search for a short pattern: Myers' bit-parallel algorithm, 64 rows of the table in a word.

use rustc_hash::FxHashMap;
use std::ops::Range;

/// Where a pattern stands in a text, but for some errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Match {
    /// Characters of the text.
    pub(super) range: Range<usize>,
    /// Characters to put in, take out or replace.
    pub(super) errors: usize,
}

/// All places where `pattern` stands with at most `most` errors: of overlapping ones the best, the first of equals.
pub(super) fn search(pattern: &[char], text: &[char], most: usize) -> Vec<Match> {
    let mut found: Vec<Match> = Vec::new();
    if pattern.is_empty() {
        return found;
    }
    let mut column = Column::new(pattern);
    for (at, c) in text.iter().enumerate() {
        let errors = column.step(*c);
        if errors > most {
            continue;
        }
        let end = at + 1;
        match found.last_mut() {
            Some(last) if end - last.range.end < pattern.len() => {
                if errors < last.errors {
                    *last = Match {
                        range: end..end,
                        errors,
                    };
                }
            }
            _ => found.push(Match {
                range: end..end,
                errors,
            }),
        }
    }
    for one in &mut found {
        one.range.start = start_of(pattern, text, one);
    }
    found
}

/// The start of a match whose end is known: the end of the best match of the reversed pattern, read backwards.
fn start_of(pattern: &[char], text: &[char], found: &Match) -> usize {
    let reversed: Vec<char> = pattern.iter().rev().copied().collect();
    let mut column = Column::new(&reversed);
    let end = found.range.end;
    let reach = (pattern.len() + found.errors).min(end);
    let mut best = (usize::MAX, end);
    for length in 1..=reach {
        // Free starts do not matter here: the match must begin at `end`, so what comes before costs its length.
        let errors = column.step_anchored(text[end - length]);
        if errors < best.0 {
            best = (errors, end - length);
        }
    }
    best.1
}

/// How alike two short texts are, from 0 to 1: one less the share of characters that differ.
pub(super) fn nearness(a: &[char], b: &[char]) -> f32 {
    let longer = a.len().max(b.len());
    if longer == 0 {
        return 1.0;
    }
    let errors = if a.is_empty() || b.is_empty() {
        longer
    } else {
        let mut column = Column::new(a);
        b.iter().fold(a.len(), |_, c| column.step_anchored(*c))
    };
    1.0 - errors as f32 / longer as f32
}

/// One column of the table of edit distances, as vertical differences.
struct Column {
    /// For each character the rows of the pattern that it equals.
    rows: FxHashMap<char, Vec<u64>>,
    /// Differences of +1 and of −1, 64 rows a word.
    up: Vec<u64>,
    down: Vec<u64>,
    last_row: u64,
    errors: usize,
}

impl Column {
    fn new(pattern: &[char]) -> Self {
        let words = pattern.len().div_ceil(64);
        let mut rows: FxHashMap<char, Vec<u64>> = FxHashMap::default();
        for (at, c) in pattern.iter().enumerate() {
            rows.entry(*c).or_insert_with(|| vec![0; words])[at / 64] |= 1 << (at % 64);
        }
        Self {
            rows,
            up: vec![u64::MAX; words],
            down: vec![0; words],
            last_row: 1 << ((pattern.len() - 1) % 64),
            errors: pattern.len(),
        }
    }

    /// The errors of the best match that ends with `c`, wherever it begins.
    fn step(&mut self, c: char) -> usize {
        self.advance(c, 0)
    }

    /// The errors of the match that begins where the column did and ends with `c`.
    fn step_anchored(&mut self, c: char) -> usize {
        self.advance(c, 1)
    }

    /// `carry` is the horizontal difference of the row above the word: −1, 0 or 1.
    fn advance(&mut self, c: char, mut carry: i8) -> usize {
        let equal = self.rows.get(&c);
        let words = self.up.len();
        for word in 0..words {
            let equal = equal.map_or(0, |rows| rows[word]);
            let (up, down) = (self.up[word], self.down[word]);
            let vertical = equal | down;
            let equal = equal | u64::from(carry < 0);
            let horizontal = ((equal & up).wrapping_add(up) ^ up) | equal;
            let mut plus = down | !(horizontal | up);
            let mut minus = up & horizontal;
            let high = if word + 1 == words {
                self.last_row
            } else {
                1 << 63
            };
            let out = i8::from(plus & high != 0) - i8::from(minus & high != 0);
            plus = plus << 1 | u64::from(carry > 0);
            minus = minus << 1 | u64::from(carry < 0);
            self.up[word] = minus | !(vertical | plus);
            self.down[word] = plus & vertical;
            carry = out;
        }
        self.errors = self.errors.saturating_add_signed(carry.into());
        self.errors
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn chars(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    /// The table, cell by cell.
    fn distance(a: &[char], b: &[char]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = (diagonal + usize::from(x != y))
                    .min(above + 1)
                    .min(row[j] + 1);
                diagonal = above;
            }
        }
        row[b.len()]
    }

    #[test]
    fn a_pattern_is_found_with_its_errors() {
        let text = chars("we pay refunds inside 14 days, no more");
        let found = search(&chars("refunds within 14 days"), &text, 6);
        assert_eq!(found.len(), 1);
        assert_eq!(
            text[found[0].range.clone()].iter().collect::<String>(),
            "refunds inside 14 days"
        );
        assert_eq!(found[0].errors, 5);
        assert!(search(&chars("nothing alike at all"), &text, 5).is_empty());
    }

    proptest! {
        #[test]
        fn words_of_64_rows_give_the_same_as_the_table(a in "[ab]{1,150}", b in "[ab]{1,150}") {
            let (a, b) = (chars(&a), chars(&b));
            let longer = a.len().max(b.len());
            let expected = 1.0 - distance(&a, &b) as f32 / longer as f32;
            prop_assert!((nearness(&a, &b) - expected).abs() < 1e-6);
        }

        #[test]
        fn a_match_is_as_far_from_the_pattern_as_it_says(pattern in "[abc]{1,80}", text in "[abc]{0,200}") {
            let (pattern, text) = (chars(&pattern), chars(&text));
            for found in search(&pattern, &text, pattern.len() / 3) {
                prop_assert_eq!(distance(&pattern, &text[found.range]), found.errors);
            }
        }
    }
}
