//! Reading the document: the first page at once, the next while nothing else happens or as the reader nears the end.

use super::keep::{self, Kept, REMEMBERED};
use super::pages::{PAGE, Pages};
use super::sheet::Sheet;
use crate::api::{self, Failed};
use crate::browser::{sheet as pixels, storage, timer};
use crate::model::Model;
use crate::reactive::on_change;
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::json::from_json;
use rex_shared::routes::DocumentQuery;
use rex_shared::wire::document::Document;
use rex_shared::wire::problem::ProblemType;

/// Blocks read ahead without being asked for; a longer document goes on as it is scrolled.
const AHEAD: usize = 2000;

/// Between two pages that are read ahead, in milliseconds.
const PAUSE: u32 = 60;

/// Keeps the paper at what the model says is open, as it is on disk, with the places it has.
pub(super) fn follow(model: Model, sheet: Sheet) {
    on_change(move || {
        let path = model.document.path.get();
        sheet.chosen.set(None);
        sheet.several.set(None);
        sheet.pages.set(None);
        sheet.places.set(Vec::new());
        sheet.trouble.set(None);
        sheet.kept.set_value(Vec::new());
        let reading = begin(sheet);
        if let Some(path) = path {
            spawn_local(open(model, sheet, path, reading));
        }
    });
    on_change(move || {
        let Some(change) = model.document.on_disk.get() else {
            return;
        };
        let shown = model.document.version.get_untracked();
        if change.version.is_none() || change.version != shown {
            again(model, sheet);
        }
    });
    on_change(move || {
        if model.document.places_changed.get() > 0 {
            places(model, sheet);
        }
    });
}

fn begin(sheet: Sheet) -> u64 {
    sheet.reading.update_value(|reading| *reading += 1);
    sheet.reading.get_value()
}

fn is_late(sheet: Sheet, reading: u64) -> bool {
    sheet.reading.try_get_value() != Some(reading)
}

async fn ask(
    model: Model,
    path: &str,
    from: usize,
    count: u32,
    before: Option<&Pages>,
) -> Result<Document, Failed> {
    let query = DocumentQuery {
        document: path,
        from: u32::try_from(from).ok(),
        count: Some(count),
        since: before.map(|before| &before.version),
        version: None,
    };
    api::document(model.ws().as_ref(), &query).await
}

/// Opens a document: shows its first page, then reads on as far as the reader was when it was left.
async fn open(model: Model, sheet: Sheet, path: String, reading: u64) {
    let answer = ask(model, &path, 0, PAGE, None).await;
    if is_late(sheet, reading) {
        return;
    }
    let page = match answer {
        Ok(page) => page,
        Err(failed) => return say(model, sheet, &failed),
    };
    let kept: Vec<Kept> = storage::reading_place(&path)
        .and_then(|kept| from_json(&kept).ok())
        .unwrap_or_default();
    let places = page.places.clone();
    if let Some(pages) = Pages::begin(page, None) {
        model.document.version.set(Some(pages.version.clone()));
        sheet.places.set(places);
        sheet.pages.set(Some(pages));
    }
    let reach = kept.first().map_or(0, |kept| kept.index + keep::NEAR);
    while count(sheet) < reach && !has(sheet, &kept) && more(model, sheet, reading).await {}
    if model.document.jump.with_untracked(Option::is_none) {
        put_back(sheet, kept);
    }
    while count(sheet) < AHEAD && more(model, sheet, reading).await {
        timer::sleep(PAUSE).await;
    }
}

/// Whether the very block that stood at the top has come.
fn has(sheet: Sheet, kept: &[Kept]) -> bool {
    let Some(first) = kept.first() else {
        return true;
    };
    sheet.pages.with_untracked(|pages| {
        pages
            .as_ref()
            .is_some_and(|pages| pages.find(&first.key).is_some())
    })
}

fn count(sheet: Sheet) -> usize {
    sheet
        .pages
        .with_untracked(|pages| pages.as_ref().map_or(0, |pages| pages.blocks.len()))
}

/// Reads the next page. `false` when there is none, or when it did not come.
async fn more(model: Model, sheet: Sheet, reading: u64) -> bool {
    if is_late(sheet, reading) {
        return false;
    }
    let next = sheet.pages.with_untracked(|pages| {
        let pages = pages.as_ref().filter(|pages| !pages.is_whole())?;
        Some((pages.document.clone(), pages.blocks.len()))
    });
    let Some((path, from)) = next else {
        return false;
    };
    let answer = ask(model, &path, from, PAGE, None).await;
    if is_late(sheet, reading) {
        return false;
    }
    let Ok(page) = answer else { return false };
    if page.blocks.is_empty() {
        return false;
    }
    let joined = sheet.pages.try_update(|pages| {
        let pages = pages.as_mut()?;
        // Two readers may have asked for the same page; the second one has nothing to add.
        (pages.blocks.len() == from).then_some(())?;
        pages.go_on(page, None)
    });
    joined.flatten().is_some()
}

/// Reads one more page, because the reader nears the end or a place lies behind it.
pub(super) fn read_on(model: Model, sheet: Sheet) {
    let reading = sheet.reading.get_value();
    spawn_local(async move {
        more(model, sheet, reading).await;
    });
}

