//! From a grammar's scopes to the classes of [`rex_shared::document::CLASSES`].

use std::collections::HashMap;
use std::sync::LazyLock;
use syntect::parsing::{Scope, ScopeStack};

/// The first row whose scope begins a token's scope decides; `None` means uncoloured. Longer scopes come first.
const TABLE: [(&str, Option<&str>); 47] = [
    ("punctuation.definition.comment", Some("comment")),
    ("punctuation.definition.string", Some("string")),
    ("punctuation.definition.tag", Some("tag")),
    ("punctuation.definition.annotation", Some("attribute")),
    ("punctuation.definition.variable", Some("variable")),
    ("punctuation.definition.heading", Some("keyword")),
    ("punctuation", Some("punctuation")),
    ("comment", Some("comment")),
    ("string", Some("string")),
    ("constant.numeric", Some("number")),
    ("constant", Some("constant")),
    ("support.constant", Some("constant")),
    ("entity.name.function", Some("function")),
    ("entity.name.macro", Some("function")),
    ("entity.name.section", Some("keyword")),
    ("entity.name.tag", Some("tag")),
    ("entity.name.label", Some("constant")),
    ("entity.name.constant", Some("constant")),
    ("entity.name.namespace", Some("type")),
    ("entity.name", Some("type")),
    ("entity.other.attribute-name", Some("attribute")),
    ("entity.other.inherited-class", Some("type")),
    ("support.function", Some("function")),
    ("support.macro", Some("function")),
    ("support.type.property-name", Some("attribute")),
    ("support.type", Some("type")),
    ("support.class", Some("type")),
    ("variable.function", Some("function")),
    ("variable.annotation", Some("attribute")),
    ("variable.language", Some("keyword")),
    ("variable.other", None),
    ("variable", Some("variable")),
    ("storage.type.class", Some("keyword")),
    ("storage", Some("keyword")),
    ("keyword.operator.word", Some("keyword")),
    ("keyword.operator.logical.python", Some("keyword")),
    ("keyword.operator", Some("operator")),
    ("keyword", Some("keyword")),
    ("markup.heading", Some("keyword")),
    ("markup.inserted", Some("string")),
    ("markup.deleted", Some("tag")),
    ("markup.changed", Some("number")),
    ("markup.raw", Some("string")),
    ("markup.underline.link", Some("string")),
    ("meta.annotation", Some("attribute")),
    ("meta.attribute", Some("attribute")),
    ("meta.mapping.key", Some("attribute")),
];

static ROWS: LazyLock<Vec<(Scope, Option<&'static str>)>> = LazyLock::new(|| {
    TABLE
        .iter()
        .filter_map(|(scope, class)| Some((Scope::new(scope).ok()?, *class)))
        .collect()
});

/// Finds classes, and remembers what it found.
#[derive(Default)]
pub(super) struct Classes {
    known: HashMap<Scope, Option<Option<&'static str>>>,
}

impl Classes {
    /// The class of a token: the innermost scope that says anything decides.
    pub(super) fn of(&mut self, stack: &ScopeStack) -> Option<&'static str> {
        stack
            .as_slice()
            .iter()
            .rev()
            .find_map(|scope| *self.known.entry(*scope).or_insert_with(|| row(*scope)))
            .flatten()
    }
}

fn row(scope: Scope) -> Option<Option<&'static str>> {
    ROWS.iter()
        .find(|(prefix, _)| prefix.is_prefix_of(scope))
        .map(|(_, class)| *class)
}
