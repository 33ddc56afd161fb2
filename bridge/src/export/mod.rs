//! Export: the comments of some documents as one file, for people who have no REX and for another REX.
//!
//! [`gather`] reads documents and rows into a [`Bundle`]; the rest is pure. A bundle is written as JSON, as Markdown for
//! a pull request ([`markdown`]), or as one page that needs nothing beside it ([`html`]).
//!
//! Deliberately absent: drafts in what people read (they were never sent), any script in the page, and anything that
//! an address would have to be fetched for.

mod bundle;
mod gather;
mod html;
mod markdown;
mod paths;
mod words;

pub use bundle::{Bundle, BundleDocument, BundleThread, FORMAT, Lines};
pub use gather::{Asked, Exporter};
pub use paths::within;

use serde::{Deserialize, Serialize};

/// What an export is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "camelCase")]
pub enum Format {
    /// Markdown, to be pasted into a pull request.
    #[default]
    Md,
    /// A [`Bundle`].
    Json,
    /// One page: the documents and their comments.
    Html,
}

impl Format {
    /// Its media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Md => "text/markdown; charset=utf-8",
            Self::Json => "application/json",
            Self::Html => "text/html; charset=utf-8",
        }
    }

    /// How the name of a file of it ends.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Md => "md",
            Self::Json => "json",
            Self::Html => "html",
        }
    }
}

#[cfg(test)]
mod tests;
