//! What the model is to do, read from the user's own text.
//!
//! | in the text | the model |
//! |---|---|
//! | `TOOL:Read {"file_path":"/a"}` | calls that tool with that input (several lines: one after the other), then tells what they answered |
//! | `THINK:words` | thinks those words (up to the line's end) before it answers |
//! | `SLOW:20` | answers in 20 chunks, 100 ms apart |
//! | `LONG:5000` | answers with 5000 words at once |
//! | `FAIL:529` or `FAIL:529*2` | fails with that status, every time or the first two |
//! | `DROP:1` | breaks the stream off in the middle |
//! | nothing of these | says `turns=N last="…"` |
//!
//! The model `no-such-model` is always answered 404. Of a conversation told again only what the user now asks counts.

use super::request::Asked;
use rex_shared::prompt::NOW_ASKS;
use serde_json::Value;

/// What the model is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Script {
    /// Say how many turns there were and what the last one was.
    Words,
    /// The same, after thinking this.
    Think(String),
    /// Call a tool.
    Tool {
        /// Its name.
        name: String,
        /// Its input.
        input: Value,
    },
    /// Say so many chunks, slowly.
    Slow(usize),
    /// Say so many words.
    Long(usize),
    /// Answer with an HTTP status, so many times.
    Fail {
        /// The status.
        status: u16,
        /// How often, for one text.
        times: u32,
    },
    /// Begin to answer and break off.
    Drop,
}

/// What `asked` wants. Once all tools have answered there are only words left to say.
pub fn read(asked: &Asked) -> Script {
    if asked.model == "no-such-model" {
        return Script::Fail {
            status: 404,
            times: u32::MAX,
        };
    }
    let text = asked
        .last
        .rsplit_once(NOW_ASKS)
        .map_or(asked.last.as_str(), |(_, asks)| asks);
    if let Some(tool) = tool(text, asked.results.len()) {
        return tool;
    }
    if !asked.results.is_empty() {
        return Script::Words;
    }
    fail(text)
        .or_else(|| Some(Script::Slow(number(text, "SLOW:")?)))
        .or_else(|| Some(Script::Long(number(text, "LONG:")?)))
        .or_else(|| Some(Script::Think(behind(text, "THINK:")?.to_owned())))
        .or_else(|| number(text, "DROP:").map(|_| Script::Drop))
        .unwrap_or(Script::Words)
}

fn behind<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    text.split_once(word)?.1.lines().next()
}

fn digits(text: &str) -> &str {
    let end = text
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

fn number(text: &str, word: &str) -> Option<usize> {
    digits(behind(text, word)?).parse().ok()
}

fn fail(text: &str) -> Option<Script> {
    let rest = behind(text, "FAIL:")?;
    let status = digits(rest);
    let times = rest
        .strip_prefix(status)
        .and_then(|rest| rest.strip_prefix('*'))
        .and_then(|times| digits(times).parse().ok());
    Some(Script::Fail {
        status: status.parse().ok()?,
        times: times.unwrap_or(u32::MAX),
    })
}

/// The call that comes after so many answers.
fn tool(text: &str, answered: usize) -> Option<Script> {
    let call = text.split("TOOL:").skip(1).nth(answered)?;
    let (name, input) = call.lines().next()?.split_once(' ')?;
    Some(Script::Tool {
        name: name.to_owned(),
        input: serde_json::from_str(input).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> Script {
        read(&Asked {
            model: "fake-large".to_owned(),
            stream: true,
            turns: 1,
            last: text.to_owned(),
            results: Vec::new(),
            tools: Vec::new(),
            length: 0,
        })
    }

    #[test]
    fn the_text_says_what_happens() {
        assert_eq!(script("hello"), Script::Words);
        assert_eq!(
            script("FAIL:400\n\nThe user now asks:\n\nhello"),
            Script::Words
        );
        assert_eq!(script("please SLOW:20 ok"), Script::Slow(20));
        assert_eq!(
            script("FAIL:529*2"),
            Script::Fail {
                status: 529,
                times: 2
            }
        );
        assert_eq!(
            script("FAIL:401 now"),
            Script::Fail {
                status: 401,
                times: u32::MAX
            }
        );
        assert_eq!(
            script("a\nTOOL:Read {\"file_path\":\"/a b\"}\nc"),
            Script::Tool {
                name: "Read".to_owned(),
                input: serde_json::json!({"file_path": "/a b"}),
            }
        );
        assert_eq!(
            script("x THINK:deep thought\ny"),
            Script::Think("deep thought".to_owned())
        );
    }
}
