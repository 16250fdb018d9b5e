//! `cases`: whether every case and its fixture is sound, what there is, and what a model would be asked.

use std::fs;

use sedum::runlog::RunLog;
use sedum::selection::client::{Answer, Message, Model, ModelFault};
use sedum::selection::converse::Asking;
use serde_json::value::RawValue;

use super::arms::baseline;
use super::cli::CasesArgs;
use super::failure::Failure;
use super::home::Home;
use super::observe::Observed;
use super::replay::verdict_of;
use super::sample::{Attempt, Outcome, Sample};
use super::score;
use super::signals;
use super::store::Store;

/// Carries the command out.
pub fn run(args: &CasesArgs, home: &Home, say: &dyn Fn(&str)) -> Result<(), Failure> {
    if let Some(name) = &args.prompt {
        return prompt(name, args.baseline, home, say);
    }
    let fixtures = home.fixtures(&[])?;
    for fixture in &fixtures {
        let case = &fixture.case;
        let wanted: u32 = case.expect.actions.values().sum();
        say(&format!(
            "{:<18} {:<8} {:<8} {wanted:>2} invocation(s) expected, {} wording(s), fixture {}",
            case.id,
            case.language,
            case.application.complexity,
            case.wording_count(),
            fixture.digest
        ));
        right_answer(fixture, home)?;
    }
    say(&format!(
        "{} case(s), each with its right answer",
        fixtures.len()
    ));
    Ok(())
}

/// A case's own right answer has to be accepted and scored right in everything, or the case asks for what nobody can
/// give.
fn right_answer(fixture: &super::fixture::Fixture, home: &Home) -> Result<(), Failure> {
    let name = format!("{}.answer.json", fixture.case.id);
    let path = home.folder().join("cases").join(name);
    let text = fs::read_to_string(&path).map_err(|e| Failure::io(&path, "read", &e))?;
    let mut scene = fixture.scene(1)?;
    let (rules, _) = verdict_of(&mut scene, &text, false);
    if let Some(place) = rules.first() {
        return Err(Failure::failed(format!(
            "{}: [{}]",
            path.display(),
            place.rule
        )));
    }
    let folder = tempfile::tempdir().map_err(|e| Failure::failed(e.to_string()))?;
    let store = Store::new(folder.path());
    let sample = Sample {
        run: String::new(),
        n: 1,
        time: String::new(),
        outcome: Outcome::Valid,
        wording: 1,
        seed: None,
        prompt: String::new(),
        attempts: vec![Attempt {
            purpose: "select".to_owned(),
            messages: Vec::new(),
            schema: None,
            answer: Some(store.keep(&text)?),
            finish: None,
            truncated: false,
            latency_ms: 0,
            usage: None,
            decoded: None,
            violations: Vec::new(),
            error: None,
        }],
        wall_ms: 0,
        selection: None,
        tree: None,
        error: None,
        scores: None,
    };
    let looked = score::look(fixture, super::case::Arm::Sedum, &sample, &store)?;
    let wrong = looked.scores.signals.iter().filter(|(_, right)| !**right);
    let mut wrong: Vec<String> = wrong.map(|(name, _)| name.clone()).collect();
    let unscored = |name: &str| {
        !fixture.case.expect.bindings.is_empty()
            && name == signals::id::BOUND
            && !looked.scores.signals.contains_key(name)
    };
    if unscored(signals::id::BOUND) {
        wrong.push(signals::id::BOUND.to_owned());
    }
    let files = looked.scores.syntax.iter().flatten();
    let bad = files.filter(|file| file.ok == Some(false));
    wrong.extend(bad.map(|file| {
        format!(
            "{}: {}",
            file.path,
            file.message.as_deref().unwrap_or_default()
        )
    }));
    wrong.extend(looked.fault);
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Failure::failed(format!(
            "{} is not scored right: {}",
            path.display(),
            sedum::diag::listed(wrong)
        )))
    }
}

/// A model that says nothing, to see what it is asked.
struct Mute;

impl Model for Mute {
    fn ask(
        &self,
        _: &[Message],
        _: Option<&RawValue>,
        _: &dyn Fn(&str),
    ) -> Result<Answer, ModelFault> {
        Ok(Answer::default())
    }
}

fn prompt(name: &str, is_baseline: bool, home: &Home, say: &dyn Fn(&str)) -> Result<(), Failure> {
    for fixture in home.fixtures(&[name.to_owned()])? {
        let scene = fixture.scene(1)?;
        let messages = if is_baseline {
            baseline::question(&scene, &fixture.case.variables, &fixture.before()?)
        } else {
            let observed = Observed::new(&Mute);
            let log = RunLog::silent();
            let asking = Asking {
                packages: scene.packages,
                variables: &scene.variables,
                planted: &scene.planted,
                model: &observed,
                retries: 0,
                full_catalog: false,
                response_schema: false,
                order: None,
                log: &log,
                progress: &|_| (),
            };
            // No answer is rejected, which is all that is to be expected here.
            let _ = asking.select(&scene.record);
            let calls = observed.into_calls();
            calls
                .into_iter()
                .next()
                .map(|call| call.messages)
                .unwrap_or_default()
        };
        for message in messages {
            say(&format!("[{:?}]\n{}\n", message.role, message.content));
        }
    }
    Ok(())
}
