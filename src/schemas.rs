//! The JSON Schemas of the file formats.

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

    /// The word of the command.
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

    /// The schema.
    pub fn text(self) -> String {
        String::new()
    }
}
