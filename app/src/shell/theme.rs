//! Light, dark, or what the system says. `boot.js` sets the same attribute before the first paint.

use crate::browser::{page, storage};
use crate::icon::Icon;
use crate::model::{Model, Theme, use_model};
use crate::reactive::{on_change, on_mouse, redrawn};
use leptos::prelude::*;

fn word(theme: Theme) -> &'static str {
    match theme {
        Theme::System => "system",
        Theme::Light => "light",
        Theme::Dark => "dark",
    }
}

fn theme_of(word: Option<&str>) -> Theme {
    match word {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::System,
    }
}

fn next(theme: Theme) -> Theme {
    match theme {
        Theme::System => Theme::Light,
        Theme::Light => Theme::Dark,
        Theme::Dark => Theme::System,
    }
}

/// Reads the kept theme and keeps every change of it.
pub(super) fn follow(model: Model) {
    model.theme.set(theme_of(storage::theme().as_deref()));
    on_change(move || {
        let theme = model.theme.get();
        page::set_theme((theme != Theme::System).then(|| word(theme)));
        storage::set_theme(word(theme));
    });
}

#[component]
pub(super) fn ThemeSwitch() -> impl IntoView {
    let model = use_model();
    let says = move || match model.theme.get() {
        Theme::System => "Theme: follows the system",
        Theme::Light => "Theme: light",
        Theme::Dark => "Theme: dark",
    };
    let icon = move || match model.theme.get() {
        Theme::System => view! { <Icon name="theme" /> },
        Theme::Light => view! { <Icon name="sun" /> },
        Theme::Dark => view! { <Icon name="moon" /> },
    };
    view! {
        <button
            type="button"
            class="icon-btn"
            aria-label=redrawn(says)
            title=redrawn(says)
            on:click=on_mouse(move |_| model.theme.update(|theme| *theme = next(*theme)))
        >
            {redrawn(icon)}
        </button>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_switch_goes_round_and_a_kept_word_is_read_again() {
        let round = [Theme::System, Theme::Light, Theme::Dark];
        for (at, theme) in round.into_iter().enumerate() {
            assert_eq!(next(theme), round[(at + 1) % 3]);
            assert_eq!(theme_of(Some(word(theme))), theme);
        }
        assert_eq!(theme_of(None), Theme::System);
    }
}
