//! The paper: the open document.

use leptos::prelude::*;

/// The open document.
#[component]
pub fn Paper() -> impl IntoView {}
