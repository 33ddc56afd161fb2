//! The same with the parser that documents are read with.

use super::{point, shown, source};
use proptest::prelude::*;
use rex_shared::document::reading::{Readable, Utf16};
use rex_shared::document::selection::{Point, Refusal, select, stretches};
use rex_shared::document::{Format, parse};

fn read(format: Format, text: &str) -> Vec<Readable> {
    let blocks: Vec<_> = parse(format, text)
        .into_iter()
        .filter_map(|block| Readable::new(block, |_| None))
        .collect();
    assert_eq!(source(&blocks), text, "blocks tile the document");
    blocks
}

/// Selects the first occurrence of `words` as the page shows them, and gives the source that was quoted.
fn quoted(format: Format, text: &str, words: &str) -> String {
    let blocks = read(format, text);
    let (block, byte) = blocks
        .iter()
        .enumerate()
        .find_map(|(at, block)| Some((at, block.body.reading.text().find(words)?)))
        .unwrap_or_else(|| panic!("{words:?} is not shown"));
    let before = blocks[block].body.reading.text()[..byte]
        .encode_utf16()
        .count() as u32;
    let end = before + words.encode_utf16().count() as u32;
    match select(&blocks, point(block, before), point(block, end)) {
        Ok(selected) => {
            assert_eq!(shown(&blocks, &selected), selected.text);
            selected.quote
        }
        Err(refusal) => panic!("{words:?}: {refusal:?}"),
    }
}

/// S92: every kind of Markdown can be pointed at, and what is quoted is its source.
#[test]
fn what_is_pointed_at_is_quoted_as_it_is_written() {
    for (text, words, quote) in [
        (
            "You **must not** do it.\n",
            "You must not do",
            "You **must not** do",
        ),
        ("You **must not** do it.\n", "must", "must"),
        ("A ~~b~~ *c **d*** e\n", "b c d", "~~b~~ *c **d***"),
        (
            "See [the API](api.md \"T\") now\n",
            "the API now",
            "[the API](api.md \"T\") now",
        ),
        (
            "See <https://example.com> now\n",
            "See https://example.com",
            "See <https://example.com>",
        ),
        ("AT&amp;T &copy; 1\n", "AT&T", "AT&amp;T"),
        ("2 \\* 3 \\_ 4\n", "2 * 3 _ 4", "2 \\* 3 \\_ 4"),
        (
            "| a | b |\n|---|---|\n| x \\| y | `p \\| q` |\n",
            "x | y",
            "x \\| y",
        ),
        (
            "| a | b |\n|---|---|\n| x \\| y | `p \\| q` |\n",
            "p | q",
            "`p \\| q`",
        ),
        (
            "| a | b |\n|---|---|\n| one | two |\n",
            "onetwo",
            "one | two",
        ),
        (
            "Word[^w] here.\n\n[^w]: Why so.\n",
            "Word1 here",
            "Word[^w] here",
        ),
        ("Word[^w] here.\n\n[^w]: Why so.\n", "Why", "Why"),
        (
            "- [x] done it\n- [ ] todo\n  - deeper\n",
            "done ittodo",
            "done it\n- [ ] todo",
        ),
        (
            "- [x] done it\n- [ ] todo\n  - deeper\n",
            "deeper",
            "deeper",
        ),
        ("> a quote\n> goes on\n", "quote goes", "quote\n> goes"),
        (
            "> [!WARNING]\n> Mind *the* gap\n",
            "Mind the gap",
            "Mind *the* gap",
        ),
        (
            "hard  \nbreak\\\nagain\n",
            "hard\nbreak\nagain",
            "hard  \nbreak\\\nagain",
        ),
        (
            "Grüße an 👩‍👩‍👧 und e\u{301}te\u{301}\n",
            "👩‍👩‍👧 und e\u{301}",
            "👩‍👩‍👧 und e\u{301}",
        ),
        ("שלום *עולם* טוב\n", "שלום עולם", "שלום *עולם*"),
        (
            "``` rust\nfn main() {\n\n    run();\n}\n```\n",
            "() {\n\n    run",
            "() {\n\n    run",
        ),
        ("> ```\n> one\n> two\n> ```\n", "one\ntwo", "one\n> two"),
        (
            "    indented\n    code\n",
            "indented\ncode",
            "indented\n    code",
        ),
        (
            "Use `a b` and `` c ` d `` now\n",
            "a b and c ` d",
            "`a b` and `` c ` d ``",
        ),
        ("CR\r\nLF *too*\r\n", "CR LF too", "CR\r\nLF *too*"),
        ("a <kbd>C</kbd> b\n", "<kbd>C</kbd> b", "<kbd>C</kbd> b"),
        ("The sum $a+b$ here\n", "sum a+b here", "sum $a+b$ here"),
        ("Title\n=====\n\ntext\n", "Title", "Title"),
        ("![alt](a.png) words\n", "words", "words"),
    ] {
        assert_eq!(quoted(Format::Markdown, text, words), quote, "{text:?}");
    }
}

