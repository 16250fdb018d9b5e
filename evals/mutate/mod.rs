//! `mutate`: mutants of answers with their verdicts pinned, so that a change of decoder or validator is noticed.
//!
//! A mutant is made by one mutation of an answer that is accepted: a case's own right answer, or a model's. A seed
//! decides everything that is left to chance. A mutation aims at one rule and is kept only when the verdict has that
//! rule, so that every kind of violation is in the corpus; what else the mutant breaks is pinned with it.

mod kinds;

use std::collections::BTreeSet;
use std::fs;

use sedum::diag::Rule;
use sedum::diag::rule::RuleKind;
use sedum::selection::decode;
use serde_json::Value as Json;

use super::arms::selecting;
use super::case::Arm;
use super::failure::Failure;
use super::fixture::Fixture;
use super::home::Home;
use super::replay::{Pinned, verdict_of};
use super::sample::Outcome;
use super::score;
use super::stats::Random;
use super::store::{Store, Stored};
use kinds::{KINDS, Kind, Mutant};

/// The least number of mutants that break each rule.
const LEAST: usize = 5;
/// How many tries a kind has for each mutant that is wanted.
const TRIES: usize = 300;

/// An accepted answer that mutants are made of.
struct Base<'f> {
    fixture: &'f Fixture,
    of: String,
    list: Vec<Json>,
}

/// Carries the command out: the corpus is made anew.
pub fn run(seed: u64, each: usize, home: &Home, say: &dyn Fn(&str)) -> Result<(), Failure> {
    let fixtures = home.fixtures(&[])?;
    let store = home.store();
    let stored = store.read()?;
    let mut bases = Vec::new();
    for fixture in &fixtures {
        bases.extend(reference(fixture, home)?);
        bases.extend(of_models(fixture, &stored, &store)?);
    }
    let mut pinned = Vec::new();
    for base in &bases {
        let text = envelope(&base.list);
        pinned.push(pin(
            base,
            "none",
            &Mutant {
                text,
                truncated: false,
            },
        )?);
    }
    let mut random = Random::new(seed);
    let mut taken: BTreeSet<(String, String)> = BTreeSet::new();
    for kind in KINDS {
        let made = mutants(kind, each, &bases, &mut random, &mut taken)?;
        say(&format!("{:>4}  {}", made.len(), kind.name));
        pinned.extend(made);
    }
    every_rule_is_broken(&pinned)?;
    let mut text = String::new();
    for one in &pinned {
        let line = serde_json::to_string(one).map_err(|e| Failure::failed(e.to_string()))?;
        text.push_str(&line);
        text.push('\n');
    }
    let path = home.corpus();
    let folder = path.parent().unwrap_or(home.folder());
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&path, text))
        .map_err(|e| Failure::io(&path, "written", &e))?;
    say(&format!(
        "{} answer(s) pinned in {}",
        pinned.len(),
        path.display()
    ));
    Ok(())
}

/// A list as the envelope that is asked for.
fn envelope(list: &[Json]) -> String {
    serde_json::json!({ "invocations": list }).to_string()
}

/// The case's own right answer, as it is written beside the case.
fn reference<'f>(fixture: &'f Fixture, home: &Home) -> Result<Option<Base<'f>>, Failure> {
    let name = format!("{}.answer.json", fixture.case.id);
    let path = home.folder().join("cases").join(name);
    let text = fs::read_to_string(&path).map_err(|e| Failure::io(&path, "read", &e))?;
    let mut scene = fixture.scene(1)?;
    let (rules, _) = verdict_of(&mut scene, &text, false);
    if !rules.is_empty() {
        return Err(Failure::failed(format!(
            "{} is not accepted: {}",
            path.display(),
            sedum::diag::listed(rules.iter().map(|place| &place.rule))
        )));
    }
    Ok(list(&text).map(|list| Base {
        fixture,
        of: "reference".to_owned(),
        list,
    }))
}

/// What models answered and what was accepted, each text once.
fn of_models<'f>(
    fixture: &'f Fixture,
    stored: &Stored,
    store: &Store,
) -> Result<Vec<Base<'f>>, Failure> {
    let mut names = BTreeSet::new();
    for run in &stored.runs {
        let is_same = run.head.case == fixture.case.id && run.head.material == fixture.material;
        if !is_same || run.head.arm != Arm::Sedum {
            continue;
        }
        for sample in run.samples.values().filter(|s| s.outcome == Outcome::Valid) {
            let standing = score::standing(&sample.attempts);
            names.extend(standing.and_then(|attempt| attempt.answer.clone()));
        }
    }
    let mut bases = Vec::new();
    for name in names {
        if let Some(list) = list(&store.text(&name)?).filter(|list| !list.is_empty()) {
            bases.push(Base {
                fixture,
                of: name.chars().take(12).collect(),
                list,
            });
        }
    }
    Ok(bases)
}

/// What an answer decodes to, by the library's own decoder: models put fences around their answers.
fn list(text: &str) -> Option<Vec<Json>> {
    let decoded = decode::decode(text).ok()?;
    selecting::to_json(&decoded).as_array().cloned()
}

fn pin(base: &Base<'_>, mutation: &str, mutant: &Mutant) -> Result<Pinned, Failure> {
    let mut scene = base.fixture.scene(1)?;
    let (rules, tree) = verdict_of(&mut scene, &mutant.text, mutant.truncated);
    Ok(Pinned {
        case: base.fixture.case.id.clone(),
        material: base.fixture.material.clone(),
        of: base.of.clone(),
        mutation: mutation.to_owned(),
        answer: mutant.text.clone(),
        truncated: mutant.truncated,
        rules,
        tree,
    })
}

/// So many mutants of a kind, or as many as the tries give.
fn mutants(
    kind: &Kind,
    each: usize,
    bases: &[Base<'_>],
    random: &mut Random,
    taken: &mut BTreeSet<(String, String)>,
) -> Result<Vec<Pinned>, Failure> {
    let mut made = Vec::new();
    for _ in 0..each * TRIES {
        if made.len() == each {
            break;
        }
        let Some(base) = random.pick(bases) else {
            break;
        };
        let scene = base.fixture.scene(1)?;
        let mut list = base.list.clone();
        // Two mutants that differ in the order alone are two answers.
        if random.below(2) == 0 {
            random.shuffle(&mut list);
        }
        let Some(mutant) = (kind.make)(&list, &scene, random) else {
            continue;
        };
        let one = pin(base, kind.name, &mutant)?;
        let hits = match kind.aims_at {
            Some(rule) => one.rules.iter().any(|place| place.rule == rule.slug()),
            None => one.rules.is_empty(),
        };
        if hits && taken.insert((one.case.clone(), one.answer.clone())) {
            made.push(one);
        }
    }
    Ok(made)
}

/// Every rule of answers at least five times.
fn every_rule_is_broken(pinned: &[Pinned]) -> Result<(), Failure> {
    let violations = Rule::ALL.iter().filter(|r| r.kind() == RuleKind::Violation);
    let lacking: Vec<&str> = violations
        .map(|rule| rule.slug())
        .filter(|slug| {
            let breaks = |one: &&Pinned| one.rules.iter().any(|place| place.rule == *slug);
            pinned.iter().filter(breaks).count() < LEAST
        })
        .collect();
    if lacking.is_empty() {
        return Ok(());
    }
    Err(Failure::failed(format!(
        "fewer than {LEAST} mutants break: {}; nothing is written",
        sedum::diag::listed(lacking)
    )))
}
