//! Markdown that reads well where a pull request shows it.

use super::{Bundle, BundleThread, words};
use rex_shared::document::Format;
use rex_shared::wire::message::{Message, Part, Role};
use rex_shared::wire::place::{Place, PlaceKind};
use std::fmt::Write as _;

/// Characters of a quote at most.
const LONGEST_QUOTE: usize = 800;
/// Levels that headings of an answer go down, so that they stand below the comment's own.
const BELOW: usize = 3;

/// The whole text.
pub(super) fn write(bundle: &Bundle) -> String {
    let mut out = String::new();
    let names: Vec<String> = bundle
        .documents
        .iter()
        .map(|at| escaped(&at.document))
        .collect();
    line(&mut out, &format!("# Comments on {}", names.join(", ")));
    let head = format!(
        "From {}, {}: {}.",
        escaped(&bundle.workspace),
        words::time(bundle.exported_at),
        words::counts(bundle)
    );
    line(&mut out, &head);
    for thread in words::shown(bundle) {
        write_thread(&mut out, bundle, thread);
    }
    out
}

/// A block of its own.
fn line(out: &mut String, text: &str) {
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(text);
    out.push('\n');
}

fn write_thread(out: &mut String, bundle: &Bundle, thread: &BundleThread) {
    let lane = words::lane(thread.thread.row.lane);
    line(
        out,
        &format!("## {} ({lane})", escaped(&words::title(thread))),
    );
    let said: Vec<_> = thread
        .messages
        .iter()
        .flat_map(|message| &message.places)
        .collect();
    // What no message brought is said at once; the rest where it was brought.
    for place in thread
        .places()
        .filter(|at| !said.iter().any(|said| said.place_id == at.place_id))
    {
        write_place(out, bundle, thread, place);
    }
    if let Some(note) = &thread.thread.note {
        line(out, &tamed(note));
    }
    for message in &thread.messages {
        write_message(out, bundle, thread, message);
    }
}

fn write_place(out: &mut String, bundle: &Bundle, thread: &BundleThread, place: &Place) {
    let standing = escaped(&words::standing(thread, place));
    let mut link = format!("[{standing}]({})", address(thread, place));
    if let Some(fate) = words::fate(place.state) {
        let _ = write!(link, " ({fate})");
    }
    if place.kind == PlaceKind::Document {
        return line(out, &link);
    }
    let is_literal = bundle
        .formats
        .get(&place.document)
        .is_some_and(|format| *format != Format::Markdown);
    let quote = cut(&place.quote);
    let quote = if is_literal { fenced(&quote) } else { quote };
    let quote: Vec<String> = quote.lines().map(|line| format!("> {line}")).collect();
    line(out, &format!("{link}\n\n{}", quote.join("\n")));
}

/// The file's address in a repository, with its lines as code hosts name them.
fn address(thread: &BundleThread, place: &Place) -> String {
    let path: Vec<String> = place
        .document
        .split('/')
        .map(rex_shared::percent::encode)
        .collect();
    let path = path.join("/");
    match thread
        .lines
        .get(&place.place_id)
        .filter(|_| place.kind != PlaceKind::Document)
    {
        None => path,
        Some(lines) if lines.0 == lines.1 => format!("{path}#L{}", lines.0),
        Some(lines) => format!("{path}#L{}-L{}", lines.0, lines.1),
    }
}

