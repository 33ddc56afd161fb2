//! The blocks of the open document that have come so far, and what they become when it changes.

use rex_shared::document::reading::{Body, Readable};
use rex_shared::document::{Block, Format, ReadOnly};
use rex_shared::ids::Version;
use rex_shared::wire::document::Document;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::sync::Arc;

/// Blocks asked for at a time.
pub(super) const PAGE: u32 = 200;

/// A block on the paper.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// The block's id and how many equal ones stand above it: what stays the same keeps its elements.
    pub key: String,
    /// The number of its first line, from 1.
    pub first_line: u32,
    /// The block.
    pub readable: Readable,
}

impl Borrow<Readable> for Shown {
    fn borrow(&self) -> &Readable {
        &self.readable
    }
}

/// A document, as far as it has come.
#[derive(Debug, Clone, PartialEq)]
pub struct Pages {
    /// Workspace-relative path.
    pub document: String,
    /// The version all blocks are of.
    pub version: Version,
    /// How its characters are to be read.
    pub format: Format,
    /// Why it cannot be written, if so.
    pub read_only: Option<ReadOnly>,
    /// Number of blocks of the whole document.
    pub total: usize,
    /// The first ones of them, without a hole.
    pub blocks: Vec<Shown>,
    equal: HashMap<String, u32>,
    next_line: u32,
}

impl Pages {
    /// Begins with the first page. `before` is what was shown of the same document: blocks that the bridge left out
    /// because they are known come from there. `None` where one of them is not.
    pub fn begin(page: Document, before: Option<&Self>) -> Option<Self> {
        let mut pages = Self {
            document: page.document,
            version: page.version,
            format: page.format,
            read_only: page.read_only,
            total: page.total as usize,
            blocks: Vec::new(),
            equal: HashMap::new(),
            next_line: 1,
        };
        (page.from == 0).then_some(())?;
        pages.take(page.blocks, before)?;
        Some(pages)
    }

    /// Adds the next page. `None` where it does not join: the document changed in between and must be read anew.
    pub fn go_on(&mut self, page: Document, before: Option<&Self>) -> Option<()> {
        let joins = page.version == self.version && page.from as usize == self.blocks.len();
        joins.then_some(())?;
        self.take(page.blocks, before)
    }

    /// Whether all of it is here.
    pub fn is_whole(&self) -> bool {
        self.blocks.len() >= self.total
    }

    /// The index of a block.
    pub fn find(&self, key: &str) -> Option<usize> {
        self.blocks.iter().position(|shown| shown.key == key)
    }

    /// The number of lines, once all of them are here.
    pub fn lines(&self) -> Option<u32> {
        self.is_whole().then_some(self.next_line.saturating_sub(1))
    }

    fn take(&mut self, blocks: Vec<Block>, before: Option<&Self>) -> Option<()> {
        let known: HashMap<&str, &Arc<Body>> = before
            .into_iter()
            .flat_map(|before| &before.blocks)
            .map(|shown| (shown.readable.block_id.as_str(), &shown.readable.body))
            .collect();
        for block in blocks {
            let readable = Readable::new(block, |id| known.get(id).map(|body| Arc::clone(body)))?;
            let equal = self.equal.entry(readable.block_id.clone()).or_default();
            let key = format!("{}.{equal}", readable.block_id);
            *equal += 1;
            let first_line = self.next_line;
            self.next_line += lines_in(&readable.body.source);
            self.blocks.push(Shown {
                key,
                first_line,
                readable,
            });
        }
        Some(())
    }
}

/// Line ends in a text.
pub(super) fn lines_in(source: &str) -> u32 {
    let ends = source.bytes().filter(|byte| *byte == b'\n').count();
    u32::try_from(ends).unwrap_or(u32::MAX)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use rex_shared::document::{Node, Span};

    pub(in crate::paper) fn version(digit: char) -> Version {
        Version::parse(&digit.to_string().repeat(64)).unwrap()
    }

    /// A document of one paragraph a text.
    pub(in crate::paper) fn document(digit: char, texts: &[&str]) -> Document {
        let mut start = 0;
        let blocks = texts.iter().map(|text| {
            let source = format!("{text}\n\n");
            let end = start + source.len() as u32;
            let node = Node::Paragraph {
                children: vec![Node::Text {
                    text: (*text).to_owned(),
                    at: Span::from((0, text.len() as u32)),
                    atom: false,
                }],
            };
            let block = Block {
                block_id: format!("id-{text}"),
                start,
                end,
                source: Some(source),
                node: Some(node),
            };
            start = end;
            block
        });
        Document {
            document: "pricing.md".to_owned(),
            version: version(digit),
            format: Format::Markdown,
            read_only: None,
            total: texts.len() as u32,
            from: 0,
            blocks: blocks.collect(),
            places: Vec::new(),
        }
    }

    #[test]
    fn equal_blocks_are_told_apart_by_how_many_stand_above() {
        let pages = Pages::begin(document('a', &["x", "y", "x"]), None).unwrap();
        let keys: Vec<_> = pages
            .blocks
            .iter()
            .map(|shown| shown.key.as_str())
            .collect();
        assert_eq!(keys, ["id-x.0", "id-y.0", "id-x.1"]);
        assert_eq!(pages.blocks[2].first_line, 5);
        assert_eq!(pages.lines(), Some(6));
    }

    /// S5: what an edit left alone keeps its key and its very body, so that its elements stay.
    #[test]
    fn a_block_that_the_bridge_left_out_is_the_one_shown_before() {
        let before = Pages::begin(document('a', &["one", "two"]), None).unwrap();
        let mut changed = document('b', &["new", "one", "two"]);
        for block in &mut changed.blocks[1..] {
            block.node = None;
            block.source = None;
        }
        assert!(
            Pages::begin(changed.clone(), None).is_none(),
            "nothing to take it from"
        );
        let after = Pages::begin(changed, Some(&before)).unwrap();
        assert_eq!(after.blocks[1].key, before.blocks[0].key);
        assert!(Arc::ptr_eq(
            &after.blocks[1].readable.body,
            &before.blocks[0].readable.body
        ));
        assert_eq!(
            after.blocks[1].readable.start, 5,
            "though it stands elsewhere"
        );
    }

    #[test]
    fn a_page_of_another_version_does_not_join() {
        let mut pages = Pages::begin(document('a', &["one"]), None).unwrap();
        let mut next = document('b', &["two"]);
        next.from = 1;
        assert_eq!(pages.go_on(next.clone(), None), None);
        next.version = version('a');
        assert_eq!(pages.go_on(next, None), Some(()));
        assert_eq!(pages.blocks.len(), 2);
    }
}
