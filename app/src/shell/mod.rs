//! The shell: bar on top, rail, paper and card, and what belongs to none of them.

mod acts;
mod first_run;
mod keys;
mod keys_dialog;
mod notices;
mod sign_in;
mod theme;
mod title;
mod topbar;

pub(crate) use acts::show_rail;

use crate::browser::{keys as keyboard, storage};
use crate::model::{Access, Model, use_model};
use crate::paper::Paper;
use crate::rail::Rail;
use crate::reactive::{Derived, Only, State, on_change_since, on_mouse, redrawn};
use crate::{follow, lazy, load, navigate};
use leptos::prelude::*;

/// Whether the dialog with the list of keys is open.
#[derive(Clone, Copy)]
struct KeysShown(State<bool>);

/// The whole page.
#[component]
pub fn App() -> impl IntoView {
    let model = Model::new();
    provide_context(model);
    let keys_shown = KeysShown(State::new(false));
    provide_context(keys_shown);

    model.rail_is_slim.set(storage::rail_is_slim());
    theme::follow(model);
    title::follow(model);
    on_change_since(move |before: Option<u64>| {
        let count = model.files_changed.get();
        if before.is_some_and(|before| before != count) {
            load::files(model);
        }
        count
    });
    keyboard::on_press(move |key| {
        model.access.get_untracked() == Access::Known
            && keys::act_of(&key).is_some_and(|act| acts::run(model, keys_shown.0, act))
    });
    navigate::boot(model);
    follow::start(model);

    // Being let in must not draw anew what is drawn already.
    let is_unknown = Derived::new(move || model.access.get() == Access::Unknown);
    view! {
        <Only when=move || is_unknown.get() fallback=|| view! { <Frame /> }>
            {lazy::of_aside(lazy::always(), |code| code.sign_in)}
        </Only>
    }
}

#[component]
fn Frame() -> impl IntoView {
    let model = use_model();
    let rail = move || {
        if model.rail_is_slim.get() {
            "slim"
        } else {
            "wide"
        }
    };
    let card = move || {
        model
            .open_thread
            .with(|open| if open.is_some() { "open" } else { "none" })
    };
    let drawer = move || {
        if model.drawer_is_open.get() {
            "open"
        } else {
            "closed"
        }
    };
    // The same document again must not draw the paper anew.
    let has_document = Derived::new(move || model.document.path.with(Option::is_some));
    // Until then the address may yet bring a document.
    let is_known = Derived::new(move || model.workspace.with(Option::is_some));
    let is_compared = Derived::new(move || model.compared.with(Option::is_some));
    let has_thread = Derived::new(move || model.open_thread.with(Option::is_some));
    let changes_wanted = Derived::new(move || model.document.changes_shown.get());
    let has_question = Derived::new(move || model.question.with(Option::is_some));
    let KeysShown(keys_shown) = expect_context();
    let keys_wanted = Derived::new(move || keys_shown.get());
    let gateways_wanted = Derived::new(move || model.gateways_shown.get());
    view! {
        <div class="app" data-rail=redrawn(rail) data-card=redrawn(card) data-drawer=redrawn(drawer)>
            <topbar::Topbar />
            <Rail />
            <Only when=move || model.drawer_is_open.get()>
                <div class="scrim" on:click=on_mouse(move |_| model.drawer_is_open.set(false))></div>
            </Only>
            <Only when=move || !is_compared.get() fallback=lazy::of_compare>
                <Only when=move || has_document.get() fallback=move || lazy::of_aside(is_known, |code| code.first_run)>
                    <Paper />
                </Only>
            </Only>
            {lazy::of_thread(has_thread, |code| code.card)}
        </div>
        <notices::NoticeList />
        {lazy::of_aside(keys_wanted, |code| code.keys)}
        {lazy::of_aside(gateways_wanted, |code| code.gateways)}
        {lazy::of_thread(changes_wanted, |code| code.changes)}
        {lazy::of_thread(has_question, |code| code.question)}
    }
}

/// The page for a browser that the bridge does not know.
pub(crate) fn draw_sign_in() -> AnyView {
    view! { <sign_in::SignIn /> }.into_any()
}

/// What stands where the paper will be.
pub(crate) fn draw_first_run() -> AnyView {
    view! { <first_run::FirstRun /> }.into_any()
}

/// The list of keys.
pub(crate) fn draw_keys() -> AnyView {
    view! { <keys_dialog::KeysDialog /> }.into_any()
}
