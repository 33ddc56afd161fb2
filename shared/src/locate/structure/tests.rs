//! Each kind of place has its own rule for gone.

use crate::document::Format;
use crate::locate::Alignment;
use crate::wire::place::{PlaceKind, PlaceState};

const HANDBOOK: &str = "\
# Handbook

## Leave

Leave is asked for in the calendar. It is granted within three days.

## Prices

| Plan | Price | Seats |
| --- | --- | --- |
| Starter | 9 | 1 |
| Team | 49 | 10 |

## Map

The office is on the second floor.

![plan of the office](plan.png)

Bicycles stand in the yard.
";

const LEAVE: &str =
    "## Leave\n\nLeave is asked for in the calendar. It is granted within three days.";

fn find(kind: PlaceKind, quote: &str, new: &str) -> (PlaceState, Option<String>) {
    let start = HANDBOOK.find(quote).unwrap();
    let alignment = Alignment::new(Format::Markdown, HANDBOOK, new);
    let located = alignment.locate(start..start + quote.len(), kind);
    (
        located.state,
        located.range.map(|range| new[range].to_owned()),
    )
}

fn found(state: PlaceState, text: &str) -> (PlaceState, Option<String>) {
    (state, Some(text.to_owned()))
}

const GONE: (PlaceState, Option<String>) = (PlaceState::Gone, None);

#[test]
fn a_section_is_its_heading_and_all_that_is_under_it_now() {
    let new = HANDBOOK.replace("three days.", "three days.\n\nAsk early.");
    let grown = format!("{LEAVE}\n\nAsk early.");
    assert_eq!(
        find(PlaceKind::Section, LEAVE, &new),
        found(PlaceState::Changed, &grown)
    );
    let above = HANDBOOK.replace("# Handbook", "# Handbook\n\nWelcome.");
    assert_eq!(
        find(PlaceKind::Section, LEAVE, &above),
        found(PlaceState::Exact, LEAVE)
    );
}

#[test]
fn a_section_whose_heading_was_renamed_is_known_by_what_stands_under_it() {
    let new = HANDBOOK.replace("## Leave", "## Holidays and absence");
    let renamed = LEAVE.replace("## Leave", "## Holidays and absence");
    assert_eq!(
        find(PlaceKind::Section, LEAVE, &new),
        found(PlaceState::Changed, &renamed)
    );
}

#[test]
fn a_section_is_gone_when_its_text_went_under_a_heading_that_was_there_before() {
    let text = &LEAVE["## Leave\n\n".len()..];
    let without = HANDBOOK.replace(&format!("{LEAVE}\n\n"), "");
    let merged = without.replace("## Map\n\n", &format!("## Map\n\n{text}\n\n"));
    assert_eq!(find(PlaceKind::Section, LEAVE, &merged), GONE);
    assert_eq!(find(PlaceKind::Section, LEAVE, &without), GONE);
}

#[test]
fn a_section_that_went_to_the_end_has_moved() {
    let new = format!(
        "{}\n{LEAVE}\n",
        HANDBOOK.replace(&format!("{LEAVE}\n\n"), "")
    );
    assert_eq!(
        find(PlaceKind::Section, LEAVE, &new),
        found(PlaceState::Moved, LEAVE)
    );
}

#[test]
fn a_row_is_found_when_the_table_is_sorted_anew_and_gone_when_it_is_deleted() {
    let (starter, team) = ("| Starter | 9 | 1 |", "| Team | 49 | 10 |");
    let sorted = HANDBOOK.replace(
        &format!("{starter}\n{team}"),
        &format!("{team}\n| Starter | 12 | 1 |"),
    );
    assert_eq!(
        find(PlaceKind::Row, starter, &sorted),
        found(PlaceState::Changed, "| Starter | 12 | 1 |")
    );
    let deleted = HANDBOOK.replace(&format!("{starter}\n"), "");
    assert_eq!(find(PlaceKind::Row, starter, &deleted), GONE);
}

#[test]
fn a_cell_is_where_its_row_and_its_column_are() {
    let turned = HANDBOOK.replace(
        "| Plan | Price | Seats |\n| --- | --- | --- |\n| Starter | 9 | 1 |\n| Team | 49 | 10 |",
        "| Plan | Seats | Price |\n| --- | --- | --- |\n| Starter | 1 | 9 |\n| Team | 10 | 59 |",
    );
    assert_eq!(
        find(PlaceKind::Cell, "49", &turned),
        found(PlaceState::Changed, "59")
    );
    assert_eq!(
        find(PlaceKind::Cell, "10", &turned),
        found(PlaceState::Exact, "10")
    );
    let no_column = HANDBOOK.replace(
        "| Plan | Price | Seats |\n| --- | --- | --- |\n| Starter | 9 | 1 |\n| Team | 49 | 10 |",
        "| Plan | Seats |\n| --- | --- |\n| Starter | 1 |\n| Team | 10 |",
    );
    assert_eq!(find(PlaceKind::Cell, "49", &no_column), GONE);
}

#[test]
fn an_image_is_known_by_its_target_then_by_where_it_stands() {
    let image = "![plan of the office](plan.png)";
    let retitled = HANDBOOK.replace(image, "![the plan](plan.png)");
    assert_eq!(
        find(PlaceKind::Image, image, &retitled),
        found(PlaceState::Changed, "![the plan](plan.png)")
    );
    let exchanged = HANDBOOK.replace(image, "![plan of the office](plan-2.png)");
    assert_eq!(
        find(PlaceKind::Image, image, &exchanged),
        found(PlaceState::Changed, "![plan of the office](plan-2.png)")
    );
    assert_eq!(
        find(PlaceKind::Image, image, &HANDBOOK.replace(image, "")),
        GONE
    );
}

#[test]
fn the_whole_document_is_never_lost() {
    let alignment = Alignment::new(Format::Markdown, HANDBOOK, "");
    let located = alignment.locate(0..HANDBOOK.len(), PlaceKind::Document);
    assert_eq!(
        (located.state, located.range),
        (PlaceState::Changed, Some(0..0))
    );
}

#[test]
fn what_no_reader_reads_is_found_by_its_characters_between_the_same_words() {
    let text = |target: &str, more: &str| {
        format!("{more}See [the plan]({target}) for rooms.\n\nAnd [the map](b.png).\n")
    };
    let locate = |old: &str, new: &str| {
        let start = old.find("a.png").unwrap();
        let located =
            Alignment::new(Format::Markdown, old, new).locate(start..start + 5, PlaceKind::Text);
        located.range.map(|range| new[range].to_owned())
    };
    let old = text("a.png", "");
    assert_eq!(
        locate(&old, &text("a.png", "First.\n\n")).as_deref(),
        Some("a.png")
    );
    assert_eq!(locate(&old, &text("c.png", "a.png is gone.\n\n")), None);
}
