//! A document's blocks with colours and formulas.
//!
//! Code is coloured whole, for a line's colours depend on the lines above it. In Markdown every block stands for
//! itself, so its code and formulas are done when it is first asked for: the first page of a long document does not
//! wait for the rest.

use super::highlight::{MOST_CODE, Painter};
use super::{math, syntaxes};
use rex_shared::document::{Block, Format, MathMl, Node, parse};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::OnceLock;
use syntect::parsing::SyntaxReference;

/// The blocks of one version.
pub(super) struct Tree {
    blocks: Vec<Block>,
    painted: Vec<OnceLock<Block>>,
}

impl Tree {
    /// Parses a source. Takes a while for a big one: off the async threads.
    pub(super) fn new(format: Format, syntax: Option<&SyntaxReference>, source: &str) -> Self {
        let mut blocks = parse(format, source);
        if let Some(syntax) = syntax {
            paint_file(syntax, &mut blocks, source.len() <= MOST_CODE);
        }
        let painted = blocks.iter().map(|_| OnceLock::new()).collect();
        Self { blocks, painted }
    }

    /// How many blocks there are.
    pub(super) fn total(&self) -> usize {
        self.blocks.len()
    }

    /// The ids of all blocks.
    pub(super) fn ids(&self) -> HashSet<&str> {
        self.blocks
            .iter()
            .map(|block| block.block_id.as_str())
            .collect()
    }

    /// Some of the blocks, painted; a range beyond the end is cut.
    pub(super) fn page(&self, from: usize, count: usize) -> Vec<Block> {
        let from = from.min(self.total());
        let range = from..from.saturating_add(count).min(self.total());
        self.paint(range.clone());
        range
            .map(|at| self.painted[at].get().unwrap_or(&self.blocks[at]).clone())
            .collect()
    }

    fn paint(&self, range: Range<usize>) {
        let mut fresh: Vec<(usize, Block)> = range
            .filter(|at| self.painted[*at].get().is_none() && needs_paint(&self.blocks[*at]))
            .map(|at| (at, self.blocks[at].clone()))
            .collect();
        let mut formulas = Vec::new();
        for (_, block) in &mut fresh {
            if let Some(node) = &mut block.node {
                paint_fences(node);
                collect(node, &mut formulas);
            }
        }
        let mut converted = math::convert(&formulas).into_iter();
        for (at, mut block) in fresh {
            if let Some(node) = &mut block.node {
                fill(node, &mut converted);
            }
            // Somebody else may have been quicker with the same.
            drop(self.painted[at].set(block));
        }
    }
}

fn needs_paint(block: &Block) -> bool {
    fn any(node: &Node) -> bool {
        match node {
            Node::CodeBlock { language, lines } => {
                language.is_some()
                    && lines
                        .iter()
                        .flat_map(|line| &line.runs)
                        .all(|run| run.class.is_none())
            }
            Node::Math { .. } | Node::MathBlock { .. } => true,
            other => other.children().iter().any(any),
        }
    }
    block.node.as_ref().is_some_and(any)
}

fn paint_file(syntax: &SyntaxReference, blocks: &mut [Block], coloured: bool) {
    let mut painter = Painter::new(syntax);
    for block in blocks {
        if let Some(Node::CodeBlock { language, lines }) = &mut block.node {
            *language = Some(syntax.name.clone());
            if coloured {
                for line in lines {
                    painter.paint(line);
                }
            }
        }
        block.identify();
    }
}

fn paint_fences(node: &mut Node) {
    if let Node::CodeBlock { language, lines } = node {
        let bytes: usize = lines
            .iter()
            .map(|line| (line.at.end - line.at.start) as usize)
            .sum();
        let syntax = language.as_deref().and_then(syntaxes::of_word);
        if let Some(syntax) = syntax.filter(|_| bytes <= MOST_CODE) {
            let mut painter = Painter::new(syntax);
            for line in lines {
                painter.paint(line);
            }
        }
    }
    node.children_mut().iter_mut().for_each(paint_fences);
}

fn collect(node: &Node, formulas: &mut Vec<(String, bool)>) {
    match node {
        Node::Math { text, .. } => formulas.push((text.clone(), false)),
        Node::MathBlock { text, .. } => formulas.push((text.clone(), true)),
        _ => {}
    }
    for child in node.children() {
        collect(child, formulas);
    }
}

fn fill(node: &mut Node, converted: &mut impl Iterator<Item = Option<MathMl>>) {
    if let Node::Math { mathml, .. } | Node::MathBlock { mathml, .. } = node {
        *mathml = converted.next().flatten();
    }
    for child in node.children_mut() {
        fill(child, converted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_and_formulas_are_done_when_their_page_is_asked_for() {
        let source = "# A\n\n```rust\nfn a() {}\n```\n\nso $x^2$ is\n\n$$y$$\n";
        let tree = Tree::new(Format::Markdown, None, source);
        assert_eq!(tree.total(), 4);
        assert_eq!(tree.page(0, 1), tree.blocks[..1]);
        assert!(tree.painted.iter().all(|block| block.get().is_none()));
        let page = tree.page(1, 200);
        assert_eq!(page.len(), 3);
        let json = serde_json::to_string(&page).unwrap();
        assert!(json.contains(r#""class":"keyword""#), "{json}");
        assert_eq!(json.matches(r#""name":"math""#).count(), 2, "{json}");
        assert_eq!(tree.page(9, 9), []);
        // Colours of a fence say nothing that its source does not: the id stays.
        assert_eq!(page[0].block_id, tree.blocks[1].block_id);
    }

    #[test]
    fn a_comment_opened_above_changes_the_ids_of_the_code_below() {
        let syntax = syntaxes::of_word("rust");
        let ids = |source: &str| -> Vec<String> {
            let tree = Tree::new(Format::Code, syntax, source);
            tree.blocks
                .iter()
                .map(|block| block.block_id.clone())
                .collect()
        };
        let before = ids("let a = 1;\n\nlet b = 2;\n");
        let after = ids("/*\n\nlet b = 2;\n");
        assert_ne!(before[1], after[1]);
        assert_eq!(before[1], ids("let c = 3;\n\nlet b = 2;\n")[1]);
    }
}