/// Reads the document anew, as far as it was read. Blocks that stayed keep their elements, and the text under the
/// reader's eyes stays where it is.
fn again(model: Model, sheet: Sheet) {
    let Some(before) = sheet.pages.get_untracked() else {
        if let Some(path) = model.document.path.get_untracked() {
            spawn_local(open(model, sheet, path, begin(sheet)));
        }
        return;
    };
    let reading = begin(sheet);
    spawn_local(async move {
        let mut known = Some(&before);
        let mut pages: Option<Pages> = None;
        let mut places = Vec::new();
        loop {
            let from = pages.as_ref().map_or(0, |pages| pages.blocks.len());
            // Of known blocks only the ids come: what was read before is one answer, not as many as it was pages.
            let count = match known {
                Some(before) => u32::try_from(before.blocks.len()).unwrap_or(PAGE).max(PAGE),
                None => PAGE,
            };
            let answer = ask(model, &before.document, from, count, known).await;
            if is_late(sheet, reading) {
                return;
            }
            let page = match answer {
                Ok(page) => page,
                Err(failed) => return say(model, sheet, &failed),
            };
            places.clone_from(&page.places);
            let ended = page.blocks.is_empty();
            let joined = match pages.as_mut() {
                None => Pages::begin(page, known).map(|begun| pages = Some(begun)),
                Some(pages) => pages.go_on(page, known),
            };
            match (joined, &pages) {
                (Some(()), Some(read))
                    if read.is_whole() || ended || read.blocks.len() >= before.blocks.len() =>
                {
                    break;
                }
                (Some(()), _) => {}
                // It changed once more meanwhile, or left out what is not known here: take it whole.
                (None, _) if known.is_some() => {
                    known = None;
                    pages = None;
                }
                (None, _) => return,
            }
        }
        let Some(pages) = pages else { return };
        // To read an answer and to draw it are two tasks: between them the page takes what a person does.
        timer::sleep(0).await;
        if is_late(sheet, reading) {
            return;
        }
        let kept = look(sheet);
        model.document.version.set(Some(pages.version.clone()));
        sheet.trouble.set(None);
        sheet.chosen.set(None);
        sheet.places.set(places);
        sheet.pages.set(Some(pages));
        put_back(sheet, kept);
    });
}

/// Asks for the places again, and for nothing else.
fn places(model: Model, sheet: Sheet) {
    let Some(shown) = sheet.pages.get_untracked() else {
        return;
    };
    let reading = sheet.reading.get_value();
    spawn_local(async move {
        let answer = ask(model, &shown.document, 0, 1, Some(&shown)).await;
        if is_late(sheet, reading) {
            return;
        }
        match answer {
            Ok(page) if page.version == shown.version => sheet.places.set(page.places),
            Ok(_) => again(model, sheet),
            Err(failed) => model.failed(&failed),
        }
    });
}

fn say(model: Model, sheet: Sheet, failed: &Failed) {
    match failed.kind() {
        Some(ProblemType::UnknownBrowser) | None => model.failed(failed),
        Some(_) => {
            sheet.pages.set(None);
            sheet.places.set(Vec::new());
            sheet.trouble.set(Some(failed.to_string()));
        }
    }
}

/// What stands at the top of the view now.
fn look(sheet: Sheet) -> Vec<Kept> {
    let (Some(view), Some(blocks)) = (sheet.view.get_untracked(), sheet.blocks.get_untracked())
    else {
        return Vec::new();
    };
    let top = pixels::at_top(&view, &blocks, REMEMBERED);
    sheet.pages.with_untracked(|pages| {
        let Some(pages) = pages else {
            return Vec::new();
        };
        top.into_iter()
            .filter_map(|(index, below)| Some(Kept::of(pages.blocks.get(index)?, index, below)))
            .collect()
    })
}

/// Remembers what stands at the top of the view, for when the document is opened again or the page is reloaded.
pub(super) fn remember(sheet: Sheet) {
    let kept = look(sheet);
    if kept.is_empty() {
        return;
    }
    let path = sheet
        .pages
        .with_untracked(|pages| pages.as_ref().map(|pages| pages.document.clone()));
    if let (Some(path), Ok(text)) = (path, serde_json::to_string(&kept)) {
        storage::set_reading_place(&path, &text);
    }
    sheet.kept.set_value(kept);
}

/// Brings what was remembered back to where it stood, once the blocks are drawn.
fn put_back(sheet: Sheet, kept: Vec<Kept>) {
    request_animation_frame(move || {
        let found = sheet
            .pages
            .try_with_untracked(|pages| keep::find(&kept, &pages.as_ref()?.blocks));
        let Some(Some((index, below))) = found else {
            return;
        };
        put(sheet, index, below);
        // New text has the height it was guessed to have until it is in view: once more, now that it is.
        request_animation_frame(move || put(sheet, index, below));
    });
}

fn put(sheet: Sheet, index: usize, below: f64) {
    if let (Some(Some(view)), Some(Some(blocks))) = (
        sheet.view.try_get_untracked(),
        sheet.blocks.try_get_untracked(),
    ) {
        pixels::put(&view, &blocks, index, below);
    }
}
