//! One sample of a row: asked, kept, scored.

use sedum::selection::Catalog;
use sedum::selection::client::{Client, Settings};

use super::super::arms::{self, baseline, selecting};
use super::super::case::Arm;
use super::super::clock;
use super::super::failure::Failure;
use super::super::fixture::Scene;
use super::super::sample::{Outcome, Sample};
use super::super::score;
use super::super::stats::Random;
use super::super::store::Store;
use super::plan::Row;

/// Takes a sample; an error is a fault of the harness or its folder, never of the model.
pub fn take(row: &Row<'_>, n: u32, settings: &Settings, store: &Store) -> Result<Sample, Failure> {
    let case = &row.fixture.case;
    let factors = &row.head.factors;
    let wording = factors.wording_of(n, case.wording_count());
    let scene = row.fixture.scene(wording)?;
    let mut settings = settings.clone();
    settings.sampling.temperature = factors.temperature;
    settings.sampling.seed = factors.seed_of(n);
    let seed = settings.sampling.seed;
    let client = Client::new(settings).map_err(|fault| Failure::usage(fault.to_string()))?;
    let mut selection = None;
    let taken = match row.head.arm {
        Arm::Sedum => {
            let order = factors.shuffle.map(|shuffle| order(&scene, shuffle, n));
            let how = selecting::How {
                retries: row.head.retries,
                full_catalog: factors.full_catalog,
                response_schema: factors.response_schema,
                order: order.as_deref(),
            };
            let (taken, selected) = selecting::take(&scene, how, &client, store)?;
            selection = selected.as_deref().map(selecting::to_json);
            taken
        }
        Arm::Baseline => {
            let before = row.fixture.before()?;
            baseline::take(&scene, &case.variables, &before, &client, store)?.0
        }
    };
    let arms::Taken {
        attempts,
        prompt,
        accepted,
        error,
    } = taken;
    let mut sample = Sample {
        run: row.head.run.clone(),
        n,
        time: clock::now(),
        outcome: match accepted {
            Some(true) => Outcome::Valid,
            Some(false) => Outcome::Invalid,
            None => Outcome::Failed,
        },
        wording,
        seed,
        prompt,
        wall_ms: attempts.iter().map(|attempt| attempt.latency_ms).sum(),
        attempts,
        selection,
        tree: None,
        error,
        scores: None,
    };
    if sample.outcome != Outcome::Failed {
        let looked = score::look(row.fixture, row.head.arm, &sample, store)?;
        sample.tree = looked.tree;
        sample.error = looked.fault;
        sample.scores = Some(looked.scores);
    }
    Ok(sample)
}

/// An order of the record's actions of the sample's own.
fn order(scene: &Scene<'_>, seed: u64, n: u32) -> Vec<String> {
    let catalog = Catalog::of(&scene.record.packages(), false);
    let mut names: Vec<String> = catalog.names().map(str::to_owned).collect();
    Random::new(seed.wrapping_add(u64::from(n))).shuffle(&mut names);
    names
}
