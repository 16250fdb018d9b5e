//! `report.json`: everything that can be shown before a sample is opened.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use sedum::diag::Rule;
use sedum::diag::rule::RuleKind;

use super::super::case::{Arm, Case};
use super::super::compare::{Comparison, comparable, compare, is_citable};
use super::super::failure::Failure;
use super::super::fixture::Fixture;
use super::super::home::Home;
use super::super::rate::{self, Rate};
use super::super::repository;
use super::super::sample::{Outcome, Sample};
use super::super::signals::{self, Unit, id};
use super::super::store::Run;
use super::super::table;
use super::{funnel, samples};

/// The version of the format.
const SCHEMA: u32 = 1;

/// Words that the site explains, beside the signals' own.
const TERMS: [(&str, &str, &str); 14] = [
    (
        "case",
        "case",
        "One record with its packages, what a right answer holds, and how files are checked.",
    ),
    (
        "record",
        "record",
        "The text that says what is wanted: intent, constraints, and the files that belong to it.",
    ),
    (
        "catalog",
        "catalog",
        "The list of actions that the model chooses from, with their kwargs.",
    ),
    (
        "invocation",
        "invocation",
        "One action with its kwargs bound; an answer is a list of them.",
    ),
    (
        "run",
        "run",
        "The samples of one case, model, arm and set of factors, with one commit.",
    ),
    (
        "sample",
        "sample",
        "One conversation about one record, from the question to the files.",
    ),
    (
        "wording",
        "wording",
        "The same record in other words. At temperature 0 the wordings are what makes samples differ.",
    ),
    (
        "failed",
        "failed",
        "The model was not reached. Such a sample is in no denominator.",
    ),
    (
        "interval",
        "interval",
        "95 %: Wilson's over samples; for anchors and files, which come several a sample, a bootstrap that draws whole samples. It says how far chance reaches with so few samples, not how models differ elsewhere.",
    ),
    (
        "pair",
        "paired comparison",
        "Two runs on the same wordings, sample by sample. Only pairs that differ say anything; the p is McNemar's exact one. A p of 0.05 or more shows nothing and excludes nothing.",
    ),
    (
        "resolution",
        "resolution",
        "How much a run set out to say: smoke 2 samples and never a measurement, coarse 5, fine 30.",
    ),
    (
        "schema",
        "response schema",
        "The answer is held to a JSON Schema of the catalog by the server.",
    ),
    (
        "full",
        "full catalog",
        "The catalog with the actions that could not reach any of the record's files.",
    ),
    (
        "retries",
        "re-prompts",
        "How often a rejected answer was asked for again. Runs with different numbers are not compared.",
    ),
];

/// The whole index.
pub fn index(fixtures: &[Fixture], runs: &[&Run], home: &Home) -> Result<Json, Failure> {
    let by_case: BTreeMap<&str, &Fixture> =
        fixtures.iter().map(|f| (f.case.id.as_str(), f)).collect();
    let newest = runs.iter().flat_map(|run| run.samples.values());
    let newest = newest.map(|sample| sample.time.as_str()).max();
    let cases: Result<Vec<Json>, Failure> = fixtures.iter().map(case).collect();
    let mut listed = Vec::new();
    for run in runs {
        if let Some(fixture) = by_case.get(run.head.case.as_str()) {
            listed.push(run_entry(run, fixture));
        }
    }
    Ok(json!({
        "schema": SCHEMA,
        "tool": {"version": sedum::VERSION, "commit": repository::state(home.folder())?.commit},
        "newest": newest,
        "rungs": signals::ALL.iter().map(|signal| json!({
            "id": signal.id, "name": signal.name, "unit": signal.unit.name(),
            "means": signal.means, "limits": signal.limits,
        })).collect::<Vec<_>>(),
        "terms": TERMS.iter().map(|(id, name, means)| json!({
            "id": id, "name": name, "means": means,
        })).collect::<Vec<_>>(),
        "arms": [
            {"id": "sedum", "name": "with Sedum",
             "means": "The model selects actions from the catalog; Sedum checks the list and writes the files."},
            {"id": "baseline", "name": "without Sedum",
             "means": "The model gets the same record and paths and no catalog, and writes the files itself."},
        ],
        "rules": Rule::ALL.iter().filter(|rule| rule.kind() == RuleKind::Violation).map(|rule| json!({
            "slug": rule.slug(), "means": rule.summary(),
        })).collect::<Vec<_>>(),
        "cases": cases?,
        "models": models(runs),
        "runs": listed,
        "comparisons": comparisons(runs),
    }))
}

/// What of a run's entry is for those who open it: [`run_file`] has it as well.
const OPENED: [&str; 3] = ["actions", "funnel", "samples"];

