//! Headers that every answer carries, whoever made it.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// What the page may do. No inline script or style, nothing from elsewhere, no frame around it. The one Trusted Types
/// policy is `default`: Leptos puts the static parts of its views in through `<template>.innerHTML`, and the boot
/// script's strict default policy lets pass nothing else.
pub(super) const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
     img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'; trusted-types default";

const FIXED: [(HeaderName, &str); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (header::REFERRER_POLICY, "no-referrer"),
];

/// Puts them on. A handler may have set a content policy (a stricter one, for bytes of a document) or a cache rule of
/// its own (for the page's files); all else is data and not to be kept by the browser.
pub(super) fn protect(headers: &mut HeaderMap) {
    for (name, value) in FIXED {
        headers.insert(name, HeaderValue::from_static(value));
    }
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
}
