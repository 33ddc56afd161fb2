//! How the tray looks: the picks, the text, and what can be done with them.

use super::words::count;
use super::{Cleared, Desk};
use crate::browser::keys::pressed;
use crate::browser::selection;
use crate::icon::Icon;
use crate::model::{Model, Pick, use_model};
use crate::navigate;
use crate::paper::gutter::TRAY_TEXT;
use crate::paper::joined;
use crate::paper::path_bar::{PathBar, Reach};
use crate::paper::sheet::Sheet;
use crate::rail::words::file_name;
use crate::reactive::{Derived, Each, on_key, on_mouse, redrawn};
use leptos::ev;
use leptos::prelude::*;

/// The tray at the foot of the paper, while there is one.
pub(crate) fn draw_tray() -> AnyView {
    let model = use_model();
    let desk = Desk::new(model);
    let sheet = expect_context::<Sheet>();
    let reach = Reach::of(sheet, move || {
        model.tray.with(|tray| tray.as_ref()?.picks.last().cloned())
    });
    let is_open = Derived::new(move || model.tray.with(Option::is_some));
    let tray = move || {
        if is_open.get() {
            view! { <OpenTray model desk reach /> }.into_any()
        } else {
            view! { <ClearedTray desk /> }.into_any()
        }
    };
    tray.into_any()
}

#[component]
fn OpenTray(model: Model, desk: Desk, reach: Reach) -> impl IntoView {
    let picks = move || {
        model.tray.with(|tray| {
            tray.as_ref()
                .map_or_else(Vec::new, |tray| tray.picks.clone())
        })
    };
    let numbered = move || picks().into_iter().enumerate().collect::<Vec<_>>();
    let title = move || {
        let picks = picks();
        count(picks.iter().map(|pick| pick.place.document.as_str()))
    };
    let keys = window_event_listener(ev::keydown, move |event| {
        let key = pressed(&event);
        if event.default_prevented() || key.in_text {
            return;
        }
        if key.key == "Escape" {
            event.prevent_default();
            desk.clear();
        } else if selection::is_something_selected()
            && let Some(pick) = reach.pressed(&key)
        {
            event.prevent_default();
            desk.reach(pick);
        }
    });
    on_cleanup(move || keys.remove());
    view! {
        <section
            class="tray"
            aria-labelledby="tray-title"
            on:keydown=on_key(move |event| {
                let key = pressed(&event);
                if key.composing {
                    return;
                }
                if key.key == "Escape" {
                    event.prevent_default();
                    desk.clear();
                } else if key.key == "Enter" && key.modifier && !desk.busy.get_untracked() {
                    event.prevent_default();
                    desk.ask(joined::open_number(model).is_some());
                }
            })
        >
            <header class="tray__head">
                <strong id="tray-title" aria-live="polite">{redrawn(title)}</strong>
                <span>"Select another passage to add it"</span>
                <button
                    class="btn btn--quiet btn--sm"
                    type="button"
                    disabled=move || desk.busy.get()
                    on:click=on_mouse(move |_| desk.clear())
                >
                    "Clear"
                    <kbd class="kbd">"Esc"</kbd>
                </button>
            </header>
            <ol class="picks">
                <Each each=numbered key=|(at, pick)| (*at, pick.place.place_id.clone()) let:numbered>
                    <PickLine model desk number=numbered.0 + 1 pick=numbered.1 />
                </Each>
            </ol>
            <PathBar reach name="pick-reach" choose=move |pick| desk.reach(pick) />
            <div class="tray__note">
                <textarea
                    id=TRAY_TEXT
                    rows="2"
                    aria-label="Your question or note"
                    placeholder="Your question or note"
                    prop:value=move || model.tray_text.get()
                    on:input=move |event| desk.wrote(event_target_value(&event))
                ></textarea>
            </div>
            <Acts desk count=Derived::new(move || picks().len()) />
        </section>
    }
}

#[component]
fn PickLine(model: Model, desk: Desk, number: usize, pick: Pick) -> impl IntoView {
    let place = pick.place;
    let (document, id) = (place.document.clone(), place.place_id.clone());
    let (jump_document, jump_id) = (document.clone(), id.clone());
    view! {
        <li class="pick">
            <span class="place__n">{number}</span>
            <button
                class="pick__to"
                type="button"
                title=document.clone()
                on:click=on_mouse(move |_| navigate::to_place(model, jump_document.clone(), jump_id.clone()))
            >
                <span class="pick__doc">{file_name(&document).to_owned()}</span>
                <span class="pick__quote">{place.quote.clone()}</span>
            </button>
            <button
                class="icon-btn icon-btn--sm"
                type="button"
                aria-label=format!("Remove passage {number}")
                on:click=on_mouse(move |_| desk.unpick(&id))
            >
                <Icon name="close" small=true />
            </button>
        </li>
    }
}

#[component]
fn Acts(desk: Desk, count: Derived<usize>) -> impl IntoView {
    let busy = move || desk.busy.get();
    let keys = || {
        view! {
            <kbd class="kbd">"Ctrl"</kbd>
            <kbd class="kbd">"↵"</kbd>
        }
    };
    let open = Derived::new(move || joined::open_number(desk.model));
    view! {
        <div class="tray__act">
            {move || match open.get() {
                Some(number) => {
                    view! {
                        <button
                            class="btn btn--primary"
                            type="button"
                            disabled=redrawn(busy)
                            on:click=on_mouse(move |_| desk.ask(true))
                        >
                            {format!("Add to #{number} and ask")}
                            {keys()}
                        </button>
                        <span class="tray__or">"or a new comment:"</span>
                        <button class="btn" type="button" disabled=redrawn(busy) on:click=on_mouse(move |_| desk.ask(false))>
                            {move || format!("Ask about {}", count.get())}
                        </button>
                    }
                        .into_any()
                }
                None => {
                    view! {
                        <button
                            class="btn btn--primary"
                            type="button"
                            disabled=redrawn(busy)
                            on:click=on_mouse(move |_| desk.ask(false))
                        >
                            {move || format!("Ask about {}", count.get())}
                            {keys()}
                        </button>
                    }
                        .into_any()
                }
            }}
            <button class="btn" type="button" disabled=redrawn(busy) on:click=on_mouse(move |_| desk.save())>
                "Save draft"
            </button>
            <button class="btn" type="button" disabled=redrawn(busy) on:click=on_mouse(move |_| desk.keep_as_note())>
                "Keep as note"
            </button>
        </div>
    }
}

#[component]
fn ClearedTray(desk: Desk) -> impl IntoView {
    let line = move |_: &Cleared| {
        view! {
            <p class="tray tray--cleared" role="status">
                <span>"The passages were cleared."</span>
                <button class="btn btn--link" type="button" on:click=on_mouse(move |_| desk.undo_clear())>
                    "Undo"
                </button>
                <button
                    class="icon-btn icon-btn--sm"
                    type="button"
                    aria-label="Close"
                    on:click=on_mouse(move |_| desk.cleared.set(None))
                >
                    <Icon name="close" small=true />
                </button>
            </p>
        }
    };
    move || desk.cleared.with(|cleared| cleared.as_ref().map(line))
}
