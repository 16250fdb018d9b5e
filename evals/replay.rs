//! `replay`: every stored answer through today's decoder and validator, offline, against the stored verdicts.
//!
//! Of runs it looks at every attempt, of the corpus at every pinned answer. Rules with their places and the digest of the
//! files have to be the same; the sentences of violations may change. An answer to another fixture is not compared.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::arms::baseline;
use super::case::Arm;
use super::failure::Failure;
use super::fixture::{Fixture, Scene};
use super::home::Home;
use super::sample::Sample;
use super::store::{Run, Store};
use super::verdict::{self, Broken};

/// An answer with its pinned verdict.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pinned {
    /// The case.
    pub case: String,
    /// The fixture as far as verdicts depend on it.
    pub material: String,
    /// Where the answer comes from: `reference`, or the digest of a model's answer.
    pub of: String,
    /// What was done to it.
    pub mutation: String,
    /// Its text.
    pub answer: String,
    /// Whether it counts as cut off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// The rules that it breaks, in order; none for a valid one.
    pub rules: Vec<Place>,
    /// The digest of the files that it makes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<String>,
}

/// A broken rule without its sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The slug.
    pub rule: String,
    /// Which invocation, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// The action as it was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The kwarg.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kwarg: Option<String>,
}

impl From<&Broken> for Place {
    fn from(broken: &Broken) -> Self {
        Self {
            rule: broken.rule.clone(),
            index: broken.index,
            action: broken.action.clone(),
            kwarg: broken.kwarg.clone(),
        }
    }
}

/// The verdict of an answer today: its rules, and the files of a valid one.
pub fn verdict_of(
    scene: &mut Scene<'_>,
    answer: &str,
    truncated: bool,
) -> (Vec<Place>, Option<String>) {
    let verdict = verdict::judge(scene, answer, truncated);
    let rules = verdict.broken().iter().map(Place::from).collect();
    let tree = if verdict.is_valid() {
        verdict::grow(scene, &verdict).digest()
    } else {
        None
    };
    (rules, tree)
}

/// Reads the corpus; none when it is not there.
pub fn corpus(path: &Path) -> Result<Vec<Pinned>, Failure> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(Failure::io(path, "read", &e)),
    };
    let mut pinned = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let one = serde_json::from_str(line)
            .map_err(|e| Failure::failed(format!("{} line {}: {e}", path.display(), at + 1)))?;
        pinned.push(one);
    }
    Ok(pinned)
}

/// What a replay found.
#[derive(Debug, Default)]
struct Found {
    answers: usize,
    trees: usize,
    skipped: usize,
    differences: Vec<String>,
    rules: BTreeMap<String, usize>,
}

impl Found {
    fn rules(&mut self, name: &str, stored: &[Place], now: &[Place]) {
        self.answers += 1;
        for place in now {
            *self.rules.entry(place.rule.clone()).or_insert(0) += 1;
        }
        if stored != now {
            let told = |places: &[Place]| match places {
                [] => "valid".to_owned(),
                places => sedum::diag::listed(places.iter().map(|p| p.rule.as_str())),
            };
            self.differences.push(format!(
                "{name}: the verdict was {}, and is {}",
                told(stored),
                told(now)
            ));
        }
    }

    fn tree(&mut self, name: &str, stored: Option<&String>, now: Option<&String>) {
        self.trees += usize::from(now.is_some());
        if stored != now {
            let told = |digest: Option<&String>| digest.map_or("none", |d| d.as_str()).to_owned();
            self.differences.push(format!(
                "{name}: the files were {}, and are {}",
                told(stored),
                told(now)
            ));
        }
    }
}

