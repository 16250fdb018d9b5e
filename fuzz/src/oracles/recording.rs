//! Recordings (sections 21 and 22): a second reader takes the same ones, writing is a fixed point, and a replay of what
//! was written again decides and writes the same, only where the recording says, and nothing the second time.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use sedum::diag::Source;
use sedum::pattern::path;
use sedum::pipeline::{self, Asking, Config, Interrupt, Surroundings};
use sedum::recording::{self, Recording};
use sedum::runlog::RunLog;
use tempfile::TempDir;

use super::input;
use super::json::Json;
use super::loom;

/// Reads the input as a recording of the `loom` package.
pub fn check(data: &[u8]) {
    let Some(text) = input::text(data, 1 << 14) else {
        return;
    };
    let wanted = naive(&text);
    match recording::parse(&Source::new("run.json", text.as_str())) {
        Ok(recording) => {
            assert!(wanted.is_some(), "what is no recording was taken: {text:?}");
            assert!(
                wanted.is_none_or(|json| agrees(&json, &recording)),
                "{text:?}"
            );
            let written = recording::to_json(&recording, "1");
            let again = recording::parse(&Source::new("again.json", written.as_str()))
                .expect("what was written is read");
            assert_eq!(recording::to_json(&again, "1"), written, "a fixed point");
            let json = Json::read(&written).expect("what was written is JSON");
            assert!(agrees(&json, &recording), "{written}");
            WORLD.with(|dir| replays(dir.path(), &text, &written, &recording));
        }
        Err(problems) => {
            assert!(!problems.is_empty());
            assert!(wanted.is_none(), "{text:?}: {}", problems[0].message);
            for problem in &problems {
                let place = problem.place.as_ref().expect("J10: a fault has a place");
                assert!(
                    text.get(place.span.start as usize..place.span.end as usize)
                        .is_some()
                );
            }
        }
    }
}

// ---- reading

/// The document, when it is a recording (J1, J10): `null` is left out, unknown keys are nobody's business.
fn naive(text: &str) -> Option<Json> {
    let json = Json::read(text.strip_prefix('\u{feff}').unwrap_or(text))?;
    let sound = !json.repeats_a_key()
        && json.depth() <= 128
        && matches!(json, Json::Object(_))
        && optional(&json, "sedum_version", is_text)
        && optional(&json, "packages", |packages| {
            each_value(packages, |package| {
                matches!(package, Json::Object(_))
                    && optional(package, "extensions", |list| each(list, is_text))
            })
        })
        && needed(&json, "records", |records| each(records, record))
        && optional(&json, "variables", |variables| {
            each_value(variables, is_text)
        });
    sound.then_some(json)
}

fn record(record: &Json) -> bool {
    matches!(record, Json::Object(_))
        && optional(record, "record_id", is_text)
        && optional(record, "files", |files| each(files, file))
        && optional(record, "phases", |phases| each(phases, phase))
}

fn file(file: &Json) -> bool {
    matches!(file, Json::Object(_))
        && needed(file, "path", is_filled)
        && needed(file, "package", is_filled)
        && optional(file, "template", is_text)
        && optional(file, "captures", |captures| each_value(captures, is_text))
}

fn phase(phase: &Json) -> bool {
    let is_object = |json: &Json| matches!(json, Json::Object(_));
    is_object(phase)
        && optional(phase, "name", is_text)
        && optional(phase, "invocations", |list| {
            each(list, |call| {
                is_object(call)
                    && needed(call, "action", is_filled)
                    && optional(call, "kwargs", is_object)
            })
        })
}

fn is_text(json: &Json) -> bool {
    matches!(json, Json::Text(_))
}

fn is_filled(json: &Json) -> bool {
    matches!(json, Json::Text(text) if !text.trim().is_empty())
}

fn given<'j>(json: &'j Json, key: &str) -> Option<&'j Json> {
    json.get(key).filter(|value| !value.is_null())
}

fn optional(json: &Json, key: &str, holds: impl Fn(&Json) -> bool) -> bool {
    given(json, key).is_none_or(holds)
}

fn needed(json: &Json, key: &str, holds: impl Fn(&Json) -> bool) -> bool {
    given(json, key).is_some_and(holds)
}

fn each(json: &Json, holds: impl Fn(&Json) -> bool) -> bool {
    matches!(json, Json::List(items) if items.iter().all(holds))
}

fn each_value(json: &Json, holds: impl Fn(&Json) -> bool) -> bool {
    matches!(json, Json::Object(pairs) if pairs.iter().all(|(_, value)| holds(value)))
}

fn items<'j>(json: &'j Json, key: &str) -> &'j [Json] {
    match json.get(key) {
        Some(Json::List(items)) => items,
        _ => &[],
    }
}

