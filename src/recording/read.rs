//! Reads a recording (J10-J12): lenient about keys, strict about types, complete about faults.
//!
//! Unknown keys are ignored everywhere, with a warning where one is nearly spelt like a key that is not there. What can be
//! left out without a doubt is left out: a list or an object that is missing or null is an empty one. `records`, and the
//! `path`, `package` and `action` of their owners, have no such reading, so that their lack is told here, where it has a
//! line. Everything else that may be wrong with a recording is the replay's to find.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use super::reader::{At, Object, Reader};
use super::{
    DEFAULT_PHASE, RecordedFile, RecordedPackage, RecordedPhase, RecordedRecord, Recording,
};
use crate::diag::{Problem, Source, shown};
use crate::doc::input::{self, Unreadable};
use crate::doc::{Fault, Kind, Node, json};
use crate::invocation::{Invocation, Origin};
use crate::parallel;
use crate::value::Value;

/// Why there is no recording.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file gives no text.
    #[error("recording {} {why}", shown(.name))]
    Unreadable {
        /// The file as it was given.
        name: String,
        /// Why.
        #[source]
        why: Unreadable,
    },
    /// Its text is no recording; all faults, in the order of the text.
    #[error("{}", input::lines(.0))]
    Faults(Vec<Problem>),
}

/// Reads the recording at `path`. A fifo is read, too: another tool may write the recording on the way.
pub fn read(path: &Path) -> Result<Recording, ReadError> {
    let name = path.display().to_string();
    match input::read_text(path) {
        Ok(text) => parse(&Source::new(name, text)).map_err(ReadError::Faults),
        Err(why) => Err(ReadError::Unreadable { name, why }),
    }
}

/// Reads a recording's text. The error is all of its faults, in the order of the text; a fault of syntax ends the
/// reading.
pub fn parse(source: &Arc<Source>) -> Result<Recording, Vec<Problem>> {
    if let Some(recording) = parse_by_record(source) {
        return Ok(recording);
    }
    let placed = |fault| input::problem(source, fault);
    let mut document = json::read(source.text()).map_err(|fault| vec![placed(fault)])?;
    let mut reader = Reader {
        source,
        problems: document.repeats.into_iter().map(placed).collect(),
        warnings: Vec::new(),
    };
    let records = taken(&mut document.root, "records");
    let cost = source.text().len();
    let numbered = records.into_iter().enumerate().collect();
    let records = parallel::map(numbered, cost, |(n, node)| read_record(source, n, Ok(node)));
    let mut recording = reader.recording(&document.root, records);
    recording.warnings = reader.warnings;
    // What stands behind the value is told by a second reading, which an unsound recording alone costs.
    let rest = source.text().get(document.end..).unwrap_or_default();
    if !is_blank(rest) {
        let behind = json::parse_lenient_keys(source.text()).err();
        reader.problems.extend(behind.map(placed));
    }
    if reader.problems.is_empty() {
        return Ok(recording);
    }
    let span = |problem: &Problem| problem.place.as_ref().map(|place| place.span);
    reader.problems.sort_by_key(span);
    Err(reader.problems)
}

/// Reads a recording in which nothing is wrong, one record at a time: by far the most of it, they are then never all in
/// memory as JSON, and several are read at once (X37). `None` when anything is wrong.
fn parse_by_record(source: &Arc<Source>) -> Option<Recording> {
    let text = source.text();
    let (document, records) = parallel::map_found(
        text.len(),
        |found| json::read_around(text, "records", found),
        |n, place| read_record(source, n, json::read_item(text, place)),
    );
    let document = document?;
    if !is_blank(text.get(document.end..)?) {
        return None;
    }
    let mut reader = Reader {
        source,
        problems: Vec::new(),
        warnings: Vec::new(),
    };
    let mut recording = reader.recording(&document.root, records);
    recording.warnings = reader.warnings;
    reader.problems.is_empty().then_some(recording)
}

