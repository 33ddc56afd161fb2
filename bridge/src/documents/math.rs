//! Formulas: TeX to a tree of the `MathML` elements a formula may be made of. Whatever does not fit is shown as its
//! source.
//!
//! The converter gives a text of markup. It is read by a parser that knows nothing but elements, attributes and
//! character data, and every name in it must be on the vocabulary's list; so no formula can bring an element of its own.

use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};
use rex_shared::document::{MATH_ATTRIBUTES, MATH_ELEMENTS, MAX_MATH_DEPTH, MathMl};

/// Bytes of a formula that is still converted.
const LONGEST: usize = 4000;
/// The converter is recursive, some frames a character deep at worst; this is address space, not memory.
const STACK: usize = 256 * 1024 * 1024;

/// Left out: they only ask for a look, and the page's policy forbids them.
const IGNORED: [&str; 2] = ["class", "style"];

/// Converts the formulas of a document, `(source, stands alone)` each.
pub(super) fn convert(formulas: &[(String, bool)]) -> Vec<Option<MathMl>> {
    let nothing = || vec![None; formulas.len()];
    if formulas.is_empty() {
        return Vec::new();
    }
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .name("formulas".to_owned())
            .stack_size(STACK)
            .spawn_scoped(scope, || {
                let Ok(converter) = LatexToMathML::new(MathCoreConfig::default()) else {
                    return nothing();
                };
                formulas
                    .iter()
                    .map(|(source, alone)| one(&converter, source, *alone))
                    .collect()
            })
            .ok()
            .and_then(|thread| thread.join().ok())
            .unwrap_or_else(nothing)
    })
}

fn one(converter: &LatexToMathML, source: &str, alone: bool) -> Option<MathMl> {
    if source.len() > LONGEST {
        return None;
    }
    let display = if alone {
        MathDisplay::Block
    } else {
        MathDisplay::Inline
    };
    let converted = converter.convert_with_local_state(source, display).ok()?;
    read(&converted.mathml)
}

/// Reads one element and nothing after it.
fn read(markup: &str) -> Option<MathMl> {
    let mut rest = markup.trim();
    let tree = element(&mut rest, 1)?;
    rest.is_empty().then_some(tree)
}

fn element(rest: &mut &str, depth: usize) -> Option<MathMl> {
    if depth > MAX_MATH_DEPTH {
        return None;
    }
    let open = rest.strip_prefix('<')?;
    let name = take(open, |c| c.is_ascii_alphabetic());
    if !MATH_ELEMENTS.contains(&name) {
        return None;
    }
    let mut tree = MathMl {
        name: name.to_owned(),
        attributes: Vec::new(),
        text: String::new(),
        children: Vec::new(),
    };
    *rest = &open[name.len()..];
    loop {
        let trimmed = rest.trim_start();
        if let Some(behind) = trimmed.strip_prefix("/>") {
            *rest = behind;
            return Some(tree);
        }
        if let Some(behind) = trimmed.strip_prefix('>') {
            *rest = behind;
            break;
        }
        if trimmed.len() == rest.len() {
            return None;
        }
        *rest = trimmed;
        let (name, value) = attribute(rest)?;
        if MATH_ATTRIBUTES.contains(&name) {
            tree.attributes.push((name.to_owned(), value));
        } else if !IGNORED.contains(&name) {
            return None;
        }
    }
    loop {
        if let Some(behind) = rest.strip_prefix("</") {
            *rest = behind.strip_prefix(tree.name.as_str())?.strip_prefix('>')?;
            break;
        }
        if rest.starts_with('<') {
            tree.children.push(element(rest, depth + 1)?);
        } else {
            let data = take(rest, |c| c != '<');
            if data.is_empty() {
                return None;
            }
            tree.text.push_str(&unescape(data)?);
            *rest = &rest[data.len()..];
        }
    }
    if !tree.children.is_empty() {
        // Only leaves hold text.
        if !tree.text.trim().is_empty() {
            return None;
        }
        tree.text.clear();
    }
    Some(tree)
}

fn attribute<'a>(rest: &mut &'a str) -> Option<(&'a str, String)> {
    let name = take(rest, |c| c.is_ascii_alphabetic());
    let quoted = rest[name.len()..].strip_prefix("=\"")?;
    let value = take(quoted, |c| c != '"' && c != '<');
    *rest = quoted[value.len()..].strip_prefix('"')?;
    Some((name, unescape(value)?))
}

