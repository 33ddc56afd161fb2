//! What kind of refusal a provider's answer is.

use rex_shared::wire::message::RefusalClass;

/// By the HTTP status; without one, by words that only a network failure has.
pub(super) fn class(status: Option<u16>, words: &str) -> RefusalClass {
    match status {
        Some(401 | 403) => RefusalClass::Auth,
        Some(404) => RefusalClass::NotFound,
        Some(429) => RefusalClass::RateLimit,
        Some(503 | 529) => RefusalClass::Overloaded,
        Some(400..=499) => RefusalClass::BadRequest,
        Some(_) => RefusalClass::Other,
        None if is_network(words) => RefusalClass::Network,
        None => RefusalClass::Other,
    }
}

fn is_network(words: &str) -> bool {
    let words = words.to_ascii_lowercase();
    [
        "connection",
        "econnrefused",
        "econnreset",
        "enotfound",
        "network",
        "timed out",
        "unable to connect",
        "fetch failed",
    ]
    .iter()
    .any(|sign| words.contains(sign))
}

/// The first number in `words` that can be an HTTP status of a failure.
pub(super) fn status_in(words: &str) -> Option<u16> {
    words
        .split(|character: char| !character.is_ascii_alphanumeric())
        .filter(|word| word.len() == 3)
        .filter_map(|word| word.parse().ok())
        .find(|status| (400..600).contains(status))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_says_what_kind_of_refusal_it_is() {
        let expected = [
            (Some(529), RefusalClass::Overloaded),
            (Some(503), RefusalClass::Overloaded),
            (Some(429), RefusalClass::RateLimit),
            (Some(401), RefusalClass::Auth),
            (Some(400), RefusalClass::BadRequest),
            (Some(404), RefusalClass::NotFound),
            (Some(500), RefusalClass::Other),
        ];
        for (status, kind) in expected {
            assert_eq!(class(status, ""), kind, "{status:?}");
        }
        assert_eq!(
            class(None, "API Error: Connection refused"),
            RefusalClass::Network
        );
        assert_eq!(class(None, "something else"), RefusalClass::Other);
    }

    #[test]
    fn a_status_is_found_in_words_and_not_in_longer_numbers() {
        assert_eq!(status_in("API Error: 529 {\"x\"}"), Some(529));
        assert_eq!(status_in("took 4000 ms, code=429."), Some(429));
        assert_eq!(status_in("12400 tokens of 200"), None);
    }
}
