//! The document around the app: its title, theme, visibility and clipboard.

use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::JsFuture;

fn document() -> Option<web_sys::Document> {
    web_sys::window()?.document()
}

fn root() -> Option<web_sys::HtmlElement> {
    document()?.document_element()?.dyn_into().ok()
}

/// Sets the title.
pub fn set_title(title: &str) {
    if let Some(document) = document() {
        document.set_title(title);
    }
}

/// Forces a theme, or follows the system.
pub fn set_theme(word: Option<&str>) {
    let Some(root) = root() else { return };
    drop(match word {
        Some(word) => root.set_attribute("data-theme", word),
        None => root.remove_attribute("data-theme"),
    });
}

/// Where the icon sprite is served; the shell says it.
pub fn icons() -> String {
    root()
        .and_then(|root| root.get_attribute("data-icons"))
        .unwrap_or_default()
}

/// Whether the tab is hidden.
pub fn is_hidden() -> bool {
    document().is_some_and(|document| document.hidden())
}

/// Calls `changed` whenever the tab is hidden or shown, for as long as the page lives.
pub fn on_visibility(changed: impl Fn() + 'static) {
    let listener = Closure::<dyn Fn()>::new(changed);
    if let Some(document) = document() {
        drop(document.add_event_listener_with_callback(
            "visibilitychange",
            listener.as_ref().unchecked_ref(),
        ));
    }
    listener.forget();
}

/// Whether the person's keyboard has a Command key.
pub fn is_mac() -> bool {
    web_sys::window()
        .and_then(|window| window.navigator().platform().ok())
        .is_some_and(|platform| platform.starts_with("Mac") || platform.starts_with("iP"))
}

/// Whether a media query holds now.
pub fn matches(query: &str) -> bool {
    web_sys::window()
        .and_then(|window| window.match_media(query).ok().flatten())
        .is_some_and(|list| list.matches())
}

/// Copies text. `false` when the browser does not let us.
pub async fn copy(text: &str) -> bool {
    let Some(window) = web_sys::window() else {
        return false;
    };
    JsFuture::from(window.navigator().clipboard().write_text(text))
        .await
        .is_ok()
}
