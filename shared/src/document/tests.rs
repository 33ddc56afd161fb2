//! What documents become, and what holds for every text.

use super::*;
use proptest::prelude::*;

/// A short picture of a block: its nodes, and the source of every range in it.
fn picture(source: &str) -> Vec<String> {
    parse(Format::Markdown, source)
        .iter()
        .map(|block| draw(block.node.as_ref().unwrap(), block))
        .collect()
}

fn cut(block: &Block, at: Span) -> &str {
    let source = block.source.as_deref().unwrap();
    &source[at.start as usize..at.end as usize]
}

fn draw(node: &Node, block: &Block) -> String {
    let inside = || -> String {
        node.children()
            .iter()
            .map(|child| draw(child, block))
            .collect()
    };
    match node {
        Node::Heading { level, .. } => format!("h{level}({})", inside()),
        Node::Paragraph { .. } => format!("p({})", inside()),
        Node::List { start: None, .. } => format!("ul({})", inside()),
        Node::List {
            start: Some(start), ..
        } => format!("ol{start}({})", inside()),
        Node::Item { checkbox: None, .. } => format!("li({})", inside()),
        Node::Item {
            checkbox: Some(checkbox),
            ..
        } => {
            format!("li{}({})", cut(block, checkbox.at), inside())
        }
        Node::Quote { .. } => format!("quote({})", inside()),
        Node::Alert { kind, .. } => format!("{kind}({})", inside()),
        Node::CodeBlock { language, lines } => {
            let lines: Vec<_> = lines.iter().map(|line| cut(block, line.at)).collect();
            format!(
                "code:{}({})",
                language.as_deref().unwrap_or(""),
                lines.join("|")
            )
        }
        Node::Table { align, .. } => {
            let align: Vec<_> = align.iter().map(|a| a.as_deref().unwrap_or("-")).collect();
            format!("table:{}({})", align.join(","), inside())
        }
        Node::Row { header, .. } => format!("{}({})", if *header { "th" } else { "tr" }, inside()),
        Node::Cell { .. } => format!("[{}]", inside()),
        Node::Rule => "rule".to_owned(),
        Node::Footnote { label, .. } => format!("footnote {label}({})", inside()),
        Node::MathBlock { text, .. } => format!("mathblock({text})"),
        Node::FrontMatter { text, .. } => format!("front({text})"),
        Node::Html { text, .. } => format!("html({text})"),
        Node::Text {
            text,
            at,
            atom: true,
        } => format!("{}={text}", cut(block, *at)),
        Node::Text { text, .. } => text.clone(),
        Node::Emphasis { .. } => format!("em({})", inside()),
        Node::Strong { .. } => format!("strong({})", inside()),
        Node::Strike { .. } => format!("strike({})", inside()),
        Node::Code { text, at, .. } => format!("`{text}={}`", cut(block, *at)),
        Node::Link { href, .. } => format!("a({})<{href}>", inside()),
        Node::Image { src, alt, .. } => format!("img({alt})<{src}>"),
        Node::Math { text, .. } => format!("math({text})"),
        Node::FootnoteRef { label, number, .. } => format!("^{label}{number}"),
        Node::Break { hard: true, .. } => "/hard/".to_owned(),
        Node::Break { hard: false, .. } => "/".to_owned(),
    }
}

/// S151: Markdown's own constructs all become nodes with places.
#[test]
fn every_construct_of_the_dialect_becomes_its_node() {
    for (source, expected) in [
        ("# A *b*", "h1(A em(b))"),
        (
            "one\ntwo  \nthree<br>four",
            "p(one/two/hard/three/hard/four)",
        ),
        ("- a\n- b", "ul(li(a)li(b))"),
        ("3. a\n\n4. b", "ol3(li(p(a))li(p(b)))"),
        ("- [x] done\n- [ ] open", "ul(li[x](done)li[ ](open))"),
        ("> a\nb", "quote(p(a/b))"),
        ("> [!WARNING]\n> mind", "warning(p(mind))"),
        ("```rust,ignore\nfn a() {}\n\n```", "code:rust(fn a() {}|)"),
        ("    indented\n    more", "code:(indented|more)"),
        (
            "| a | b |\n|:--|--:|\n| `x\\|y` | d |",
            "table:left,right(th([a][b])tr([`x|y=`x\\|y``][d]))",
        ),
        ("---", "rule"),
        ("$$\nx^2\n$$", "mathblock(\nx^2\n)"),
        ("so $x^2$ is", "p(so math(x^2) is)"),
        ("---\ntitle: A\n---\n", "front(title: A\n)"),
        ("<div>\n<b>x</b>\n</div>", "html(<div>\n<b>x</b>\n</div>)"),
        ("a <b>x</b>", "p(a html(<b>)xhtml(</b>))"),
        ("AT&amp;T x \\*no\\* A", "p(AT&amp;=&T x *no* A)"),
        ("~~a~~ **b**", "p(strike(a) strong(b))"),
        ("`` a`b ``", "p(`a`b=a`b`)"),
        (
            "[t](u \"v\") <me@b.example>",
            "p(a(t)<u> a(me@b.example)<mailto:me@b.example>)",
        ),
        ("![a *b* `c`](d.png)", "p(img(a b c)<d.png>)"),
        ("\"quotes\" -- stay...", "p(\"quotes\" -- stay...)"),
    ] {
        assert_eq!(picture(source).concat(), expected, "{source}");
    }
}

