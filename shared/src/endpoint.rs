//! What may stand in a gateway and in the choice of a model, for it later reaches a program's arguments or environment.
//!
//! Rules over text, used by the form that asks for it and by the bridge that stores it.

/// Bytes of an address or a path; longer ones are mistakes.
const LONGEST: usize = 500;

/// Whether `text` can be a model's name: it can never be read as an option, a path above or a second argument.
pub fn is_model(text: &str) -> bool {
    text.len() <= 128
        && text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._:/@-".contains(&byte))
}

/// Whether `text` is an http or https address of an endpoint. One with a name or password in it is none: a secret
/// stands where the key's reference says, never in an address.
pub fn is_base_url(text: &str) -> bool {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    let Some(rest) = rest else {
        return false;
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority
        .rsplit_once(':')
        .map_or(authority, |(host, _)| host);
    text.len() <= LONGEST
        && !host.is_empty()
        && !authority.contains('@')
        && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Whether `text` says where a key stands: `env:NAME` or `file:` and an absolute path.
pub fn is_key_ref(text: &str) -> bool {
    if let Some(name) = text.strip_prefix("env:") {
        return name.len() <= LONGEST
            && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    }
    text.strip_prefix("file:").is_some_and(|path| {
        path.len() <= LONGEST && path.starts_with('/') && !path.contains(char::is_control)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_one_plain_word() {
        for good in ["opus", "gpt-5.2", "anthropic/claude@2026", "qwen3:32b", "a"] {
            assert!(is_model(good), "{good}");
        }
        let long = "m".repeat(129);
        for bad in [
            "", "-p", "--model", "a b", "../x", "a\n", "modèle", "/abs", &long,
        ] {
            assert!(!is_model(bad), "{bad}");
        }
    }

    #[test]
    fn an_address_is_http_and_carries_no_secret() {
        for good in [
            "http://localhost:4000",
            "https://gateway.example/v1?region=eu",
            "http://[::1]:4000/v1",
        ] {
            assert!(is_base_url(good), "{good}");
        }
        for bad in [
            "",
            "localhost:4000",
            "ftp://x",
            "http://",
            "https:///v1",
            "http://:80",
            "http://me:secret@host",
            "http://a b",
            "http://host/\u{7}",
            "javascript:alert(1)",
        ] {
            assert!(!is_base_url(bad), "{bad}");
        }
    }

    #[test]
    fn a_key_is_named_and_never_given() {
        for good in ["env:LITELLM_KEY", "env:_k", "file:/home/me/.keys/litellm"] {
            assert!(is_key_ref(good), "{good}");
        }
        for bad in [
            "",
            "sk-12345",
            "env:",
            "env:A-B",
            "env:1A",
            "file:",
            "file:keys",
            "file:/a\0b",
        ] {
            assert!(!is_key_ref(bad), "{bad}");
        }
    }
}