/// S151: code and plain text by the same gesture; there every character is literal.
#[test]
fn code_and_plain_text_are_quoted_as_they_stand() {
    let code = "fn main() {\n    let a = \"*b*\";\r\n\n}\n";
    assert_eq!(
        quoted(Format::Code, code, "let a = \"*b*\";"),
        "let a = \"*b*\";"
    );
    assert_eq!(
        quoted(Format::Text, "one *two*\nthree\n", "*two*\nthr"),
        "*two*\nthr"
    );
}

/// S2 S65: what was stored of a place is shown under the very words that were selected, over several blocks too.
#[test]
fn a_stored_range_is_shown_block_by_block() {
    let text = "# Plans\n\nA **request** is\n\n[a]: /x\n\n- one\n- two\n\nEnd.\n";
    let blocks = read(Format::Markdown, text);
    let start = text.find("**request").unwrap() as u32;
    let end = (text.find("- two").unwrap() + "- two".len()) as u32;
    let shown: Vec<_> = stretches(&blocks, &(start..end))
        .into_iter()
        .map(|stretch| (stretch.block, stretch.units))
        .collect();
    assert_eq!(shown, [(1, Utf16(2)..Utf16(12)), (2, Utf16(0)..Utf16(6))]);
}

fn markdown() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "# ",
        "\n",
        "\n\n",
        "> ",
        "- ",
        "1. ",
        "- [x] ",
        "**",
        "*",
        "_",
        "~~",
        "`",
        "``",
        "```\n",
        "[",
        "](a)",
        "![",
        "](b.png)",
        "[^1]",
        "\n[^1]: ",
        "| a | b |\n|---|---|\n| ",
        " | ",
        "\\|",
        "\\*",
        "&amp;",
        "&#x1F600;",
        "$",
        "$$",
        "<br>",
        "  \n",
        "\r\n",
        "    ",
        "---\n",
        "word ",
        "e\u{301}",
        "👩‍👩‍👧",
        "שלום ",
        "漢字",
        "\u{a0}",
        "[!NOTE]\n",
        "https://a.bc ",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_selection_of_any_markdown_comes_back_as_the_same_words(
        text in markdown(),
        (a, b) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        (from, to) in (0u32..80, 0u32..80),
    ) {
        for format in [Format::Markdown, Format::Text] {
            let blocks: Vec<_> = parse(format, &text)
                .into_iter()
                .filter_map(|block| Readable::new(block, |_| None))
                .collect();
            if blocks.is_empty() {
                continue;
            }
            let at = |block: prop::sample::Index, offset| Point {
                block: block.index(blocks.len()),
                offset: Utf16(offset),
            };
            match select(&blocks, at(a, from), at(b, to)) {
                Ok(selected) => {
                    prop_assert_eq!(
                        &text[selected.start as usize..selected.end as usize],
                        &selected.quote
                    );
                    prop_assert_eq!(shown(&blocks, &selected), selected.text);
                }
                Err(refusal) => prop_assert_eq!(refusal, Refusal::TooShort),
            }
        }
    }
}
