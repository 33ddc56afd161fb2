//! Text that went to another file, and files that went to another path.
//!
//! Both are said only of files that changed together. A passage in another file is only ever offered: the person
//! confirms it.

use super::aligned::Aligned;
use super::fit::fit;
use super::lexicon::{Class, Lexicon};
use super::likeness::{Bag, Rarity};
use super::links::Links;
use super::rare::RareWords;
use super::units::{Units, index};
use super::walk::read;
use crate::document::Format;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Tokens of a unit that is known again in another file by being equal.
const TELLING: usize = 5;
/// Likeness by which a reworded one is.
const ALIKE: f32 = 0.75;
/// Rare words that such a unit has at least.
const RARE_WORDS: usize = 8;
/// What a word must weigh to be rare.
const RARE: f32 = 1.2;
/// Share of the selected words that must be in the other file.
const MOST: f32 = 0.5;
/// Share of a file's words, by units, that makes a new file the old one under another name; git's figure.
const RENAMED: f64 = 0.5;

/// A file that changed together with the one that lost a passage.
#[derive(Debug, Clone, Copy)]
pub struct OtherFile<'a> {
    /// Workspace-relative path with `/`.
    pub path: &'a str,
    /// How its characters are to be read.
    pub format: Format,
    /// Its text before, if it was there and is known; what stood in it then is no newcomer.
    pub before: Option<&'a str>,
    /// Its text now.
    pub after: &'a str,
}

/// Where a lost passage seems to stand now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    /// The file's path.
    pub path: String,
    /// Bytes of its text now.
    pub range: Range<usize>,
}

