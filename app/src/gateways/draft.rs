//! A gateway as it is being written, and what keeps it from being one.

use rex_shared::endpoint::{is_base_url, is_key_ref, is_model};
use rex_shared::ids::{GatewayId, Sdk};
use rex_shared::wire::agent::Gateway;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Name,
    Address,
    Agents,
    Key,
    Models,
}

/// Which field does not fit, and what would.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unfit {
    pub(super) field: Field,
    pub(super) words: String,
}

/// Where the key stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum KeyKind {
    #[default]
    None,
    Variable,
    File,
}

impl KeyKind {
    /// All of them, in the order they are offered.
    pub(super) const ALL: [Self; 3] = [Self::None, Self::Variable, Self::File];

    /// What stands before the name in a reference; also the value in the list.
    pub(super) fn scheme(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Variable => "env",
            Self::File => "file",
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Variable => "in a variable",
            Self::File => "in a file",
        }
    }

    /// The kind of this scheme.
    pub(super) fn of(scheme: &str) -> Self {
        let of = |kind: &Self| kind.scheme() == scheme;
        Self::ALL.into_iter().find(of).unwrap_or_default()
    }
}

/// What stands in the form.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) address: String,
    pub(super) sdks: Vec<Sdk>,
    pub(super) key_kind: KeyKind,
    pub(super) key: String,
    /// One a line.
    pub(super) models: String,
}

impl Draft {
    /// A gateway that exists.
    pub(super) fn of(gateway: &Gateway) -> Self {
        let key = gateway.key_ref.as_deref().unwrap_or_default();
        let (scheme, key) = key.split_once(':').unwrap_or_default();
        Self {
            name: gateway.name.clone(),
            address: gateway.base_url.clone().unwrap_or_default(),
            sdks: gateway.sdks.clone(),
            key_kind: KeyKind::of(scheme),
            key: key.to_owned(),
            models: gateway.models.join("\n"),
        }
    }

    /// The gateway it says, or the first field that does not fit.
    pub(super) fn gateway(&self, gateway_id: GatewayId) -> Result<Gateway, Unfit> {
        let unfit = |field, words: &str| {
            Err(Unfit {
                field,
                words: words.to_owned(),
            })
        };
        let name = self.name.trim();
        if name.is_empty() || name.chars().count() > 100 {
            return unfit(Field::Name, "A name is one line of 1 to 100 letters.");
        }
        let address = Some(self.address.trim()).filter(|address| !address.is_empty());
        if address.is_some_and(|address| !is_base_url(address)) {
            return unfit(
                Field::Address,
                "An address begins with http:// or https:// and has no name or password in it.",
            );
        }
        if self.sdks.is_empty() {
            return unfit(Field::Agents, "Choose at least one agent.");
        }
        let key_ref = match self.key_kind {
            KeyKind::None => None,
            kind => Some(format!("{}:{}", kind.scheme(), self.key.trim())),
        };
        if key_ref.as_deref().is_some_and(|key| !is_key_ref(key)) {
            let words = match self.key_kind {
                KeyKind::File => "A file is named by its whole path, from the first slash.",
                _ => "A variable's name is letters, digits and _, and does not begin with a digit.",
            };
            return unfit(Field::Key, words);
        }
        let models = self.models.lines().map(str::trim);
        let models: Vec<String> = models
            .filter(|model| !model.is_empty())
            .map(str::to_owned)
            .collect();
        if let Some(bad) = models.iter().find(|model| !is_model(model)) {
            return Err(Unfit {
                field: Field::Models,
                words: format!(
                    "“{bad}” is no model's name: letters, digits and . _ : / @ -, first a letter or digit."
                ),
            });
        }
        Ok(Gateway {
            gateway_id,
            name: name.to_owned(),
            sdks: self.sdks.clone(),
            base_url: address.map(str::to_owned),
            key_ref,
            models,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id() -> GatewayId {
        GatewayId::parse("01890a5d-ac96-774b-bcce-b302099a8057").unwrap()
    }

    fn draft() -> Draft {
        Draft {
            name: " LiteLLM ".to_owned(),
            address: "http://localhost:4000".to_owned(),
            sdks: vec![Sdk::parse("claude").unwrap()],
            key_kind: KeyKind::Variable,
            key: "LITELLM_KEY".to_owned(),
            models: "large\n\n anthropic/small \n".to_owned(),
        }
    }

    #[test]
    fn what_is_written_becomes_a_gateway_and_a_gateway_is_written_the_same() {
        let gateway = draft().gateway(id()).unwrap();
        assert_eq!(gateway.name, "LiteLLM");
        assert_eq!(gateway.key_ref.as_deref(), Some("env:LITELLM_KEY"));
        assert_eq!(gateway.models, ["large", "anthropic/small"]);
        assert_eq!(Draft::of(&gateway).gateway(id()), Ok(gateway));
        let bare = Draft {
            address: String::new(),
            key_kind: KeyKind::None,
            models: String::new(),
            ..draft()
        };
        let gateway = bare.gateway(id()).unwrap();
        assert_eq!((gateway.base_url, gateway.key_ref), (None, None));
    }

    #[test]
    fn the_first_field_that_does_not_fit_is_named() {
        type Spoil = fn(&mut Draft);
        let cases: [(Field, Spoil); 6] = [
            (Field::Name, |draft| {
                draft.name = "  ".to_owned();
            }),
            (Field::Address, |draft| {
                draft.address = "localhost:4000".to_owned();
            }),
            (Field::Agents, |draft| draft.sdks.clear()),
            (Field::Key, |draft| {
                draft.key = "sk-the-key-itself".to_owned();
            }),
            (Field::Key, |draft| {
                draft.key_kind = KeyKind::File;
                draft.key = "keys/litellm".to_owned();
            }),
            (Field::Models, |draft| {
                draft.models = "large\n--help".to_owned();
            }),
        ];
        for (field, spoil) in cases {
            let mut draft = draft();
            spoil(&mut draft);
            let unfit = draft.gateway(id()).unwrap_err();
            assert_eq!(unfit.field, field);
            assert!(!unfit.words.contains("sk-"), "a key is not repeated");
        }
    }
}
