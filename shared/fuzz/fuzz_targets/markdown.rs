//! Markdown documents.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rex_shared::document::{Format, parse};
use sound::check_blocks;

#[path = "../../tests/anchoring/sound.rs"]
#[expect(dead_code, reason = "each target uses its own part")]
mod sound;

fuzz_target!(|text: &str| {
    check_blocks(&parse(Format::Markdown, text), text);
});
