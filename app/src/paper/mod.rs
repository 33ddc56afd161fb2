//! The paper: the open document.

pub mod keep;
pub mod link;
pub mod marks;
pub mod pages;
pub mod picking;

use leptos::prelude::*;

/// The open document.
#[component]
pub fn Paper() -> impl IntoView {}
