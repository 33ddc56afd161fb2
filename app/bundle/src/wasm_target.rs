//! A compiler that can build for the browser.
//!
//! First the active toolchain, if it has the wasm library; then `rustup target add`, with a limit, for it hangs where
//! only package registries are reachable; then, on Debian as root, Debian's compiler for web browsers, whose library
//! for wasm is built once from its own source package.

use crate::machine::{can_install, find, install, output, run};
use crate::stage::say;
use anyhow::{Context as _, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The target's name.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// How long rustup may take to fetch the target's library.
const RUSTUP_LIMIT: Duration = Duration::from_secs(45);

/// Which compiler builds the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WasmToolchain {
    /// A compiler other than the active one.
    pub rustc: Option<PathBuf>,
    /// A linker other than the compiler's own.
    pub linker: Option<PathBuf>,
}

impl WasmToolchain {
    /// Sets the variables that make a cargo command use this toolchain.
    pub fn apply(&self, cargo: &mut Command) {
        if let Some(rustc) = &self.rustc {
            cargo.env("RUSTC", rustc);
        }
        if let Some(linker) = &self.linker {
            cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
    }
}

/// Finds or makes a compiler for the browser.
pub fn ensure() -> anyhow::Result<WasmToolchain> {
    if has_library(Path::new("rustc")) {
        return Ok(WasmToolchain {
            rustc: None,
            linker: None,
        });
    }
    if find(&["rustup"]).is_some() && rustup_adds_the_target() && has_library(Path::new("rustc")) {
        return Ok(WasmToolchain {
            rustc: None,
            linker: None,
        });
    }
    debian()
}

/// Whether `rustc` has the standard library for wasm.
fn has_library(rustc: &Path) -> bool {
    output(Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET])).is_ok_and(
        |folder| {
            std::fs::read_dir(folder).is_ok_and(|mut files| {
                files.any(|file| {
                    file.is_ok_and(|file| file.file_name().to_string_lossy().starts_with("libstd-"))
                })
            })
        },
    )
}

fn rustup_adds_the_target() -> bool {
    say("  asking rustup for the wasm target");
    let child = Command::new("rustup")
        .args(["target", "add", TARGET])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else { return false };
    let began = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if began.elapsed() < RUSTUP_LIMIT => {
                std::thread::park_timeout(Duration::from_millis(100));
            }
            _ => {
                say("  rustup gave no answer in time");
                drop(child.kill());
                drop(child.wait());
                return false;
            }
        }
    }
}

fn debian() -> anyhow::Result<WasmToolchain> {
    let rustc = PathBuf::from("/usr/bin/rustc");
    let linker = || find(&["wasm-ld-22", "wasm-ld"]);
    if !has_library(&rustc) || linker().is_none() {
        if !can_install() {
            bail!(
                "the wasm target of Rust is missing. Get it with `rustup target add {TARGET}`; on Debian, running this \
                 once as root installs a compiler that has it"
            );
        }
        install(&[
            "rustc-web",
            "libstd-rust-web-dev",
            "rust-web-src",
            "rust-web-llvm",
            "lld-22",
        ])?;
    }
    if !has_library(&rustc) {
        build_library(&rustc)?;
    }
    if !has_library(&rustc) {
        bail!(
            "{} still has no wasm library after building it",
            rustc.display()
        );
    }
    let linker = linker().context("lld is installed, but there is no wasm-ld in PATH")?;
    Ok(WasmToolchain {
        rustc: Some(rustc),
        linker: Some(linker),
    })
}

/// Builds the standard library for wasm from Debian's source package and puts it where the compiler looks.
fn build_library(rustc: &Path) -> anyhow::Result<()> {
    say("  building the standard library for wasm, once (about 2 minutes)");
    let version = output(Command::new(rustc).arg("--version"))?;
    let folder = crate::machine::cache()?
        .join("wasm-library")
        .join(blake3::hash(version.as_bytes()).to_hex().as_str());
    std::fs::create_dir_all(folder.join("src"))?;
    std::fs::write(
        folder.join("Cargo.toml"),
        "[package]\nname = \"nothing\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[profile.release]\npanic = \"unwind\"\nopt-level = \"s\"\n\n[workspace]\n",
    )?;
    std::fs::write(folder.join("src/lib.rs"), "#![no_std]\n")?;
    run(crate::machine::cargo()
        .current_dir(&folder)
        .env("RUSTC", rustc)
        .env("RUSTC_BOOTSTRAP", "1")
        // Without bitcode a later fat LTO of the page fails.
        .env("RUSTFLAGS", "-Cembed-bitcode=yes")
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .args([
            "build",
            "--quiet",
            "--release",
            "--target",
            TARGET,
            "-Zbuild-std=std,panic_abort,proc_macro",
        ]))?;
    let library = PathBuf::from(output(Command::new(rustc).args([
        "--print",
        "target-libdir",
        "--target",
        TARGET,
    ]))?);
    std::fs::create_dir_all(&library)?;
    for file in std::fs::read_dir(folder.join("target").join(TARGET).join("release/deps"))? {
        let file = file?;
        let name = file.file_name().to_string_lossy().into_owned();
        if name.ends_with(".rlib") && !name.starts_with("libnothing-") {
            std::fs::copy(file.path(), library.join(&name))
                .with_context(|| format!("could not install {name}"))?;
        }
    }
    Ok(())
}
