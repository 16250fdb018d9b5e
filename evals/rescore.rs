//! `rescore`: stored samples by the cases and the code of today; what differs is appended, nothing is changed (H55).

use super::clock;
use super::failure::Failure;
use super::home::Home;
use super::repository;
use super::sample::{Line, Outcome, Rescored, Scores};
use super::score;
use super::signals::id;

/// Carries the command out; with `check` nothing is written, and a difference is a failure.
pub fn run(cases: &[String], check: bool, home: &Home, say: &dyn Fn(&str)) -> Result<(), Failure> {
    let store = home.store();
    let stored = store.read()?;
    let state = repository::state(home.folder())?;
    let (mut looked_at, mut changed, mut skipped) = (0, 0, 0);
    for fixture in home.fixtures(cases)? {
        let runs = stored.runs.iter();
        for run in runs.filter(|run| run.head.case == fixture.case.id) {
            if run.head.material != fixture.material {
                skipped += run.samples.len();
                continue;
            }
            for sample in run.samples.values() {
                if sample.outcome == Outcome::Failed {
                    continue;
                }
                looked_at += 1;
                let known = run.scores(sample);
                let looked = score::look(&fixture, run.head.arm, sample, &store)?;
                let scores = keep_unobserved(looked.scores, &known);
                if scores == known && run.digest() == fixture.digest {
                    continue;
                }
                if scores != known {
                    changed += 1;
                    say(&format!(
                        "{} sample {}: {}",
                        run.head.run,
                        sample.n,
                        difference(&known, &scores)
                    ));
                }
                if !check {
                    let line = Rescored {
                        run: run.head.run.clone(),
                        n: sample.n,
                        time: clock::now(),
                        commit: state.commit.clone(),
                        digest: fixture.digest.clone(),
                        scores,
                    };
                    store.append(&run.head.case, &Line::Score(Box::new(line)))?;
                }
            }
        }
    }
    say(&format!(
        "{looked_at} sample(s) scored again, {changed} different, {skipped} passed over because their fixture is another \
         by now"
    ));
    if check && changed > 0 {
        return Err(Failure::failed(
            "stored scores are not those of today: run rescore and commit what it appends",
        ));
    }
    Ok(())
}

/// A checker that this machine lacks takes nothing away from what another machine saw (H36).
fn keep_unobserved(mut scores: Scores, known: &Scores) -> Scores {
    let unobserved = scores
        .syntax
        .as_ref()
        .is_some_and(|files| files.iter().any(|file| file.ok.is_none()));
    let paths = |scores: &Scores| -> Option<Vec<String>> {
        let files = scores.syntax.as_ref()?;
        Some(files.iter().map(|file| file.path.clone()).collect())
    };
    if unobserved && paths(&scores) == paths(known) {
        scores.syntax.clone_from(&known.syntax);
    }
    scores
}

fn difference(known: &Scores, now: &Scores) -> String {
    let mut names: Vec<&str> = now
        .signals
        .iter()
        .filter(|(name, value)| known.signals.get(*name) != Some(value))
        .map(|(name, _)| name.as_str())
        .collect();
    names.extend((known.anchors != now.anchors).then_some(id::ANCHORS));
    names.extend((known.written != now.written).then_some(id::WRITTEN));
    names.extend((known.syntax != now.syntax).then_some(id::PARSES));
    names.extend((known.bindings != now.bindings).then_some("bindings"));
    if names.is_empty() {
        "another list of signals".to_owned()
    } else {
        sedum::diag::listed(names)
    }
}
