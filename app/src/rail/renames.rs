//! Files that a missing document may have become. They are offered; nothing moves until the person says so.

use crate::api;
use crate::icon::Icon;
use crate::model::{Model, use_model};
use crate::navigate;
use crate::reactive::{Derived, Each, State, on_mouse};
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::wire::document::{RenameOffer, Renamed};
use rex_shared::wire::thread::ThreadRow;

/// The offers for all missing documents.
pub(super) fn all() -> AnyView {
    let model = use_model();
    offers(Derived::new(move || {
        model.files.with(|files| {
            files
                .as_ref()
                .map_or_else(Vec::new, |files| files.renames.clone())
        })
    }))
}

/// The offers for the document that is to be on the paper.
pub(super) fn of_open() -> AnyView {
    let model = use_model();
    offers(Derived::new(move || {
        let open = model.document.path.get();
        model.files.with(|files| {
            let renames = files.iter().flat_map(|files| &files.renames);
            renames
                .filter(|offer| Some(&offer.from) == open.as_ref())
                .cloned()
                .collect()
        })
    }))
}

fn offers(offers: Derived<Vec<RenameOffer>>) -> AnyView {
    view! {
        <Each each=move || offers.get() key=|offer| (offer.from.clone(), offer.to.clone()) let:offer>
            <Offered offer />
        </Each>
    }
    .into_any()
}

#[component]
fn Offered(offer: RenameOffer) -> impl IntoView {
    let model = use_model();
    let from = offer.from.clone();
    let waiting = Derived::new(move || {
        let stands_in = |row: &ThreadRow| row.places.iter().any(|place| place.document == from);
        model
            .rail
            .rows
            .with(|rows| rows.values().filter(|row| row.with(stands_in)).count())
    });
    let comments = move || match waiting.get() {
        1 => "1 comment".to_owned(),
        many => format!("{many} comments"),
    };
    let busy = State::new(false);
    let renamed = Renamed {
        ws: None,
        from: offer.from.clone(),
        to: offer.to.clone(),
    };
    let name = format!("{} is missing", offer.from);
    view! {
        <section class="stranded" aria-label=name>
            <h3>
                <Icon name="alert" />
                {move || format!("A file is missing, {} on it", comments())}
            </h3>
            <p>"It looks renamed outside REX. Nothing moves until you say so."</p>
            <dl>
                <dt>"Was"</dt>
                <dd><code><del>{offer.from}</del></code></dd>
                <dt>"Now"</dt>
                <dd><code>{offer.to}</code></dd>
                <dt>"Why"</dt>
                <dd>{format!("{} % of its text is there.", offer.alike)}</dd>
            </dl>
            <p>
                <button
                    type="button"
                    class="btn btn--sm"
                    disabled=move || busy.get()
                    on:click=on_mouse(move |_| accept(model, busy, renamed.clone()))
                >
                    {move || format!("Move {}", comments())}
                </button>
            </p>
        </section>
    }
}

fn accept(model: Model, busy: State<bool>, mut renamed: Renamed) {
    renamed.ws = model.ws();
    busy.set(true);
    spawn_local(async move {
        match api::renamed(&renamed).await {
            Ok(files) => {
                let Renamed { from, to, .. } = renamed;
                model.files.set(Some(files));
                navigate::renamed(model, &from, &to);
                model
                    .notices
                    .say(format!("The comments of {from} are about {to} now."));
            }
            Err(failed) => model.failed(&failed),
        }
        busy.set(false);
    });
}
