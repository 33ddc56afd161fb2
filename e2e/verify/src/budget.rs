//! The size budget of the page: `performance.md` P6 and P7 of the design's facts, in bytes.

use anyhow::{Context as _, bail};
use rex_bundle::stage::say;
use std::path::Path;

/// Bytes that everything of the first page may weigh on the wire, compressed.
const FIRST_PAGE: u64 = 350_000;

/// Files that the first page may ask for, the address itself included.
const REQUESTS: usize = 8;

/// What one kind of file may weigh: ending, raw, compressed by brotli.
const KINDS: [(&str, Option<u64>, u64); 3] = [
    ("wasm", Some(900_000), 240_000),
    ("js", None, 16_000),
    ("css", None, 20_000),
];

/// Weighs the bundle in `folder` and fails where it is too heavy.
pub fn check(folder: &Path) -> anyhow::Result<()> {
    let files = weigh(folder)?;
    let mut over = Vec::new();
    for (kind, raw_limit, brotli_limit) in KINDS {
        let of_kind = files.iter().filter(|file| file.kind == kind);
        let (raw, brotli) = of_kind.fold((0, 0), |(raw, brotli), file| {
            (raw + file.raw, brotli + file.brotli)
        });
        say(&format!(
            "  {kind}: {raw} B raw, {brotli} B brotli (at most {brotli_limit})"
        ));
        if raw == 0 {
            over.push(format!("there is no .{kind} in the bundle"));
        }
        if raw_limit.is_some_and(|limit| raw > limit) || brotli > brotli_limit {
            over.push(format!("{kind} is too heavy"));
        }
    }
    let total: u64 = files.iter().map(|file| file.brotli).sum();
    say(&format!(
        "  first page: {total} B brotli in {} requests (at most {FIRST_PAGE} in {REQUESTS})",
        files.len()
    ));
    if total > FIRST_PAGE {
        over.push("the first page is too heavy".to_owned());
    }
    if files.len() > REQUESTS {
        over.push("the first page asks for too many files".to_owned());
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
            check(bundle(900_001).path())
                .unwrap_err()
                .to_string()
                .contains("wasm is too heavy")
        );
    }
}
