//! Noise: lines that look like a protocol's and mean nothing.

use proptest::prelude::*;
use serde_json::Value;

/// Any bytes, or JSON whose members have these names and, now and then, one of these words as their value.
pub(super) fn any_line<Word: Into<String>>(
    names: impl IntoIterator<Item = Word>,
    words: impl IntoIterator<Item = Word>,
) -> impl Strategy<Value = String> {
    let names: Vec<String> = names.into_iter().map(Into::into).collect();
    let words: Vec<String> = words.into_iter().map(Into::into).collect();
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        // Small ones are ids and positions that exist.
        (0..5_i64).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        proptest::sample::select(words).prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(5, 48, 6, move |inner| {
        let member = (proptest::sample::select(names.clone()), inner.clone());
        prop_oneof![
            proptest::collection::vec(inner, 0..4).prop_map(Value::from),
            proptest::collection::vec(member, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    });
    let bytes = proptest::collection::vec(any::<u8>(), 0..40);
    prop_oneof![
        bytes.prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        value.prop_map(|value| value.to_string()),
    ]
}
