//! The scores of a sample: what its answers come to against what the case expects (H24-H30, H35-H37).
//!
//! The one scoring implementation: runs, `rescore` and the report's details all use it. It works from stored texts and
//! decides what is true of one sample; rates are [`super::rate`]'s.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use sedum::invocation::Invocation;
use sedum::selection::completeness;
use sedum::value::Value;

use super::arms::baseline::{self, Files};
use super::case::{Arm, Expect};
use super::failure::Failure;
use super::fixture::{Fixture, Scene};
use super::sample::{AnchorScore, Attempt, BoundScore, Outcome, Sample, Scores, WrittenScore};
use super::signals::{self, id};
use super::store::Store;
use super::syntax;
use super::verdict::{self, Grown, Verdict};

/// A sample looked at again: its scores, and the files that it makes.
#[derive(Debug, Default)]
pub struct Looked {
    /// The scores.
    pub scores: Scores,
    /// The files, where the sample makes any.
    pub files: Option<BTreeMap<String, String>>,
    /// The digest of the files.
    pub tree: Option<String>,
    /// Why an accepted answer makes none.
    pub fault: Option<String>,
}

/// The answer that stands: of the accepted ones the last.
pub fn standing(attempts: &[Attempt]) -> Option<&Attempt> {
    let accepted = |attempt: &&Attempt| attempt.answer.is_some() && attempt.violations.is_empty();
    attempts.iter().rev().find(accepted)
}

/// Scores a stored sample from its stored answers.
pub fn look(
    fixture: &Fixture,
    arm: Arm,
    sample: &Sample,
    store: &Store,
) -> Result<Looked, Failure> {
    if sample.outcome == Outcome::Failed {
        return Ok(Looked::default());
    }
    let mut scene = fixture.scene(sample.wording)?;
    let mut looked = Looked::default();
    let first = sample.attempts.first().and_then(|a| a.answer.as_deref());
    let first = first.map(|name| store.text(name)).transpose()?;
    let says = first.as_deref().is_some_and(|text| !text.trim().is_empty());
    looked.put(id::ANSWERED, says);
    match arm {
        Arm::Sedum => selecting(fixture, &mut scene, sample, store, &mut looked)?,
        Arm::Baseline => {
            let files = first.map(|text| baseline::files(&text, &scene));
            writing(&scene, &files.unwrap_or_default(), &mut looked);
        }
    }
    if let (Some(files), false) = (&looked.files, fixture.case.check.is_empty()) {
        looked.scores.syntax = Some(syntax::check(files, &fixture.case.check)?);
    }
    let is_defined = |name: &String| signals::undefined(name, arm, &fixture.case).is_none();
    looked.scores.signals.retain(|name, _| is_defined(name));
    Ok(looked)
}

impl Looked {
    fn put(&mut self, id: &str, value: bool) {
        self.scores.signals.insert(id.to_owned(), value);
    }
}

fn selecting(
    fixture: &Fixture,
    scene: &mut Scene<'_>,
    sample: &Sample,
    store: &Store,
    looked: &mut Looked,
) -> Result<(), Failure> {
    let verdicts: Vec<Verdict<'_>> = sample
        .attempts
        .iter()
        .filter_map(|attempt| Some((attempt, attempt.answer.as_ref()?)))
        .map(|(attempt, name)| Ok(verdict::judge(scene, &store.text(name)?, attempt.truncated)))
        .collect::<Result<_, Failure>>()?;
    looked.put(id::DECODED, verdicts.iter().any(|v| v.decoded.is_some()));
    let is_first = verdicts.first().is_some_and(Verdict::is_valid);
    looked.put(id::ACCEPTED_FIRST, is_first);
    let standing = verdicts.iter().rev().find(|v| v.is_valid());
    looked.put(id::ACCEPTED, standing.is_some());
    let list = standing.and_then(|v| v.decoded.as_deref());
    let expect = &fixture.case.expect;
    looked.put(id::NONEMPTY, list.is_some_and(|list| !list.is_empty()));
    let counts = list.map(counts);
    let is_complete = |counts: &BTreeMap<String, u32>| {
        let mut wanted = expect.actions.iter();
        wanted.all(|(action, want)| counts.get(action).copied().unwrap_or(0) >= *want)
    };
    looked.put(id::COMPLETE, counts.as_ref().is_some_and(is_complete));
    looked.put(id::EQUAL, counts.as_ref() == Some(&expect.actions));
    looked.scores.counts = counts;
    let Some(standing) = standing else {
        let paths = scene.paths().map(str::to_owned).collect();
        looked.scores.written = Some(WrittenScore {
            missing: paths,
            ..WrittenScore::default()
        });
        return Ok(());
    };
    looked.scores.bindings = bound(expect, list.unwrap_or_default());
    if !looked.scores.bindings.is_empty() {
        let all = looked.scores.bindings.iter().all(|score| score.right);
        looked.put(id::BOUND, all);
    }
    if !expect.actions.is_empty() {
        looked.scores.anchors = Some(anchors(scene, standing));
    }
    let Grown {
        files,
        fault,
        idempotent,
    } = verdict::grow(scene, standing);
    if let Some(same) = idempotent {
        looked.put(id::IDEMPOTENT, same);
    }
    let made = |path: &&str| {
        files
            .as_ref()
            .is_some_and(|files| files.contains_key(*path))
    };
    let (made, missing): (Vec<&str>, Vec<&str>) = scene.paths().partition(made);
    let owned = |list: Vec<&str>| list.into_iter().map(str::to_owned).collect();
    looked.scores.written = Some(WrittenScore {
        files: owned(made),
        missing: owned(missing),
        refused: Vec::new(),
    });
    looked.tree = files.as_ref().map(super::digest::of_set);
    looked.files = files;
    looked.fault = fault;
    Ok(())
}

