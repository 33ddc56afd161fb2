//! The size budget of the page, in bytes: what it is meant to weigh, and what it may weigh until it does.
//!
//! The goals are P6 and P7 of the design. The page misses those of the wasm and of the whole; the ceilings hold what was
//! reached, so that a change can make it lighter and never heavier. A ceiling is only ever lowered.

use anyhow::{Context as _, bail};
use rex_bundle::stage::say;
use std::path::Path;

/// What a weight is meant to be at most, and what it may be until then.
struct Limit {
    goal: u64,
    ceiling: u64,
}

impl Limit {
    const fn met(goal: u64) -> Self {
        Self {
            goal,
            ceiling: goal,
        }
    }

    /// Says the weight with its goal; gives a finding where it is over the ceiling.
    fn weigh(&self, what: &str, weight: u64) -> Option<String> {
        let verdict = if weight <= self.goal { "met" } else { "MISSED" };
        say(&format!(
            "  {what}: {weight} B; goal {} B {verdict}; ceiling {} B",
            self.goal, self.ceiling
        ));
        (weight > self.ceiling).then(|| format!("{what} weighs {weight} B"))
    }
}

/// Everything of the first page on the wire, compressed by brotli.
const FIRST_PAGE: Limit = Limit {
    goal: 350_000,
    ceiling: 490_000,
};

/// Files that the first page may ask for, the address itself included.
const REQUESTS: usize = 8;

/// What one kind of file may weigh: its ending, raw, compressed by brotli.
const KINDS: [(&str, Option<Limit>, Limit); 3] = [
    (
        "wasm",
        Some(Limit {
            goal: 900_000,
            ceiling: 1_520_000,
        }),
        Limit {
            goal: 240_000,
            ceiling: 465_000,
        },
    ),
    ("js", None, Limit::met(16_000)),
    ("css", None, Limit::met(20_000)),
];

/// Weighs the bundle in `folder` and fails where it is over a ceiling.
pub fn check(folder: &Path) -> anyhow::Result<()> {
    let files = weigh(folder)?;
    let mut over = Vec::new();
    for (kind, raw_limit, brotli_limit) in KINDS {
        let of_kind = files.iter().filter(|file| file.kind == kind);
        let (raw, brotli) = of_kind.fold((0, 0), |(raw, brotli), file| {
            (raw + file.raw, brotli + file.brotli)
        });
        if raw == 0 {
            over.push(format!("there is no .{kind} in the bundle"));
        }
        over.extend(raw_limit.and_then(|limit| limit.weigh(&format!("{kind}, raw"), raw)));
        over.extend(brotli_limit.weigh(&format!("{kind}, brotli"), brotli));
    }
    let total: u64 = files.iter().map(|file| file.brotli).sum();
    over.extend(FIRST_PAGE.weigh("first page, brotli", total));
    if files.len() > REQUESTS {
        over.push(format!(
            "the first page asks for {} files, more than {REQUESTS}",
            files.len()
        ));
    }
    if !over.is_empty() {
        bail!("over the size budget: {}", over.join("; "));
    }
    Ok(())
}

struct Weight {
    kind: String,
    raw: u64,
    brotli: u64,
}

fn weigh(folder: &Path) -> anyhow::Result<Vec<Weight>> {
    let manifest =
        std::fs::read(folder.join("manifest.json")).context("the bundle has no manifest")?;
    let manifest: serde_json::Value = serde_json::from_slice(&manifest)?;
    let files = manifest["files"]
        .as_array()
        .context("the manifest lists no files")?;
    files
        .iter()
        .map(|file| {
            let path = file["path"]
                .as_str()
                .context("a file of the manifest has no path")?;
            let (_, kind) = path
                .rsplit_once('.')
                .context("a file of the bundle has no ending")?;
            let size = |path: String| anyhow::Ok(std::fs::metadata(folder.join(path))?.len());
            Ok(Weight {
                kind: kind.to_owned(),
                raw: size(path.to_owned())?,
                brotli: size(format!("{path}.br"))?,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rex_bundle::assets::Writer;

    fn bundle(wasm: usize) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Writer::new(folder.path()).unwrap();
        writer.hashed("rex.wasm", &vec![7; wasm]).unwrap();
        writer.hashed("rex.js", b"x").unwrap();
        writer.hashed("rex.css", b"y").unwrap();
        writer.finish().unwrap();
        folder
    }

    #[test]
    fn a_light_bundle_passes_and_a_heavy_one_does_not() {
        check(bundle(1000).path()).unwrap();
        assert!(
            check(bundle(1_520_001).path())
                .unwrap_err()
                .to_string()
                .contains("wasm, raw weighs")
        );
    }
}
