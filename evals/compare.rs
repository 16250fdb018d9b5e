//! Paired comparison of two conditions on the same questions, by the exact test, and nothing read off intervals.
//!
//! A pair is one sample of either condition with the same case, wording and seed. What pairs may be made is decided
//! here; that two conditions are worth comparing is for whoever asks.

use std::collections::BTreeMap;

use serde::Serialize;

use sedum::diag::{listed, quoted};

use super::cli::CompareArgs;
use super::failure::Failure;
use super::home::Home;
use super::sample::Resolution;
use super::signals::{self, Signal, Unit};
use super::stats::mcnemar;
use super::store::Run;

/// Two conditions on one signal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The runs of the first.
    pub a: Vec<String>,
    /// The runs of the second.
    pub b: Vec<String>,
    /// The case; none when the pairs of several are pooled.
    pub case: Option<String>,
    /// What differs.
    pub what: String,
    /// The signal.
    pub signal: &'static str,
    /// How many pairs.
    pub pairs: u64,
    /// Yes in both.
    pub both: u64,
    /// Yes in the first only.
    pub only_a: u64,
    /// Yes in the second only.
    pub only_b: u64,
    /// Yes in none.
    pub neither: u64,
    /// The two-sided p, to four digits.
    pub p: f64,
    /// How it was worked out.
    pub method: &'static str,
}

/// The signals that a pair can differ in.
pub fn comparable() -> impl Iterator<Item = &'static Signal> {
    signals::ALL.iter().filter(|s| s.unit == Unit::Sample)
}

/// Compares pairs of runs, each pair of one case, pooled; `None` without a pair of samples.
pub fn compare(pairs: &[(&Run, &Run)], what: &str, signal: &Signal) -> Option<Comparison> {
    let (mut both, mut only_a, mut only_b, mut neither) = (0, 0, 0, 0);
    for (a, b) in pairs {
        for first in a.counted() {
            let twin = b
                .samples
                .get(&first.n)
                .filter(|second| second.wording == first.wording && second.seed == first.seed);
            let Some(second) = twin else { continue };
            let value = |run: &Run, sample| run.scores(sample).signals.get(signal.id).copied();
            match (value(a, first), value(b, second)) {
                (Some(true), Some(true)) => both += 1,
                (Some(true), Some(false)) => only_a += 1,
                (Some(false), Some(true)) => only_b += 1,
                (Some(false), Some(false)) => neither += 1,
                _ => {}
            }
        }
    }
    let cases: Vec<&str> = pairs.iter().map(|(a, _)| a.head.case.as_str()).collect();
    let total = both + only_a + only_b + neither;
    (total > 0).then(|| Comparison {
        a: pairs.iter().map(|(a, _)| a.head.run.clone()).collect(),
        b: pairs.iter().map(|(_, b)| b.head.run.clone()).collect(),
        case: match cases[..] {
            [one] => Some(one.to_owned()),
            _ => None,
        },
        what: what.to_owned(),
        signal: signal.id,
        pairs: total,
        both,
        only_a,
        only_b,
        neither,
        p: (mcnemar(only_a, only_b) * 10_000.0).round() / 10_000.0,
        method: "exact McNemar, two-sided",
    })
}

/// Whether a run may stand in a comparison at all (H18, H62).
pub fn is_citable(run: &Run) -> bool {
    run.head.clean && run.head.resolution != Resolution::Smoke
}

/// An axis of a run by the word that a filter uses.
fn axis(run: &Run, key: &str) -> Option<String> {
    let head = &run.head;
    let switch = |on: bool| if on { "on" } else { "off" }.to_owned();
    Some(match key {
        "case" => head.case.clone(),
        "model" => head.model.id.clone(),
        "arm" => head.arm.name().to_owned(),
        "schema" => switch(head.factors.response_schema),
        "full" => switch(head.factors.full_catalog),
        "shuffle" => switch(head.factors.shuffle.is_some()),
        "temperature" => head.factors.temperature.to_string(),
        "retries" => head.retries.to_string(),
        "commit" => head.commit.clone().unwrap_or_default(),
        "run" => head.run.clone(),
        _ => return None,
    })
}

/// The axes by which runs are matched unless a filter names them.
const MATCHED: [&str; 8] = [
    "case",
    "model",
    "arm",
    "schema",
    "full",
    "shuffle",
    "temperature",
    "retries",
];