fn is_blank(text: &str) -> bool {
    text.trim_start_matches([' ', '\t', '\n', '\r']).is_empty()
}

/// The items of a list of an object, which has an empty list in their stead: by far the most of a recording, it is given
/// up piece by piece while it is read, so that memory is not held twice (X37).
fn taken<'a>(object: &mut Node<'a>, key: &str) -> Vec<Node<'a>> {
    let Kind::Map(entries) = &mut object.kind else {
        return Vec::new();
    };
    let entry = entries.iter_mut().find(|entry| entry.key == key);
    match entry.map(|entry| &mut entry.value.kind) {
        Some(Kind::List(items)) => std::mem::take(items),
        _ => Vec::new(),
    }
}

/// A record, and what is wrong with it or odd about it.
type Looked = (Option<RecordedRecord>, Vec<Problem>, Vec<Problem>);

/// Looks at the record of this number.
fn read_record(source: &Arc<Source>, number: usize, node: Result<Node<'_>, Fault>) -> Looked {
    let mut reader = Reader {
        source,
        problems: Vec::new(),
        warnings: Vec::new(),
    };
    let at = At::Key(&At::Root, "records");
    let record = match node {
        Ok(node) => reader.record(&node, At::Item(&at, number)),
        Err(fault) => {
            reader.problems.push(input::problem(source, fault));
            None
        }
    };
    (record, reader.problems, reader.warnings)
}

