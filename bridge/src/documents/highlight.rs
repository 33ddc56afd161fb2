//! Colours: classes for runs of code.
//!
//! Colours are a help for reading and never needed, so they are bounded: lines over 2000 bytes, code over 256 kB,
//! and whatever takes longer than two seconds stay as they are. The text itself is never changed.

use super::classes::Classes;
use rex_shared::document::{Line, Run};
use std::time::Duration;
use syntect::parsing::{ParseState, ScopeStack, SyntaxReference};
use tokio::time::Instant;

/// Bytes of a line that is still coloured.
const LONGEST_LINE: usize = 2000;
/// Bytes of one document's or fence's code that is still coloured.
pub(super) const MOST_CODE: usize = 256 * 1024;
const LONGEST_TIME: Duration = Duration::from_secs(2);

/// Colours lines that follow one another, such as those of one file or one fence.
pub(super) struct Painter {
    state: ParseState,
    stack: ScopeStack,
    classes: Classes,
    until: Instant,
    tired: bool,
}

impl Painter {
    /// Begins at the first line.
    pub(super) fn new(syntax: &SyntaxReference) -> Self {
        Self {
            state: ParseState::new(syntax),
            stack: ScopeStack::new(),
            classes: Classes::default(),
            until: Instant::now() + LONGEST_TIME,
            tired: false,
        }
    }

    /// Colours the next line.
    pub(super) fn paint(&mut self, line: &mut Line) {
        let mut text: String = line.runs.iter().map(|run| run.text.as_str()).collect();
        if self.tired || text.len() > LONGEST_LINE {
            return;
        }
        if Instant::now() > self.until {
            self.tired = true;
            return;
        }
        // The grammars were made for lines with their ends.
        let end = text.len();
        text.push('\n');
        let Ok(changes) = self.state.parse_line(&text, super::syntaxes::all()) else {
            self.tired = true;
            return;
        };
        let mut runs = Vec::new();
        let mut at = 0;
        for (upto, change) in changes {
            let upto = upto.min(end);
            self.push(&mut runs, &text[at..upto]);
            at = upto;
            if self.stack.apply(&change).is_err() {
                self.tired = true;
                return;
            }
        }
        self.push(&mut runs, &text[at..end]);
        line.runs = runs;
    }

