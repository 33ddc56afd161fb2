//! Gates: rules of the house that a compiler cannot check. Each is a pure function over the files' text.

mod invariants;
mod layers;
mod lengths;
mod sources;
mod statements;
mod words;

pub use sources::{Source, all};

use anyhow::bail;
use rex_bundle::machine::workspace;
use rex_bundle::stage::say;

/// Runs every gate over the workspace and names all findings at once.
pub fn check() -> anyhow::Result<()> {
    let sources = all(&workspace())?;
    let mut findings = Vec::new();
    findings.extend(lengths::check(&sources));
    findings.extend(layers::check(&sources));
    findings.extend(words::check(&sources));
    findings.extend(invariants::check(&sources));
    let (claimed, missing) = statements::check(&sources);
    findings.extend(missing);
    say(&format!(
        "  {} files; {claimed} statements pinned",
        sources.len()
    ));
    if !findings.is_empty() {
        bail!("{}", findings.join("\n"));
    }
    Ok(())
}