impl Reader<'_> {
    /// A recording of these records.
    fn recording(&mut self, root: &Node<'_>, records: Vec<Looked>) -> Recording {
        let mut recording = Recording {
            source: Some(Arc::clone(self.source)),
            ..Recording::default()
        };
        let at = At::Root;
        let Some(object) = self.object(root, at, "an object with the key \"records\"") else {
            return recording;
        };
        self.near_misses(
            object,
            at,
            &["sedum_version", "packages", "records", "variables"],
        );
        if let Some(version) = object.value("sedum_version") {
            self.text(version, At::Key(&at, "sedum_version"));
        }
        if let Some(packages) = object.value("packages") {
            recording.packages = self.packages(packages, At::Key(&at, "packages"));
        }
        let at_records = At::Key(&at, "records");
        let node = object.value("records");
        if node.is_none() {
            let what = "a list of records, which may be empty";
            self.missing(object, at, "records", what);
        }
        self.list(node, at_records, "a list of records");
        for (record, problems, warnings) in records {
            recording.records.extend(record);
            self.problems.extend(problems);
            for warning in warnings {
                self.warn(warning);
            }
        }
        let at_variables = At::Key(&at, "variables");
        recording.variables = self.text_map(
            object.value("variables"),
            at_variables,
            "an object from variable to text",
        );
        recording
    }

    fn packages(&mut self, node: &Node<'_>, at: At<'_>) -> BTreeMap<String, RecordedPackage> {
        let mut packages = BTreeMap::new();
        let Some(object) = self.object(node, at, "an object from package to extensions") else {
            return packages;
        };
        for entry in object.entries {
            let at = At::Key(&at, &entry.key);
            let expected = "an object with the key \"extensions\"";
            let Some(package) = self.object(&entry.value, at, expected) else {
                continue;
            };
            self.near_misses(package, at, &["extensions"]);
            let extensions = self.texts(package.value("extensions"), At::Key(&at, "extensions"));
            let span = entry.key_span;
            packages.insert(
                entry.key.clone().into_owned(),
                RecordedPackage { extensions, span },
            );
        }
        packages
    }

    fn record(&mut self, node: &Node<'_>, at: At<'_>) -> Option<RecordedRecord> {
        let object = self.object(node, at, "a record, an object")?;
        self.near_misses(object, at, &["record_id", "files", "phases"]);
        let mut record = RecordedRecord {
            span: object.start(),
            ..RecordedRecord::default()
        };
        if let Some(id) = object.value("record_id") {
            record.span = id.span;
            record.record_id = self.text(id, At::Key(&at, "record_id")).unwrap_or_default();
        }
        let at_files = At::Key(&at, "files");
        for (n, node) in self
            .list(object.value("files"), at_files, "a list of files")
            .iter()
            .enumerate()
        {
            record.files.extend(self.file(node, At::Item(&at_files, n)));
        }
        let at_phases = At::Key(&at, "phases");
        for (n, node) in self
            .list(object.value("phases"), at_phases, "a list of phases")
            .iter()
            .enumerate()
        {
            record
                .phases
                .extend(self.phase(node, At::Item(&at_phases, n)));
        }
        Some(record)
    }

    fn file(&mut self, node: &Node<'_>, at: At<'_>) -> Option<RecordedFile> {
        let object = self.object(node, at, "a file, an object with \"path\" and \"package\"")?;
        self.near_misses(object, at, &["path", "package", "template", "captures"]);
        let path = self.needed(
            object,
            at,
            "path",
            "the file's path in the output directory",
        );
        let package = self.needed(
            object,
            at,
            "package",
            "the name of the package that owns the file",
        );
        let template = object.value("template");
        let template = template.and_then(|node| self.text(node, At::Key(&at, "template")));
        let at_captures = At::Key(&at, "captures");
        let captures = self.text_map(
            object.value("captures"),
            at_captures,
            "an object from capture to text",
        );
        Some(RecordedFile {
            path: path?,
            package: package?,
            template: template.unwrap_or_default(),
            captures,
            span: object.value("path")?.span,
            template_span: object.value("template").or(object.value("path"))?.span,
        })
    }

    fn phase(&mut self, node: &Node<'_>, at: At<'_>) -> Option<RecordedPhase> {
        let object = self.object(node, at, "a phase, an object with \"invocations\"")?;
        self.near_misses(object, at, &["name", "invocations"]);
        let name = object.value("name");
        let name = name.and_then(|node| self.text(node, At::Key(&at, "name")));
        let at_list = At::Key(&at, "invocations");
        let nodes = self.list(
            object.value("invocations"),
            at_list,
            "a list of invocations",
        );
        let mut invocations = Vec::with_capacity(nodes.len());
        for (n, node) in nodes.iter().enumerate() {
            invocations.extend(self.invocation(node, At::Item(&at_list, n)));
        }
        Some(RecordedPhase {
            name: name.unwrap_or_else(|| DEFAULT_PHASE.to_owned()),
            invocations,
        })
    }

    fn invocation(&mut self, node: &Node<'_>, at: At<'_>) -> Option<Invocation> {
        let object = self.object(
            node,
            at,
            "an invocation, an object with \"action\" and \"kwargs\"",
        )?;
        self.near_misses(object, at, &["action", "kwargs"]);
        let action = self.needed(object, at, "action", "the name of an action");
        let mut kwargs = Vec::new();
        if let Some(node) = object.value("kwargs") {
            let bound = self.object(
                node,
                At::Key(&at, "kwargs"),
                "an object from kwarg to value",
            );
            let entries = bound.map_or(&[][..], |bound| bound.entries);
            kwargs.reserve_exact(entries.len());
            for entry in entries {
                let name = entry.key.clone().into_owned();
                kwargs.push((name, Value::from_node(&entry.value)));
            }
        }
        Some(Invocation {
            action: action?,
            kwargs: kwargs.into_iter().collect(),
            origin: Some(Origin {
                source: Arc::clone(self.source),
                action: object.value("action")?.span,
                kwargs: object.value("kwargs").map(|node| node.span),
            }),
        })
    }

    /// A text that is neither left out nor blank.
    fn needed(
        &mut self,
        object: Object<'_, '_>,
        at: At<'_>,
        key: &str,
        what: &str,
    ) -> Option<String> {
        let Some(node) = object.value(key) else {
            self.missing(object, at, key, what);
            return None;
        };
        let text = self.text(node, At::Key(&at, key))?;
        if text.trim().is_empty() {
            self.mismatch(node, At::Key(&at, key), what, None);
            return None;
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests;
