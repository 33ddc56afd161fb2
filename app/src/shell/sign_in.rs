//! The page for a browser that the bridge does not know.

use crate::browser::location;
use crate::icon::Icon;
use crate::model::use_model;
use crate::navigate;
use crate::reactive::{State, on_change, redrawn};
use leptos::prelude::*;

#[component]
pub(super) fn SignIn() -> impl IntoView {
    let model = use_model();
    let code = State::new(String::new());
    let sending = State::new(false);
    on_change(move || {
        if model.code_refused.with(Option::is_some) {
            sending.set(false);
        }
    });
    let send = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let code = code.get_untracked().trim().to_owned();
        if !code.is_empty() && !sending.get_untracked() {
            sending.set(true);
            model.code_refused.set(None);
            navigate::sign_in(model, code);
        }
    };
    let host = location::host();
    let link = format!("http://{host}/#code=XXXX-XXXX");
    let refused = move || {
        model
            .code_refused
            .get()
            .map(|why| view! { <p class="gate__refused" id="code-refused" role="alert">{why}</p> })
    };
    view! {
        <div class="page gate">
            <main class="gate__box">
                <div class="gate__row">
                    <span class="brand">"REX"</span>
                    <span>{host}</span>
                </div>
                <h1>"This browser is not known yet"</h1>
                <p class="lead">
                    "REX runs on this machine and starts agents that can read your files. It answers only browsers you have let in."
                </p>
                <ol class="gate__steps">
                    <li>
                        <div>
                            <p>"In a terminal, ask for a link and open it here:"</p>
                            <pre tabindex="0"><code>"$ "<b>"rex link"</b>"\n"{link}"\nValid for 10 minutes, once."</code></pre>
                        </div>
                    </li>
                    <li>
                        <div>
                            <p id="code-label">"Or type the code at the end of that link:"</p>
                            <form class="gate__code" on:submit=send>
                                <label class="field">
                                    <Icon name="key" />
                                    <input
                                        aria-label="Code"
                                        aria-describedby="code-label code-refused"
                                        autocomplete="one-time-code"
                                        autocapitalize="characters"
                                        spellcheck="false"
                                        placeholder="XXXX-XXXX"
                                        aria-invalid=move || model.code_refused.with(Option::is_some).to_string()
                                        prop:value=move || code.get()
                                        on:input=move |event| code.set(event_target_value(&event))
                                    />
                                </label>
                                <button class="btn btn--primary" aria-disabled=move || sending.get().to_string()>
                                    "Let this browser in"
                                </button>
                            </form>
                            {redrawn(refused)}
                        </div>
                    </li>
                </ol>
                <p class="gate__small">
                    "You will come back to the page you asked for. A browser stays known until 90 days after its last visit."
                </p>
            </main>
        </div>
    }
}
