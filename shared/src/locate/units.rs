//! A version of a document as units: sentences, headings, table rows, lines of code.
//!
//! Both versions are cut alike, so a wrong cut (after "approx." say) is wrong on both sides and does no harm.

use super::lexicon::{Lexicon, Word};
use super::pieces::Pieces;
use super::tokens;
use std::ops::Range;

/// No unit, no link: an index that is none.
pub(super) const NONE: u32 = u32::MAX;

/// A word at its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    /// First byte in the source.
    pub(super) start: u32,
    /// One past the last byte.
    pub(super) end: u32,
    /// Which word.
    pub(super) word: Word,
}

/// What a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A sentence, or a part of one that stands alone.
    Prose,
    /// A heading of this level.
    Heading(u8),
    /// A table row.
    Row {
        /// It names the columns.
        header: bool,
    },
    /// A line of code, plain text or front matter.
    Line,
}

impl Form {
    /// Whether units of these forms can be versions of one another without a doubt about it.
    pub(super) fn is_like(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

/// The smallest piece that is matched as a whole.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    /// Indices of its tokens; units tile the tokens.
    pub(super) tokens: Range<u32>,
    /// Equal for units that read the same.
    pub(super) key: u64,
    /// What it is.
    pub(super) form: Form,
    /// The heading, or the line of code that encloses it.
    pub(super) parent: u32,
    /// Number of the list, table, code block or paragraph it is in.
    pub(super) block: u32,
}

impl Unit {
    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }
}

/// An image of the source.
#[derive(Debug)]
pub(super) struct Image {
    /// The whole `![…](…)`.
    pub(super) source: Range<u32>,
    /// Where it leads.
    pub(super) target: String,
}

/// A table row's cells.
#[derive(Debug)]
pub(super) struct Row {
    /// The row's unit.
    pub(super) unit: u32,
    /// Tokens of each cell; none for an empty one.
    pub(super) cells: Vec<Range<u32>>,
}

/// A version of a document, cut.
#[derive(Debug, Default)]
pub(super) struct Units {
    pub(super) tokens: Vec<Token>,
    pub(super) units: Vec<Unit>,
    /// Inline elements: their tokens, and the element with its marks in the source. By first token.
    pub(super) marks: Vec<(Range<u32>, Range<u32>)>,
    pub(super) images: Vec<Image>,
    pub(super) rows: Vec<Row>,
}

impl Units {
    /// Index of the unit that holds a token.
    pub(super) fn unit_of(&self, token: u32) -> u32 {
        index(self.units.partition_point(|unit| unit.tokens.end <= token))
    }

    /// The tokens that a range of the source touches.
    pub(super) fn tokens_in(&self, range: &Range<usize>) -> Range<u32> {
        let start = self
            .tokens
            .partition_point(|token| token.end as usize <= range.start);
        let end = self
            .tokens
            .partition_point(|token| (token.start as usize) < range.end);
        index(start)..index(end.max(start))
    }

    /// The inline elements, with their marks, all of whose tokens are among some.
    pub(super) fn marks_in(&self, tokens: &Range<u32>) -> impl Iterator<Item = Range<usize>> {
        let first = self
            .marks
            .partition_point(|(inside, _)| inside.start < tokens.start);
        let end = tokens.end;
        self.marks[first..]
            .iter()
            .take_while(move |(inside, _)| inside.start < end)
            .filter(move |(inside, _)| inside.end <= end)
            .map(|(_, source)| source.start as usize..source.end as usize)
    }

    pub(super) fn slice(&self, tokens: &Range<u32>) -> &[Token] {
        &self.tokens[tokens.start as usize..tokens.end as usize]
    }

    pub(super) fn unit(&self, at: u32) -> &Unit {
        &self.units[at as usize]
    }

    /// The tokens of several neighbouring units.
    pub(super) fn tokens_of(&self, units: &Range<u32>) -> Range<u32> {
        match (
            self.units.get(units.start as usize),
            units
                .end
                .checked_sub(1)
                .and_then(|last| self.units.get(last as usize)),
        ) {
            (Some(first), Some(last)) => first.tokens.start..last.tokens.end,
            _ => 0..0,
        }
    }

    /// The units under a heading, itself included: up to the next heading that is not below it.
    pub(super) fn section(&self, heading: u32) -> Range<u32> {
        let Form::Heading(level) = self.unit(heading).form else {
            return heading..heading + 1;
        };
        let inside = self.units[heading as usize + 1..]
            .iter()
            .take_while(|unit| !matches!(unit.form, Form::Heading(other) if other <= level))
            .count();
        heading..heading + 1 + index(inside)
    }
}

/// An index as it is stored; texts are far smaller than its limit.
pub(super) fn index(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(NONE)
}

/// Takes reading text as it comes and keeps the units.
#[derive(Debug)]
pub(super) struct Collector<'l> {
    lexicon: &'l mut Lexicon,
    pub(super) pieces: Pieces,
    pub(super) out: Units,
    /// Ends of the cells of the row being read, in bytes of its text.
    cell_ends: Vec<usize>,
    /// Enclosing headings or lines, innermost last: (depth, unit).
    parents: Vec<(usize, u32)>,
    pub(super) block: u32,
    cuts: Vec<tokens::Cut>,
}

impl<'l> Collector<'l> {
    pub(super) fn new(lexicon: &'l mut Lexicon) -> Self {
        Self {
            lexicon,
            pieces: Pieces::default(),
            out: Units::default(),
            cell_ends: Vec::new(),
            parents: Vec::new(),
            block: 0,
            cuts: Vec::new(),
        }
    }

