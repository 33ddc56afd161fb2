//! Ids that the page makes: UUIDs of version 7, so that they sort by when they were made.

use rex_shared::ids::{GatewayId, MessageId, PlaceId, ThreadId};

/// A lower-case canonical UUID of version 7, of a time and ten random bytes.
fn uuid_v7(millis: u64, random: [u8; 10]) -> String {
    let time = millis & 0xffff_ffff_ffff;
    let rand_a = u16::from_be_bytes([random[0], random[1]]) & 0x0fff;
    let rand_b = u16::from_be_bytes([random[2], random[3]]) & 0x3fff | 0x8000;
    let tail = random[4..]
        .iter()
        .fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
    format!(
        "{:08x}-{:04x}-7{rand_a:03x}-{rand_b:04x}-{tail:012x}",
        time >> 16,
        time & 0xffff
    )
}

fn fresh() -> String {
    let mut random = [0; 10];
    if let Some(crypto) = web_sys::window().and_then(|window| window.crypto().ok()) {
        // Ten bytes are far below the limit at which this can fail.
        drop(crypto.get_random_values_with_u8_array(&mut random));
    }
    // Time in a browser is a whole, positive number of milliseconds far below 2^48.
    uuid_v7(js_sys::Date::now() as u64, random)
}

macro_rules! made {
    ($($(#[$doc:meta])* $name:ident -> $id:ident),+ $(,)?) => {$(
        $(#[$doc])*
        pub fn $name() -> $id {
            $id::parse(&fresh()).expect("uuid_v7 writes canonical UUIDs for every input")
        }
    )+};
}

made! {
    /// A new thread's id.
    thread_id -> ThreadId,
    /// A new message's id.
    message_id -> MessageId,
    /// A new place's id.
    place_id -> PlaceId,
    /// A new gateway's id.
    gateway_id -> GatewayId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_is_a_canonical_uuid_of_version_7_that_sorts_by_time() {
        let first = uuid_v7(0x0189_0a5d_ac96, [0xff; 10]);
        assert_eq!(first, "01890a5d-ac96-7fff-bfff-ffffffffffff");
        assert!(ThreadId::parse(&first).is_ok());
        let later = uuid_v7(0x0189_0a5d_ac97, [0; 10]);
        assert_eq!(later, "01890a5d-ac97-7000-8000-000000000000");
        assert!(first < later);
    }
}