    fn push(&mut self, runs: &mut Vec<Run>, text: &str) {
        if text.is_empty() {
            return;
        }
        let blank = text.trim().is_empty();
        let class = if blank {
            None
        } else {
            self.classes.of(&self.stack)
        };
        match runs.last_mut() {
            Some(run) if blank || run.class.as_deref() == class => run.text.push_str(text),
            _ => runs.push(Run {
                text: text.to_owned(),
                class: class.map(str::to_owned),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::syntaxes;
    use super::*;
    use rex_shared::document::{Block, CLASSES, Format, Node, parse};

    fn lines(source: &str) -> Vec<Line> {
        parse(Format::Code, source)
            .into_iter()
            .filter_map(|block: Block| match block.node {
                Some(Node::CodeBlock { lines, .. }) => Some(lines),
                _ => None,
            })
            .flatten()
            .collect()
    }

    fn painted(word: &str, source: &str) -> Vec<Line> {
        let mut painter = Painter::new(syntaxes::of_word(word).unwrap());
        let mut lines = lines(source);
        for line in &mut lines {
            painter.paint(line);
        }
        lines
    }

    fn classes(lines: &[Line]) -> Vec<(&str, &str)> {
        lines
            .iter()
            .flat_map(|line| &line.runs)
            .filter_map(|run| Some((run.text.trim(), run.class.as_deref()?)))
            .collect()
    }

    #[test]
    fn code_is_coloured_by_what_it_is_and_its_text_stays() {
        let source = "// hi\nfn main() -> u32 {\n    let x = \"a\\n\";\n    return 42;\n}\n";
        let before = lines(source);
        let after = painted("rust", source);
        let text = |lines: &[Line]| -> Vec<String> {
            lines
                .iter()
                .map(|line| line.runs.iter().map(|run| run.text.as_str()).collect())
                .collect()
        };
        assert_eq!(text(&before), text(&after));
        let found = classes(&after);
        for expected in [
            ("// hi", "comment"),
            ("fn", "keyword"),
            ("main", "function"),
            ("return", "keyword"),
            ("42", "number"),
        ] {
            assert!(found.contains(&expected), "{expected:?} in {found:?}");
        }
    }

    #[test]
    fn at_least_forty_languages_have_colours() {
        let languages = [
            ("rust", "fn a() { 1 }"),
            ("python", "def a(): return 1"),
            ("js", "let a = 1;"),
            ("ts", "let a: number = 1;"),
            ("tsx", "const a = <b>1</b>;"),
            ("java", "class A { int a = 1; }"),
            ("c", "int a = 1;"),
            ("c++", "int a = 1;"),
            ("cs", "class A { int a = 1; }"),
            ("go", "func a() int { return 1 }"),
            ("ruby", "def a; 1; end"),
            ("php", "<?php $a = 1;"),
            ("swift", "let a = 1"),
            ("kotlin", "val a = 1"),
            ("scala", "val a = 1"),
            ("haskell", "a = 1 + 1"),
            ("ocaml", "let a = 1"),
            ("fs", "let a = 1"),
            ("clojure", "(def a 1)"),
            ("elixir", "def a, do: 1"),
            ("erlang", "a() -> 1."),
            ("lua", "local a = 1"),
            ("perl", "my $a = 1;"),
            ("r", "a <- 1"),
            ("julia", "a = 1"),
            ("dart", "var a = 1;"),
            ("zig", "const a = 1;"),
            ("nim", "let a = 1"),
            ("sh", "if true; then echo 1; fi"),
            ("powershell", "if ($a) { 1 }"),
            ("sql", "select 1 from a;"),
            ("json", "{\"a\": 1}"),
            ("yaml", "a: 1"),
            ("toml", "a = 1"),
            ("xml", "<a b=\"1\"/>"),
            ("html", "<a b=\"1\">"),
            ("css", "a { color: red; }"),
            ("scss", "a { color: red; }"),
            ("dockerfile", "FROM a"),
            ("makefile", "a: b\n\techo 1"),
            ("cmake", "set(a 1)"),
            ("diff", "+a\n-b"),
            ("ini", "[a]\nb=1"),
            ("graphql", "type A { a: Int }"),
            ("proto", "message A { int32 a = 1; }"),
            ("terraform", "resource \"a\" \"b\" {}"),
            ("nix", "{ a = 1; }"),
            ("latex", "\\section{a}"),
            ("vim", "let a = 1"),
            ("lisp", "(defun a () 1)"),
            ("groovy", "def a = 1"),
            ("d", "int a = 1;"),
            ("pascal", "var a: integer;"),
            ("tcl", "set a 1"),
            ("asm", "mov eax, 1"),
            ("svelte", "<script>let a = 1;</script>"),
            ("vue", "<script>let a = 1;</script>"),
            ("elm", "a = 1"),
            ("crystal", "def a; 1; end"),
            ("fish", "set a 1"),
            ("awk", "{ print 1 }"),
            ("matlab", "a = 1;"),
        ];
        let mut uncoloured = Vec::new();
        for (word, source) in languages {
            let painted = syntaxes::of_word(word).map(|_| painted(word, source));
            let found = painted.as_deref().map(classes).unwrap_or_default();
            if found.is_empty() {
                uncoloured.push(word);
            }
            for (text, class) in found {
                assert!(CLASSES.contains(&class), "{word}: {class} of {text:?}");
            }
        }
        assert!(
            languages.len() - uncoloured.len() >= 40,
            "without: {uncoloured:?}"
        );
        // Those that people review most must be among them.
        for word in [
            "rust", "python", "ts", "go", "sh", "json", "yaml", "toml", "sql", "html",
        ] {
            assert!(!uncoloured.contains(&word), "{word}");
        }
    }

    #[test]
    fn a_very_long_line_stays_uncoloured_and_the_next_one_does_not() {
        let long = format!("let a = \"{}\";", "x".repeat(3000));
        let after = painted("rust", &format!("{long}\nlet b = 1;"));
        assert_eq!(after[0].runs.len(), 1);
        assert_eq!(after[0].runs[0].class, None);
        assert!(after[1].runs.len() > 1);
    }
}
