//! Documents and their edits from a seed, with where every sentence went.
//!
//! A tenth of the sentences are twins: their text stands several times. The edits are those of people: words
//! replaced, put in and taken out, sentences deleted, written and swapped, paragraphs moved.

use std::ops::Range;

/// A pair of texts with places and where they belong.
pub(crate) struct Generated {
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) anchors: Vec<Truth>,
}

/// A place in `before` and its true place in `after`.
pub(crate) struct Truth {
    pub(crate) selected: Range<usize>,
    pub(crate) expected: Option<Range<usize>>,
}

/// Numbers from a seed (xorshift64*).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit.max(1)
    }

    /// Small numbers are much likelier than large ones, as common words are.
    fn skewed(&mut self, limit: usize) -> usize {
        let ceiling = self.below(limit) + 1;
        let ceiling = self.below(ceiling) + 1;
        self.below(ceiling)
    }
}

#[derive(Clone)]
struct Sentence {
    /// Stays through edits; a new sentence has a new one.
    id: usize,
    words: Vec<String>,
}

#[derive(Clone)]
enum Block {
    Heading(Sentence),
    Paragraph(Vec<Sentence>),
}

impl Block {
    fn sentences(&self) -> &[Sentence] {
        match self {
            Self::Heading(title) => std::slice::from_ref(title),
            Self::Paragraph(sentences) => sentences,
        }
    }
}

struct Writer {
    dice: Dice,
    vocabulary: Vec<String>,
    twins: Vec<Vec<String>>,
    next: usize,
}

impl Writer {
    fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let syllables = [
            "ka", "lo", "mi", "ter", "sun", "ve", "rin", "do", "pal", "eth", "gor", "li", "ha",
            "bes",
        ];
        let word = |dice: &mut Dice| -> String {
            let length = 1 + dice.below(3);
            (0..=length)
                .map(|_| syllables[dice.below(syllables.len())])
                .collect()
        };
        let vocabulary: Vec<String> = (0..4_000).map(|_| word(&mut dice)).collect();
        let mut writer = Self {
            dice,
            vocabulary,
            twins: Vec::new(),
            next: 0,
        };
        writer.twins = (0..40).map(|_| writer.words()).collect();
        writer
    }

    fn word(&mut self) -> String {
        let at = self.dice.skewed(self.vocabulary.len());
        self.vocabulary[at].clone()
    }

    fn words(&mut self) -> Vec<String> {
        let length = 6 + self.dice.below(14);
        (0..length).map(|_| self.word()).collect()
    }

    fn sentence(&mut self) -> Sentence {
        let words = if self.dice.below(10) == 0 {
            let at = self.dice.below(self.twins.len());
            self.twins[at].clone()
        } else {
            self.words()
        };
        self.next += 1;
        Sentence {
            id: self.next,
            words,
        }
    }

    fn block(&mut self) -> Block {
        if self.dice.below(6) == 0 {
            let mut title = self.sentence();
            title.words.truncate(4);
            return Block::Heading(title);
        }
        let count = 2 + self.dice.below(5);
        Block::Paragraph((0..count).map(|_| self.sentence()).collect())
    }

    fn edit(&mut self, blocks: &mut Vec<Block>) {
        let at = self.dice.below(blocks.len());
        let kind = self.dice.below(20);
        if kind == 0 {
            let block = blocks.remove(at);
            let to = self.dice.below(blocks.len() + 1);
            blocks.insert(to, block);
            return;
        }
        let Block::Paragraph(sentences) = &mut blocks[at] else {
            return;
        };
        let which = self.dice.below(sentences.len());
        match kind {
            1..=3 if sentences.len() > 1 => {
                sentences.remove(which);
            }
            4..=6 => {
                let new = self.sentence();
                sentences.insert(which, new);
            }
            7 if which > 0 => sentences.swap(which, which - 1),
            8..=11 => {
                let word = self.word();
                let words = &mut sentences[which].words;
                let into = self.dice.below(words.len());
                words.insert(into, word);
            }
            12..=13 if sentences[which].words.len() > 4 => {
                let words = &mut sentences[which].words;
                words.remove(self.dice.below(words.len()));
            }
            _ => {
                let word = self.word();
                let words = &mut sentences[which].words;
                let into = self.dice.below(words.len());
                words[into] = word;
            }
        }
    }
}

/// The text, and where each sentence stands in it.
fn render(blocks: &[Block]) -> (String, Vec<(usize, Range<usize>)>) {
    let mut text = String::new();
    let mut places = Vec::new();
    for block in blocks {
        if matches!(block, Block::Heading(_)) {
            text.push_str("## ");
        }
        for (nth, sentence) in block.sentences().iter().enumerate() {
            if nth > 0 {
                text.push(if nth % 2 == 0 { '\n' } else { ' ' });
            }
            let start = text.len();
            let joined = sentence.words.join(" ");
            text.push_str(&joined[..1].to_uppercase());
            text.push_str(&joined[1..]);
            if matches!(block, Block::Paragraph(_)) {
                text.push('.');
            }
            places.push((sentence.id, start..text.len()));
        }
        text.push_str("\n\n");
    }
    (text, places)
}

/// A document of at least `size` bytes, `edits` edits of it and `anchors` places.
pub(crate) fn generate(seed: u64, size: usize, anchors: usize, edits: usize) -> Generated {
    let mut writer = Writer::new(seed);
    let mut blocks = Vec::new();
    let mut length = 0;
    while length < size {
        let block = writer.block();
        let sentences = block.sentences().iter();
        length += sentences
            .map(|s| s.words.iter().map(|word| word.len() + 1).sum::<usize>() + 2)
            .sum::<usize>();
        blocks.push(block);
    }
    let (before, places) = render(&blocks);
    for _ in 0..edits {
        writer.edit(&mut blocks);
    }
    let (after, mut now) = render(&blocks);
    now.sort_by_key(|(id, _)| *id);
    let anchors = (0..anchors)
        .map(|_| {
            let (id, selected) = &places[writer.dice.below(places.len())];
            let found = now.binary_search_by_key(id, |(id, _)| *id);
            Truth {
                selected: selected.clone(),
                expected: found.ok().map(|at| now[at].1.clone()),
            }
        })
        .collect();
    Generated {
        before,
        after,
        anchors,
    }
}
