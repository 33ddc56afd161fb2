//! One piece of a proposal: both sides, and the yes or no to it.

use super::conflict::Conflict;
use super::keys::element;
use super::shown::Shown;
use super::sides::Numbers;
use super::{acts, words};
use crate::icon::Icon;
use crate::reactive::{Derived, State, on_mouse, on_pointer, redrawn};
use leptos::prelude::*;
use rex_shared::ids::HunkId;
use rex_shared::wire::place::Words;
use rex_shared::wire::proposal::HunkState;

/// A piece. `told` says what happens to the file as a whole, `lines` where it begins on both sides.
#[component]
pub(super) fn HunkView(
    shown: Shown,
    hunk_id: HunkId,
    words: Vec<Words>,
    told: Option<String>,
    coarse: bool,
    lines: (u32, u32),
) -> impl IntoView {
    let id = hunk_id.clone();
    let state = Derived::new(move || shown.hunk(&id).map_or(HunkState::Open, |hunk| hunk.state));
    let decided = move || match state.get() {
        HunkState::Open => None,
        HunkState::Accepted => Some("accepted"),
        HunkState::Rejected => Some("rejected"),
    };
    let id = hunk_id.clone();
    let now = move || {
        shown
            .current
            .with(|current| (current.as_ref() == Some(&id)).then_some(""))
    };
    let id = hunk_id.clone();
    let name = move || {
        let hunks = shown.file().map(|file| file.hunks).unwrap_or_default();
        let at = hunks
            .iter()
            .position(|hunk| hunk.hunk_id == id)
            .unwrap_or_default();
        format!("Change {} of {}", at + 1, hunks.len())
    };
    let title = name.clone();
    let where_ = told.clone().unwrap_or_else(|| format!("line {}", lines.1));
    let note = coarse.then_some(
        "Too much differs here to be looked into line by line; some of it may be the same on both sides.",
    );
    let id = hunk_id.clone();
    let edited = Derived::new(move || shown.edited.with(|edited| edited.as_ref() == Some(&id)));
    let id = hunk_id.clone();
    let proposed = words::plain(&words, true);
    let body = move || {
        if edited.get() {
            view! { <Edit shown hunk_id=id.clone() text=proposed.clone() /> }.into_any()
        } else if words.is_empty() {
            ().into_any()
        } else {
            pair(shown, &id, &words).into_any()
        }
    };
    let (anchor, chosen) = (element(&hunk_id), hunk_id.clone());
    view! {
        <section
            class="hunk"
            id=anchor
            tabindex="-1"
            aria-label=redrawn(name)
            data-decided=decided
            data-now=now
            on:pointerdown=on_pointer(move |_| shown.current.set(Some(chosen.clone())))
        >
            <header class="hunk__bar">
                <strong>{redrawn(title)}</strong>
                <span>{where_}</span>
                <Deciding shown hunk_id=hunk_id.clone() state />
            </header>
            {note.map(|note| view! { <p class="hunk__note">{note}</p> })}
            {redrawn(body)}
            <Conflict shown hunk_id />
        </section>
    }
}

#[component]
fn Deciding(shown: Shown, hunk_id: HunkId, state: Derived<HunkState>) -> impl IntoView {
    let act = move || {
        let (yes, no, edit) = (hunk_id.clone(), hunk_id.clone(), hunk_id.clone());
        let word = match state.get() {
            HunkState::Accepted => {
                return view! {
                    <span class="decided" data-d="accepted"><Icon name="check" small=true />"Accepted"</span>
                }
                .into_any();
            }
            HunkState::Rejected => Some(
                view! { <span class="decided" data-d="rejected"><Icon name="close" small=true />"Rejected"</span> },
            ),
            HunkState::Open => None,
        };
        let can_reject = word.is_none();
        view! {
            {word}
            <button type="button" class="btn btn--sm" on:click=on_mouse(move |_| acts::accept(shown, yes.clone(), None))>
                "Accept" <kbd class="kbd" aria-hidden="true">"Y"</kbd>
            </button>
            {can_reject
                .then(|| {
                    view! {
                        <button type="button" class="btn btn--sm" on:click=on_mouse(move |_| acts::reject(shown, no.clone()))>
                            "Reject" <kbd class="kbd" aria-hidden="true">"X"</kbd>
                        </button>
                    }
                })}
            <button
                type="button"
                class="btn btn--sm btn--quiet"
                on:click=on_mouse(move |_| shown.edited.set(Some(edit.clone())))
            >
                "Edit" <kbd class="kbd" aria-hidden="true">"E"</kbd>
            </button>
        }
        .into_any()
    };
    view! { <span class="hunk__act">{redrawn(act)}</span> }
}

fn pair(shown: Shown, hunk: &HunkId, words: &[Words]) -> impl IntoView + use<> {
    let ranges = untrack(|| {
        let file = shown.file()?;
        let piece = file.hunks.iter().find(|piece| piece.hunk_id == *hunk)?;
        // A file that is made or removed is one piece, all of it.
        let whole = file.base.is_none() || file.version.is_none();
        Some(match whole {
            true => (0..u32::MAX, 0..u32::MAX),
            false => (
                piece.old_start..piece.old_end,
                piece.new_start..piece.new_end,
            ),
        })
    });
    let (old, new) = ranges.unwrap_or((0..0, 0..0));
    view! {
        <div class="pair">
            {side(shown, hunk, words, false, old)}
            {side(shown, hunk, words, true, new)}
        </div>
    }
}

fn side(
    shown: Shown,
    hunk: &HunkId,
    words: &[Words],
    on_new: bool,
    bytes: std::ops::Range<u32>,
) -> AnyView {
    let runs = words::side(words, on_new);
    if runs.is_empty() {
        return view! { <div class="side side--none"></div> }.into_any();
    }
    let text = words::plain(words, on_new);
    let runs = runs
        .into_iter()
        .map(|(marked, text)| match (marked, on_new) {
            (false, _) => text.into_any(),
            (true, true) => view! { <ins>{text}</ins> }.into_any(),
            (true, false) => view! { <del>{text}</del> }.into_any(),
        });
    let label = if on_new {
        "Comment on the new text"
    } else {
        "Comment on the old text"
    };
    let hunk = hunk.clone();
    view! {
        <div class="side" class=("side--ins", on_new) class=("side--del", !on_new)>
            <Numbers shown bytes on_new />
            <p class="side__text">{runs.collect_view()}</p>
            <button
                type="button"
                class="btn btn--sm btn--quiet side__comment"
                aria-label=label
                on:click=on_mouse(move |_| acts::comment(shown, &hunk, on_new, &text))
            >
                <Icon name="threads" small=true />
                "Comment"
            </button>
        </div>
    }
    .into_any()
}

/// The proposed words, to be changed before they are accepted.
#[component]
fn Edit(shown: Shown, hunk_id: HunkId, text: String) -> impl IntoView {
    let typed = State::new(text.clone());
    let rows = text.lines().count().clamp(2, 20).to_string();
    view! {
        <form
            class="hunk__edit"
            on:submit=move |event| {
                event.prevent_default();
                acts::accept(shown, hunk_id.clone(), Some(typed.get_untracked()));
            }
        >
            <textarea
                aria-label="Your own words for this change"
                rows=rows
                prop:value=text
                on:input=move |event| typed.set(event_target_value(&event))
            ></textarea>
            <span class="hunk__act">
                <button type="button" class="btn btn--sm" on:click=on_mouse(move |_| shown.edited.set(None))>
                    "Cancel"
                </button>
                <button type="submit" class="btn btn--sm btn--primary">"Accept this"</button>
            </span>
        </form>
    }
}
