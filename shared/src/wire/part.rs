//! How a [`Part`] is read from JSON; see the same for nodes in `document::fields`, where the reason is.

use super::message::{Part, ToolResult, ToolStatus};
use crate::ids::EntryId;
use serde::Deserialize;
use serde::de::Error as _;
use serde::de::value::Error;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fields {
    #[serde(rename = "type")]
    part: String,
    entry_id: EntryId,
    text: Option<String>,
    call_id: Option<String>,
    name: Option<String>,
    #[serde(default)]
    input: serde_json::Value,
    status: Option<ToolStatus>,
    result: Option<ToolResult>,
    media_type: Option<String>,
    data_url: Option<String>,
    original_type: Option<String>,
}

fn need<T>(field: Option<T>, name: &'static str) -> Result<T, Error> {
    field.ok_or_else(|| Error::missing_field(name))
}

impl TryFrom<Fields> for Part {
    type Error = Error;

    fn try_from(fields: Fields) -> Result<Self, Error> {
        let entry_id = fields.entry_id;
        Ok(match fields.part.as_str() {
            "text" => Self::Text {
                entry_id,
                text: need(fields.text, "text")?,
            },
            "thinking" => Self::Thinking {
                entry_id,
                text: need(fields.text, "text")?,
            },
            "tool" => Self::Tool {
                entry_id,
                call_id: need(fields.call_id, "callId")?,
                name: need(fields.name, "name")?,
                input: fields.input,
                status: need(fields.status, "status")?,
                result: fields.result,
            },
            "image" => Self::Image {
                entry_id,
                media_type: need(fields.media_type, "mediaType")?,
                data_url: need(fields.data_url, "dataUrl")?,
            },
            "unknown" => Self::Unknown {
                entry_id,
                original_type: need(fields.original_type, "originalType")?,
            },
            unknown => return Err(Error::unknown_variant(unknown, &[])),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_read_as_it_was_written() {
        let entry_id = EntryId::parse("01890000-0000-7000-8000-000000000001").unwrap();
        let parts = [
            Part::Text {
                entry_id: entry_id.clone(),
                text: "said".to_owned(),
            },
            Part::Thinking {
                entry_id: entry_id.clone(),
                text: "thought".to_owned(),
            },
            Part::Tool {
                entry_id: entry_id.clone(),
                call_id: "1".to_owned(),
                name: "read".to_owned(),
                input: serde_json::json!({ "path": "a.md" }),
                status: ToolStatus::Done,
                result: Some(ToolResult {
                    text: "read".to_owned(),
                    is_error: false,
                }),
            },
            Part::Image {
                entry_id: entry_id.clone(),
                media_type: "image/png".to_owned(),
                data_url: "data:image/png;base64,".to_owned(),
            },
            Part::Unknown {
                entry_id,
                original_type: "audio".to_owned(),
            },
        ];
        for part in parts {
            let json = serde_json::to_string(&part).unwrap();
            assert_eq!(serde_json::from_str::<Part>(&json).unwrap(), part);
        }
        assert!(serde_json::from_str::<Part>(r#"{"type":"text","entryId":"e"}"#).is_err());
    }
}
