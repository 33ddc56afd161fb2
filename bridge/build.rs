//! Embeds the page's bundle into the bridge.
//!
//! `cargo rex` names the bundle's folder in `REX_BUNDLE`; else `target/bundle` is taken when it is there. Without one
//! the bridge is built all the same, so that `cargo test` works on a fresh clone.

use serde::Deserialize;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

#[derive(Deserialize)]
struct Manifest {
    files: Vec<File>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    path: String,
    content_type: String,
    immutable: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=REX_BUNDLE");
    println!("cargo::rerun-if-changed=build.rs");
    let files = match folder()? {
        Some(folder) => embed(&folder)?,
        None => String::new(),
    };
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    fs::write(
        out.join("bundle.rs"),
        format!("static FILES: &[Embedded] = &[\n{files}];\n"),
    )?;
    Ok(())
}

fn folder() -> Result<Option<PathBuf>, Box<dyn Error>> {
    if let Some(named) = env::var_os("REX_BUNDLE") {
        return Ok(Some(PathBuf::from(named)));
    }
    let here = env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo sets CARGO_MANIFEST_DIR")?;
    let usual = Path::new(&here).join("../target/bundle");
    Ok(usual.join("manifest.json").exists().then_some(usual))
}

fn embed(folder: &Path) -> Result<String, Box<dyn Error>> {
    let folder = folder.canonicalize()?;
    let manifest = folder.join("manifest.json");
    println!("cargo::rerun-if-changed={}", manifest.display());
    let manifest: Manifest = serde_json::from_slice(&fs::read(&manifest)?)?;
    let mut code = String::new();
    for file in manifest.files {
        let raw = folder.join(&file.path);
        println!("cargo::rerun-if-changed={}", raw.display());
        let raw = raw
            .to_str()
            .ok_or("the bundle's folder has a name that is not UTF-8")?;
        writeln!(
            code,
            "Embedded {{ path: {:?}, content_type: {:?}, immutable: {}, raw: include_bytes!({raw:?}), \
             brotli: include_bytes!({:?}), gzip: include_bytes!({:?}) }},",
            format!("/{}", file.path),
            file.content_type,
            file.immutable,
            format!("{raw}.br"),
            format!("{raw}.gz"),
        )?;
    }
    Ok(code)
}