fn text_of<'j>(json: &'j Json, key: &str) -> &'j str {
    match json.get(key) {
        Some(Json::Text(text)) => text,
        _ => "",
    }
}

fn texts(json: Option<&Json>) -> BTreeMap<String, String> {
    let Some(Json::Object(pairs)) = json else {
        return BTreeMap::new();
    };
    let text = |value: &Json| match value {
        Json::Text(text) => text.clone(),
        other => format!("{other:?}"),
    };
    pairs
        .iter()
        .map(|(name, value)| (name.clone(), text(value)))
        .collect()
}

/// Whether a recording holds what its document does, numbers by digits (J11).
fn agrees(json: &Json, recording: &Recording) -> bool {
    let records = items(json, "records");
    let packages = match json.get("packages") {
        Some(Json::Object(pairs)) => pairs.len(),
        _ => 0,
    };
    recording.packages.len() == packages
        && recording.variables == texts(json.get("variables"))
        && records.len() == recording.records.len()
        && records
            .iter()
            .zip(&recording.records)
            .all(|(json, record)| {
                let (files, phases) = (items(json, "files"), items(json, "phases"));
                text_of(json, "record_id") == record.record_id
                    && files.len() == record.files.len()
                    && phases.len() == record.phases.len()
                    && files.iter().zip(&record.files).all(|(json, file)| {
                        text_of(json, "path") == file.path
                            && text_of(json, "package") == file.package
                            && text_of(json, "template") == file.template
                            && file.captures.iter().eq(&texts(json.get("captures")))
                    })
                    && phases.iter().zip(&record.phases).all(|(json, phase)| {
                        let calls = items(json, "invocations");
                        calls.len() == phase.invocations.len()
                            && calls.iter().zip(&phase.invocations).all(|(json, call)| {
                                let kwargs = match json.get("kwargs") {
                                    Some(Json::Object(pairs)) => pairs.as_slice(),
                                    _ => &[],
                                };
                                text_of(json, "action") == call.action
                                    && kwargs.len() == call.kwargs.len()
                                    && kwargs.iter().all(|(name, value)| {
                                        call.kwargs.get(name).is_some_and(|bound| value.is(bound))
                                    })
                            })
                    })
            })
}

// ---- replaying

thread_local! {
    /// Gone when the thread is.
    static WORLD: TempDir = loom::world(loom::FILES);
}

/// What a replay decides: its files with their texts, or the headline of its error and every problem.
type Plan = Result<BTreeMap<String, String>, (String, Vec<String>)>;

fn replays(dir: &Path, text: &str, written: &str, recording: &Recording) {
    let plan = planned(dir, text);
    assert_eq!(planned(dir, written), plan, "P4: {text:?}");
    let Ok(files) = plan else { return };
    let recorded: Vec<String> = recording
        .records
        .iter()
        .flat_map(|record| &record.files)
        .map(|file| path::clean(&file.path))
        .collect();
    for (path, text) in &files {
        assert!(recorded.contains(path), "P5: {path:?} is in no record");
        assert!(path::check(path).is_ok());
        let place = dir.join("out").join(path);
        fs::create_dir_all(place.parent().expect("a folder")).expect("a folder is made");
        fs::write(place, text).expect("a file is written");
    }
    // C21, I10: over its own result a replay has nothing to do.
    let again = planned(dir, text);
    let _ = fs::remove_dir_all(dir.join("out"));
    assert_eq!(again, Ok(BTreeMap::new()), "{text:?}");
    super::reach();
}

fn planned(dir: &Path, recording: &str) -> Plan {
    let file = dir.join("run.json");
    fs::write(&file, recording).expect("the recording is written");
    let config = Config {
        generators: dir.join("gen"),
        records: None,
        output: dir.join("out"),
        lang: Vec::new(),
        only: Vec::new(),
        vars: BTreeMap::new(),
        source: pipeline::Source::Recording(file),
        dry_run: true,
        stop: None,
        record: None,
        log: None,
        lock_timeout: Duration::ZERO,
        sync: false,
        keep_changes: true,
        asking: Asking {
            retries: 0,
            jobs: 1,
            full_catalog: false,
            response_schema: false,
        },
    };
    let around = Surroundings {
        log: &RunLog::silent(),
        model: None,
        progress: &|_| {},
        interrupt: &Interrupt::default(),
    };
    let (outcome, result) = pipeline::grow(&config, &around);
    match result {
        Ok(()) => Ok(outcome
            .changes
            .unwrap_or_default()
            .into_iter()
            .map(|file| (file.path, file.after))
            .collect()),
        Err(error) => {
            let shown = error.to_string();
            assert!(!shown.is_empty());
            let problems = error
                .listed()
                .iter()
                .map(|problem| problem.message.clone())
                .collect();
            Err((error.headline(), problems))
        }
    }
}
