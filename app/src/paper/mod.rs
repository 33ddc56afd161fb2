//! The paper: the open document, what stands beside it, and how passages are pointed at.
//!
//! Blocks are drawn from the typed tree and keep their elements while they stay the same. Marks are painted over the
//! text and never put into it. Deliberately absent: any HTML string of a document, the coverage strip (later).

mod around;
mod block;
mod foot;
mod gutter;
mod images;
mod joined;
mod keep;
mod lines;
mod link;
mod load;
mod margin;
mod marks;
mod pages;
mod paint;
mod path_bar;
mod pointer;
mod reveal;
mod runs;
mod selection_bar;
mod several;
mod sheet;
mod tray;

use crate::browser::listen::Sized;
use crate::browser::{selection, sheet as pixels, storage};
use crate::icon::Icon;
use crate::lazy;
use crate::model::{Model, use_model};
use crate::reactive::{Derived, Each, State, Stored, on_change, on_mouse, on_pointer, redrawn};
use foot::foot;
use leptos::ev;
use leptos::prelude::*;
use rex_shared::document::{Format, ReadOnly};
use runs::run_view;
use selection_bar::selection_bar;
use several::several_threads;
use sheet::Sheet;
use std::time::Duration;

pub(crate) use pointer::Hand;
pub(crate) use tray::draw_tray;

/// How often the reading place is remembered while scrolling.
const WHILE_SCROLLING: Duration = Duration::from_millis(200);

/// The open document, with the tray at its foot.
#[component]
pub fn Paper() -> impl IntoView {
    let model = use_model();
    let sheet = Sheet::new(model);
    provide_context(sheet);
    let hand = Hand::new(model, sheet);
    load::follow(model, sheet);
    paint::follow(model, sheet);
    reveal::follow(model, sheet);
    line_up_cards(sheet);

    let released = window_event_listener(ev::pointerup, move |_| hand.release());
    let cancelled = window_event_listener(ev::pointercancel, move |_| hand.release());
    on_cleanup(move || {
        released.remove();
        cancelled.remove();
    });
    let top = State::new(0);
    let scrolled = while_scrolling(model, sheet, top);
    let name = move || model.document.path.get().unwrap_or_default();
    let runs = move || sheet.runs.get();
    let format = move || {
        sheet
            .pages
            .with(|pages| match pages.as_ref().map(|pages| pages.format) {
                Some(Format::Code) => "code",
                Some(Format::Text) => "text",
                _ => "markdown",
            })
    };
    let is_pointed_at = Derived::new(move || {
        sheet.chosen.with(Option::is_some)
            || sheet.several.with(Option::is_some)
            || model.open_thread.with(Option::is_some)
            || model.document.jump_line.with(Option::is_some)
    });
    view! {
        <main class="centre" id="paper">
            <div
                class="centre__scroll"
                tabindex="0"
                role="group"
                aria-label="Text of the document"
                node_ref=sheet.view
                on:scroll=move |_| scrolled()
                on:pointerdown=on_pointer(move |_| hand.press())
                on:pointermove=on_pointer(move |event| {
                    if event.pointer_type() == "mouse" {
                        hand.hover(event.client_x(), event.client_y());
                    }
                })
                on:click=on_mouse(move |event| {
                    let (x, y) = (event.client_x(), event.client_y());
                    if let Some(image) = selection::clicked_image(&event) {
                        lazy::with_thread(model, move |code| (code.click_image)(hand, &image, x, y));
                    } else if !selection::is_on_control(&event) {
                        hand.click(x, y);
                    }
                })
            >
                <article
                    class="sheet"
                    data-margin="cards"
                    data-format=redrawn(format)
                    data-pointing=move || model.pointed.with(Option::is_some).then_some("")
                    aria-label=redrawn(name)
                >
                    <Notes sheet />
                    <div class="blocks" node_ref=sheet.blocks>
                        <Each
                            each=runs
                            key=|run| run.key.clone()
                            children=move |run| run_view(model, sheet, run.key)
                        />
                    </div>
                </article>
                {lazy::of_thread(is_pointed_at, |code| code.on_paper)}
            </div>
            {foot(model, sheet, top)}
            {lazy::of_thread(tray_wanted(model), |code| code.tray)}
        </main>
    }
}

