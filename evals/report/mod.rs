//! `report`: the scored JSON that the results site shows, from stored results alone.
//!
//! `report.json` has what a first screen needs, `runs/RUN.json` what those need who open a run, `samples/RUN/N.json` one
//! sample each with its conversation, violations and files. Scores are the stored ones; only texts and files are looked up. The same results
//! and the same checkout give the same bytes: nothing depends on the time of the report.

mod funnel;
mod index;
mod samples;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value as Json;

use super::failure::Failure;
use super::fixture::Fixture;
use super::home::Home;
use super::store::{Store, Unreadable};

/// How long the index may be, in bytes, and still hold what only those need who open a run.
const FIRST_SCREEN: usize = 150_000;

/// Carries the command out.
pub fn run(output: &Path, home: &Home, say: &dyn Fn(&str)) -> Result<(), Failure> {
    let fixtures = home.fixtures(&[])?;
    let by_case: BTreeMap<&str, &Fixture> =
        fixtures.iter().map(|f| (f.case.id.as_str(), f)).collect();
    let store = home.store();
    let stored = store.read()?;
    for warning in &stored.unreadable {
        say(&format!("warning: {warning}"));
    }
    // A case that was taken away has no expectations left to score by.
    let runs: Vec<_> = stored
        .runs
        .iter()
        .filter(|run| by_case.contains_key(run.head.case.as_str()))
        .filter(|run| !run.samples.is_empty())
        .collect();
    for name in ["samples", "runs"] {
        let folder = output.join(name);
        if folder.is_dir() {
            fs::remove_dir_all(&folder).map_err(|e| Failure::io(&folder, "emptied", &e))?;
        }
    }
    let mut files = 0;
    for run in &runs {
        let Some(fixture) = by_case.get(run.head.case.as_str()) else {
            continue;
        };
        for sample in run.samples.values() {
            let detail = samples::detail(fixture, run, sample, &store)?;
            let path = output.join(samples::path(&run.head.run, sample.n));
            write(&path, &detail)?;
            files += 1;
        }
        let path = output.join(format!("runs/{}.json", run.head.run));
        write(&path, &index::run_file(run, fixture))?;
    }
    let mut index = index::index(&fixtures, &runs, home)?;
    if !stored.unreadable.is_empty() {
        let lines: Json = stored.unreadable.iter().map(Unreadable::to_json).collect();
        if let Some(index) = index.as_object_mut() {
            index.insert("unreadable".to_owned(), lines);
        }
    }
    if index.to_string().len() > FIRST_SCREEN {
        index::slim(&mut index);
    }
    let size = write(&output.join("report.json"), &index)?;
    say(&format!(
        "{} run(s) and {files} sample(s) written to {}; report.json has {size} bytes",
        runs.len(),
        output.display()
    ));
    Ok(())
}

/// Writes a JSON file and gives its size.
fn write(path: &Path, json: &Json) -> Result<usize, Failure> {
    let mut text = json.to_string();
    text.push('\n');
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, &text))
        .map_err(|e| Failure::io(path, "written", &e))?;
    Ok(text.len())
}

/// A text that may have been lost; the report goes on without it.
fn text(store: &Store, name: Option<&String>) -> Option<String> {
    store.text(name?).ok()
}