/// Looks for the passage `range` of `old`, which is gone from its own document, in files that changed with it.
/// `None` where it is in none of them, or as much in two.
pub fn elsewhere(
    format: Format,
    old: &str,
    range: &Range<usize>,
    files: &[OtherFile<'_>],
) -> Option<Elsewhere> {
    let mut found: Vec<(f32, Elsewhere)> = files
        .iter()
        .filter_map(|file| {
            let (held, range) = look_in(format, old, range, file)?;
            let path = file.path.to_owned();
            Some((held, Elsewhere { path, range }))
        })
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let second = found.get(1).map_or(0.0, |(held, _)| *held);
    let (held, best) = found.into_iter().next()?;
    (held > second).then_some(best)
}

/// How much of the passage stands in the file without having stood there before, and where.
fn look_in(
    format: Format,
    old: &str,
    range: &Range<usize>,
    file: &OtherFile<'_>,
) -> Option<(f32, Range<usize>)> {
    old.get(range.clone())?;
    let mut lexicon = Lexicon::default();
    let from = read(format, old, 0, &mut lexicon);
    let to = read(file.format, file.after, 0, &mut lexicon);
    let rarity = Rarity::of(&from, &to, &lexicon);
    let selected = from.tokens_in(range);
    if selected.is_empty() {
        return None;
    }
    let settled = file.before.map(|before| {
        let (all, now) = (0..before.len(), 0..file.after.len());
        Aligned::of(file.format, (before, all), (file.after, now)).links
    });
    let is_newcomer = |unit: u32| settled.as_ref().is_none_or(|links| links.new_is_free(unit));
    let units = from.unit_of(selected.start)..from.unit_of(selected.end - 1) + 1;
    let links = arrivals(&from, &to, &rarity, units, is_newcomer);
    let aligned = Aligned {
        old: from,
        new: to,
        rarity,
        links,
    };
    let mapped = aligned.map(selected.clone())?;
    let held = aligned.share_of(&selected, &mapped.tokens);
    let (old, new) = ((old, &aligned.old), (file.after, &aligned.new));
    (held >= MOST).then(|| (held, fit(old, new, range, &selected, &mapped)))
}

/// Ties the units of a passage to newcomers of another file: equal ones, what stands beside those, and very like ones.
fn arrivals(
    from: &Units,
    to: &Units,
    rarity: &Rarity,
    units: Range<u32>,
    is_newcomer: impl Fn(u32) -> bool,
) -> Links {
    let mut links = Links::between(from, to);
    let mut homes: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
    for (at, unit) in to.units.iter().enumerate() {
        if is_newcomer(index(at)) {
            homes.entry(unit.key).or_default().push(index(at));
        }
    }
    for unit in units
        .clone()
        .filter(|unit| from.unit(*unit).len() >= TELLING)
    {
        if let Some([home]) = homes.get(&from.unit(unit).key).map(Vec::as_slice)
            && links.new_is_free(*home)
        {
            links.tie(unit, *home, true, false);
        }
    }
    let alike = RareWords::of(to, &is_newcomer);
    for unit in units.clone() {
        let tokens = from.slice(&from.unit(unit).tokens);
        let rare = |weight: f32, class| weight >= RARE && class == Class::Full;
        let rare_words = tokens
            .iter()
            .filter(|token| rare(rarity.weight(token), token.word.class));
        if !links.old_is_free(unit) || rare_words.count() < RARE_WORDS {
            continue;
        }
        let own = Bag::of(tokens, rarity);
        let best = alike
            .nearest(from, unit, rarity)
            .into_iter()
            .filter(|home| links.new_is_free(*home))
            .map(|home| {
                (
                    own.likeness(&Bag::of(to.slice(&to.unit(home).tokens), rarity)),
                    home,
                )
            })
            .max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((likeness, home)) = best
            && likeness >= ALIKE
        {
            links.tie(unit, home, false, false);
        }
    }
    for unit in units.clone().chain(units.rev()) {
        for step in [1, -1] {
            beside(from, to, &mut links, unit, step, &is_newcomer);
        }
    }
    links
}

/// An equal neighbour of a unit that was found came along, however short it is.
fn beside(
    from: &Units,
    to: &Units,
    links: &mut Links,
    unit: u32,
    step: i32,
    is_newcomer: impl Fn(u32) -> bool,
) {
    let home = unit
        .checked_add_signed(-step)
        .and_then(|neighbour| links.of_old(neighbour))
        .and_then(|link| link.new.start.checked_add_signed(step));
    if let Some(home) = home
        && links.old_is_free(unit)
        && links.new_is_free(home)
        && is_newcomer(home)
        && from.unit(unit).key == to.unit(home).key
    {
        links.tie(unit, home, true, false);
    }
}

/// How much of a file that went missing, from 0 to 1, is in one that turned up, when that is enough for it to be the
/// same one under another path: all of it, or at least half.
pub fn renamed(format: Format, old: &str, new: &str) -> Option<f64> {
    if old.trim().is_empty() {
        return None;
    }
    let share = if old == new {
        1.0
    } else {
        shared_words(format, old, new)
    };
    (share >= RENAMED).then_some(share)
}

/// The share of the old text's words whose whole unit is in the new text too, from 0 to 1.
fn shared_words(format: Format, old: &str, new: &str) -> f64 {
    let mut lexicon = Lexicon::default();
    let old = read(format, old, 0, &mut lexicon);
    let new = read(format, new, 0, &mut lexicon);
    let mut there: FxHashMap<u64, usize> = FxHashMap::default();
    for unit in &new.units {
        *there.entry(unit.key).or_default() += 1;
    }
    let mut shared = 0;
    for unit in &old.units {
        if let Some(count) = there.get_mut(&unit.key).filter(|count| **count > 0) {
            *count -= 1;
            shared += unit.len();
        }
    }
    shared as f64 / (old.tokens.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUIDE: &str = "# Guide\n\nOpen an issue before you send a large patch.\n\nBe kind.\n";

    fn found_in(files: &[OtherFile<'_>]) -> Option<(String, String)> {
        let quote = "Open an issue before you send a large patch.";
        let start = GUIDE.find(quote)?;
        let found = elsewhere(
            Format::Markdown,
            GUIDE,
            &(start..start + quote.len()),
            files,
        )?;
        let file = files.iter().find(|file| file.path == found.path)?;
        Some((found.path, file.after[found.range].to_owned()))
    }

    fn file<'a>(path: &'a str, before: Option<&'a str>, after: &'a str) -> OtherFile<'a> {
        OtherFile {
            path,
            format: Format::Markdown,
            before,
            after,
        }
    }

    #[test]
    fn a_passage_that_went_to_another_file_is_offered_there() {
        let after = "# Patches\n\nOpen an issue before\nyou send a large patch.\n";
        let found = found_in(&[
            file("a.md", None, "Nothing."),
            file("patches.md", None, after),
        ]);
        let text = "Open an issue before\nyou send a large patch.".to_owned();
        assert_eq!(found, Some(("patches.md".to_owned(), text)));
    }

    #[test]
    fn a_twin_that_stood_there_before_is_not_offered() {
        let twin = "# Other\n\nOpen an issue before you send a large patch.\n";
        let now = format!("{twin}\nMore.\n");
        assert_eq!(found_in(&[file("other.md", Some(twin), &now)]), None);
    }

    #[test]
    fn two_files_that_hold_it_alike_are_no_answer() {
        let copy = "Open an issue before you send a large patch.\n";
        assert_eq!(
            found_in(&[file("a.md", None, copy), file("b.md", None, copy)]),
            None
        );
    }

    /// A file that was renamed outside is the same document, edited or not, so that its comments come along.
    #[test]
    fn a_file_under_a_new_path_is_known_by_half_of_its_words() {
        let edited = GUIDE.replace("Be kind.", "Be patient and polite.");
        let share = |old, new| renamed(Format::Markdown, old, new);
        assert_eq!(share(GUIDE, GUIDE), Some(1.0));
        assert!(share(GUIDE, &edited).is_some_and(|share| share < 1.0));
        assert_eq!(share(GUIDE, "# Guide\n\nBe kind.\n"), None);
        assert_eq!(share("", ""), None);
    }
}
