//! A gateway's address and key, as each program wants them.
//!
//! People write an address with the interface's version or without it, and programs differ in which they expect: one
//! gateway serves several of them, so both are understood.

use super::seam::{Secret, Turn};
use crate::processes::Environment;
use std::ffi::OsString;

/// The variable that a program is told to find the key in: never on its command line or in a file, which others can
/// read.
pub(super) const KEY_VARIABLE: &str = "GATEWAY_KEY";

/// That variable, when there is a key.
pub(super) fn key(turn: &Turn) -> Option<(String, OsString)> {
    let key = turn.key.as_ref()?;
    Some((KEY_VARIABLE.to_owned(), key.reveal().into()))
}

/// The key that stands where a gateway says: `env:NAME` or `file:PATH`.
pub fn gateway_key(environment: &Environment, key_ref: &str) -> Option<Secret> {
    let key = match key_ref.split_once(':')? {
        ("env", name) => environment.get(name)?.to_str()?.to_owned(),
        ("file", path) => std::fs::read_to_string(path).ok()?.trim().to_owned(),
        _ => return None,
    };
    Some(Secret::new(key))
}

/// The address up to the version, for programs that put it there themselves.
pub(super) fn without_version(base_url: &str) -> &str {
    let address = base_url.trim_end_matches('/');
    match address.rsplit_once('/') {
        Some((before, last)) if is_version(last) => before,
        _ => address,
    }
}

/// The address with a version: its own, or the first.
pub(super) fn with_version(base_url: &str) -> String {
    let address = base_url.trim_end_matches('/');
    match address.rsplit_once('/') {
        Some((_, last)) if is_version(last) => address.to_owned(),
        _ => format!("{address}/v1"),
    }
}

fn is_version(word: &str) -> bool {
    word.strip_prefix('v')
        .is_some_and(|number| number.starts_with(|first: char| first.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_understood_with_and_without_its_version() {
        for (written, without, with) in [
            ("http://a:1", "http://a:1", "http://a:1/v1"),
            ("http://a:1/", "http://a:1", "http://a:1/v1"),
            ("http://a:1/v1", "http://a:1", "http://a:1/v1"),
            ("https://a/x/v1beta/", "https://a/x", "https://a/x/v1beta"),
            (
                "https://a/vendor",
                "https://a/vendor",
                "https://a/vendor/v1",
            ),
        ] {
            assert_eq!(without_version(written), without, "{written}");
            assert_eq!(with_version(written), with, "{written}");
        }
    }
}