fn write_message(out: &mut String, bundle: &Bundle, thread: &BundleThread, message: &Message) {
    let who = escaped(&words::speaker(bundle, message));
    line(
        out,
        &format!("**{who}** · {}", words::time(message.created_at)),
    );
    for place in &message.places {
        let now = thread
            .thread
            .places
            .iter()
            .find(|now| now.place_id == place.place_id);
        write_place(out, bundle, thread, now.unwrap_or(place));
    }
    for part in &message.parts {
        match part {
            Part::Text { text, .. } => line(out, &tamed(text)),
            Part::Image { media_type, .. } => line(out, &format!("*An image ({media_type}).*")),
            Part::Thinking { .. } | Part::Tool { .. } | Part::Unknown { .. } => {}
        }
    }
    if let Some(ended) = words::ended(message) {
        line(out, &format!("*{}*", escaped(&ended)));
    }
    if message.role == Role::Assistant {
        let tools = words::tools(message);
        let tools = match tools.len() {
            0 => String::new(),
            _ => format!("\n\nTools: {}", escaped(&tools.join(", "))),
        };
        line(
            out,
            &format!(
                "<details><summary>How this came about</summary>\n\n{}{tools}\n\n</details>",
                escaped(&words::facts(message))
            ),
        );
    }
}

/// A quote's beginning, when it is long.
fn cut(quote: &str) -> String {
    match quote.char_indices().nth(LONGEST_QUOTE) {
        None => quote.to_owned(),
        Some((at, _)) => format!("{} …", &quote[..at]),
    }
}

/// Text in which nothing means anything to Markdown. One line.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&' | '@' => {
                out.extend(['\\', character]);
            }
            '\n' | '\r' => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

/// Code in a fence that its own backticks do not end.
fn fenced(code: &str) -> String {
    let longest = code
        .split(|character| character != '`')
        .map(str::len)
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{code}\n{fence}")
}

/// Markdown of somebody else's as a part of this: its headings go below ours, and a fence it left open is closed.
fn tamed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut open: Option<&str> = None;
    for line in text.trim_end().lines() {
        let bare = line.trim_start_matches(' ');
        let indent = line.len() - bare.len();
        let fence = fence_of(bare).filter(|_| indent < 4);
        match (open, fence) {
            (None, Some(fence)) => open = Some(fence),
            (Some(opened), Some(fence))
                if fence.starts_with(opened) && bare[fence.len()..].trim().is_empty() =>
            {
                open = None;
            }
            (None, None) if indent < 4 && is_heading(bare) => {
                let level = bare.bytes().take_while(|byte| *byte == b'#').count();
                out.push_str(&"#".repeat(BELOW.min(6 - level)));
            }
            _ => {}
        }
        out.push_str(line);
        out.push('\n');
    }
    if let Some(fence) = open {
        out.push_str(fence);
    }
    out.trim_end().to_owned()
}

/// The row of backticks or tildes that opens or closes a fence.
fn fence_of(line: &str) -> Option<&str> {
    let mark = line
        .chars()
        .next()
        .filter(|mark| matches!(mark, '`' | '~'))?;
    let rest = line.trim_start_matches(mark);
    let fence = &line[..line.len() - rest.len()];
    (fence.len() >= 3 && !(mark == '`' && rest.contains('`'))).then_some(fence)
}

fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    (1..=6).contains(&(line.len() - rest.len()))
        && (rest.is_empty() || rest.starts_with([' ', '\t']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_an_answer_stand_below_the_comments_own() {
        assert_eq!(
            tamed("# A\n\ntext # b\n###### C\n#hash"),
            "#### A\n\ntext # b\n###### C\n#hash"
        );
        assert_eq!(tamed("## B\n"), "##### B");
    }

    #[test]
    fn code_is_left_alone_and_an_open_fence_is_closed() {
        assert_eq!(
            tamed("```sh\n# no heading\n```\n# A"),
            "```sh\n# no heading\n```\n#### A"
        );
        assert_eq!(tamed("````\n```\n# x"), "````\n```\n# x\n````");
        assert_eq!(tamed("~~~\n``` x"), "~~~\n``` x\n~~~");
    }

    #[test]
    fn names_mean_nothing_to_markdown() {
        assert_eq!(escaped("a_b*c@d\n#4"), "a\\_b\\*c\\@d \\#4");
        assert_eq!(fenced("a ```` b"), "`````\na ```` b\n`````");
        assert_eq!(fenced("plain"), "```\nplain\n```");
    }
}
