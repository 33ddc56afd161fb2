//! What resolving costs, one thread: `cargo bench -p rex-shared`.
//!
//! Goals: 50 kB with 50 places and 50 edits in 10 ms; 1 MB, 300 places, 1,500 edits in 0.25 s; 5 MB, 2,000 places,
//! 5,000 edits in 1.5 s; and after one edit of 1 MB with 1,000 places 10 ms where all are untouched, 100 ms where a
//! tenth was reworded, 800 ms where all are lost.

use criterion::{Criterion, criterion_group, criterion_main};
use rex_shared::document::Format;
use rex_shared::locate::Alignment;
use rex_shared::wire::place::PlaceKind;
use std::hint::black_box;
use std::ops::Range;

#[path = "../tests/anchoring/generator.rs"]
#[expect(dead_code, reason = "the truth about each place is for the tests")]
mod generator;

use generator::{Generated, generate};

/// Resolves every place; how many were found.
fn resolve(before: &str, after: &str, places: &[Range<usize>]) -> usize {
    let alignment = Alignment::new(Format::Markdown, before, after);
    let found = places.iter().filter(|place| {
        alignment
            .locate((*place).clone(), PlaceKind::Text)
            .range
            .is_some()
    });
    found.count()
}

fn places(document: &Generated) -> Vec<Range<usize>> {
    document
        .anchors
        .iter()
        .map(|anchor| anchor.selected.clone())
        .collect()
}

fn many_edits(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("many edits");
    group.sample_size(10);
    for (name, size, anchors, edits) in [
        ("50 kB, 50 places, 50 edits", 50_000, 50, 50),
        ("1 MB, 300 places, 1,500 edits", 1_000_000, 300, 1_500),
        ("5 MB, 2,000 places, 5,000 edits", 5_000_000, 2_000, 5_000),
    ] {
        let document = generate(1, size, anchors, edits);
        let places = places(&document);
        group.bench_function(name, |bench| {
            bench.iter(|| resolve(black_box(&document.before), &document.after, &places));
        });
    }
    group.finish();
}

fn one_edit(criterion: &mut Criterion) {
    let document = generate(1, 1_000_000, 1_000, 0);
    let places = places(&document);
    let before = &document.before;
    let middle = before.len() / 2 + before[before.len() / 2..].find("\n\n").unwrap_or(0);
    let inserted = format!(
        "{}\n\nOne new sentence stands here.{}",
        &before[..middle],
        &before[middle..]
    );
    let reworded = reworded(before, middle..middle + before.len() / 10);
    let lost = generate(2, 1_000_000, 0, 0).before;
    let mut group = criterion.benchmark_group("1 MB, 1,000 places, one edit");
    group.sample_size(10);
    for (name, after) in [
        ("untouched", &inserted),
        ("a tenth reworded", &reworded),
        ("all lost", &lost),
    ] {
        group.bench_function(name, |bench| {
            bench.iter(|| resolve(black_box(before), after, &places));
        });
    }
    group.finish();
}

/// Every eighth word of a stretch replaced.
fn reworded(text: &str, stretch: Range<usize>) -> String {
    let words = text[stretch.clone()].split_inclusive(' ').enumerate();
    let changed: String = words
        .map(|(nth, word)| if nth % 8 == 3 { "other " } else { word })
        .collect();
    [&text[..stretch.start], &changed, &text[stretch.end..]].concat()
}

criterion_group!(benches, many_edits, one_edit);
criterion_main!(benches);
