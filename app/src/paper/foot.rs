//! The line below the paper: how much is discussed, and where the reader is.

use super::sheet::Sheet;
use crate::reactive::{Derived, State, redrawn};
use leptos::prelude::*;

/// The line below the paper. `top` is the index of the block at the top of the view.
pub(super) fn foot(sheet: Sheet, top: State<usize>) -> impl IntoView {
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
    view! {
        <footer class="centre__foot foot">
            <span class="foot__discussed">
                {move || match discussed.get() {
                    0 => "Nothing discussed yet".to_owned(),
                    1 => "1 passage discussed".to_owned(),
                    many => format!("{many} passages discussed"),
                }}
            </span>
            <span class="foot__line">{redrawn(line)}</span>
        </footer>
    }
}
