//! The size budget of the page, in bytes: the goals P6 and P7 of the design.
//!
//! What the browser loads later has no goal there; its ceiling holds what was reached, so that a change can make it
//! lighter and never heavier without being seen. It is raised only for what a person gets.

use anyhow::{Context as _, bail};
use rex_bundle::stage::say;
use std::path::Path;

/// Everything of the first page on the wire, compressed by brotli.
const FIRST_PAGE: u64 = 350_000;

/// Files that the first page may ask for, the address itself included.
const REQUESTS: usize = 8;

/// What one kind of file of the first page may weigh: its ending, raw, compressed by brotli.
const KINDS: [(&str, Option<u64>, u64); 3] = [
    ("wasm", Some(900_000), 240_000),
    ("js", None, 16_000),
    ("css", None, 20_000),
];

/// Everything that is loaded when it is first needed, compressed by brotli.
const LATER: u64 = 354_000;

/// Weighs the bundle in `folder` and fails where it is over a limit.
pub fn check(folder: &Path) -> anyhow::Result<()> {
    let (later, first): (Vec<_>, Vec<_>) = weigh(folder)?.into_iter().partition(|file| file.later);
    let mut over = Vec::new();
    let mut weigh = |what: &str, weight: u64, limit: u64| {
        say(&format!("  {what}: {weight} B of {limit} B"));
        if weight > limit {
            over.push(format!("{what} weighs {weight} B"));
        }
    };
    let brotli = |files: &[Weight]| files.iter().map(|file| file.brotli).sum();
    for (kind, raw_limit, brotli_limit) in KINDS {
        let of_kind = first.iter().filter(|file| file.kind == kind);
        let (raw, brotli) = of_kind.fold((0, 0), |(raw, brotli), file| {
            (raw + file.raw, brotli + file.brotli)
        });
        if raw == 0 {
            bail!("there is no .{kind} in the bundle");
        }
        if let Some(limit) = raw_limit {
            weigh(&format!("{kind}, raw"), raw, limit);
        }
        weigh(&format!("{kind}, brotli"), brotli, brotli_limit);
    }
    weigh("first page, brotli", brotli(&first), FIRST_PAGE);
    weigh("loaded later, brotli", brotli(&later), LATER);
    if first.len() > REQUESTS {
        over.push(format!(
            "the first page asks for {} files, more than {REQUESTS}",
            first.len()
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
    later: bool,
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
                later: file["later"]
                    .as_bool()
                    .context("a file of the manifest does not say when it is loaded")?,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rex_bundle::assets::Writer;

    fn bundle(wasm: usize, later: usize) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Writer::new(folder.path()).unwrap();
        writer.hashed("rex.wasm", &vec![7; wasm]).unwrap();
        writer.hashed_later("card.wasm", &vec![8; later]).unwrap();
        writer.hashed("rex.js", b"x").unwrap();
        writer.hashed("rex.css", b"y").unwrap();
        writer.finish().unwrap();
        folder
    }

    #[test]
    fn a_light_bundle_passes_and_a_heavy_one_does_not() {
        check(bundle(1000, 900_001).path()).unwrap();
        assert!(
            check(bundle(900_001, 1000).path())
                .unwrap_err()
                .to_string()
                .contains("wasm, raw weighs")
        );
    }
}
