//! A place without the text it was made on: what can be remembered of it, and finding it by that.
//!
//! For snapshots that were pruned and for places that come from elsewhere. It is the last resort: a quote with its
//! context does not know which of two twins was deleted, so it accepts little.

use super::Located;
use super::approximate::{Match, nearness, search};
use super::lexicon::Lexicon;
use super::units::{NONE, Units, index};
use super::walk::read;
use crate::document::Format;
use crate::wire::place::PlaceState;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Characters of context on each side.
const CONTEXT: usize = 64;
/// A quote shorter than this is found only with its context.
const SHORT: usize = 16;
/// Score that is accepted, and its lead over the next best.
const ACCEPTED: f32 = 0.75;
const LEAD: f32 = 0.08;
/// Sentences that may stand where one stood.
const BETWEEN: usize = 3;
/// Tokens of a sentence that needs no neighbours to be known again.
const TELLING: usize = 5;

/// What is remembered of a place. All text is reading text: what the person saw, one space between words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Selector {
    /// The words of the place.
    pub quote: String,
    /// Up to 64 characters before it.
    pub prefix: String,
    /// Up to 64 characters behind it.
    pub suffix: String,
    /// Hashes of the sentences it is in.
    pub units: Vec<String>,
    /// Hashes of the two sentences before, the nearer first.
    pub before: Vec<String>,
    /// Hashes of the two sentences behind, the nearer first.
    pub behind: Vec<String>,
    /// Texts of the enclosing headings, the outermost first.
    pub headings: Vec<String>,
    /// Tokens of its first sentence that stand before it.
    pub skipped: u32,
    /// Tokens of its last sentence that stand behind it.
    pub left: u32,
}

impl Selector {
    /// What is to be remembered of the place `range` of `source`; `None` where no word is in it.
    pub fn of(format: Format, source: &str, range: &Range<usize>) -> Option<Self> {
        source.get(range.clone())?;
        let text = Text::of(format, source);
        let selected = text.units.tokens_in(range);
        if selected.is_empty() {
            return None;
        }
        let units = text.units.unit_of(selected.start)..text.units.unit_of(selected.end - 1) + 1;
        let group = text.units.tokens_of(&units);
        let all = index(text.units.tokens.len());
        let hash = |unit: u32| text.hash(unit);
        let prefix: Vec<char> = text
            .words(&(0..selected.start))
            .chars()
            .rev()
            .take(CONTEXT)
            .collect();
        let count = index(text.units.units.len());
        Some(Self {
            quote: text.words(&selected),
            prefix: prefix.into_iter().rev().collect(),
            suffix: text
                .words(&(selected.end..all))
                .chars()
                .take(CONTEXT)
                .collect(),
            units: units.clone().map(hash).collect(),
            before: (0..units.start).rev().take(2).map(hash).collect(),
            behind: (units.end..count).take(2).map(hash).collect(),
            headings: text.headings(units.start),
            skipped: selected.start - group.start,
            left: group.end - selected.end,
        })
    }

    /// Finds the place in `new` by its sentences, by the neighbours of a sentence that changed, by its quote; else it
    /// is gone. Without the old text nothing can be said to have moved.
    pub fn find(&self, format: Format, new: &str) -> Located {
        let text = Text::of(format, new);
        let hashes: Vec<String> = (0..index(text.units.units.len()))
            .map(|unit| text.hash(unit))
            .collect();
        self.by_sentences(&text, &hashes)
            .or_else(|| self.by_neighbours(&text, &hashes))
            .or_else(|| self.by_quote(&text))
            .unwrap_or(Located::GONE)
    }

    fn by_sentences(&self, text: &Text, hashes: &[String]) -> Option<Located> {
        let length = self.units.len();
        let mut found: Vec<(u32, usize)> = hashes
            .windows(length.max(1))
            .enumerate()
            .filter(|(_, run)| *run == self.units)
            .map(|(at, _)| {
                let same_headings = text.headings(index(at)) == self.headings;
                (
                    2 * self.company(hashes, at..at + length) + u32::from(same_headings),
                    at,
                )
            })
            .collect();
        found.sort_unstable_by(|a, b| b.cmp(a));
        let (score, at) = *found.first()?;
        let second = found.get(1).map(|(score, _)| *score);
        let tokens = text.units.tokens_of(&(index(at)..index(at + length)));
        let telling = tokens.len() >= TELLING || score >= 4;
        let start = tokens.start + self.skipped;
        let end = tokens.end.checked_sub(self.left)?;
        (telling && second != Some(score) && start < end)
            .then(|| text.located(PlaceState::Exact, &(start..end)))
    }