/// A run's own file: what [`slim`] may take out of the index.
pub fn run_file(run: &Run, fixture: &Fixture) -> Json {
    let entry = run_entry(run, fixture);
    let mut file = Map::new();
    file.insert("id".to_owned(), json!(run.head.run));
    for key in OPENED {
        if let Some(value) = entry.get(key) {
            file.insert(key.to_owned(), value.clone());
        }
    }
    Json::Object(file)
}

/// Takes out of the index what only those need who open a run, when it is too long for a first screen otherwise.
pub fn slim(index: &mut Json) {
    let runs = index.get_mut("runs").and_then(Json::as_array_mut);
    for run in runs.into_iter().flatten().filter_map(Json::as_object_mut) {
        for key in OPENED {
            run.shift_remove(key);
        }
    }
}

fn case(fixture: &Fixture) -> Result<Json, Failure> {
    let case = &fixture.case;
    let scene = fixture.scene(1)?;
    let packages: Vec<&str> = scene
        .record
        .packages()
        .iter()
        .map(|p| p.name.as_str())
        .collect();
    Ok(json!({
        "id": case.id,
        "title": case.title,
        "application": case.application,
        "language": case.language,
        "framework": case.framework,
        "tightness": case.tightness,
        "intent": scene.record.intent.trim(),
        "constraints": scene.record.constraints.iter().map(|text| text.trim()).collect::<Vec<_>>(),
        "paths": scene.paths().collect::<Vec<_>>(),
        "packages": packages,
        "expect": case.expect.to_json(),
        "digest": fixture.digest,
    }))
}

/// Every model of the runs, with what its server reported last.
fn models(runs: &[&Run]) -> Vec<Json> {
    let mut models: BTreeMap<String, Json> = BTreeMap::new();
    for run in runs {
        let model = &run.head.model;
        let entry = json!({
            "label": model.label(), "id": model.id, "engine": model.engine, "quant": model.quant,
            "reported": run.head.reported,
        });
        models.insert(model.label(), entry);
    }
    models.into_values().collect()
}

fn run_entry(run: &Run, fixture: &Fixture) -> Json {
    let (head, case) = (&run.head, &fixture.case);
    let cost = table::cost(run);
    let failed = run
        .samples
        .values()
        .filter(|s| s.outcome == Outcome::Failed);
    let rates: Map<String, Json> = signals::ALL
        .iter()
        .map(|signal| (signal.id.to_owned(), json!(rate::of(run, case, signal))))
        .collect();
    let mut entry = json!({
        "id": head.run,
        "case": head.case,
        "model": head.model.label(),
        "arm": head.arm,
        "factors": {
            "response_schema": head.factors.response_schema,
            "full_catalog": head.factors.full_catalog,
            "temperature": head.factors.temperature,
            "seed": head.factors.seed,
            "paraphrase": head.factors.wording,
            "shuffle": head.factors.shuffle,
        },
        "label": head.factors.label(),
        "detail": format!("runs/{}.json", head.run),
        "time": head.time,
        "resolution": head.resolution,
        "retries": head.retries,
        "commit": head.commit,
        "clean": head.clean,
        "digest": run.digest(),
        "current_digest": run.digest() == fixture.digest,
        "n": run.counted().count(),
        "planned": head.planned,
        "failed": failed.count(),
        "signals": rates,
        "cost": {
            "calls": cost.calls, "prompt_tokens": cost.prompt, "completion_tokens": cost.completion,
            "wall_ms": cost.wall_ms,
        },
        "funnel": funnel::funnel(run, case),
        "faults": funnel::faults(run),
        "samples": run.samples.values().map(|sample| sample_entry(run, sample)).collect::<Vec<_>>(),
    });
    if head.arm == Arm::Sedum
        && let Some(object) = entry.as_object_mut()
    {
        object.insert("actions".to_owned(), actions(run, case));
    }
    entry
}

/// H24: for each expected action, in how many samples it was selected at all, and exactly as often as expected. A
/// sample without an accepted answer selected nothing.
fn actions(run: &Run, case: &Case) -> Json {
    let counts: Vec<BTreeMap<String, u32>> = run
        .counted()
        .map(|sample| run.scores(sample).counts.unwrap_or_default())
        .collect();
    let rate = |hit: &dyn Fn(u32) -> bool, action: &str| {
        let hits = counts
            .iter()
            .filter(|c| hit(c.get(action).copied().unwrap_or(0)));
        json!(Rate::of_samples(hits.count() as u64, counts.len() as u64))
    };
    let each = case.expect.actions.iter().map(|(action, want)| {
        json!({
            "action": action,
            "want": want,
            "selected": rate(&|count| count > 0, action),
            "exact": rate(&|count| count == *want, action),
        })
    });
    Json::Array(each.collect())
}