/// What the paper shows and follows once a selection or a comment is there.
pub(crate) fn draw_on_paper() -> AnyView {
    let model = use_model();
    let sheet = expect_context::<Sheet>();
    lines::follow(model, sheet);
    (selection_bar(model, sheet), several_threads(model, sheet)).into_any()
}

/// Whether there is a tray, or one to be fetched or begun.
fn tray_wanted(model: Model) -> Derived<bool> {
    Derived::new(move || {
        let is_known = model.workspace.with(Option::is_some);
        let kept = || {
            model
                .ws()
                .is_some_and(|ws| storage::tray(ws.as_str()).is_some())
        };
        model.tray.with(Option::is_some)
            || model.picked.with(|picked| !picked.is_empty())
            || (is_known && kept())
    })
}

/// What is to be said about the document as a whole.
#[component]
fn Notes(sheet: Sheet) -> impl IntoView {
    let note = |text: String| {
        view! {
            <p class="sheet__note">
                <span>
                    <Icon name="alert" />
                    {text}
                </span>
            </p>
        }
    };
    let read_only = move || {
        let why = sheet
            .pages
            .with(|pages| pages.as_ref()?.read_only.clone())?;
        Some(note(match why {
            ReadOnly::Encoding(encoding) => {
                format!("Read as {encoding}, not UTF-8: it can be read and discussed, not changed.")
            }
            ReadOnly::Permissions => {
                "This file cannot be written: it can be read and discussed.".to_owned()
            }
        }))
    };
    let trouble = move || sheet.trouble.get().map(note);
    let blank = move || {
        let is_blank = sheet
            .pages
            .with(|pages| pages.as_ref().is_some_and(|pages| pages.total == 0));
        is_blank.then(|| note("This document is empty.".to_owned()))
    };
    let is_missing = Derived::new(move || sheet.trouble.with(Option::is_some));
    let renames = move || {
        is_missing
            .get()
            .then(|| lazy::of_aside(lazy::always(), |code| code.renames))
    };
    (trouble, renames, read_only, blank)
}

/// What scrolling does: the reading place is remembered, cards that came near line up, and more is read near the end.
fn while_scrolling(model: Model, sheet: Sheet, top: State<usize>) -> impl Fn() + Clone {
    let waiting = Stored::new(false);
    move || {
        if waiting.get_value() {
            return;
        }
        waiting.set_value(true);
        set_timeout(
            move || {
                if waiting.try_set_value(false).is_some() {
                    return;
                }
                load::remember(sheet);
                line_up(sheet);
                let first = sheet
                    .kept
                    .with_value(|kept| kept.first().map(|kept| kept.index));
                top.set(first.unwrap_or(0));
                let near_end = sheet
                    .view
                    .get_untracked()
                    .is_some_and(|view| pixels::is_near_end(&view));
                if near_end {
                    load::read_on(model, sheet);
                }
            },
            WHILE_SCROLLING,
        );
    }
}

/// Margin cards stand beside their text and push each other down, whenever the text or the cards change.
fn line_up_cards(sheet: Sheet) {
    let sized = StoredValue::new_local(None);
    sheet.blocks.on_load(move |blocks| {
        sized.set_value(Sized::of(&blocks, move || line_up(sheet)));
    });
    on_change(move || {
        sheet.beside.track();
        line_up(sheet);
    });
}

fn line_up(sheet: Sheet) {
    request_animation_frame(move || {
        if let (Some(Some(view)), Some(Some(blocks))) = (
            sheet.view.try_get_untracked(),
            sheet.blocks.try_get_untracked(),
        ) {
            pixels::push_cards(&view, &blocks);
        }
    });
}
