//! Noise: lines that look like a protocol's and mean nothing.

use proptest::prelude::*;
use serde_json::Value;

/// Any text, or JSON whose members have these names and, now and then, one of these words as their value.
pub(super) fn any_line(
    names: &'static [&'static str],
    words: &'static [&'static str],
) -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        // Small ones are ids and positions that exist.
        (0..5_i64).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        proptest::sample::select(words).prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(4, 32, 6, move |inner| {
        let member = (proptest::sample::select(names), inner.clone());
        prop_oneof![
            proptest::collection::vec(inner, 0..4).prop_map(Value::from),
            proptest::collection::vec(member, 0..6).prop_map(|members| {
                let named = members
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value));
                Value::Object(named.collect())
            }),
        ]
    });
    prop_oneof![".{0,40}", value.prop_map(|value| value.to_string())]
}
