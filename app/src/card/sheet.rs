//! On a narrow screen the card is a sheet at the bottom with three rests. The grip is a button; arrows resize too.

use crate::reactive::{State, on_key, on_mouse, redrawn};
use leptos::prelude::*;

/// How much of the screen the sheet takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Rest {
    /// Only its head.
    Head,
    /// About half.
    #[default]
    Half,
    /// All below the bar.
    Full,
}

impl Rest {
    /// The style's word.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Half => "half",
            Self::Full => "full",
        }
    }

    fn taller(self) -> Self {
        match self {
            Self::Head => Self::Half,
            Self::Half | Self::Full => Self::Full,
        }
    }

    fn lower(self) -> Self {
        match self {
            Self::Full => Self::Half,
            Self::Half | Self::Head => Self::Head,
        }
    }

    /// A press goes through all rests, upwards first.
    fn pressed(self) -> Self {
        match self {
            Self::Full => Self::Head,
            other => other.taller(),
        }
    }
}

#[component]
pub(super) fn Grip(rest: State<Rest>) -> impl IntoView {
    let name = move || format!("Resize the card, now {}", rest.get().key());
    let pressed = move |key: String| match key.as_str() {
        "ArrowUp" => rest.update(|rest| *rest = rest.taller()),
        "ArrowDown" => rest.update(|rest| *rest = rest.lower()),
        _ => {}
    };
    view! {
        <button
            type="button"
            class="sheet-grip"
            aria-label=redrawn(name)
            on:click=on_mouse(move |_| rest.update(|rest| *rest = rest.pressed()))
            on:keydown=on_key(move |event| pressed(event.key()))
        ></button>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pressing_the_grip_comes_round_and_arrows_stop_at_the_ends() {
        assert_eq!(Rest::Half.pressed(), Rest::Full);
        assert_eq!(Rest::Full.pressed(), Rest::Head);
        assert_eq!(Rest::Full.taller(), Rest::Full);
        assert_eq!(Rest::Head.lower(), Rest::Head);
    }
}
