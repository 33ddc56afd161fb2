//! Words as numbers: how a word is matched, how it is seen, and how much it says.
//!
//! Matching forgives what people do not read: composed or decomposed letters, kinds of quotes and dashes, case.
//! What is *seen* forgives only composition and invisible characters, so that "same" stays true to the reader.

use rustc_hash::FxHashMap;
use std::sync::Arc;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Letters of a word's stem; longer words that begin alike count as related.
const STEM: usize = 6;

/// One word, whatever its place. The numbers are those of one [`Lexicon`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word {
    /// As it is matched.
    pub(super) fold: u32,
    /// As a reader sees it.
    pub(super) seen: u32,
    /// What related words share.
    pub(super) stem: u32,
    /// What it is made of.
    pub(super) class: Class,
}

/// How much a word can say, by its form alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Punctuation and other signs.
    Sign,
    /// A word of at most three letters, such as most articles and prepositions.
    Short,
    /// A number.
    Number,
    /// Every other word or ideograph.
    Full,
}

/// Every word of the texts that are compared.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    ids: FxHashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
    words: Vec<Option<Word>>,
}

impl Lexicon {
    /// The word that `text`, a token of a document's reading text, is.
    pub(super) fn word(&mut self, text: &str) -> Word {
        let id = self.id(text);
        if let Some(word) = self.words[id as usize] {
            return word;
        }
        let seen = if text.is_ascii() {
            id
        } else {
            let seen: String = text.nfc().filter(|c| !is_invisible(*c)).collect();
            self.id(&seen)
        };
        let folded = fold(text);
        let word = Word {
            fold: self.id(&folded),
            seen,
            stem: self.id(stem(&folded)),
            class: class(&folded),
        };
        self.words[id as usize] = Some(word);
        word
    }

    /// How many different strings are known; every number is below it.
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    /// The string of a number.
    pub(super) fn text(&self, id: u32) -> &str {
        self.texts.get(id as usize).map_or("", |text| text)
    }

    fn id(&mut self, text: &str) -> u32 {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        let text: Arc<str> = text.into();
        self.ids.insert(text.clone(), id);
        self.texts.push(text);
        self.words.push(None);
        id
    }
}

/// Format characters that no reader sees: soft hyphens, joiners, direction marks, variation selectors.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Hyphens, dashes and the minus sign.
pub(super) fn is_dash(c: char) -> bool {
    matches!(
        c,
        '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}'
    )
}

fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    if text.is_ascii() {
        for c in text.chars() {
            push_folded(&mut folded, c.to_ascii_lowercase());
        }
    } else {
        for c in text.nfkc().flat_map(char::to_lowercase) {
            push_folded(&mut folded, c);
        }
    }
    folded
}

fn push_folded(folded: &mut String, c: char) {
    match c {
        '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{2b9}' | '`' => folded.push('\''),
        '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{ab}' | '\u{bb}' => folded.push('"'),
        c if is_dash(c) => {
            if !folded.ends_with('-') {
                folded.push('-');
            }
        }
        c if is_invisible(c) => {}
        c => folded.push(c),
    }
}

fn stem(folded: &str) -> &str {
    if !folded.chars().all(char::is_alphabetic) {
        return folded;
    }
    let singular = match folded.strip_suffix('s') {
        Some(rest) if rest.len() > 2 && !rest.ends_with('s') => rest,
        _ => folded,
    };
    match singular.char_indices().nth(STEM) {
        Some((end, _)) => &singular[..end],
        None => singular,
    }
}

fn class(folded: &str) -> Class {
    let written = |c: char| c.is_alphanumeric() || is_combining_mark(c);
    if !folded.chars().any(written) {
        return Class::Sign;
    }
    if folded.chars().all(char::is_numeric) {
        return Class::Number;
    }
    let short = folded.len() <= 3 && folded.chars().all(|c| c.is_ascii_lowercase());
    if short { Class::Short } else { Class::Full }
}
