//! The line below the paper: how much is discussed, what the last edit did to it, and where the reader is.

use super::sheet::Sheet;
use crate::lazy;
use crate::model::Model;
use crate::reactive::{Derived, Only, State, on_mouse, redrawn};
use leptos::prelude::*;

/// The line below the paper. `top` is the index of the block at the top of the view.
pub(super) fn foot(model: Model, sheet: Sheet, top: State<usize>) -> impl IntoView {
    let discussed = Derived::new(move || sheet.marks.with(Vec::len));
    let line = move || {
        sheet.pages.with(|pages| {
            let pages = pages.as_ref()?;
            let line = pages.blocks.get(top.get())?.first_line;
            Some(match pages.lines() {
                Some(lines) => format!("Line {line} of {lines}"),
                None => format!("Line {line}"),
            })
        })
    };
    let has_places = Derived::new(move || sheet.places.with(|places| !places.is_empty()));
    let changed = Derived::new(move || model.document.last_change.with(Option::is_some));
    view! {
        <footer class="centre__foot foot">
            <span class="foot__discussed">
                {move || match discussed.get() {
                    0 => "Nothing discussed yet".to_owned(),
                    1 => "1 passage discussed".to_owned(),
                    many => format!("{many} passages discussed"),
                }}
            </span>
            <Only when=move || has_places.get()>
                <button
                    type="button"
                    class="btn btn--link foot__changes"
                    title="What edits did to the comments (H)"
                    aria-keyshortcuts="H"
                    on:click=on_mouse(move |_| model.document.changes_shown.set(true))
                >
                    "Changes"
                    {lazy::of_thread(changed, |code| code.last_change)}
                </button>
            </Only>
            <span class="foot__line">{redrawn(line)}</span>
        </footer>
    }
}
