//! Any place of any text in any other text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rex_shared::document::Format;
use sound::{check_places, inside};

#[path = "../../tests/anchoring/sound.rs"]
#[expect(dead_code, reason = "each target uses its own part")]
mod sound;

fuzz_target!(|input: (&str, &str, u16, u16)| {
    let (old, new, a, b) = input;
    let range = inside(old, a.into(), b.into());
    for format in [Format::Markdown, Format::Text] {
        check_places(format, old, new, &range);
    }
});
