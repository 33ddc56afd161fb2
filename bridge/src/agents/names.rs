//! Names that may stand in an argument list.

/// Whether a model's name can be read as nothing but a name: it begins with a letter or digit, so it is no option,
/// and holds nothing a path or a shell would act on.
pub(super) fn is_model(name: &str) -> bool {
    name.len() <= 128
        && name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.bytes().all(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b':' | b'/' | b'@' | b'-')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_name_cannot_be_an_option_a_text_or_a_command() {
        for good in ["claude-opus-5-5", "opus", "fake/fake-large", "a:b@c.d_e"] {
            assert!(is_model(good), "{good}");
        }
        let long = "x".repeat(129);
        for bad in [
            "", "--help", "-p", "a b", "a\nb", "a;b", "opus[1m]", "$(x)", "é", "a\0", &long,
        ] {
            assert!(!is_model(bad), "{bad:?}");
        }
    }
}
