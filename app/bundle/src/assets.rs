//! The bundle's files: hashed names, compressed siblings, and the manifest that the bridge embeds.
//!
//! Layout of the folder: `manifest.json`, and each file raw with its `.br` and `.gz`.

use anyhow::{Context as _, bail};
use serde::Serialize;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A file of the bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Asset {
    /// Path below the site's root.
    pub path: String,
    /// Its media type.
    pub content_type: &'static str,
    /// Whether its name changes with its content.
    pub immutable: bool,
    /// Whether the first page does without it.
    pub later: bool,
}

#[derive(Serialize)]
struct Manifest<'a> {
    files: &'a [Asset],
}

/// Writes a bundle into a folder.
#[derive(Debug)]
pub struct Writer {
    folder: PathBuf,
    files: Vec<Asset>,
}

impl Writer {
    /// An empty bundle in `folder`; what was there is removed.
    pub fn new(folder: &Path) -> anyhow::Result<Self> {
        if folder.exists() {
            std::fs::remove_dir_all(folder)
                .with_context(|| format!("cannot empty {}", folder.display()))?;
        }
        std::fs::create_dir_all(folder.join("assets"))?;
        Ok(Self {
            folder: folder.to_path_buf(),
            files: Vec::new(),
        })
    }

    /// Adds a file under a name that holds its hash; gives the address the page uses.
    pub fn hashed(&mut self, name: &str, content: &[u8]) -> anyhow::Result<String> {
        self.under_hash(name, content, false)
    }

    /// As [`Self::hashed`], a file that the page asks for when it is first needed.
    pub fn hashed_later(&mut self, name: &str, content: &[u8]) -> anyhow::Result<String> {
        self.under_hash(name, content, true)
    }

    fn under_hash(&mut self, name: &str, content: &[u8], later: bool) -> anyhow::Result<String> {
        let (stem, extension) = name
            .rsplit_once('.')
            .context("an asset's name has an extension")?;
        let hash = blake3::hash(content).to_hex();
        let path = format!("assets/{stem}-{}.{extension}", &hash.as_str()[..16]);
        let asset = Asset {
            content_type: content_type(&path)?,
            immutable: true,
            later,
            path: path.clone(),
        };
        self.add(asset, content)?;
        Ok(format!("/{path}"))
    }

    /// Adds a file under its own name, which browsers must ask for anew.
    pub fn plain(&mut self, path: &str, content: &[u8]) -> anyhow::Result<()> {
        let asset = Asset {
            content_type: content_type(path)?,
            immutable: false,
            later: false,
            path: path.to_owned(),
        };
        self.add(asset, content)
    }

    /// Writes the manifest.
    pub fn finish(self) -> anyhow::Result<()> {
        let manifest = serde_json::to_vec_pretty(&Manifest { files: &self.files })?;
        std::fs::write(self.folder.join("manifest.json"), manifest)?;
        Ok(())
    }

    fn add(&mut self, asset: Asset, content: &[u8]) -> anyhow::Result<()> {
        let file = self.folder.join(&asset.path);
        std::fs::write(&file, content)?;
        std::fs::write(with_ending(&file, "br"), brotli(content)?)?;
        std::fs::write(with_ending(&file, "gz"), gzip(content)?)?;
        self.files.push(asset);
        Ok(())
    }
}

fn with_ending(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// Best compression: it is done once and read often.
pub fn brotli(content: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut compressed = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        ..Default::default()
    };
    brotli::BrotliCompress(&mut &*content, &mut compressed, &parameters)?;
    Ok(compressed)
}

fn gzip(content: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(content)?;
    Ok(encoder.finish()?)
}

fn content_type(path: &str) -> anyhow::Result<&'static str> {
    Ok(
        match path.rsplit_once('.').map(|(_, extension)| extension) {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("svg") => "image/svg+xml",
            // Anything else would turn streaming compilation off.
            Some("wasm") => "application/wasm",
            _ => bail!("{path}: no media type is known for it"),
        },
    )
}

/// Puts addresses into the shell: every `{{name}}` of the template must have one, and every one must be used.
pub fn fill(template: &str, addresses: &[(&str, &str)]) -> anyhow::Result<String> {
    let mut html = template.to_owned();
    for (name, address) in addresses {
        let mark = format!("{{{{{name}}}}}");
        if !html.contains(&mark) {
            bail!("app/index.html does not use {mark}");
        }
        html = html.replace(&mark, address);
    }
    if let Some((_, rest)) = html.split_once("{{") {
        bail!(
            "app/index.html asks for “{}”, which the bundle has not",
            rest.split("}}").next().unwrap_or(rest)
        );
    }
    Ok(html)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_gets_another_name_and_both_compressed_siblings() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Writer::new(folder.path()).unwrap();
        let one = writer.hashed("rex.css", b"a").unwrap();
        let two = writer.hashed("rex.css", b"b").unwrap();
        writer.finish().unwrap();
        assert_ne!(one, two);
        for ending in ["", ".br", ".gz"] {
            assert!(
                folder
                    .path()
                    .join(format!("{}{ending}", &one[1..]))
                    .exists()
            );
        }
        let manifest = std::fs::read_to_string(folder.path().join("manifest.json")).unwrap();
        assert!(
            manifest.contains("text/css; charset=utf-8")
                && manifest.contains("\"immutable\": true")
        );
    }

    #[test]
    fn the_shell_and_the_bundle_must_agree() {
        assert_eq!(
            fill("<link href=\"{{css}}\">", &[("css", "/a.css")]).unwrap(),
            "<link href=\"/a.css\">"
        );
        assert!(
            fill("{{css}} {{glue}}", &[("css", "/a.css")])
                .unwrap_err()
                .to_string()
                .contains("glue")
        );
        assert!(
            fill("", &[("css", "/a.css")])
                .unwrap_err()
                .to_string()
                .contains("css")
        );
    }
}