fn take(text: &str, wanted: impl Fn(char) -> bool) -> &str {
    let end = text.find(|c| !wanted(c)).unwrap_or(text.len());
    &text[..end]
}

fn unescape(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        let (name, behind) = rest[at + 1..].split_once(';')?;
        plain.push(match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" | "#39" | "#x27" => '\'',
            "nbsp" => '\u{a0}',
            _ => match name.strip_prefix("#x") {
                Some(hex) => char::from_u32(u32::from_str_radix(hex, 16).ok()?)?,
                None => char::from_u32(name.strip_prefix('#')?.parse().ok()?)?,
            },
        });
        rest = behind;
    }
    plain.push_str(rest);
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convert_one(source: &str) -> Option<MathMl> {
        convert(&[(source.to_owned(), true)]).remove(0)
    }

    fn names(tree: &MathMl) -> String {
        let inside: Vec<_> = tree.children.iter().map(names).collect();
        format!("{}{}({})", tree.name, tree.text, inside.concat())
    }

    #[test]
    fn a_formula_becomes_elements() {
        let tree = convert_one("\\frac{a}{2} < x^2").unwrap();
        assert_eq!(names(&tree), "math(mfrac(mia()mn2())mo<()msup(mix()mn2()))");
        for source in [
            "\\sum_{i=0}^N x_i",
            "\\int_0^1 f(x)\\,dx",
            "\\sqrt[3]{x}",
            "\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}",
            "\\begin{cases}a&b\\\\c&d\\end{cases}",
            "\\hat{x} \\vec{y}",
            "\\left(\\frac12\\right)",
            "\\text{if } x \\in \\mathbb{R}",
            "\\lim_{n\\to\\infty}",
            "\\alpha\\beta\\Gamma",
            "a \\le b \\ne c",
            "\\begin{aligned}a&=b\\\\c&=d\\end{aligned}",
            "\\binom{n}{k}",
            "\\overbrace{x+y}^{n}",
            "\\underset{x}{\\max}",
            "f: A \\to B",
            "\\mathcal{O}(n \\log n)",
            "x'",
            "\\operatorname{lcm}",
        ] {
            assert!(convert_one(source).is_some(), "{source}");
        }
    }

    #[test]
    fn what_is_no_formula_or_asks_for_more_is_shown_as_its_source() {
        for source in [
            "\\frac{",
            "\\nosuchcommand",
            "\\href{javascript:alert(1)}{x}",
            "\\text{<script>}</math>\\nosuch",
            "}{",
            "&",
        ] {
            assert_eq!(convert_one(source), None, "{source}");
        }
        for markup in [
            "<math><script>x</script></math>",
            "<math><mi onclick=\"x\">a</mi></math>",
            "<math><mi>a</mi>",
            "<math>&evil;</math>",
            "<math></math><math></math>",
            "<math><!-- x --></math>",
            "<math><mtext><a href=\"x\">b</a></mtext></math>",
            "x",
            "",
            "<math a=b></math>",
            "<math><mi href=\"javascript:x\">a</mi></math>",
            "<svg></svg>",
        ] {
            assert_eq!(read(markup), None, "{markup}");
        }
    }

    #[test]
    fn markup_in_a_formula_is_only_ever_text() {
        let tree = convert_one("\\text{<img src=x onerror=alert(1)>}").unwrap();
        assert_eq!(names(&tree).matches("img").count(), 1);
        assert!(names(&tree).contains("<img"));
    }

    #[test]
    fn formulas_made_to_be_deep_end_as_their_source() {
        for piece in [
            "{",
            "\\sqrt",
            "x^{",
            "\\left(",
            "\\frac{",
            "\\begin{matrix}",
            "_{^{",
            "\\text{",
            "((((",
            "'",
        ] {
            let source = piece.repeat(LONGEST / piece.len());
            // What matters is that it returns.
            drop(convert_one(&source));
        }
        let nested = "\\sqrt{".repeat(40) + "x" + &"}".repeat(40);
        assert_eq!(convert_one(&nested), None);
    }
}