#[test]
fn footnotes_are_numbered_by_their_first_mention_and_stay_where_they_are() {
    let source = "b[^x] a[^y] b[^x]\n\n[^y]: why\n\n[^x]: ex\n\nlast";
    assert_eq!(
        picture(source),
        [
            "p(b^x1 a^y2 b^x1)",
            "footnote y(p(why))",
            "footnote x(p(ex))",
            "p(last)"
        ]
    );
}

#[test]
fn windows_line_ends_are_outside_every_line() {
    assert_eq!(
        picture("# T\r\n\r\n```\r\na\r\n\r\nb\r\n```\r\n> q\r\n> r\r\n"),
        ["h1(T)", "code:(a||b)", "quote(p(q/r))"]
    );
}

#[test]
fn only_the_very_top_can_be_front_matter() {
    assert_eq!(
        picture("a\n\n---\nb: c\n---\n"),
        ["p(a)", "rule", "h2(b: c)"]
    );
    assert_eq!(picture("---\n\na\n\n---\n"), ["rule", "p(a)", "rule"]);
}

#[test]
fn blocks_tile_the_document() {
    let source = "\n\n[l]: u\n\n# A\n\nsee [l]\n\n\n- b\n";
    let blocks = parse(Format::Markdown, source);
    let joined: String = blocks
        .iter()
        .filter_map(|block| block.source.clone())
        .collect();
    assert_eq!(joined, source);
    assert_eq!(blocks.len(), 3);
}

#[test]
fn an_id_says_what_a_block_shows_and_not_where_it_stands() {
    let ids = |source: &str| -> Vec<String> {
        parse(Format::Markdown, source)
            .into_iter()
            .map(|block| block.block_id)
            .collect()
    };
    let before = ids("# A\n\nb\n\nb");
    let after = ids("new\n\n# A\n\n\nb\n\nb\n");
    assert_eq!(before, after[1..]);
    assert_eq!(before[1], before[2]);
    // The same source, but the link leads elsewhere.
    assert_ne!(ids("[a]\n\n[a]: one")[0], ids("[a]\n\n[a]: two")[0]);
}

/// S151: code and plain text are blocks of lines.
#[test]
fn code_is_cut_at_blank_lines_and_shows_them_all() {
    let source = "fn a() {\r\n}\r\n\r\n\r\nfn b() {}";
    let blocks = parse(Format::Code, source);
    let drawn: Vec<_> = blocks
        .iter()
        .map(|b| draw(b.node.as_ref().unwrap(), b))
        .collect();
    assert_eq!(drawn, ["code:(fn a() {|}||)", "code:(fn b() {})"]);
    let joined: String = blocks
        .iter()
        .filter_map(|block| block.source.clone())
        .collect();
    assert_eq!(joined, source);
    assert_eq!(parse(Format::Text, &"x\n".repeat(1000)).len(), 9);
}

#[test]
fn deep_nesting_ends_as_text_that_any_reader_of_json_can_read() {
    for source in [
        "> ".repeat(500) + "deep",
        "- ".repeat(500) + "deep",
        "*a **b ".repeat(300) + &"** *".repeat(300),
    ] {
        let blocks = parse(Format::Markdown, &source);
        check(&source, &blocks).unwrap();
        let json = serde_json::to_string(&blocks).unwrap();
        let read: Vec<Block> = serde_json::from_str(&json).unwrap();
        assert_eq!(read, blocks);
    }
}

/// What holds for every text; the error says what does not.
fn check(source: &str, blocks: &[Block]) -> Result<(), String> {
    let mut end = 0;
    for block in blocks {
        if block.start != end
            || block.source.as_deref() != source.get(block.start as usize..block.end as usize)
        {
            return Err(format!(
                "block {}..{} does not follow {end}",
                block.start, block.end
            ));
        }
        end = block.end;
        check_node(block.node.as_ref().unwrap(), block, 1)?;
    }
    if !blocks.is_empty() && end as usize != source.len() {
        return Err(format!("the blocks end at {end}"));
    }
    Ok(())
}

