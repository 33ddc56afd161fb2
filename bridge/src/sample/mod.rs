//! The sample review: three documents about one product that contradict each other, so that a new user has something
//! to point at. They are part of the binary and unpacked into a fresh folder.

use std::io;
use std::path::Path;

/// The document that is shown first.
pub const FIRST: &str = "pricing.md";

const DOCUMENTS: [(&str, &str); 3] = [
    (FIRST, include_str!("pricing.md")),
    ("components.md", include_str!("components.md")),
    ("api.md", include_str!("api.md")),
];

/// Writes the sample's documents into `folder`.
pub fn unpack(folder: &Path) -> io::Result<()> {
    for (name, text) in DOCUMENTS {
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(document: &str, sentence: &str) -> bool {
        let text = DOCUMENTS
            .iter()
            .find(|(name, _)| *name == document)
            .unwrap()
            .1;
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        words(text).contains(&words(sentence))
    }

    #[test]
    fn the_documents_contradict_each_other() {
        assert!(says(
            "pricing.md",
            "No plan is ever billed for more than its monthly price"
        ));
        assert!(says("components.md", "the overage is shown in euros"));
        assert!(says("api.md", "The API never stops serving."));
        assert!(says("pricing.md", "from the cache or not"));
        assert!(says("api.md", "Tiles that come from the cache are free"));
    }

    #[test]
    fn they_show_every_kind_of_block_that_a_review_meets() {
        for (name, text) in DOCUMENTS {
            for mark in ["\n| ", "\n- [ ] ", "\n- [x] ", "[^", "\n> [!", "\n```"] {
                assert!(text.contains(mark), "{name} has no {mark:?}");
            }
        }
        assert!(says("pricing.md", "$$ y = 10"));
    }
}
