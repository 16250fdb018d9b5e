//! A recording as JSON text (J1-J5, J8, J9): the same recording gives the same bytes.
//!
//! The order of keys is the schema's, names and kwargs are sorted, an object that a kwarg is bound to stays as given
//! (X15), numbers keep their digits (J11). Captures and variables are left out when there are none.

use super::{RecordedFile, RecordedPhase, RecordedRecord, Recording};
use crate::invocation::Invocation;
use crate::value::{Value, write_json_text};

/// The text of a recording, made by Sedum of the given version: indented by two blanks, with a newline at its end (J2).
pub fn to_json(recording: &Recording, version: &str) -> String {
    let mut json = Json::default();
    json.object(|json| {
        json.text_member("sedum_version", version);
        json.key("packages");
        json.object(|json| {
            for (name, package) in &recording.packages {
                json.key(name);
                json.object(|json| {
                    json.key("extensions");
                    json.list(&package.extensions, |json, extension| json.text(extension));
                });
            }
        });
        json.key("records");
        json.list(&recording.records, record);
        if !recording.variables.is_empty() {
            json.text_map("variables", &recording.variables);
        }
    });
    json.out.push('\n');
    json.out
}

fn record(json: &mut Json, record: &RecordedRecord) {
    json.object(|json| {
        json.text_member("record_id", &record.record_id);
        json.key("files");
        json.list(&record.files, file);
        json.key("phases");
        json.list(&record.phases, phase);
    });
}

fn file(json: &mut Json, file: &RecordedFile) {
    json.object(|json| {
        json.text_member("path", &file.path);
        json.text_member("package", &file.package);
        json.text_member("template", &file.template);
        if !file.captures.is_empty() {
            json.text_map("captures", &file.captures);
        }
    });
}

fn phase(json: &mut Json, phase: &RecordedPhase) {
    json.object(|json| {
        json.text_member("name", &phase.name);
        json.key("invocations");
        json.list(&phase.invocations, invocation);
    });
}

fn invocation(json: &mut Json, invocation: &Invocation) {
    json.object(|json| {
        json.text_member("action", &invocation.action);
        json.key("kwargs");
        json.object(|json| {
            for (name, bound) in &invocation.kwargs {
                json.key(name);
                value(json, bound);
            }
        });
    });
}

fn value(json: &mut Json, bound: &Value) {
    match bound {
        Value::List(items) => json.list(items, value),
        Value::Object(entries) => json.object(|json| {
            for (key, bound) in entries {
                json.key(key);
                value(json, bound);
            }
        }),
        scalar => scalar.write_json(&mut json.out),
    }
}

/// JSON text in the making.
#[derive(Default)]
struct Json {
    out: String,
    depth: usize,
    /// Whether the object or list that is open has nothing in it yet.
    is_fresh: bool,
}

impl Json {
    fn object(&mut self, members: impl FnOnce(&mut Self)) {
        self.open('{');
        members(self);
        self.close('}');
    }

    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.open('[');
        for item in items {
            self.separate();
            write(self, item);
        }
        self.close(']');
    }

    fn text(&mut self, text: &str) {
        write_json_text(text, &mut self.out);
    }

    fn key(&mut self, key: &str) {
        self.separate();
        self.text(key);
        self.out.push_str(": ");
    }

    fn text_member(&mut self, key: &str, text: &str) {
        self.key(key);
        self.text(text);
    }

    fn text_map<'m>(&mut self, key: &str, map: impl IntoIterator<Item = (&'m String, &'m String)>) {
        self.key(key);
        self.object(|json| {
            for (name, text) in map {
                json.text_member(name, text);
            }
        });
    }

    fn open(&mut self, bracket: char) {
        self.out.push(bracket);
        self.depth += 1;
        self.is_fresh = true;
    }

    fn close(&mut self, bracket: char) {
        self.depth -= 1;
        if !self.is_fresh {
            self.break_line();
        }
        self.is_fresh = false;
        self.out.push(bracket);
    }

    fn separate(&mut self) {
        if !self.is_fresh {
            self.out.push(',');
        }
        self.is_fresh = false;
        self.break_line();
    }

    fn break_line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", self.depth));
    }
}

#[cfg(test)]
mod tests;
