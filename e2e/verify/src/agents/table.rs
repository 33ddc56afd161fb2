//! What was said before each send to a real program, and what came of it, as a table for people.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The table of lines `agent TAB case TAB forecast TAB outcome`, as the tests note them: for each agent what was said, what
/// it came to, how often, and in which cases.
pub(super) fn told(noted: &str) -> String {
    let mut rows: BTreeMap<(&str, &str, &str), Vec<&str>> = BTreeMap::new();
    for line in noted.lines() {
        let mut cells = line.split('\t');
        let (Some(agent), Some(case), Some(forecast), Some(outcome)) =
            (cells.next(), cells.next(), cells.next(), cells.next())
        else {
            continue;
        };
        rows.entry((agent, forecast, outcome))
            .or_default()
            .push(case);
    }
    let mut table =
        String::from("\n| agent | forecast | outcome | sends | cases |\n|---|---|---|---|---|\n");
    for ((agent, forecast, outcome), mut cases) in rows {
        let sends = cases.len();
        cases.sort_unstable();
        cases.dedup();
        let mark = if forecast == outcome { "" } else { " ≠" };
        let cases = cases.join(", ");
        // Writing to a text cannot fail.
        _ = writeln!(
            table,
            "| {agent} | {forecast} | {outcome}{mark} | {sends} | {cases} |"
        );
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sends_are_one_line_and_a_difference_is_marked() {
        let noted = "pi\tb\tNew\tNew\npi\ta\tNew\tNew\nclaude\ta\tResumed\tReplayed\nbroken\n";
        let table = told(noted);
        let lines: Vec<&str> = table.lines().skip(3).collect();
        assert_eq!(
            lines,
            [
                "| claude | Resumed | Replayed ≠ | 1 | a |",
                "| pi | New | New | 2 | a, b |",
            ]
        );
    }
}
