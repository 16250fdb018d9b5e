//! Rates of a run: a signal over its samples, with the interval that belongs to its unit (H29, H31, H35).
//!
//! Whatever has no meaning, or was not observed, is a word and never a number (H59).

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::case::Case;
use super::sample::Scores;
use super::signals::{self, Signal, Unit, id};
use super::stats::{Interval, bootstrap, wilson};
use super::store::Run;

/// The seed of every bootstrap, so that a report is the same each time.
const SEED: u64 = 20_261_130;

/// A signal over the samples of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Rate {
    /// So many of so many.
    Counted(Counted),
    /// The signal has no meaning here, and why.
    Undefined(&'static str),
    /// Nothing was observed, and why.
    Unrecorded(&'static str),
}

/// So many of so many.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// Those that are so.
    pub k: u64,
    /// All that were looked at; at least 1.
    pub n: u64,
    /// 95 %.
    pub interval: Interval,
    /// What is counted.
    pub unit: Unit,
    /// From how many samples; the same as `n` where samples are counted.
    pub samples: u64,
}

impl Rate {
    /// A rate over samples.
    pub fn of_samples(k: u64, n: u64) -> Self {
        match wilson(k, n) {
            Some(interval) => Self::Counted(Counted {
                k,
                n,
                interval,
                unit: Unit::Sample,
                samples: n,
            }),
            None => Self::Unrecorded("no sample has it"),
        }
    }

    /// A rate over units that come in samples, `(k, n)` each.
    fn of_clusters(clusters: &[(u64, u64)], unit: Unit) -> Self {
        let (k, n) = clusters
            .iter()
            .fold((0, 0), |(k, n), (hits, units)| (k + hits, n + units));
        match bootstrap(clusters, SEED) {
            Some(interval) => Self::Counted(Counted {
                k,
                n,
                interval,
                unit,
                samples: clusters.len() as u64,
            }),
            None => Self::Unrecorded("no sample has it"),
        }
    }

    /// For a table: `3/5 0.23-0.88`, or a dash.
    pub fn shown(&self) -> String {
        match self {
            Self::Counted(rate) => format!(
                "{}/{} {:.2}-{:.2}",
                rate.k, rate.n, rate.interval.low, rate.interval.high
            ),
            Self::Undefined(_) | Self::Unrecorded(_) => "-".to_owned(),
        }
    }
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Undefined(why) => map.serialize_entry("undefined", why)?,
            Self::Unrecorded(why) => map.serialize_entry("unrecorded", why)?,
            Self::Counted(rate) => {
                let rounded = |bound: f64| (bound * 1000.0).round() / 1000.0;
                map.serialize_entry("k", &rate.k)?;
                map.serialize_entry("n", &rate.n)?;
                map.serialize_entry("low", &rounded(rate.interval.low))?;
                map.serialize_entry("high", &rounded(rate.interval.high))?;
                map.serialize_entry("unit", rate.unit.name())?;
                if rate.unit != Unit::Sample {
                    map.serialize_entry("samples", &rate.samples)?;
                    map.serialize_entry("method", "bootstrap")?;
                }
            }
        }
        map.end()
    }
}

/// A signal over the samples of a run that reached the model.
pub fn of(run: &Run, case: &Case, signal: &Signal) -> Rate {
    if let Some(why) = signals::undefined(signal.id, run.head.arm, case) {
        return Rate::Undefined(why);
    }
    let scores: Vec<Scores> = run.counted().map(|sample| run.scores(sample)).collect();
    if signal.unit == Unit::Sample {
        let known: Vec<bool> = scores
            .iter()
            .filter_map(|scores| scores.signals.get(signal.id).copied())
            .collect();
        let hits = known.iter().filter(|hit| **hit).count();
        return Rate::of_samples(hits as u64, known.len() as u64);
    }
    if signal.id == id::PARSES && scores.iter().any(has_files_without_checker) {
        return Rate::Unrecorded("no checker on the machine that ran it");
    }
    let clusters: Vec<_> = scores
        .iter()
        .filter_map(|scores| cluster(signal.id, scores))
        .collect();
    Rate::of_clusters(&clusters, signal.unit)
}

fn has_files_without_checker(scores: &Scores) -> bool {
    let files = scores.syntax.as_deref().unwrap_or_default();
    !files.is_empty() && files.iter().all(|file| file.ok.is_none())
}

/// The units of one sample: those that are so, and all.
pub fn cluster(signal: &str, scores: &Scores) -> Option<(u64, u64)> {
    let pair = |hits: usize, misses: usize| (hits as u64, (hits + misses) as u64);
    match signal {
        id::ANCHORS => {
            let anchors = scores.anchors.as_ref()?;
            Some(pair(anchors.filled.len(), anchors.missed.len()))
        }
        id::WRITTEN => {
            let written = scores.written.as_ref()?;
            Some(pair(written.files.len(), written.missing.len()))
        }
        id::PARSES => {
            let files = scores.syntax.as_ref()?;
            let of = |ok: bool| files.iter().filter(|file| file.ok == Some(ok)).count();
            Some(pair(of(true), of(false)))
        }
        _ => None,
    }
}
