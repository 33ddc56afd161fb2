//! The page: compiled to wasm, cut into pieces, bound to JavaScript, optimised, and laid out as a bundle.

use crate::assets::{Writer, fill};
use crate::machine::{cargo, run, target, workspace};
use crate::split::{self, Pieces};
use crate::stage::{say, stage};
use crate::{binaryen, fingerprint, styles, wasm_target};
use anyhow::Context as _;
use std::path::{Path, PathBuf};
use wasm_bindgen_cli_support::Bindgen;

/// Where the bundle lies; `bridge/build.rs` embeds it from here.
pub fn folder() -> PathBuf {
    target().join("bundle")
}

/// Builds the bundle if anything it is made from changed. Gives its folder.
pub fn build() -> anyhow::Result<PathBuf> {
    let folder = folder();
    let mark = target().join("bundle.inputs");
    let inputs = fingerprint::of_inputs(&workspace())?;
    if std::fs::read_to_string(&mark).is_ok_and(|had| had == inputs)
        && folder.join("manifest.json").exists()
    {
        say("✓ page: nothing changed");
        return Ok(folder);
    }
    let toolchain = stage("wasm compiler", wasm_target::ensure)?;
    let wasm = stage("page: compile", || compile(&toolchain))?;
    let work = target().join("page/bundle");
    let pieces = stage("page: cut", || split::split(&wasm, &work.join("pieces")))?;
    stage("page: bind", || bind(&pieces.main, &work))?;
    stage("page: optimise", || {
        binaryen::optimise(&work.join("rex_app_bg.wasm"), &optimised(&pieces.main))?;
        pieces
            .later
            .iter()
            .try_for_each(|piece| binaryen::optimise(piece, &optimised(piece)))
    })?;
    stage("page: lay out and compress", || {
        lay_out(&work, &pieces, &folder)
    })?;
    std::fs::write(mark, inputs)?;
    Ok(folder)
}

fn compile(toolchain: &wasm_target::WasmToolchain) -> anyhow::Result<PathBuf> {
    // A target folder of its own, so that two compilers do not evict each other's work.
    let folder = target().join("page");
    let mut cargo = cargo();
    toolchain.apply(&mut cargo);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags()?.join("\u{1f}"));
    run(cargo
        .args([
            "build",
            "--quiet",
            "--locked",
            "--profile",
            "page",
            "--package",
            "rex-app",
            "--lib",
        ])
        .args(["--target", wasm_target::TARGET, "--target-dir"])
        .arg(&folder))?;
    Ok(folder.join(wasm_target::TARGET).join("page/rex_app.wasm"))
}

fn flags() -> anyhow::Result<Vec<String>> {
    let cargo_home = match std::env::var_os("CARGO_HOME") {
        Some(folder) => PathBuf::from(folder),
        None => std::env::home_dir()
            .context("there is no home folder")?
            .join(".cargo"),
    };
    Ok(vec![
        // Leptos gives every component a type of its own otherwise, which makes the page a fifth larger.
        "--cfg=erase_components".to_owned(),
        // The cutter finds what reaches what by the linker's relocations.
        "-Clink-args=--emit-relocs".to_owned(),
        // Panics name the file of a crate; where that lies on this machine is nobody's business.
        format!(
            "--remap-path-prefix={}=",
            cargo_home.join("registry/src").display()
        ),
    ])
}

fn bind(wasm: &Path, into: &Path) -> anyhow::Result<()> {
    Bindgen::new()
        .input_path(wasm)
        .web(true)?
        .typescript(false)
        .omit_default_module_path(true)
        // What the pieces share is exported by the linker and must stay so, under the linker's names.
        .keep_lld_exports(true)
        .demangle(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(into)
}

fn optimised(wasm: &Path) -> PathBuf {
    wasm.with_extension("opt.wasm")
}

fn lay_out(work: &Path, pieces: &Pieces, folder: &Path) -> anyhow::Result<()> {
    let workspace = workspace();
    let read = |file: PathBuf| {
        std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))
    };
    let mut bundle = Writer::new(folder)?;
    let wasm = bundle.hashed("rex.wasm", &read(optimised(&pieces.main))?)?;
    let later = pieces
        .later
        .iter()
        .map(|piece| {
            let file = piece.file_name().unwrap_or_default().to_string_lossy();
            let address = bundle.hashed_later(&file, &read(optimised(piece))?)?;
            Ok((file.into_owned(), address))
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    let text = |file: PathBuf| anyhow::Ok(String::from_utf8(read(file)?)?);
    let glue = split::joined(
        &text(work.join("rex_app.js"))?,
        &text(pieces.loader.clone())?,
        &later,
    )?;
    let glue = bundle.hashed("rex.js", glue.as_bytes())?;
    let css = bundle.hashed(
        "rex.css",
        styles::joined(&workspace.join("style"))?.as_bytes(),
    )?;
    let icons = bundle.hashed("icons.svg", &read(workspace.join("style/icons.svg"))?)?;
    let boot = bundle.hashed("boot.js", &read(workspace.join("app/boot.js"))?)?;
    let template = text(workspace.join("app/index.html"))?;
    let addresses = [
        ("wasm", wasm.as_str()),
        ("glue", glue.as_str()),
        ("css", css.as_str()),
        ("icons", icons.as_str()),
        ("boot", boot.as_str()),
    ];
    bundle.plain("index.html", fill(&template, &addresses)?.as_bytes())?;
    bundle.finish()
}
