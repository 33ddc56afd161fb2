//! What the comparison says. Pure, so that it is tested on the host.

use rex_shared::document::Format;
use rex_shared::wire::place::{WordFate, Words};
use rex_shared::wire::proposal::{
    FileChange, HunkState, Proposal, ProposalFile, ProposalState, Stretch, Written,
};

/// The format's word in attributes.
pub(super) fn format(format: Format) -> &'static str {
    match format {
        Format::Markdown => "markdown",
        Format::Code => "code",
        Format::Text => "text",
    }
}

/// What a stretch is known by: an unfolded one is another.
pub(super) fn key(stretch: &Stretch) -> String {
    match stretch {
        Stretch::Same { old_line, text, .. } => format!("same {old_line} {}", text.len()),
        Stretch::Folded {
            old_line, lines, ..
        } => format!("folded {old_line} {lines}"),
        Stretch::Hunk { hunk_id, .. } => hunk_id.to_string(),
    }
}

/// One side of a hunk, with its mark on what the other side has not.
pub(super) fn side(words: &[Words], on_new: bool) -> Vec<(bool, String)> {
    let own = if on_new {
        WordFate::Added
    } else {
        WordFate::Removed
    };
    words
        .iter()
        .filter(|run| run.fate == WordFate::Kept || run.fate == own)
        .map(|run| (run.fate == own, run.text.clone()))
        .collect()
}

/// One side of a hunk as plain text.
pub(super) fn plain(words: &[Words], on_new: bool) -> String {
    side(words, on_new)
        .into_iter()
        .map(|(_, text)| text)
        .collect()
}

pub(super) fn folded(lines: u32) -> String {
    format!("{lines} unchanged lines")
}

/// What happens to a file as a whole, when that is more than other lines.
pub(super) fn whole(file: &ProposalFile) -> Option<String> {
    Some(match (file.change, &file.renamed_from, file.modes) {
        (FileChange::Create, ..) => format!("{} is made", file.document),
        (FileChange::Delete, ..) => format!("{} is removed", file.document),
        (_, Some(old), _) => format!("{old} becomes {}", file.document),
        (FileChange::Edit, ..) if file.binary => {
            format!("{} is no text and is taken as a whole", file.document)
        }
        (_, _, Some((old, new))) => format!("its mode goes from {old:o} to {new:o}"),
        _ => return None,
    })
}

/// What became of a document's pieces.
pub(super) fn verdict(file: &ProposalFile) -> String {
    let count = |state| file.hunks.iter().filter(|hunk| hunk.state == state).count();
    format!(
        "{} accepted, {} rejected, {} open",
        count(HunkState::Accepted),
        count(HunkState::Rejected),
        count(HunkState::Open)
    )
}

/// What was written.
pub(super) fn written(written: &[Written]) -> String {
    let Some(first) = written.first() else {
        return "It was in the document already.".to_owned();
    };
    let what = match written.len() {
        1 => format!("Written to {}.", first.document),
        more => format!("Written to {more} files."),
    };
    if written.iter().any(|file| file.merged) {
        format!("{what} You had changed it meanwhile; both changes are in it.")
    } else {
        what
    }
}

/// A proposal's state as a person reads it.
pub(super) fn state(proposal: &Proposal) -> &'static str {
    match proposal.state {
        ProposalState::Open => "waits for you",
        ProposalState::Accepted => "decided",
        ProposalState::Rejected => "rejected",
        ProposalState::Superseded => "a newer proposal stands in for it",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(fate: WordFate, text: &str) -> Words {
        Words {
            fate,
            text: text.to_owned(),
        }
    }

    #[test]
    fn each_side_is_its_own_text_with_what_the_other_has_not_marked() {
        let words = [
            run(WordFate::Kept, "Paid in "),
            run(WordFate::Removed, "14"),
            run(WordFate::Added, "30"),
            run(WordFate::Kept, " days."),
        ];
        assert_eq!(plain(&words, false), "Paid in 14 days.");
        assert_eq!(plain(&words, true), "Paid in 30 days.");
        let marked: Vec<bool> = side(&words, true).iter().map(|(mark, _)| *mark).collect();
        assert_eq!(marked, [false, true, false]);
    }

    #[test]
    fn what_was_written_says_when_both_changes_are_in_it() {
        let file = |merged| Written {
            document: "pricing.md".to_owned(),
            version: None,
            merged,
        };
        assert_eq!(written(&[file(false)]), "Written to pricing.md.");
        assert!(written(&[file(true)]).ends_with("both changes are in it."));
        assert_eq!(written(&[file(false), file(false)]), "Written to 2 files.");
    }
}
