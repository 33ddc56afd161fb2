//! How the tray and the margin say what they hold.

/// Such as `3 passages in 2 documents`.
pub(super) fn count<'a>(documents: impl IntoIterator<Item = &'a str>) -> String {
    let mut documents: Vec<_> = documents.into_iter().collect();
    let passages = documents.len();
    documents.sort_unstable();
    documents.dedup();
    format!(
        "{} in {}",
        some(passages, "passage"),
        some(documents.len(), "document")
    )
}

/// Such as `3 places`.
pub(in crate::paper) fn places_in_words(count: usize) -> String {
    some(count, "place")
}

fn some(count: usize, one: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {one}{s}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S66: the tray is named by how many passages the question will be about.
    #[test]
    fn the_tray_is_named_by_its_count() {
        assert_eq!(count(["a.md"]), "1 passage in 1 document");
        assert_eq!(count(["a.md", "b.md", "a.md"]), "3 passages in 2 documents");
    }
}
