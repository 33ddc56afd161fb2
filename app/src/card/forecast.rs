//! What a send will do, said before it: the bridge's sentence for the agent chosen now.

use super::composing::Composing;
use super::{names, words};
use crate::api;
use crate::icon::Icon;
use crate::model::use_model;
use crate::reactive::{State, Stored, on_change};
use leptos::prelude::*;
use leptos::task::spawn_local;
use rex_shared::ids::ThreadId;
use rex_shared::wire::message::Forecast;

/// A wait worth saying before the send.
const LONG_WAIT_MS: u64 = 10_000;

#[component]
pub(super) fn ForecastLine(thread: ThreadId, composing: Composing) -> impl IntoView {
    let model = use_model();
    let shown = State::new(None::<Forecast>);
    let asked = Stored::new(0_u64);
    let choice = composing.choice.clone();
    on_change(move || {
        let Some(choice) = choice.get() else { return };
        // Each run changes what the agent remembers.
        if model.pane.busy.get() || model.pane.unknown.get() {
            return;
        }
        let this = asked.with_value(|asked| asked + 1);
        asked.set_value(this);
        let thread = thread.clone();
        spawn_local(async move {
            let answer = api::forecast(
                &thread,
                &choice.sdk,
                &choice.gateway,
                choice.model.as_deref(),
                choice.mode,
            )
            .await;
            // An answer to what is no longer chosen, or to a card that is closed, says nothing.
            if asked.try_get_value() == Some(this) {
                shown.set(answer.ok());
            }
        });
    });
    let choice = composing.choice;
    move || {
        let forecast = shown.get()?;
        let name = model.workspace.with(|known| {
            choice.with(|choice| {
                let choice = choice.as_ref()?;
                names::gateway(known.as_ref(), &choice.gateway)
                    .or_else(|| Some(names::agent(known.as_ref(), &choice.sdk)))
            })
        });
        let (strong, rest) = led_by(&forecast.reason, name.as_deref());
        let wait = forecast
            .last_wait_ms
            .filter(|ms| *ms >= LONG_WAIT_MS)
            .map(|ms| format!(" The first word took {} last time.", words::duration(ms)));
        let title = (!forecast.certain).then_some("The program itself is asked when you send.");
        Some(view! {
            <p class="composer__forecast" title=title>
                <Icon name="clock" />
                <span><b>{strong.to_owned()}</b> {rest.to_owned()} {wait}</span>
            </p>
        })
    }
}

/// The name at the head of the sentence, to stand out, and the rest of it.
fn led_by<'a>(sentence: &'a str, name: Option<&str>) -> (&'a str, &'a str) {
    match name.filter(|name| sentence.starts_with(name)) {
        Some(name) => sentence.split_at(name.len()),
        None => ("", sentence),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_that_leads_the_sentence_stands_out() {
        let sentence = "LiteLLM has not seen this comment yet.";
        assert_eq!(
            led_by(sentence, Some("LiteLLM")),
            ("LiteLLM", " has not seen this comment yet.")
        );
        assert_eq!(led_by(sentence, Some("Claude")), ("", sentence));
    }
}
