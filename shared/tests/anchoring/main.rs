//! Anchors against real editing: cases written by hand, generated documents, and properties over any text.

mod cases;
mod generator;
mod properties;
mod score;
mod sound;

use generator::generate;
use rex_shared::document::Format;
use rex_shared::locate::Alignment;
use rex_shared::wire::place::PlaceKind;
use score::{Tally, Truth, Verdict, judge};

/// A tenth of the sentences have twins, and the edits are dense: the measure that searching for quotes fails.
#[test]
fn twins_and_dense_edits_leave_places_on_their_own_sentences() {
    let mut tally = Tally::default();
    let mut wrong = Vec::new();
    for seed in 1..=3 {
        let document = generate(seed, 40_000, 200, 60);
        let alignment = Alignment::new(Format::Markdown, &document.before, &document.after);
        for anchor in &document.anchors {
            let quote = &document.before[anchor.selected.clone()];
            let gone = anchor.expected.is_none().then(|| "gone".to_owned());
            let expected = anchor.expected.clone();
            let truth = Truth {
                statuses: gone.into_iter().collect(),
                verbatim: expected
                    .clone()
                    .is_some_and(|place| document.after[place] == *quote),
                places: expected.into_iter().collect(),
            };
            let located = alignment.locate(anchor.selected.clone(), PlaceKind::Text);
            let judged = judge(&truth, "", located.range.as_ref());
            tally += judged;
            if judged.0 != Verdict::Right {
                wrong.push((seed, judged.0, quote.to_owned()));
            }
        }
    }
    assert!(tally.share(tally.right) >= 0.985, "{tally:?} {wrong:?}");
    assert!(tally.share(tally.misplaced) <= 0.01, "{tally:?} {wrong:?}");
}
