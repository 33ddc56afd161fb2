//! The page: compiled to wasm, bound to JavaScript, optimised, and laid out as a bundle.

use crate::assets::{Writer, fill};
use crate::machine::{cargo, run, target, workspace};
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
    stage("page: bind", || bind(&wasm, &work))?;
    let optimised = work.join("rex_app.opt.wasm");
    stage("page: optimise", || {
        binaryen::optimise(&work.join("rex_app_bg.wasm"), &optimised)
    })?;
    stage("page: lay out and compress", || {
        lay_out(&work, &optimised, &folder)
    })?;
    std::fs::write(mark, inputs)?;
    Ok(folder)
}

fn compile(toolchain: &wasm_target::WasmToolchain) -> anyhow::Result<PathBuf> {
    // A target folder of its own, so that two compilers do not evict each other's work.
    let folder = target().join("page");
    let mut cargo = cargo();
    toolchain.apply(&mut cargo);
    // Leptos gives every component a type of its own otherwise, which makes the page a fifth larger.
    cargo.env("RUSTFLAGS", "--cfg erase_components");
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

fn bind(wasm: &Path, into: &Path) -> anyhow::Result<()> {
    Bindgen::new()
        .input_path(wasm)
        .web(true)?
        .typescript(false)
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(into)
}

fn lay_out(work: &Path, wasm: &Path, folder: &Path) -> anyhow::Result<()> {
    let workspace = workspace();
    let read = |file: PathBuf| {
        std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))
    };
    let mut bundle = Writer::new(folder)?;
    let wasm = bundle.hashed("rex.wasm", &read(wasm.to_path_buf())?)?;
    let glue = bundle.hashed("rex.js", &read(work.join("rex_app.js"))?)?;
    let css = bundle.hashed(
        "rex.css",
        styles::joined(&workspace.join("style"))?.as_bytes(),
    )?;
    let icons = bundle.hashed("icons.svg", &read(workspace.join("style/icons.svg"))?)?;
    let boot = bundle.hashed("boot.js", &read(workspace.join("app/boot.js"))?)?;
    let template = String::from_utf8(read(workspace.join("app/index.html"))?)?;
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