    pub(super) fn end_cell(&mut self) {
        self.cell_ends.push(self.pieces.text.len());
        self.pieces.space();
    }

    /// The text so far is a unit, or for prose as many as it has sentences.
    pub(super) fn flush(&mut self, form: Form) {
        let mut cuts = std::mem::take(&mut self.cuts);
        cuts.clear();
        tokens::cut(&self.pieces.text, |cut| cuts.push(cut));
        if !cuts.is_empty() {
            let first = self.out.tokens.len();
            self.take_tokens(&cuts);
            self.take_marks(&cuts, first);
            let mut from = 0;
            if form == Form::Prose {
                for end in sentence_ends(&self.pieces.text, &cuts) {
                    self.take_unit(form, first + from..first + end);
                    from = end;
                }
            }
            self.take_unit(form, first + from..first + cuts.len());
            if matches!(form, Form::Row { .. }) {
                self.take_cells(&cuts, first);
            }
        }
        self.cell_ends.clear();
        self.pieces.clear();
        self.cuts = cuts;
    }

    /// The next unit is a heading, or a line that is indented as far as `depth`.
    pub(super) fn indent(&mut self, depth: usize) {
        while self
            .parents
            .last()
            .is_some_and(|(other, _)| *other >= depth)
        {
            self.parents.pop();
        }
        self.parents.push((depth, index(self.out.units.len())));
    }

    fn take_tokens(&mut self, cuts: &[tokens::Cut]) {
        let mut piece = 0;
        for cut in cuts {
            let source = self.pieces.source_of(&cut.bytes, &mut piece);
            let word = self.lexicon.word(&self.pieces.text[cut.bytes.clone()]);
            self.out.tokens.push(Token {
                start: source.start,
                end: source.end,
                word,
            });
        }
    }

    fn take_marks(&mut self, cuts: &[tokens::Cut], first: usize) {
        let earlier = self.out.marks.len();
        for (bytes, source) in &self.pieces.marks {
            let start = cuts.partition_point(|cut| cut.bytes.end <= bytes.start);
            let end = cuts.partition_point(|cut| cut.bytes.start < bytes.end);
            if start < end {
                let tokens = index(first + start)..index(first + end);
                self.out.marks.push((tokens, source.clone()));
            }
        }
        self.out.marks[earlier..].sort_by_key(|(tokens, _)| tokens.start);
    }

    fn take_cells(&mut self, cuts: &[tokens::Cut], first: usize) {
        let mut start = 0;
        let cells = self.cell_ends.iter().map(|end| {
            let stop = cuts.partition_point(|cut| cut.bytes.end <= *end);
            let cell = index(first + start)..index(first + stop);
            start = stop;
            cell
        });
        let row = Row {
            unit: index(self.out.units.len() - 1),
            cells: cells.collect(),
        };
        self.out.rows.push(row);
    }

    fn take_unit(&mut self, form: Form, tokens: Range<usize>) {
        if tokens.is_empty() {
            return;
        }
        let at = index(self.out.units.len());
        if let Form::Heading(level) = form {
            self.indent(level.into());
        }
        let parent = self.parents.iter().rev().find(|(_, unit)| *unit != at);
        self.out.units.push(Unit {
            key: key(&self.out.tokens[tokens.clone()]),
            tokens: index(tokens.start)..index(tokens.end),
            form,
            parent: parent.map_or(NONE, |(_, unit)| *unit),
            block: self.block,
        });
    }
}

/// Mixes the words of a unit into one number.
fn key(tokens: &[Token]) -> u64 {
    let mixed = tokens.iter().fold(0x9e37_79b9_7f4a_7c15_u64, |key, token| {
        let key = (key ^ u64::from(token.word.fold)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        key ^ (key >> 29)
    });
    let mixed = mixed.wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 32)
}

/// How many tokens lie before the end of each sentence but the last.
fn sentence_ends(text: &str, cuts: &[tokens::Cut]) -> Vec<usize> {
    let token = |at: usize| cuts.get(at).map_or("", |cut| &text[cut.bytes.clone()]);
    let mut ends = Vec::new();
    let mut at = 0;
    while at + 1 < cuts.len() {
        let full_stop = token(at);
        at += 1;
        let wide = matches!(full_stop, "\u{3002}" | "\u{ff01}" | "\u{ff1f}");
        if !wide && !matches!(full_stop, "." | "!" | "?" | "..." | "\u{2026}") {
            continue;
        }
        if full_stop == "."
            && at >= 2
            && is_abbreviation(token(at - 2), at.checked_sub(3).map(token))
        {
            continue;
        }
        while closes(token(at)) && cuts.get(at).is_some_and(|cut| !cut.spaced) {
            at += 1;
        }
        let Some(next) = cuts.get(at) else { break };
        let begins = token(at).chars().next().is_some_and(|c| !c.is_lowercase());
        if wide || (next.spaced && begins) {
            ends.push(at);
        }
    }
    ends
}

fn closes(token: &str) -> bool {
    matches!(
        token,
        ")" | "]" | "\"" | "'" | "\u{201d}" | "\u{2019}" | "\u{bb}" | "\u{300d}" | "\u{ff09}"
    )
}

/// `e.g.`, `i.e.`, initials, and the few abbreviations that capital letters follow.
fn is_abbreviation(word: &str, before: Option<&str>) -> bool {
    let initial = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
    (initial && before == Some("."))
        || matches!(
            word,
            "Dr" | "Mr"
                | "Mrs"
                | "Ms"
                | "Prof"
                | "St"
                | "vs"
                | "cf"
                | "Fig"
                | "No"
                | "approx"
                | "eg"
                | "ie"
        )
}
