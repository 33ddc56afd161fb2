//! What was found, as text for a terminal or a bug report.

use rex_shared::wire::doctor::{Check, CheckState, Diagnosis};
use std::fmt::Write as _;

/// A line for each check, and below it what to do.
pub fn text(diagnosis: &Diagnosis) -> String {
    let mut text = format!("rex {}\n", diagnosis.version);
    let width = diagnosis.checks().map(|check| check.name.chars().count());
    let width = width.max().unwrap_or_default();
    for check in diagnosis.checks() {
        tell(&mut text, check, width);
    }
    text
}

/// Writing to a text cannot fail.
fn tell(text: &mut String, check: &Check, width: usize) {
    let mark = match check.state {
        CheckState::Good => "ok ",
        CheckState::Notice => "!  ",
        CheckState::Bad => "BAD",
        CheckState::NotTried => "-  ",
    };
    _ = writeln!(text, "{mark} {:<width$}  {}", check.name, check.says);
    if let Some(hint) = &check.hint {
        _ = writeln!(text, "    {:<width$}  {hint}", "");
    }
}
