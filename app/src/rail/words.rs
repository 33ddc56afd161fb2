//! The words of a row: title, places, state, age. Every state has a word; colour comes after it.

use rex_shared::ids::Millis;
use rex_shared::lane::Lane;
use rex_shared::wire::thread::{LastRun, ThreadRow};
use std::collections::BTreeSet;

/// The last part of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// What a thread is called.
pub(crate) fn title_of(row: &ThreadRow) -> String {
    row.title
        .clone()
        .unwrap_or_else(|| "Untitled comment".to_owned())
}

fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").chars().take(120).collect()
}

/// Where a thread is: one document by name, or how many. A thread that is called nothing is known by its first words.
pub(super) fn where_of(row: &ThreadRow) -> String {
    let places = &row.places;
    if let (None, Some(first)) = (&row.title, places.first()) {
        return format!(
            "{} · “{}”",
            file_name(&first.document),
            one_line(&first.quote)
        );
    }
    let documents: BTreeSet<_> = places.iter().map(|place| place.document.as_str()).collect();
    let count = match places.len() {
        1 => "1 place".to_owned(),
        more => format!("{more} places"),
    };
    match documents.len() {
        0 => "no place".to_owned(),
        1 => {
            let name = documents.first().map(|path| file_name(path));
            format!("{} · {count}", name.unwrap_or_default())
        }
        more => format!("{count} in {more} docs"),
    }
}

/// A row's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct State {
    /// The style's mark: `asks`, `run`, `bad` or nothing.
    pub(crate) mark: &'static str,
    /// The word.
    pub(crate) word: &'static str,
}

/// The one state of a row that matters most.
pub(crate) fn state_of(row: &ThreadRow) -> State {
    let (mark, word) = match (row.asks_you, row.busy, row.lane, row.last_run) {
        (true, ..) => ("asks", "asks you"),
        (_, true, ..) => ("run", "answering"),
        (_, _, Lane::Resolved, _) => ("", "resolved"),
        (_, _, Lane::Gone, _) => ("bad", "text not found"),
        (_, _, Lane::Note, _) => ("", "note"),
        (_, _, _, Some(LastRun::Refused)) => ("bad", "refused"),
        (_, _, _, Some(LastRun::Failed)) => ("bad", "failed"),
        (_, _, _, Some(LastRun::Interrupted)) => ("bad", "cut off"),
        (_, _, Lane::Draft, _) => ("", "draft"),
        (_, _, Lane::Open, Some(LastRun::Stopped)) => ("", "stopped"),
        (_, _, Lane::Open, _) if row.unread => ("", "answered"),
        (_, _, Lane::Open, _) => ("", "your turn"),
    };
    State { mark, word }
}

/// How old something is, as coarse as it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Age {
    /// Less than a minute, or ahead of this machine's clock.
    Now,
    Minutes(i64),
    Hours(i64),
    /// Within a week.
    Weekday,
    /// Within a year.
    Day,
    Date,
}

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

pub(super) fn age(now: Millis, at: Millis) -> Age {
    match now.0 - at.0 {
        passed if passed < MINUTE => Age::Now,
        passed if passed < HOUR => Age::Minutes(passed / MINUTE),
        passed if passed < DAY => Age::Hours(passed / HOUR),
        passed if passed < 6 * DAY => Age::Weekday,
        passed if passed < 300 * DAY => Age::Day,
        _ => Age::Date,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture;
    use rex_shared::wire::place::PlaceState;
    use rex_shared::wire::thread::RowPlace;

    fn place(document: &str) -> RowPlace {
        RowPlace {
            place_id: fixture::id(1, rex_shared::ids::PlaceId::parse),
            document: document.to_owned(),
            quote: " The meter\n stops ".to_owned(),
            state: PlaceState::Exact,
        }
    }

    #[test]
    fn a_row_says_where_it_is() {
        let at = |documents: &[&str]| {
            let mut row = fixture::row(4, 0);
            row.title = Some("Stop or bill?".to_owned());
            row.places = documents.iter().map(|path| place(path)).collect();
            where_of(&row)
        };
        assert_eq!(at(&[]), "no place");
        assert_eq!(at(&["docs/a.md"]), "a.md · 1 place");
        assert_eq!(at(&["docs/a.md", "docs/a.md"]), "a.md · 2 places");
        assert_eq!(at(&["a.md", "b.md", "b.md"]), "3 places in 2 docs");
    }

    #[test]
    fn a_row_without_a_title_is_known_by_its_words() {
        let mut row = fixture::row(4, 0);
        row.places = vec![place("docs/a.md")];
        assert_eq!(title_of(&row), "Untitled comment");
        assert_eq!(where_of(&row), "a.md · “The meter stops”");
    }

    #[test]
    fn what_needs_the_person_is_said_before_what_happened() {
        let mut row = fixture::row(4, 0);
        let word = |row: &ThreadRow| state_of(row).word;
        assert_eq!(word(&row), "your turn");
        row.unread = true;
        assert_eq!(word(&row), "answered");
        row.last_run = Some(LastRun::Refused);
        assert_eq!(word(&row), "refused");
        row.lane = Lane::Gone;
        assert_eq!(word(&row), "text not found");
        row.busy = true;
        assert_eq!(word(&row), "answering");
        row.asks_you = true;
        assert_eq!(word(&row), "asks you");
    }

    #[test]
    fn an_age_gets_coarser() {
        let ages = [
            0,
            -5 * MINUTE,
            6 * MINUTE,
            3 * HOUR,
            2 * DAY,
            40 * DAY,
            400 * DAY,
        ];
        let told = ages.map(|passed| age(Millis(DAY * 1000), Millis(DAY * 1000 - passed)));
        assert_eq!(
            told,
            [
                Age::Now,
                Age::Now,
                Age::Minutes(6),
                Age::Hours(3),
                Age::Weekday,
                Age::Day,
                Age::Date
            ]
        );
    }
}
