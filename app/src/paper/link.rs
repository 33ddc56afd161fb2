//! Where a link of a document leads. Anything that is not one of these is text.

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// Out of REX, in a tab of its own: `http`, `https` or `mailto`.
    Out(String),
    /// Another document of the workspace, perhaps at a heading.
    Document(String, Option<String>),
    /// A heading of the same document.
    Heading(String),
    /// Nowhere that may be clicked.
    Nowhere,
}

/// Reads a link of `document`, a workspace-relative path.
pub(super) fn target(href: &str, document: &str) -> Target {
    let href = href.trim();
    if let Some(heading) = href.strip_prefix('#') {
        return Target::Heading(unescaped(heading));
    }
    if let Some(scheme) = scheme(href) {
        return match scheme.to_ascii_lowercase().as_str() {
            "http" | "https" | "mailto" => Target::Out(href.to_owned()),
            _ => Target::Nowhere,
        };
    }
    let (path, heading) = match href.split_once('#') {
        Some((path, heading)) => (path, Some(unescaped(heading))),
        None => (href, None),
    };
    let path = path.split('?').next().unwrap_or_default();
    match beside(document, &unescaped(path)) {
        Some(path) => Target::Document(path, heading),
        None => Target::Nowhere,
    }
}

/// The workspace's file that an image of `document` shows; `None` is one of elsewhere.
pub(super) fn picture(src: &str, document: &str) -> Option<String> {
    match target(src, document) {
        Target::Document(path, _) => Some(path),
        Target::Out(_) | Target::Heading(_) | Target::Nowhere => None,
    }
}

/// The workspace-relative path that `path` names when it stands in `document`; `None` where it leads out.
///
/// A leading `/` is the workspace's root, as it is where repositories are shown.
fn beside(document: &str, path: &str) -> Option<String> {
    if path.is_empty() || path.starts_with("//") || path.contains(['\\', '\0']) {
        return None;
    }
    let mut parts: Vec<&str> = if path.starts_with('/') {
        Vec::new()
    } else {
        document.split('/').collect()
    };
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// The name a heading's text has in addresses: letters, digits, hyphens and underscores, spaces as hyphens.
pub(super) fn slug(heading: &str) -> String {
    heading
        .trim()
        .chars()
        .flat_map(char::to_lowercase)
        .filter_map(|char| match char {
            ' ' => Some('-'),
            '-' | '_' => Some(char),
            char => char.is_alphanumeric().then_some(char),
        })
        .collect()
}

/// The scheme of an absolute address.
fn scheme(href: &str) -> Option<&str> {
    let (scheme, _) = href.split_once(':')?;
    let good = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || matches!(char, '+' | '-' | '.'));
    good.then_some(scheme)
}

/// Undoes `%20` and its like; what is no escape, or no UTF-8, stays as it is.
fn unescaped(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escape = (bytes[at] == b'%')
            .then(|| text.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(escape.unwrap_or(bytes[at]));
        at += if escape.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_three_schemes_lead_out() {
        for out in [
            "https://example.com/#x",
            "HTTP://example.com",
            "mailto:a@example.com",
        ] {
            assert_eq!(target(out, "a.md"), Target::Out(out.to_owned()));
        }
        for nowhere in [
            "javascript:alert(1)",
            " javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "vscode://x",
            "//example.com/x",
            "\\\\host\\share",
            "",
        ] {
            assert_eq!(target(nowhere, "a.md"), Target::Nowhere, "{nowhere}");
        }
    }

    #[test]
    fn a_path_is_read_from_where_its_document_stands_and_never_leads_out_of_the_workspace() {
        let document = |path: &str, heading: Option<&str>| {
            Target::Document(path.to_owned(), heading.map(str::to_owned))
        };
        assert_eq!(target("api.md", "docs/a.md"), document("docs/api.md", None));
        assert_eq!(
            target("../a%20b.md?plain=1#Plans", "docs/a.md"),
            document("a b.md", Some("Plans"))
        );
        assert_eq!(target("/api.md", "docs/x/a.md"), document("api.md", None));
        assert_eq!(target("../../etc/passwd", "docs/a.md"), Target::Nowhere);
        assert_eq!(target("%2e%2e/%2e%2e/x", "docs/a.md"), Target::Nowhere);
    }

    #[test]
    fn only_an_image_of_the_workspace_is_fetched() {
        let here = Some("docs/a b.png".to_owned());
        assert_eq!(picture("a%20b.png", "docs/a.md"), here);
        for elsewhere in [
            "https://example.com/a.png",
            "//example.com/a.png",
            "data:image/png;base64,x",
        ] {
            assert_eq!(picture(elsewhere, "docs/a.md"), None, "{elsewhere}");
        }
    }

    #[test]
    fn a_heading_is_named_as_repositories_name_it() {
        assert_eq!(
            target("#changing-plan", "a.md"),
            Target::Heading("changing-plan".to_owned())
        );
        assert_eq!(
            slug("Changing plan: how & when?"),
            "changing-plan-how--when"
        );
        assert_eq!(slug("Über_Größe"), "über_größe");
    }
}
