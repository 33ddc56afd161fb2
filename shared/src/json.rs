//! Reading JSON in the page.
//!
//! `serde_json` alone would do, and does in the bridge. But it reads each type from text in two ways, by name and by
//! position, with words for all that can be wrong, and in the page that outweighs the page's own logic. Here text is
//! read into a [`Value`] once, and types are read from that by name only. Deliberately absent: what was wrong, for the
//! page can only say that its words are not the bridge's.

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde_json::{Map, Number, Value};
use std::fmt;

/// The text is no JSON, or not that of the type asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreadable;

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not the JSON that was expected")
    }
}

impl std::error::Error for Unreadable {}

impl serde::de::Error for Unreadable {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// Reads a value from JSON.
pub fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, Unreadable> {
    T::deserialize(Reader(parsed(text)?))
}

#[inline(never)]
fn parsed(text: &str) -> Result<Value, Unreadable> {
    serde_json::from_str(text).map_err(|_| Unreadable)
}

struct Reader(Value);

impl Reader {
    fn object(self) -> Result<Fields, Unreadable> {
        match self.0 {
            Value::Object(fields) => Ok(Fields {
                left: fields.into_iter(),
                value: None,
            }),
            _ => Err(Unreadable),
        }
    }

    fn array(self) -> Result<Items, Unreadable> {
        match self.0 {
            Value::Array(items) => Ok(Items(items.into_iter())),
            _ => Err(Unreadable),
        }
    }

    fn text(self) -> Result<String, Unreadable> {
        match self.0 {
            Value::String(text) => Ok(text),
            _ => Err(Unreadable),
        }
    }

    fn number(self) -> Result<Number, Unreadable> {
        match self.0 {
            Value::Number(number) => Ok(number),
            _ => Err(Unreadable),
        }
    }
}

macro_rules! numbers {
    ($($name:ident)+) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
            let number = self.number()?;
            if let Some(number) = number.as_u64() {
                visitor.visit_u64(number)
            } else if let Some(number) = number.as_i64() {
                visitor.visit_i64(number)
            } else {
                visitor.visit_f64(number.as_f64().ok_or(Unreadable)?)
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for Reader {
    type Error = Unreadable;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Number(_) => self.deserialize_f64(visitor),
            Value::String(text) => visitor.visit_string(text),
            Value::Array(_) => visitor.visit_seq(self.array()?),
            Value::Object(_) => visitor.visit_map(self.object()?),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_unit()
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_bool(self.0.as_bool().ok_or(Unreadable)?)
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_f32 deserialize_f64
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_string(self.text()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_string(self.text()?)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_str(&self.text()?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_seq(self.array()?)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        visitor.visit_seq(self.array()?)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_map(self.object()?)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        visitor.visit_map(self.object()?)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        visitor.visit_enum(self)
    }

    serde::forward_to_deserialize_any! {
        char bytes byte_buf unit unit_struct tuple_struct
    }
}

struct Items(std::vec::IntoIter<Value>);

impl<'de> SeqAccess<'de> for Items {
    type Error = Unreadable;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Unreadable> {
        let item = self.0.next();
        item.map(|item| seed.deserialize(Reader(item))).transpose()
    }
}

struct Fields {
    left: <Map<String, Value> as IntoIterator>::IntoIter,
    value: Option<Value>,
}

impl<'de> MapAccess<'de> for Fields {
    type Error = Unreadable;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Unreadable> {
        let Some((key, value)) = self.left.next() else {
            return Ok(None);
        };
        self.value = Some(value);
        seed.deserialize(Reader(Value::String(key))).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, Unreadable> {
        seed.deserialize(Reader(self.value.take().ok_or(Unreadable)?))
    }
}

/// A word, or one field whose name is the variant and whose value is what it holds.
impl<'de> EnumAccess<'de> for Reader {
    type Error = Unreadable;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self), Unreadable> {
        let (name, held) = match self.0 {
            Value::Object(fields) => fields.into_iter().next().ok_or(Unreadable)?,
            word => (Self(word).text()?, Value::Null),
        };
        Ok((seed.deserialize(Self(Value::String(name)))?, Self(held)))
    }
}

impl<'de> VariantAccess<'de> for Reader {
    type Error = Unreadable;

    fn unit_variant(self) -> Result<(), Unreadable> {
        self.0.is_null().then_some(()).ok_or(Unreadable)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<T::Value, Unreadable> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_seq(self.array()?)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        visitor.visit_map(self.object()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Block, Format, ReadOnly, Span};
    use crate::wire::problem::{Problem, ProblemType};

    #[test]
    fn what_serde_json_writes_is_read_as_it_was() {
        let source = "# A *b*\n\n- [x] c `d`\n\n| e |\n|---|\n| [f](g) |\n\n```rust\nh\n```\n\n1. i[^1]\n\n[^1]: j";
        let blocks = crate::document::parse(Format::Markdown, source);
        let json = serde_json::to_string(&blocks).unwrap();
        assert_eq!(from_json::<Vec<Block>>(&json), Ok(blocks));
        for read_only in [
            ReadOnly::Permissions,
            ReadOnly::Encoding("latin1".to_owned()),
        ] {
            let json = serde_json::to_string(&read_only).unwrap();
            assert_eq!(from_json(&json), Ok(read_only));
        }
        let problem = Problem::new(ProblemType::Conflict, "a", "b", "c")
            .with("d", serde_json::json!({ "e": [1, -2, 0.5, null, true] }));
        let json = serde_json::to_string(&problem).unwrap();
        assert_eq!(from_json(&json), Ok(problem));
    }

    #[test]
    fn unknown_fields_are_passed_over_and_missing_options_are_none() {
        let json = r#"{"blockId":"a","start":0,"end":2,"later":{"b":[1]},"node":null}"#;
        let block = from_json::<Block>(json).unwrap();
        assert_eq!(
            (block.block_id.as_str(), block.source, block.node),
            ("a", None, None)
        );
    }

    #[test]
    fn what_does_not_fit_is_unreadable() {
        assert_eq!(from_json::<Block>("{"), Err(Unreadable));
        assert_eq!(from_json::<Block>(r#"{"blockId":"a"}"#), Err(Unreadable));
        assert_eq!(from_json::<Span>("[1]"), Err(Unreadable));
        assert_eq!(from_json::<u8>("256"), Err(Unreadable));
        assert_eq!(from_json::<ReadOnly>(r#""other""#), Err(Unreadable));
        assert_eq!(from_json::<ReadOnly>(r#""encoding""#), Err(Unreadable));
    }
}
