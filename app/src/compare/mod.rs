//! A proposal beside its document: Original, Both or New, and the person's yes or no to each piece.
//!
//! It stands where the paper does and is loaded when the first proposal is looked at. [`words`] decides what is said and
//! is tested on the host; the components only draw. Nothing is written before the bridge said so: a piece is shown as
//! accepted when it is. Deliberately absent: a comparison in the page (the bridge aligns both sides).

#![expect(
    unreachable_pub,
    reason = "the component macro writes a public builder for every component"
)]

mod acts;
mod conflict;
mod head;
mod hunk;
mod keys;
mod shown;
mod sides;
mod words;

use crate::browser::focus;
use crate::icon::Icon;
use crate::model::use_model;
use crate::reactive::{Each, State, on_change_since, on_key, on_mouse, redrawn};
use head::{Files, Head};
use hunk::HunkView;
use leptos::prelude::*;
use rex_shared::wire::proposal::{HunkKind, Stretch};
use shown::Shown;
use sides::Same;

/// Which sides are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::compare) enum Panes {
    Original,
    Both,
    New,
}

impl Panes {
    fn key(self) -> &'static str {
        match self {
            Self::Original => "original",
            Self::Both => "both",
            Self::New => "new",
        }
    }
}

/// The proposal that is looked at, in the place of the paper.
pub(crate) fn draw() -> AnyView {
    view! { <Compare /> }.into_any()
}

#[component]
fn Compare() -> impl IntoView {
    let model = use_model();
    let shown = Shown::new(model);
    let panes = State::new(Panes::Both);
    shown::follow(shown);
    // Another document was chosen in the meantime: that is what is wanted now.
    on_change_since(move |before: Option<Option<String>>| {
        let path = model.document.path.get();
        if before.is_some_and(|before| before != path) {
            model.compared.set(None);
        }
        path
    });
    request_animation_frame(|| focus::to_first(".both"));
    let name = move || {
        let document = model
            .compared
            .with(|at| at.as_ref().map(|at| at.document.clone()));
        format!("{}, original and proposed", document.unwrap_or_default())
    };
    view! {
        <main class="centre" id="paper">
            <div
                class="centre__scroll both"
                tabindex="0"
                role="group"
                aria-label=redrawn(name)
                data-panes=move || panes.get().key()
                on:keydown=on_key(move |event| keys::press(shown, &event))
            >
                <Head shown panes />
                <Files shown />
                <Body shown />
            </div>
            <Verdict shown />
        </main>
    }
}

#[component]
fn Body(shown: Shown) -> impl IntoView {
    let stretches = move || {
        let stretches = shown.comparison.with(|comparison| {
            comparison
                .as_ref()
                .map_or_else(Vec::new, |comparison| comparison.stretches.clone())
        });
        stretches.into_iter().enumerate().collect::<Vec<_>>()
    };
    let format = move || {
        shown.comparison.with(|comparison| {
            comparison
                .as_ref()
                .map_or("text", |comparison| words::format(comparison.format))
        })
    };
    // What is no stretch of lines: that the file is made, removed, renamed, or is no text.
    let whole = move || {
        let file = shown.file()?;
        let hunk = file
            .hunks
            .iter()
            .find(|hunk| hunk.kind == HunkKind::File)?
            .clone();
        let has_lines = file.base.is_none() || file.version.is_none();
        (!has_lines || file.binary).then(|| {
            let told = words::whole(&file);
            view! { <HunkView shown hunk_id=hunk.hunk_id words=Vec::new() told=told coarse=false lines=(1, 1) /> }
        })
    };
    view! {
        <article class="both__text" data-format=redrawn(format)>
            {redrawn(whole)}
            <Each each=stretches key=|(at, stretch)| (*at, words::key(stretch)) let:item>
                {stretch_view(shown, item.1)}
            </Each>
        </article>
    }
}

fn stretch_view(shown: Shown, stretch: Stretch) -> AnyView {
    match stretch {
        Stretch::Same {
            old_start,
            new_start,
            text,
            ..
        } => view! { <Same shown old_start new_start text /> }.into_any(),
        Stretch::Folded {
            old_line, lines, ..
        } => view! {
            <button type="button" class="skip" on:click=on_mouse(move |_| shown.unfold(old_line))>
                <Icon name="move" />
                {words::folded(lines)}
            </button>
        }
        .into_any(),
        Stretch::Hunk {
            hunk_id,
            old_line,
            new_line,
            words,
            coarse,
        } => view! { <HunkView shown hunk_id words told=None coarse lines=(old_line, new_line) /> }
            .into_any(),
    }
}

/// What was decided so far, and deciding the rest at once.
#[component]
fn Verdict(shown: Shown) -> impl IntoView {
    let counts = move || shown.file().map(|file| words::verdict(&file));
    let is_open = move || shown.waits().next().is_some();
    let acts = move || {
        is_open().then(|| {
            view! {
                <span class="actions">
                    <button type="button" class="btn btn--quiet" on:click=on_mouse(move |_| acts::reject_all(shown))>
                        "Reject all"
                    </button>
                    <button type="button" class="btn btn--primary" on:click=on_mouse(move |_| acts::accept_all(shown))>
                        "Accept all"
                    </button>
                </span>
            }
        })
    };
    view! { <footer class="centre__foot verdict"><span role="status">{redrawn(counts)}</span>{redrawn(acts)}</footer> }
}
