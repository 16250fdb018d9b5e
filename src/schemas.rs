//! The JSON Schemas of the four formats that people write and Sedum reads, for editors and other tools.
//!
//! It decides what of a format's rules a schema can say, and says all of that; the words it takes from the tables that
//! the readers themselves use. A schema is never stricter than its reader: what it refuses, Sedum refuses too. It must
//! not be used to judge a file: the readers do that, with places and rule slugs.
//!
//! The dialect is draft-07, because that is the newest one that the YAML servers of the common editors carry out in
//! full; nothing here would be shorter in a later one. A null counts as left out wherever the reader counts it so, and a
//! plain number or boolean counts as text wherever the reader takes it for its spelling (L14a).

mod actions;
mod manifest;
mod paths;
mod record;
mod recording;
mod shapes;

use serde_json::{Value, json};

/// Where the schemas are published; the files below `docs/schemas` of the main branch.
const HOME: &str = "https://raw.githubusercontent.com/livecodelife/sedum/main/docs/schemas";

/// A file format with a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schema {
    /// `sedum.yaml`.
    Manifest,
    /// `actions.yaml`.
    Actions,
    /// A provenance record.
    Record,
    /// A recording.
    Recording,
}

impl Schema {
    /// Every format.
    pub const ALL: [Self; 4] = [Self::Manifest, Self::Actions, Self::Record, Self::Recording];

    /// The word of the command, which is the name of the published file too, without `.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Manifest => "manifest",
            Self::Actions => "actions",
            Self::Record => "record",
            Self::Recording => "recording",
        }
    }

    /// The format of a word.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|schema| schema.name() == name)
    }

    /// The address that the schema is published at, which is its `$id`.
    pub fn address(self) -> String {
        format!("{HOME}/{}.json", self.name())
    }

    /// The schema as indented JSON with a newline at its end; the same bytes every time.
    pub fn text(self) -> String {
        let body = match self {
            Self::Manifest => manifest::schema(),
            Self::Actions => actions::schema(),
            Self::Record => record::schema(),
            Self::Recording => recording::schema(),
        };
        let head = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "$id": self.address(),
        });
        format!("{:#}\n", shapes::merged([head, body]))
    }

    /// The schema as a value.
    pub fn value(self) -> Value {
        serde_json::from_str(&self.text()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
