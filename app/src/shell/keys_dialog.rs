//! The list of keys.

use super::KeysShown;
use crate::browser::{page, storage};
use crate::icon::Icon;
use crate::reactive::{State, on_change, on_mouse};
use leptos::html;
use leptos::prelude::*;

/// What a key does, and the keys; `Mod` is Ctrl, or Command on a Mac.
const KEYS: [(&str, &[&str]); 17] = [
    ("Next, previous comment", &["N", "P"]),
    ("Next, previous document", &["J", "K"]),
    ("Comment on the selection", &["C"]),
    ("Widen, narrow what is selected", &["↑", "↓"]),
    ("Reply in the open comment", &["R"]),
    ("Resolve or reopen it", &["E"]),
    ("What edits did to the comments", &["H"]),
    ("In a lost place: yes, here; undo", &["Y", "U"]),
    ("Send", &["Mod ↵"]),
    ("Next of Ask, Act, Note", &["Alt M"]),
    ("Pick agent and model", &["Mod ."]),
    ("Show or hide the rail", &["Mod B"]),
    ("One step back", &["Esc"]),
    ("Move in tabs, lists and trees", &["↑", "↓", "←", "→"]),
    ("Open what has focus", &["↵"]),
    (
        "Resize the card on a narrow screen, on its grip",
        &["↑", "↓"],
    ),
    ("This list", &["?"]),
];

#[component]
pub(super) fn KeysDialog() -> impl IntoView {
    let KeysShown(shown) = expect_context();
    let dialog = NodeRef::<html::Dialog>::new();
    let letters = State::new(storage::letters_act());
    on_change(move || {
        let Some(dialog) = dialog.get() else { return };
        match (shown.get(), dialog.open()) {
            // Fails only outside a document.
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    let modifier = if page::is_mac() { "⌘" } else { "Ctrl" };
    let rows = KEYS.map(|(does, keys)| {
        let keys = keys
            .iter()
            .map(|key| view! { <kbd class="kbd">{key.replace("Mod", modifier)}</kbd> })
            .collect_view();
        view! {
            <tr>
                <th scope="row">{does}</th>
                <td><span class="kbds">{keys}</span></td>
            </tr>
        }
    });
    view! {
        <dialog class="keys" node_ref=dialog aria-labelledby="keys-title" on:close=move |_| shown.set(false)>
            <header class="keys__head">
                <h2 id="keys-title">"Keys"</h2>
                <button type="button" class="icon-btn" aria-label="Close" on:click=on_mouse(move |_| shown.set(false))>
                    <Icon name="close" />
                </button>
            </header>
            <table class="keys__list">
                <thead class="vh">
                    <tr>
                        <th scope="col">"What"</th>
                        <th scope="col">"Keys"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            <label class="keys__switch">
                <input
                    type="checkbox"
                    prop:checked=move || letters.get()
                    on:change:target=move |event| {
                        let act = event.target().checked();
                        storage::set_letters_act(act);
                        letters.set(act);
                    }
                />
                "Single letters act outside text fields"
            </label>
        </dialog>
    }
}
