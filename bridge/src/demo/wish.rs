//! What the person wants to see, read from the first words of the message.

/// Words this far in are still about how to answer.
const FIRST_WORDS: usize = 4;

/// How the demo agent is to behave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// Just answer.
    Answer,
    /// Answer over some seconds.
    Slowly,
    /// Ask for permission to read something outside the workspace.
    ReadOutside,
    /// Ask for permission to run a command.
    RunCommand,
    /// Be refused by the provider with this status; only the first time if so said.
    Refusal { status: u16, once: bool },
    /// Die in the middle of a sentence.
    Crash,
}

/// Reads the wish: "slow …", "ask permission …", "ask permission to run a command", "fail", "fail with 401",
/// "fail once", "crash".
pub(super) fn read(message: &str) -> Wish {
    let words: Vec<String> = message
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let begins_with = |wanted: &[&str]| {
        words
            .iter()
            .take(FIRST_WORDS)
            .any(|word| wanted.contains(&word.as_str()))
    };
    let says = |wanted: &str| words.iter().any(|word| word == wanted);
    if begins_with(&["permission"]) {
        return if says("command") {
            Wish::RunCommand
        } else {
            Wish::ReadOutside
        };
    }
    if begins_with(&["fail"]) {
        let status = words
            .iter()
            .filter_map(|word| word.parse().ok())
            .find(|status| (400..600).contains(status))
            .unwrap_or(529);
        return Wish::Refusal {
            status,
            once: says("once"),
        };
    }
    if begins_with(&["slow", "slowly"]) {
        return Wish::Slowly;
    }
    if begins_with(&["crash"]) {
        return Wish::Crash;
    }
    Wish::Answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_at_the_beginning_say_how_to_answer() {
        for (message, wish) in [
            ("Is this right?", Wish::Answer),
            (
                "Does anything in here make the whole import fail?",
                Wish::Answer,
            ),
            ("Slow, please", Wish::Slowly),
            ("please answer slowly: is this right?", Wish::Slowly),
            ("Ask permission first", Wish::ReadOutside),
            ("ask for permission to run a command", Wish::RunCommand),
            (
                "fail",
                Wish::Refusal {
                    status: 529,
                    once: false,
                },
            ),
            (
                "please fail with 401",
                Wish::Refusal {
                    status: 401,
                    once: false,
                },
            ),
            (
                "Fail once, then answer",
                Wish::Refusal {
                    status: 529,
                    once: true,
                },
            ),
            ("crash", Wish::Crash),
            ("", Wish::Answer),
        ] {
            assert_eq!(read(message), wish, "{message}");
        }
    }
}