/// One condition: the values of some axes.
#[derive(Debug)]
struct Filter<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Filter<'a> {
    fn parse(text: &'a str) -> Result<Self, Failure> {
        let mut pairs = Vec::new();
        for part in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let known = MATCHED.iter().chain(&["commit", "run"]);
            match part.split_once('=') {
                Some((key, value)) if known.clone().any(|k| *k == key.trim()) => {
                    pairs.push((key.trim(), value.trim()));
                }
                _ => {
                    return Err(Failure::usage(format!(
                        "{} is no condition: write key=value, the keys being {}",
                        quoted(part),
                        listed(known)
                    )));
                }
            }
        }
        Ok(Self(pairs))
    }

    fn takes(&self, run: &Run) -> bool {
        self.0.iter().all(|(key, value)| {
            axis(run, key).is_some_and(|found| match *key {
                "commit" => found.starts_with(value),
                "model" => found == *value || run.head.model.label() == *value,
                _ => found == *value,
            })
        })
    }

    fn names(&self, key: &str) -> bool {
        self.0.iter().any(|(named, _)| *named == key)
    }
}

/// Carries the command out.
pub fn run(args: &CompareArgs, home: &Home, say: &dyn Fn(&str)) -> Result<(), Failure> {
    let (a, b) = (&args.a, &args.b);
    let (first, second) = (Filter::parse(a)?, Filter::parse(b)?);
    let wanted: Vec<&Signal> = match args.signal.as_deref() {
        None => comparable().collect(),
        Some(name) => match comparable().find(|signal| signal.id == name) {
            Some(signal) => vec![signal],
            None => {
                return Err(Failure::usage(format!(
                    "{} is no signal that a sample has or has not; those are: {}",
                    quoted(name),
                    listed(comparable().map(|s| s.id))
                )));
            }
        },
    };
    let stored = home.store().read()?;
    let free: Vec<&str> = MATCHED
        .into_iter()
        .filter(|key| !first.names(key) && !second.names(key))
        .collect();
    let by_key = |filter: &Filter<'_>| -> BTreeMap<Vec<String>, &Run> {
        let citable = stored.runs.iter().filter(|run| is_citable(run));
        let taken = citable.filter(|run| filter.takes(run));
        // Of several the latest, which comes last.
        taken
            .map(|run| (free.iter().filter_map(|key| axis(run, key)).collect(), run))
            .collect()
    };
    let (left, right) = (by_key(&first), by_key(&second));
    let pairs: Vec<(&Run, &Run)> = left
        .iter()
        .filter_map(|(key, a)| Some((*a, *right.get(key)?)))
        .filter(|(a, b)| a.head.run != b.head.run)
        .collect();
    held(&pairs, args.across_fixtures)?;
    for (a, b) in &pairs {
        say(&format!("{}  with  {}", a.head.run, b.head.run));
    }
    for signal in wanted {
        if let Some(found) = compare(&pairs, &format!("{a} / {b}"), signal) {
            say(&told(&found));
        }
    }
    Ok(())
}

/// H20, H62: what must be alike in a pair of runs.
fn held(pairs: &[(&Run, &Run)], across_fixtures: bool) -> Result<(), Failure> {
    if pairs.is_empty() {
        return Err(Failure::failed(
            "no two runs match: each condition needs a run of the same case that is neither a smoke run nor of a changed \
             checkout",
        ));
    }
    for (a, b) in pairs {
        if a.head.retries != b.head.retries {
            return Err(Failure::failed(format!(
                "{} and {} have different numbers of re-prompts, so what was accepted cannot be compared (H20)",
                quoted(&a.head.run),
                quoted(&b.head.run)
            )));
        }
        if a.digest() != b.digest() && !across_fixtures {
            return Err(Failure::failed(format!(
                "{} and {} are of different fixtures: pass --across-fixtures if that is what was changed",
                quoted(&a.head.run),
                quoted(&b.head.run)
            )));
        }
    }
    Ok(())
}

/// A comparison as a line. A test that shows nothing has excluded nothing (H19).
pub fn told(found: &Comparison) -> String {
    let differing = found.only_a + found.only_b;
    let says = if found.p < 0.05 {
        "they differ"
    } else {
        "a difference is neither shown nor excluded"
    };
    format!(
        "{:<16} {} pair(s): both {}, only a {}, only b {}, neither {}; {} differ, exact McNemar p = {:.4}: {says}",
        found.signal,
        found.pairs,
        found.both,
        found.only_a,
        found.only_b,
        found.neither,
        differing,
        found.p
    )
}
