//! This machine: where the workspace and the caches are, and running other programs on it.

use anyhow::{Context as _, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The workspace's root, known when this tool was compiled.
pub fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// Cargo's target folder of the host.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), PathBuf::from)
}

/// Where tools that are slow to get are kept between clones. Deleting it costs time, nothing else.
pub fn cache() -> anyhow::Result<PathBuf> {
    let base = match (std::env::var_os("XDG_CACHE_HOME"), std::env::var_os("HOME")) {
        (Some(cache), _) if !cache.is_empty() => PathBuf::from(cache),
        (_, Some(home)) => PathBuf::from(home).join(".cache"),
        _ => bail!("neither XDG_CACHE_HOME nor HOME is set, so there is no folder for caches"),
    };
    Ok(base.join("rex"))
}

/// The cargo that started this tool, else the one in PATH.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // What cargo set for this tool must not reach the builds it starts.
    for name in [
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_MANIFEST_DIR",
        "CARGO_PKG_NAME",
        "RUSTC",
        "RUSTFLAGS",
    ] {
        cargo.env_remove(name);
    }
    cargo.current_dir(workspace());
    cargo
}

/// Runs a program whose words are for the person; both its streams go to stderr.
pub fn run(command: &mut Command) -> anyhow::Result<()> {
    let shown = shown(command);
    let status = command
        .stdin(Stdio::null())
        .stdout(std::io::stderr())
        .status()
        .with_context(|| format!("could not start: {shown}"))?;
    if !status.success() {
        bail!("ended with {status}: {shown}");
    }
    Ok(())
}

/// Runs a program for what it prints.
pub fn output(command: &mut Command) -> anyhow::Result<String> {
    let shown = shown(command);
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("could not start: {shown}"))?;
    if !output.status.success() {
        bail!(
            "ended with {}: {shown}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The first of `names` that is a file in PATH.
pub fn find(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names.iter().find_map(|name| {
        folders
            .iter()
            .map(|folder| folder.join(name))
            .find(|file| file.is_file())
    })
}

/// Whether Debian packages can be installed without asking anybody: Debian or Ubuntu, as root.
pub fn can_install() -> bool {
    let debian = find(&["apt-get"]).is_some() && Path::new("/etc/debian_version").exists();
    debian && output(Command::new("id").arg("-u")).is_ok_and(|user| user == "0")
}

/// Installs Debian packages, or says how to.
pub fn install(packages: &[&str]) -> anyhow::Result<()> {
    if !can_install() {
        bail!(
            "needed: the packages {}. Install them (Debian: apt-get install {0}) and start again",
            packages.join(" ")
        );
    }
    crate::stage::say(&format!(
        "  installing Debian packages: {}",
        packages.join(" ")
    ));
    let apt = || {
        let mut apt = Command::new("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive")
            .args(["-qq", "-o", "Dpkg::Use-Pty=0"]);
        apt
    };
    // Hundreds of lines about unpacking help nobody, unless it fails.
    output(apt().arg("update"))?;
    output(
        apt()
            .args(["install", "-y", "--no-install-recommends"])
            .args(packages),
    )?;
    Ok(())
}

/// Gets what agents' programs are kept from writing with, for tests of it. A machine where it cannot be had is told so;
/// those tests say then that they did not run.
pub fn bubblewrap() -> anyhow::Result<()> {
    if !cfg!(target_os = "linux") || find(&["bwrap"]).is_some() {
        return Ok(());
    }
    if can_install() {
        return install(&["bubblewrap"]);
    }
    crate::stage::say(
        "  bubblewrap is missing (Debian: apt-get install bubblewrap); what needs it is NOT TESTED",
    );
    Ok(())
}

/// Installs exact npm packages into a folder of their own below the cache, once; gives its `node_modules`.
pub fn npm_packages(name: &str, packages: &[&str]) -> anyhow::Result<PathBuf> {
    let folder = cache()?.join("npm").join(name);
    let done = folder.join(".complete");
    let wanted = packages.join("\n");
    if std::fs::read_to_string(&done).is_ok_and(|have| have == wanted) {
        return Ok(folder.join("node_modules"));
    }
    if find(&["npm"]).is_none() {
        bail!(
            "needed: Node 20 or newer with npm, to get {}. See https://nodejs.org",
            packages.join(", ")
        );
    }
    std::fs::create_dir_all(&folder)?;
    run(Command::new("npm")
        .args([
            "install",
            "--no-audit",
            "--no-fund",
            "--no-save",
            "--ignore-scripts",
            "--loglevel=error",
            "--prefix",
        ])
        .arg(&folder)
        .args(packages))?;
    std::fs::write(done, wanted)?;
    Ok(folder.join("node_modules"))
}

/// Installs exact Python packages into an environment of their own below the cache, once; gives its `python`.
pub fn python_packages(name: &str, packages: &[&str]) -> anyhow::Result<PathBuf> {
    let folder = cache()?.join("python").join(name);
    let python = folder.join("bin/python");
    let done = folder.join(".complete");
    let wanted = packages.join("\n");
    if std::fs::read_to_string(&done).is_ok_and(|have| have == wanted) {
        return Ok(python);
    }
    let usable = || {
        find(&["python3"])
            .filter(|python| output(Command::new(python).args(["-c", "import ensurepip"])).is_ok())
    };
    let system = match usable() {
        Some(system) => system,
        None => {
            install(&["python3-venv"])?;
            usable().context("needed: Python 3.11 or newer that can make environments")?
        }
    };
    run(Command::new(system).args(["-m", "venv"]).arg(&folder))?;
    run(Command::new(&python)
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ])
        .args(packages))?;
    std::fs::write(done, wanted)?;
    Ok(python)
}