    /// Two points for each next neighbour, one for each after that.
    fn company(&self, hashes: &[String], run: Range<usize>) -> u32 {
        let above = self.before.iter().enumerate().filter(|(far, hash)| {
            let at = run.start.checked_sub(far + 1);
            at.and_then(|at| hashes.get(at)) == Some(*hash)
        });
        let below = self
            .behind
            .iter()
            .enumerate()
            .filter(|(far, hash)| hashes.get(run.end + far) == Some(*hash));
        above
            .chain(below)
            .map(|(far, _)| if far == 0 { 2 } else { 1 })
            .sum()
    }

    /// Both neighbours stand, once, with something between them that resembles the quote.
    fn by_neighbours(&self, text: &Text, hashes: &[String]) -> Option<Located> {
        let (above, below) = (self.before.first()?, self.behind.first()?);
        let between = |at: usize| {
            let length = (1..=self.units.len().max(BETWEEN))
                .find(|length| hashes.get(at + length + 1) == Some(below))?;
            Some(at + 1..at + 1 + length)
        };
        let starts = hashes.iter().enumerate().filter(|(_, hash)| *hash == above);
        let mut gaps = starts.filter_map(|(at, _)| between(at));
        let (Some(gap), None) = (gaps.next(), gaps.next()) else {
            return None;
        };
        let tokens = text.units.tokens_of(&(index(gap.start)..index(gap.end)));
        let quote: Vec<char> = folded(&self.quote);
        let stretch = text.stretch(&tokens);
        let best = search(&quote, &text.reading[stretch.clone()], quote.len() / 2)
            .into_iter()
            .min_by_key(|found| found.errors)?;
        let whole = self.skipped == 0 && self.left == 0;
        let range = stretch.start + best.range.start..stretch.start + best.range.end;
        let place = if whole {
            tokens
        } else {
            text.tokens_at(&range)?
        };
        Some(text.located(PlaceState::Changed, &place))
    }

    fn by_quote(&self, text: &Text) -> Option<Located> {
        let quote = folded(&self.quote);
        let is_short = quote.len() < SHORT;
        let most = if is_short {
            2
        } else {
            (quote.len() * 35 / 100).min(64)
        };
        let mut scored: Vec<(f32, Match)> = search(&quote, &text.reading, most)
            .into_iter()
            .map(|found| (self.score(&quote, text, &found, is_short), found))
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        let second = scored.get(1).map_or(0.0, |(score, _)| *score);
        let (score, found) = scored.into_iter().next()?;
        if score < ACCEPTED || score - second < LEAD {
            return None;
        }
        let state = if found.errors == 0 {
            PlaceState::Exact
        } else {
            PlaceState::Changed
        };
        Some(text.located(state, &text.tokens_at(&found.range)?))
    }

    /// From 0 to 1: the quote counts 50, the context before and behind 20 each.
    fn score(&self, quote: &[char], text: &Text, found: &Match, is_short: bool) -> f32 {
        let (prefix, suffix) = (folded(&self.prefix), folded(&self.suffix));
        let start = found.range.start.saturating_sub(prefix.len() + 1);
        let before = &text.reading[start..found.range.start];
        let end = (found.range.end + suffix.len() + 1).min(text.reading.len());
        let behind = &text.reading[found.range.end..end];
        let around = nearness(&prefix, before) + nearness(&suffix, behind);
        if is_short && around < 1.0 {
            return 0.0;
        }
        let kept = 1.0 - found.errors as f32 / quote.len() as f32;
        (50.0 * kept + 20.0 * around) / 90.0
    }
}

/// A text to remember places of, or to find them in.
struct Text {
    lexicon: Lexicon,
    units: Units,
    /// The words as they are matched, a space between them.
    reading: Vec<char>,
    /// The first character of each token.
    starts: Vec<usize>,
}

impl Text {
    fn of(format: Format, source: &str) -> Self {
        let mut lexicon = Lexicon::default();
        let units = read(format, source, 0, &mut lexicon);
        let mut reading = Vec::new();
        let mut starts = Vec::with_capacity(units.tokens.len());
        for token in &units.tokens {
            if !reading.is_empty() {
                reading.push(' ');
            }
            starts.push(reading.len());
            reading.extend(lexicon.text(token.word.fold).chars());
        }
        Self {
            lexicon,
            units,
            reading,
            starts,
        }
    }

    /// The words of some tokens as a reader sees them, a space between them.
    fn words(&self, tokens: &Range<u32>) -> String {
        let words = self
            .units
            .slice(tokens)
            .iter()
            .map(|token| self.lexicon.text(token.word.seen));
        words.collect::<Vec<_>>().join(" ")
    }

