//! An agent's answer while it grows: Markdown that settles block by block.
//!
//! Reading the whole text again for every piece of it costs time in the square of its length. Markdown's blocks are
//! decided line by line, and more text changes only what stands at the end: the last block, and the one before it
//! while the last line is unfinished (`***` is a rule until `***b` makes it part of the paragraph above). So all but
//! the last two blocks are settled: they are kept as they are, and only the text behind them is read again.
//!
//! Definitions (`[a]: /url`, `[^1]: …`) break this, for they give a meaning to text far above them. A text that may
//! hold one is read once more as a whole when it is finished, so that what is shown in the end is always what
//! reading the finished text at once gives.

use crate::document::{Block, parse_piece};
use std::sync::Arc;

/// How many blocks at the end more text may still change.
const OPEN_BLOCKS: usize = 2;

/// A text that grows, and its blocks.
#[derive(Debug, Clone, Default)]
pub struct Settling {
    text: String,
    blocks: Vec<Arc<Block>>,
    settled: usize,
    /// First byte of the text that is read again.
    tail: usize,
    /// Whether the text may hold a definition.
    defines: bool,
}

impl Settling {
    /// The blocks of the text so far, in order. Settled ones are the same `Arc` from one reading to the next.
    pub fn blocks(&self) -> &[Arc<Block>] {
        &self.blocks
    }

    /// How many bytes the next reading will read at least.
    pub fn tail_len(&self) -> usize {
        self.text.len() - self.tail
    }

    /// Takes the text as it is now. A text that goes on from the last one costs only its tail; any other is read anew.
    pub fn show(&mut self, text: &str, finished: bool) {
        let Some(more) = text.strip_prefix(self.text.as_str()) else {
            *self = Self::default();
            return self.show(text, finished);
        };
        // A definition's `]:` may have come in two pieces.
        self.defines |= more.contains("]:") || (more.starts_with(':') && self.text.ends_with(']'));
        self.text.push_str(more);
        if finished && self.defines {
            self.settled = 0;
            self.tail = 0;
        }
        self.read_tail();
    }

    fn read_tail(&mut self) {
        self.blocks.truncate(self.settled);
        let shift = u32::try_from(self.tail).unwrap_or(u32::MAX);
        let read = parse_piece(&self.text[self.tail..]);
        self.blocks.extend(read.into_iter().map(|mut block| {
            block.start += shift;
            block.end += shift;
            Arc::new(block)
        }));
        // The indentation of an indented block stands in the block before it, so text is only cut where there is none.
        let cut = (self.settled + 1..=self.blocks.len().saturating_sub(OPEN_BLOCKS))
            .rev()
            .find(|at| self.begins_a_line(*at));
        if let Some(cut) = cut {
            self.settled = cut;
            self.tail = self.blocks[cut].start as usize;
        }
    }

    fn begins_a_line(&self, block: usize) -> bool {
        let start = self.blocks[block].start as usize;
        self.text[..start].ends_with('\n')
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(blocks: &[Arc<Block>]) -> Vec<Block> {
        blocks.iter().map(|block| (**block).clone()).collect()
    }

    fn grown(pieces: &[String]) -> Settling {
        let mut settling = Settling::default();
        let mut text = String::new();
        for piece in pieces {
            text += piece;
            settling.show(&text, false);
        }
        settling.show(&text, true);
        settling
    }

    #[test]
    fn a_block_that_more_text_cannot_change_is_never_read_again() {
        let mut settling = Settling::default();
        settling.show("One.\n\nTwo.\n\nThr", false);
        let first = Arc::clone(&settling.blocks()[0]);
        settling.show("One.\n\nTwo.\n\nThree, and more.", false);
        assert!(Arc::ptr_eq(&first, &settling.blocks()[0]));
        assert_eq!(settling.tail_len(), "Two.\n\nThree, and more.".len());
    }

    #[test]
    fn a_definition_at_the_end_reaches_the_link_at_the_beginning() {
        let text = "See [the plan][p].\n\nTwo.\n\nThree.\n\n[p]: /plan.md\n";
        let pieces: Vec<String> = text.chars().map(String::from).collect();
        assert_eq!(plain(grown(&pieces).blocks()), parse_piece(text));
    }

    #[test]
    fn a_text_that_does_not_go_on_from_the_last_one_is_read_anew() {
        let mut settling = Settling::default();
        settling.show("One.\n\nTwo.\n\nThree.", false);
        settling.show("Another.", true);
        assert_eq!(plain(settling.blocks()), parse_piece("Another."));
    }

    #[test]
    fn the_work_grows_with_the_text_and_not_with_its_square() {
        let paragraph = "The table bills what comes after the limit.\n\n";
        let mut settling = Settling::default();
        let mut text = String::new();
        for _ in 0..1_000 {
            text += paragraph;
            settling.show(&text, false);
            assert!(settling.tail_len() <= 2 * paragraph.len());
        }
        assert_eq!(settling.blocks().len(), 1_000);
    }

    /// Lines that begin, go on and end every kind of block, also where they do not belong.
    fn line() -> impl Strategy<Value = String> {
        prop::sample::select(vec![
            "",
            "",
            "",
            "word and *more*",
            "  two in",
            "    four in",
            "- item",
            "  - deeper",
            "* star",
            "1. one",
            "2) two",
            "- [ ] task",
            "> quoted",
            "> - quoted item",
            "> ```",
            "> [!NOTE]",
            "```",
            "```rust",
            "~~~",
            "  ```",
            "- ```",
            "# Head",
            "===",
            "---",
            "***",
            "| a | b |",
            "|---|---|",
            "<div>",
            "</div>",
            "<!--",
            "-->",
            "<pre>",
            "</pre>",
            "<b>x</b>",
            "$$",
            "x $a_1$ y",
            "`code",
            "**bold",
            "\\",
            "[^1]",
            "[a]",
            "a  ",
            "\t tab",
            "&amp;",
            "\u{e9}\u{1F600}",
        ])
        .prop_map(str::to_owned)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn what_is_shown_is_at_every_moment_what_reading_it_at_once_gives(
            lines in prop::collection::vec(line(), 0..14),
            ends in prop::sample::select(vec!["\n", "\r\n"]),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..10),
        ) {
            let text = lines.join(ends);
            let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).filter(|at| text.is_char_boundary(*at)).collect();
            at.sort_unstable();
            at.push(text.len());
            let mut settling = Settling::default();
            for end in at {
                settling.show(&text[..end], false);
                prop_assert_eq!(plain(settling.blocks()), parse_piece(&text[..end]));
            }
            settling.show(&text, true);
            prop_assert_eq!(plain(settling.blocks()), parse_piece(&text));
        }

        #[test]
        fn a_finished_text_with_definitions_is_shown_as_if_read_at_once(
            lines in prop::collection::vec(prop_oneof![3 => line(), 1 => Just("[a]: /url".to_owned()), 1 => Just("[^1]: foot".to_owned())], 0..14),
            size in 1..9_usize,
        ) {
            let text = lines.join("\n");
            let pieces: Vec<String> = text.chars().collect::<Vec<_>>().chunks(size).map(|piece| piece.iter().collect()).collect();
            prop_assert_eq!(plain(grown(&pieces).blocks()), parse_piece(&text));
        }
    }
}
