//! A block's id: a hash of everything it shows.

use super::tree::{Block, Line, Node};

impl Block {
    /// Computes the id anew, from the source and from what the source alone does not say: where its links lead,
    /// its footnotes' numbers, its colours. Equal ids mean that nothing about the block changed on screen.
    ///
    /// A block without its content keeps its id.
    pub fn identify(&mut self) {
        let (Some(source), Some(node)) = (&self.source, &self.node) else {
            return;
        };
        let mut hasher = blake3::Hasher::new();
        // Blank lines below a block are not its content: text may be added after the last one.
        hasher.update(source.trim_end().as_bytes());
        add(&mut hasher, node);
        self.block_id = hasher.finalize().to_hex()[..32].to_owned();
    }
}

fn add(hasher: &mut blake3::Hasher, node: &Node) {
    // No text holds this byte, so that source and facts cannot run into one another.
    hasher.update(&[0xff, node.tag()]);
    match node {
        Node::Link { href, .. } => {
            hasher.update(href.as_bytes());
        }
        Node::Image { src, .. } => {
            hasher.update(src.as_bytes());
        }
        Node::FootnoteRef { number, .. } => {
            hasher.update(&number.to_le_bytes());
        }
        Node::CodeBlock { lines, .. } => add_colours(hasher, lines),
        _ => {}
    }
    for child in node.children() {
        add(hasher, child);
    }
}

fn add_colours(hasher: &mut blake3::Hasher, lines: &[Line]) {
    for run in lines.iter().flat_map(|line| &line.runs) {
        if let Some(class) = &run.class {
            hasher.update(class.as_bytes());
            hasher.update(&(run.text.len() as u64).to_le_bytes());
        }
    }
}
