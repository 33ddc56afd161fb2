//! The page's wasm, cut into the module that every visit needs and those that are loaded when first needed.
//!
//! Where to cut is said in the page's own source (`app/src/lazy.rs`). The cutter follows what each piece reaches and
//! writes, beside the modules, a script that loads them. [`joined`] makes that script a part of the glue: one file less
//! to ask for, and no two files that name each other by hash.

use anyhow::{Context as _, anyhow, bail};
use std::path::{Path, PathBuf};

/// The script that loads the pieces, as the main module imports it.
const LOADER: &str = "./loader.js";

/// What the cutter made.
#[derive(Debug)]
pub struct Pieces {
    /// What every visit needs; still to be bound to JavaScript.
    pub main: PathBuf,
    /// What is loaded later.
    pub later: Vec<PathBuf>,
    /// The script that loads it.
    pub loader: PathBuf,
}

/// Cuts `wasm`, which must have been linked with its relocations kept.
pub fn split(wasm: &Path, into: &Path) -> anyhow::Result<Pieces> {
    let input = std::fs::read(wasm).with_context(|| format!("cannot read {}", wasm.display()))?;
    let main = into.join("rex_app.wasm");
    let mut options = wasm_split_cli_support::Options::new(&input);
    options.output_dir = into;
    options.main_out_path = &main;
    options.link_name = LOADER;
    let made = wasm_split_cli_support::transform(options)
        .map_err(|error| anyhow!("the page's wasm could not be cut: {error:?}"))?;
    Ok(Pieces {
        main,
        later: made.split_modules,
        loader: into.join(LOADER),
    })
}

/// The glue with the loading script inside, and each piece under the address it has in the bundle.
///
/// `pieces` holds file name and address. The cutter's and the binder's texts are taken as they are pinned; where they
/// look otherwise, the build says so.
pub fn joined(glue: &str, loader: &str, pieces: &[(String, String)]) -> anyhow::Result<String> {
    // The binder imports the loader once for each thing it takes from it.
    let (imports, glue): (Vec<_>, Vec<_>) = glue
        .lines()
        .partition(|line| line.starts_with("import ") && line.contains(LOADER));
    if imports.is_empty() {
        bail!("the glue imports no loader");
    }
    let names = imports
        .iter()
        .map(|line| {
            line.strip_prefix("import * as ")
                .and_then(|rest| rest.split_once(" from "))
                .map(|(name, _)| name)
                .context("the glue imports the loader in another way than expected")
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    let (_, mut script) = loader
        .split_once("import { initSync }")
        .and_then(|(_, rest)| rest.split_once('\n'))
        .map(|(import, rest)| (import, rest.to_owned()))
        .context("the loader does not begin by importing the glue")?;
    let loaders: Vec<_> = script
        .lines()
        .filter_map(|line| line.strip_prefix("export const ")?.split(' ').next())
        .map(str::to_owned)
        .collect();
    for (file, address) in pieces {
        let before = format!("\"./{file}\"");
        if !script.contains(&before) {
            bail!("the loader does not load {file}");
        }
        script = script.replace(&before, &format!("\"{address}\""));
    }
    script = script.replace("export const ", "const ");
    let named: Vec<_> = names
        .iter()
        .map(|name| format!("const {name} = loaders;\n"))
        .collect();
    Ok(format!(
        "{script}const loaders = {{ {} }};\n{}{}\n",
        loaders.join(", "),
        named.concat(),
        glue.join("\n")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loader_stands_inside_the_glue_and_names_pieces_by_their_address() {
        let glue = "import * as import1 from \"./loader.js\"\nimport * as import2 from \"./loader.js\"\n\nexport function initSync() { \"./loader.js\"; }\n";
        let loader = "import { initSync } from \"./main.js\";\n\nexport const __load_card = load(() => fetch(\"./card.wasm\"));\n";
        let piece = ("card.wasm".to_owned(), "/assets/card-1.wasm".to_owned());
        let script = joined(glue, loader, &[piece]).unwrap();
        assert!(!script.contains("import "), "{script}");
        assert!(script.contains("const __load_card = load(() => fetch(\"/assets/card-1.wasm\"));"));
        assert!(script.contains("const loaders = { __load_card };"));
        assert!(script.contains("const import1 = loaders;\nconst import2 = loaders;"));
        assert!(script.contains("export function initSync() { \"./loader.js\"; }"));
    }

    #[test]
    fn a_text_that_looks_otherwise_is_an_error() {
        let glue = "import * as import1 from \"./loader.js\"\n";
        let loader = "import { initSync } from \"./main.js\";\n";
        let piece = ("card.wasm".to_owned(), "/assets/card-1.wasm".to_owned());
        assert!(joined("", loader, &[]).is_err());
        assert!(joined(glue, "", &[]).is_err());
        assert!(joined(glue, loader, &[piece]).is_err());
    }
}
