//! The baseline arm: the model gets the same facts and no catalog, and writes the files itself (H48-H54).
//!
//! One call, no re-prompt, no response format. The prompt names no language and no framework. Of the answer only fences
//! whose info string ends with one of the record's paths and that hold some text count; what else it gives is listed as
//! refused.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sedum::selection::client::{Message, Model, Role};

use super::super::failure::Failure;
use super::super::fixture::Scene;
use super::super::observe::Observed;
use super::super::store::Store;
use super::{Taken, attempt, prompt_digest};

/// The path that the prompt showed at first, kept for the stored answers that copied it (H51). Today's prompt shows no path
/// but the record's own.
const PLACEHOLDER: &str = "path/of/the/file";

/// The files of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// By path, those that the record names; of one given twice the last.
    pub kept: BTreeMap<String, String>,
    /// The other paths.
    pub refused: Vec<String>,
}

/// Takes one sample. `before` are the files that are there already.
pub fn take(
    scene: &Scene<'_>,
    variables: &BTreeMap<String, String>,
    before: &BTreeMap<String, String>,
    model: &dyn Model,
    store: &Store,
) -> Result<(Taken, Option<Files>), Failure> {
    let messages = question(scene, variables, before);
    let observed = Observed::new(model);
    let answer = observed.ask(&messages, None, &|_| ());
    let calls = observed.into_calls();
    let mut attempts = Vec::new();
    for call in &calls {
        attempts.push(attempt("write", call, None, store)?);
    }
    let (accepted, error, files) = match answer {
        Err(fault) => (None, Some(fault.to_string()), None),
        Ok(answer) => {
            let files = files(&answer.text, scene);
            (Some(!files.kept.is_empty()), None, Some(files))
        }
    };
    let taken = Taken {
        attempts,
        prompt: prompt_digest(&messages, None),
        accepted,
        error,
    };
    Ok((taken, files))
}

/// The conversation: intent, constraints and paths, and the facts of the run that the tool has as well.
pub fn question(
    scene: &Scene<'_>,
    variables: &BTreeMap<String, String>,
    before: &BTreeMap<String, String>,
) -> Vec<Message> {
    let record = &scene.record;
    let mut out = format!("The change:\n{}\n", record.intent.trim());
    if !record.constraints.is_empty() {
        out.push_str("\nIt is held to:\n");
        for text in &record.constraints {
            let _ = writeln!(out, "- {}", text.trim());
        }
    }
    if !variables.is_empty() {
        out.push_str("\nFacts:\n");
        for (name, value) in variables {
            let _ = writeln!(out, "- {name}: {value}");
        }
    }
    for (path, text) in before {
        let _ = write!(out, "\n{path} is there already:\n```{path}\n{text}```\n");
    }
    // Each path with its own opening line, and no example: small models gave an example's path back.
    out.push_str("\nThe files to write:\n");
    for path in scene.paths() {
        let _ = writeln!(out, "- {path} (its block opens with the line ```{path})");
    }
    let system = "You carry out a change by writing files. Write every file that is listed, whole, and no other. \
                  Answer with one fenced block a file and nothing else: a line of three backticks and the file's path, \
                  the whole text of the file, a line of three backticks.";
    let message = |role, content| Message { role, content };
    vec![
        message(Role::System, system.to_owned()),
        message(Role::User, out),
    ]
}

/// The files of an answer's text, held to the record's paths (H50).
pub fn files(text: &str, scene: &Scene<'_>) -> Files {
    let mut files = Files::default();
    for (path, body) in fences(text) {
        if path == PLACEHOLDER {
            continue;
        }
        if scene.paths().any(|known| known == path) {
            if !body.trim().is_empty() {
                files.kept.insert(path, body);
            }
        } else if !files.refused.contains(&path) {
            files.refused.push(path);
        }
    }
    files
}

/// The fenced blocks whose info string ends with a path, as (path, text). A block ends at a line of at least as many
/// marks as it began with, or where the text does.
fn fences(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let line = line.trim_end();
        let marks = line.len() - line.trim_start_matches('`').len();
        if marks < 3 {
            continue;
        }
        let info = line.get(marks..).unwrap_or_default();
        let path = info.split_whitespace().next_back().unwrap_or_default();
        let mut body = String::new();
        for line in lines.by_ref() {
            let is_end =
                line.trim_end().len() >= marks && line.trim_end().bytes().all(|b| b == b'`');
            if is_end {
                break;
            }
            body.push_str(line);
            body.push('\n');
        }
        if path.contains(['/', '.']) {
            found.push((path.to_owned(), body));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn h49_a_fence_is_a_file_when_its_info_string_is_a_path() {
        let text = "Here:\n```ruby app/a.rb\nclass A\nend\n```\n\n````docs/b.md\n```\nx\n```\n````\n```\nno path\n```\n";
        assert_eq!(
            fences(text),
            [
                ("app/a.rb".to_owned(), "class A\nend\n".to_owned()),
                ("docs/b.md".to_owned(), "```\nx\n```\n".to_owned())
            ]
        );
    }

    #[test]
    fn a_fence_that_is_not_closed_ends_with_the_text() {
        assert_eq!(
            fences("```a/b.go\npackage b"),
            [("a/b.go".to_owned(), "package b\n".to_owned())]
        );
    }
}