/// Carries the command out.
pub fn run(all: bool, home: &Home, say: &dyn Fn(&str)) -> Result<(), Failure> {
    let fixtures = home.fixtures(&[])?;
    let by_case: BTreeMap<&str, &Fixture> =
        fixtures.iter().map(|f| (f.case.id.as_str(), f)).collect();
    let store = home.store();
    let stored = store.read()?;
    for warning in &stored.unreadable {
        say(&format!("warning: {warning}"));
    }
    let mut runs = Found::default();
    for run in &stored.runs {
        match by_case.get(run.head.case.as_str()) {
            Some(fixture) if fixture.material == run.head.material => {
                for sample in run.samples.values() {
                    sample_again(fixture, run, sample, &store, &mut runs)?;
                }
            }
            _ => runs.skipped += run.samples.len(),
        }
    }
    let mut pinned = Found::default();
    for (at, one) in corpus(&home.corpus())?.iter().enumerate() {
        let name = format!("corpus line {} ({}, {})", at + 1, one.case, one.mutation);
        match by_case.get(one.case.as_str()) {
            Some(fixture) if fixture.material == one.material => {
                let mut scene = fixture.scene(1)?;
                let (rules, tree) = verdict_of(&mut scene, &one.answer, one.truncated);
                pinned.rules(&name, &one.rules, &rules);
                pinned.tree(&name, one.tree.as_ref(), tree.as_ref());
            }
            // A pin that pins nothing is a fault of the corpus.
            _ => pinned
                .differences
                .push(format!("{name}: its fixture is another by now")),
        }
    }
    tell(&runs, &pinned, all, say)
}

fn sample_again(
    fixture: &Fixture,
    run: &Run,
    sample: &Sample,
    store: &Store,
    found: &mut Found,
) -> Result<(), Failure> {
    let mut tree = None;
    for (at, attempt) in sample.attempts.iter().enumerate() {
        let Some(answer) = &attempt.answer else {
            continue;
        };
        let name = format!("{} sample {} call {}", run.head.run, sample.n, at + 1);
        let text = store.text(answer)?;
        let mut scene = fixture.scene(sample.wording)?;
        if run.head.arm == Arm::Baseline {
            let files = baseline::files(&text, &scene).kept;
            found.answers += 1;
            tree = (!files.is_empty()).then(|| super::digest::of_set(&files));
            continue;
        }
        let (rules, made) = verdict_of(&mut scene, &text, attempt.truncated);
        let stored: Vec<Place> = attempt.violations.iter().map(Place::from).collect();
        found.rules(&name, &stored, &rules);
        // The last accepted answer is the one that is carried out.
        if rules.is_empty() {
            tree = made;
        }
    }
    if !sample.attempts.is_empty() {
        let name = format!("{} sample {}", run.head.run, sample.n);
        found.tree(&name, sample.tree.as_ref(), tree.as_ref());
    }
    Ok(())
}

fn tell(runs: &Found, pinned: &Found, all: bool, say: &dyn Fn(&str)) -> Result<(), Failure> {
    const SHOWN: usize = 20;
    let differences: Vec<&String> = runs.differences.iter().chain(&pinned.differences).collect();
    let shown = if all { differences.len() } else { SHOWN };
    for difference in differences.iter().take(shown) {
        say(difference);
    }
    if differences.len() > shown {
        say(&format!("and {} more", differences.len() - shown));
    }
    let mut rules = runs.rules.clone();
    for (rule, count) in &pinned.rules {
        *rules.entry(rule.clone()).or_insert(0) += count;
    }
    for (rule, count) in &rules {
        say(&format!("{count:>6}  {rule}"));
    }
    say(&format!(
        "{} answer(s) of runs and {} pinned answer(s) replayed, {} tree(s) among them, {} different",
        runs.answers,
        pinned.answers,
        runs.trees + pinned.trees,
        differences.len()
    ));
    if runs.skipped > 0 {
        say(&format!(
            "{} sample(s) passed over: their fixture is another by now",
            runs.skipped
        ));
    }
    if !differences.is_empty() {
        return Err(Failure::failed(
            "stored answers are judged differently: if that is meant, say so in the commit and pin anew (mutate)",
        ));
    }
    if runs.answers + pinned.answers == 0 {
        return Err(Failure::failed("there is no stored answer to replay"));
    }
    Ok(())
}