    fn hash(&self, unit: u32) -> String {
        let mut hasher = blake3::Hasher::new();
        for token in self.units.slice(&self.units.unit(unit).tokens) {
            hasher.update(self.lexicon.text(token.word.fold).as_bytes());
            // No word holds this byte.
            hasher.update(&[0xff]);
        }
        hasher.finalize().to_hex()[..16].to_owned()
    }

    fn headings(&self, unit: u32) -> Vec<String> {
        let mut path = Vec::new();
        let mut parent = self
            .units
            .units
            .get(unit as usize)
            .map_or(NONE, |unit| unit.parent);
        while let Some(heading) = self.units.units.get(parent as usize) {
            path.push(self.words(&heading.tokens));
            parent = heading.parent;
        }
        path.reverse();
        path
    }

    /// Characters of the reading text.
    fn stretch(&self, tokens: &Range<u32>) -> Range<usize> {
        let start = |token: u32| self.starts.get(token as usize).copied();
        let from = start(tokens.start).unwrap_or(self.reading.len());
        let to = start(tokens.end).map_or(self.reading.len(), |next| next.saturating_sub(1));
        from..to.max(from)
    }

    /// The tokens that a stretch of the reading text touches.
    fn tokens_at(&self, characters: &Range<usize>) -> Option<Range<u32>> {
        let after = self
            .starts
            .partition_point(|start| *start <= characters.start);
        let end = self.starts.partition_point(|start| *start < characters.end);
        let start = after.saturating_sub(1);
        (start < end).then(|| index(start)..index(end))
    }

    fn located(&self, state: PlaceState, tokens: &Range<u32>) -> Located {
        match self.units.slice(tokens) {
            [first, .., last] => Located::at(state, first.start as usize..last.end as usize),
            [only] => Located::at(state, only.start as usize..only.end as usize),
            [] => Located::GONE,
        }
    }
}

/// Words with single spaces as they are matched.
fn folded(words: &str) -> Vec<char> {
    let mut lexicon = Lexicon::default();
    let folds: Vec<u32> = words
        .split(' ')
        .map(|word| lexicon.word(word).fold)
        .collect();
    let texts: Vec<&str> = folds.iter().map(|fold| lexicon.text(*fold)).collect();
    texts.join(" ").chars().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "\
# Rules

## Keys

Keys are handed out at the desk. A lost key costs ten crowns.

## Doors

Doors are locked at nine. A lost key costs ten crowns.
";

    fn remembered(quote: &str, nth: usize) -> Selector {
        let (start, _) = RULES.match_indices(quote).nth(nth).unwrap();
        Selector::of(Format::Markdown, RULES, &(start..start + quote.len())).unwrap()
    }

    fn found(selector: &Selector, new: &str) -> (PlaceState, Option<String>) {
        let located = selector.find(Format::Markdown, new);
        (
            located.state,
            located.range.map(|range| new[range].to_owned()),
        )
    }

    #[test]
    fn a_place_is_found_by_its_sentence_and_twins_by_their_neighbours() {
        let new = RULES.replace("# Rules", "# House rules\n\nRead them.");
        let selector = remembered("key costs ten", 1);
        assert_eq!(selector.headings, ["Rules", "Doors"]);
        let located = selector.find(Format::Markdown, &new);
        let second = new.match_indices("key costs ten").nth(1).unwrap().0;
        assert_eq!(
            located,
            Located::at(PlaceState::Exact, second..second + "key costs ten".len())
        );
    }

    #[test]
    fn a_changed_sentence_is_found_between_its_neighbours() {
        let new = RULES.replace("Doors are locked at nine.", "All doors are locked at ten.");
        let found = found(&remembered("Doors are locked at nine.", 0), &new);
        assert_eq!(
            found,
            (
                PlaceState::Changed,
                Some("All doors are locked at ten.".to_owned())
            )
        );
    }

    #[test]
    fn a_quote_is_found_alone_only_if_nothing_else_is_nearly_as_good() {
        let alone = "Nothing else is left, but doors are locked at nine.\n";
        assert_eq!(
            found(&remembered("Doors are locked at nine.", 0), alone).0,
            PlaceState::Gone
        );
        let around = "Keys are handed out, a lost key costs ten crowns; doors are locked at eight. A lost key costs ten crowns.\n";
        let twice = format!("{around}\n{around}");
        assert_eq!(
            found(&remembered("A lost key costs ten crowns.", 0), &twice).0,
            PlaceState::Gone
        );
    }

    #[test]
    fn what_is_remembered_survives_being_stored() {
        let selector = remembered("locked at nine", 0);
        let stored = serde_json::to_string(&selector).unwrap();
        assert_eq!(serde_json::from_str::<Selector>(&stored).unwrap(), selector);
        assert_eq!(selector.quote, "locked at nine");
        assert_eq!((selector.skipped, selector.left), (2, 1));
    }
}