fn sample_entry(run: &Run, sample: &Sample) -> Json {
    let scores = run.scores(sample);
    let mut rungs = Map::new();
    for signal in &signals::ALL {
        if signal.unit == Unit::Sample {
            if let Some(value) = scores.signals.get(signal.id) {
                rungs.insert(signal.id.to_owned(), json!(value));
            }
        } else if let Some((k, n)) = rate::cluster(signal.id, &scores) {
            rungs.insert(signal.id.to_owned(), json!([k, n]));
        }
    }
    let mut rules: Vec<&str> = Vec::new();
    for broken in sample
        .attempts
        .iter()
        .flat_map(|attempt| &attempt.violations)
    {
        if !rules.contains(&broken.rule.as_str()) {
            rules.push(&broken.rule);
        }
    }
    json!({
        "n": sample.n,
        "outcome": sample.outcome,
        "rungs": rungs,
        "rules": rules,
        "detail": samples::path(&run.head.run, sample.n),
    })
}

/// The signals that are compared in the report.
const COMPARED: [&str; 4] = [id::ACCEPTED_FIRST, id::COMPLETE, id::EQUAL, id::BOUND];

/// With fewer pairs the exact p cannot come below 0.05 however they fall, so a case by itself is not listed.
const TELLING: u64 = 6;

/// Every pair of runs that differ in one thing, case by case and pooled.
fn comparisons(runs: &[&Run]) -> Vec<Comparison> {
    let citable: Vec<&Run> = runs
        .iter()
        .copied()
        .filter(|run| is_citable(run) && run.head.arm == Arm::Sedum)
        .collect();
    let mut found = Vec::new();
    for axis in Axis::ALL {
        // By what is the same in a group: the pairs of its cases.
        let mut groups: BTreeMap<String, Vec<(&Run, &Run)>> = BTreeMap::new();
        for a in &citable {
            for b in &citable {
                if let Some(group) = axis.group(a, b) {
                    groups.entry(group).or_default().push((a, b));
                }
            }
        }
        for (group, pairs) in groups {
            let signals = comparable().filter(|signal| COMPARED.contains(&signal.id));
            for signal in signals {
                if pairs.len() > 1 {
                    found.extend(compare(&pairs, &group, signal));
                }
                for pair in &pairs {
                    let one = compare(std::slice::from_ref(pair), &group, signal);
                    found.extend(one.filter(|one| pairs.len() == 1 || one.pairs >= TELLING));
                }
            }
        }
    }
    found
}

/// What two runs may differ in.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Axis {
    Schema,
    Catalog,
    Shuffle,
    Model,
    Commit,
}

impl Axis {
    const ALL: [Self; 5] = [
        Self::Schema,
        Self::Catalog,
        Self::Shuffle,
        Self::Model,
        Self::Commit,
    ];

    /// What two runs are compared in when they differ in this alone, the plain one first; `None` when they may not be.
    fn group(self, a: &Run, b: &Run) -> Option<String> {
        let (first, second) = (&a.head, &b.head);
        let (mut one, mut other) = (first.factors.clone(), second.factors.clone());
        let same = first.case == second.case
            && first.retries == second.retries
            && (self == Self::Commit || first.commit == second.commit)
            && a.digest() == b.digest()
            && (self == Self::Model || first.model == second.model);
        let told = format!("{}, {}", first.model.id, one.label());
        let what = match self {
            Self::Schema => {
                let differs = !one.response_schema && other.response_schema;
                (one.response_schema, other.response_schema) = (false, false);
                differs.then(|| format!("response schema off / on ({told})"))
            }
            Self::Catalog => {
                let differs = one.full_catalog && !other.full_catalog;
                (one.full_catalog, other.full_catalog) = (false, false);
                differs.then(|| {
                    format!(
                        "narrowed catalog / full catalog ({}, {})",
                        first.model.id,
                        one.label()
                    )
                })
            }
            Self::Shuffle => {
                let differs = one.shuffle.is_none() && other.shuffle.is_some();
                (one.shuffle, other.shuffle) = (None, None);
                differs.then(|| format!("catalog in order / shuffled ({told})"))
            }
            Self::Model => {
                let differs = first.model.label() < second.model.label();
                differs
                    .then(|| format!("{} / {} ({})", first.model.id, second.model.id, one.label()))
            }
            // What was changed between two commits, such as the prompt.
            Self::Commit => {
                let differs = first.commit != second.commit && first.time < second.time;
                let (before, after) = (table::commit(a), table::commit(b));
                differs.then(|| format!("commit {before} / {after} ({told})"))
            }
        };
        what.filter(|_| same && one == other)
    }
}
