//! Reading a prompt back: what an agent inside this project, and a test, understands of it.

use super::{CONTINUES, NOW_ASKS, PROPOSES};

/// A place as a prompt names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadPlace {
    /// Workspace-relative path with `/`.
    pub document: String,
    /// First and last line, counted from 1, if the prompt gave them.
    pub lines: Option<(u32, u32)>,
    /// The heading above it, if the prompt gave one.
    pub heading: Option<String>,
    /// The quote; empty for a whole document.
    pub quote: String,
}

/// A prompt, taken apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadPrompt {
    /// Every place it names, in order.
    pub places: Vec<ReadPlace>,
    /// Whether an earlier conversation was given with it.
    pub continues: bool,
    /// Whether files may be changed.
    pub may_change: bool,
    /// The person's message.
    pub message: String,
}

/// Takes a prompt apart. A text that has not the shape is a message and nothing else.
pub fn read(prompt: &str) -> ReadPrompt {
    let mut found = ReadPrompt::default();
    let mut block_end: Option<String> = None;
    let mut awaits_block = false;
    let mut rest = prompt;
    while let Some((line, after)) = next_line(rest) {
        if let Some(end) = &block_end {
            if line == end {
                block_end = None;
            }
        } else if awaits_block {
            if let Some(tag) = line.strip_prefix('<') {
                block_end = Some(format!("</{tag}"));
                awaits_block = false;
            }
        } else if line == NOW_ASKS {
            found.message = after.strip_prefix('\n').unwrap_or(after).to_owned();
            for place in &mut found.places {
                place.quote.pop();
            }
            return found;
        } else if line == PROPOSES {
            found.may_change = true;
        } else if line == CONTINUES {
            found.continues = true;
            awaits_block = true;
        } else {
            read_place_line(&mut found.places, line);
        }
        rest = after;
    }
    ReadPrompt {
        message: prompt.to_owned(),
        ..ReadPrompt::default()
    }
}

fn next_line(text: &str) -> Option<(&str, &str)> {
    if text.is_empty() {
        return None;
    }
    Some(text.split_once('\n').unwrap_or((text, "")))
}

fn read_place_line(places: &mut Vec<ReadPlace>, line: &str) {
    if let Some(place) = line.strip_prefix("- ") {
        let (document, lines) = match place.rsplit_once(" (") {
            Some((document, note)) if note.ends_with(')') => (document, None),
            _ => address(place),
        };
        places.push(ReadPlace {
            document: document.to_owned(),
            lines,
            heading: None,
            quote: String::new(),
        });
        return;
    }
    let Some(place) = places.last_mut() else {
        return;
    };
    if let Some(quoted) = line.strip_prefix("  > ") {
        place.quote.push_str(quoted);
        place.quote.push('\n');
    } else if let Some(heading) = line
        .strip_prefix("  in \"")
        .and_then(|heading| heading.strip_suffix('"'))
    {
        place.heading = Some(heading.to_owned());
    }
}

fn address(place: &str) -> (&str, Option<(u32, u32)>) {
    let parsed = place.rsplit_once(':').and_then(|(document, lines)| {
        let (first, last) = lines.split_once('-')?;
        Some((document, (first.parse().ok()?, last.parse().ok()?)))
    });
    match parsed {
        Some((document, lines)) => (document, Some(lines)),
        None => (place, None),
    }
}
