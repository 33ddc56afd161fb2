//! The card: one open thread.

use leptos::prelude::*;

/// The open thread.
#[component]
pub fn Card() -> impl IntoView {}