/// The baseline arm: what it wrote.
fn writing(scene: &Scene<'_>, files: &Files, looked: &mut Looked) {
    looked.put(id::DECODED, !files.kept.is_empty());
    let missing = scene.paths().filter(|path| !files.kept.contains_key(*path));
    looked.scores.written = Some(WrittenScore {
        files: files.kept.keys().cloned().collect(),
        missing: missing.map(str::to_owned).collect(),
        refused: files.refused.clone(),
    });
    if !files.kept.is_empty() {
        looked.tree = Some(super::digest::of_set(&files.kept));
        looked.files = Some(files.kept.clone());
    }
}

fn counts(list: &[Invocation]) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for invocation in list {
        *counts.entry(invocation.action.clone()).or_insert(0) += 1;
    }
    counts
}

/// Every kwarg that an expectation names, of every selected invocation that an expected row is about (H26, H29).
fn bound(expect: &Expect, list: &[Invocation]) -> Vec<BoundScore> {
    let json = |value: &Value| serde_json::from_str(&value.to_json()).unwrap_or(Json::Null);
    let mut scores = Vec::new();
    for binding in &expect.bindings {
        for invocation in list.iter().filter(|i| i.action == binding.action) {
            let key = invocation.kwargs.get(&binding.key);
            let Some(row) = binding.rows.iter().find(|row| Some(&row.key) == key) else {
                continue;
            };
            for (kwarg, right) in &row.kwargs {
                let got = invocation.kwargs.get(kwarg);
                // H27: null stands for a kwarg that is left out.
                let is_right = right.iter().any(|one| match (one, got) {
                    (Value::Null, None) => true,
                    (one, Some(got)) => one == got,
                    _ => false,
                });
                scores.push(BoundScore {
                    action: binding.action.clone(),
                    key: json(&row.key),
                    kwarg: kwarg.clone(),
                    want: right.iter().map(json).collect(),
                    got: got.map(json),
                    right: is_right,
                });
            }
        }
    }
    scores
}

/// H35: the anchors that some action fills, and which of them these injections fill. The library's own computation
/// says both.
fn anchors(scene: &Scene<'_>, verdict: &Verdict<'_>) -> AnchorScore {
    let places = |open: Vec<completeness::Unfilled>| -> Vec<String> {
        let each = open.into_iter().flat_map(|file| {
            let path = file.path;
            let names = file.anchors.into_iter();
            names
                .map(move |name| format!("{path} @{name}"))
                .collect::<Vec<_>>()
        });
        each.collect()
    };
    let (record, planted) = (&scene.record, &scene.planted);
    let all = places(completeness::unfilled(record, planted, []));
    let missed = places(completeness::unfilled(record, planted, &verdict.injections));
    AnchorScore {
        filled: all
            .into_iter()
            .filter(|place| !missed.contains(place))
            .collect(),
        missed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::parse;
    use sedum::selection::decode::decode;

    fn expect(yaml: &str) -> Expect {
        let text = format!(
            "id: x\ntitle: t\napplication: {{name: a, complexity: small}}\nlanguage: l\nframework: f\n\
             tightness: tight\narm: [sedum]\ngenerators: g\nrecords: r\nonly: o\n\
             models: [{{id: m, engine: e, quant: q}}]\nexpect:\n{yaml}"
        );
        parse(&text, "x").unwrap().expect
    }

    #[test]
    fn h26_h27_only_named_kwargs_are_scored_by_type_and_null_means_left_out() {
        let expect = expect(
            "  actions: {add: 2}\n  bindings:\n    - action: add\n      because: it says so\n      key: name\n      \
             rows:\n        - {name: a, size: 3, note: ~}\n        - {name: b, size: [3, \"3\"], kind: [[1, 2]]}\n",
        );
        let list = decode(
            r#"[{"action":"add","kwargs":{"name":"a","size":3.0,"other":1}},
                {"action":"add","kwargs":{"name":"a","size":"3","note":"x"}},
                {"action":"add","kwargs":{"name":"b","size":"3","kind":[1,2]}},
                {"action":"add","kwargs":{"name":"c","size":9}}]"#,
        )
        .unwrap();
        let found: Vec<_> = bound(&expect, &list)
            .iter()
            .map(|s| (s.key.to_string(), s.kwarg.clone(), s.right))
            .collect();
        let want = [
            ("\"a\"", "note", true),
            ("\"a\"", "size", true),
            ("\"a\"", "note", false),
            ("\"a\"", "size", false),
            ("\"b\"", "kind", true),
            ("\"b\"", "size", true),
        ];
        let want: Vec<_> = want
            .iter()
            .map(|(k, n, r)| ((*k).to_owned(), (*n).to_owned(), *r))
            .collect();
        assert_eq!(found, want);
    }
}
