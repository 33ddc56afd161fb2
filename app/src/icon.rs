//! Icons and lane glyphs: one sprite, drawn by name. They say nothing to a screen reader; the words beside them do.

use crate::browser::page;
use leptos::prelude::*;
use rex_shared::lane::Lane;

/// An icon of the sprite, such as `close`.
#[component]
pub fn Icon(
    /// The symbol's name without its `i-`.
    name: &'static str,
    /// Smaller, for lines of small text.
    #[prop(optional)]
    small: bool,
) -> impl IntoView {
    view! {
        <svg class="icon" class=("icon--sm", small) aria-hidden="true">
            <use href=format!("{}#i-{name}", page::icons())></use>
        </svg>
    }
}

/// A lane's glyph, in its shape and colour.
#[component]
pub fn Glyph(
    /// The lane.
    lane: Lane,
) -> impl IntoView {
    let key = lane_key(lane);
    view! {
        <svg class="glyph" data-lane=key aria-hidden="true">
            <use href=format!("{}#l-{key}", page::icons())></use>
        </svg>
    }
}

/// A lane's name in attributes and in the sprite.
pub fn lane_key(lane: Lane) -> &'static str {
    match lane {
        Lane::Draft => "draft",
        Lane::Note => "note",
        Lane::Open => "open",
        Lane::Gone => "gone",
        Lane::Resolved => "resolved",
    }
}