fn check_node(node: &Node, block: &Block, depth: usize) -> Result<(), String> {
    let source = block.source.as_deref().unwrap();
    let slice = |at: Span| {
        source
            .get(at.start as usize..at.end as usize)
            .ok_or_else(|| format!("{at:?} is not a range of {source:?}"))
    };
    let same = |text: &str, at: Span| match slice(at)? == text {
        true => Ok(()),
        false => Err(format!("{text:?} is not {:?}", slice(at))),
    };
    match node {
        Node::Text {
            text,
            at,
            atom: false,
        }
        | Node::Code {
            text,
            at,
            atom: false,
        }
        | Node::FrontMatter { text, at }
        | Node::Html { text, at } => same(text, *at)?,
        Node::Text { at, .. }
        | Node::Code { at, .. }
        | Node::MathBlock { at, .. }
        | Node::Math { at, .. }
        | Node::Emphasis { at, .. }
        | Node::Strong { at, .. }
        | Node::Strike { at, .. }
        | Node::Link { at, .. }
        | Node::Image { at, .. }
        | Node::FootnoteRef { at, .. }
        | Node::Break { at, .. } => drop(slice(*at)?),
        Node::Item {
            checkbox: Some(checkbox),
            ..
        } => drop(slice(checkbox.at)?),
        Node::CodeBlock { lines, .. } => {
            for line in lines {
                let text: String = line.runs.iter().map(|run| run.text.as_str()).collect();
                same(&text, line.at)?;
            }
        }
        _ => {}
    }
    if depth > MAX_DEPTH + 1 {
        return Err("too deep".to_owned());
    }
    node.children()
        .iter()
        .try_for_each(|child| check_node(child, block, depth + 1))
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a clock is all that can tell a quadratic case from a linear one"
)]
fn a_hundred_kilobytes_made_to_be_slow_take_less_than_a_second() {
    for piece in [
        "[",
        "](",
        "![",
        "[a](",
        "*",
        "**a ",
        "_a_b",
        "`",
        "``` ",
        "<",
        "<!--",
        "<a ",
        "> ",
        "- ",
        "> - ",
        "1. ",
        "\n> ",
        "\n- ",
        "\n\t- ",
        "|",
        "a|b\n-|-\n",
        "\n|",
        "$",
        "$$a",
        "~",
        "~~a",
        "&",
        "&amp;",
        "[^a]",
        "[^a]: b\n\n",
        "[a]: b\n",
        "[a][b]",
        "\\",
        "<br>",
        "---\n",
        "---\na\n",
        "# ",
        "a\n=\n",
        "\n\n",
        "- [ ] ",
        "> [!NOTE]\n",
        "*_",
        "a**b_c",
        "[[]]",
        "(",
        "<<a@b.c>",
        "`a``b",
        "\0",
        "é*",
        "😀",
    ] {
        let source = piece.repeat(100_000 / piece.len());
        let start = std::time::Instant::now();
        let blocks = parse(Format::Markdown, &source);
        let took = start.elapsed();
        assert!(took.as_millis() < 1000, "{piece:?} took {took:?}");
        check(&source, &blocks).unwrap();
    }
}

proptest! {
    #[test]
    fn any_text_becomes_blocks_that_tile_it_with_true_ranges(source in "\\PC{0,200}") {
        for format in [Format::Markdown, Format::Code] {
            let checked = check(&source, &parse(format, &source));
            prop_assert!(checked.is_ok(), "{:?}", checked);
        }
    }

    #[test]
    fn any_heap_of_marks_becomes_blocks_that_tile_it_with_true_ranges(
        pieces in proptest::collection::vec(
            prop_oneof![
                Just("\n"), Just("\r\n"), Just("\n\n"), Just("\t"), Just(" "), Just("    "), Just("> "), Just("- "),
                Just("1. "), Just("# "), Just("*"), Just("**"), Just("_"), Just("~~"), Just("`"), Just("```"),
                Just("["), Just("]"), Just("("), Just(")"), Just("!"), Just("|"), Just("|-|-|\n"), Just("$"),
                Just("$$"), Just("&amp;"), Just("\\"), Just("<br>"), Just("<div>"), Just("<!--"), Just("-->"),
                Just("[^a]"), Just("[^a]: "), Just("[x] "), Just("---"), Just("[!NOTE]"), Just("é"), Just("😀"),
                Just("\0"), Just("\u{feff}"), Just("word"), Just("<a@b.c>"), Just("\r"), Just(":"), Just("\u{b}"),
            ],
            0..60,
        )
    ) {
        let source = pieces.concat();
        let checked = check(&source, &parse(Format::Markdown, &source));
        prop_assert!(checked.is_ok(), "{:?} of {:?}", checked, source);
    }
}
