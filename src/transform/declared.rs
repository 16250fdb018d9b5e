//! Declarations: `transforms` and `op_exceptions` of a package, and single steps, made sense of.
//!
//! It decides which pipelines, steps and exceptions are sound (S2-S5, X3), reports every one that
//! is not, and finds the name that a misspelt one may have been meant for. It must not apply
//! anything, and it resolves no pipeline: that is the engine's.

use std::collections::HashMap;

use super::faults::{EngineFault, EngineWhere, StepFault};
use super::operation::{Exceptions, Operation, Step};
use super::words;

/// A step's text as name and argument, both trimmed: the argument is everything after the first
/// colon, so it may hold further colons (T5). `None` without a colon.
pub fn split_step(text: &str) -> (&str, Option<&str>) {
    match text.split_once(':') {
        Some((name, argument)) => (name.trim(), Some(argument.trim())),
        None => (text.trim(), None),
    }
}

/// The step for a built-in and its argument, which is trimmed here; the rules of X3.
pub(super) fn built_in(operation: Operation, argument: Option<&str>) -> Result<Step, StepFault> {
    let name = || operation.name().to_owned();
    match (operation.takes_argument(), argument.map(str::trim)) {
        (true, None | Some("")) => Err(StepFault::NeedsArgument { name: name() }),
        (true, Some(argument)) if argument.contains("{{") => Err(StepFault::DynamicArgument {
            name: name(),
            argument: argument.to_owned(),
        }),
        (false, Some(argument)) => Err(StepFault::TakesNoArgument {
            name: name(),
            argument: argument.to_owned(),
        }),
        (_, argument) => Ok(Step::of(operation, argument.unwrap_or_default())),
    }
}

fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Reports what is wrong with a pipeline as a whole: its name and its number of steps (S2, S3).
pub(super) fn check_pipeline(
    index: usize,
    name: &str,
    steps: &[String],
    faults: &mut Vec<EngineFault>,
) {
    let mut report = |message: String| {
        faults.push(EngineFault {
            place: EngineWhere::Pipeline(index),
            message,
        });
    };
    if !is_identifier(name) {
        report(format!(
            "pipeline name {name:?} cannot be written in a template; use letters, digits and _, \
             with no digit in front"
        ));
    } else if Operation::named(name).is_some() {
        report(format!("pipeline {name:?} shadows the built-in operation"));
    }
    if steps.is_empty() {
        report(format!("pipeline {name:?} has no steps"));
    }
}

/// The sound steps of a pipeline; every other one is reported (S3). `pipelines` has all names.
pub(super) fn read_steps(
    pipeline: usize,
    name: &str,
    texts: &[String],
    pipelines: &HashMap<String, usize>,
    faults: &mut Vec<EngineFault>,
) -> Vec<Step> {
    let mut steps = Vec::with_capacity(texts.len());
    for (index, text) in texts.iter().enumerate() {
        let (step, argument) = split_step(text);
        let problem = match Operation::named(step) {
            Some(operation) => match built_in(operation, argument) {
                Ok(sound) => {
                    steps.push(sound);
                    continue;
                }
                Err(fault) => fault.to_string(),
            },
            None if pipelines.contains_key(step) => format!(
                "{step:?} is a pipeline, and a pipeline is made of built-in operations only"
            ),
            None => match nearest(step, std::iter::empty()) {
                Some(near) => format!("{step:?} is no built-in operation; did you mean {near:?}?"),
                None => format!(
                    "{step:?} is no built-in operation; there are {}",
                    Operation::listing()
                ),
            },
        };
        faults.push(EngineFault {
            place: EngineWhere::Step(pipeline, index),
            message: format!("pipeline {name:?}, step {}: {problem}", index + 1),
        });
    }
    steps
}

/// The tables of `op_exceptions`, with keys in lower case; what is wrong is reported (S4, S5).
pub(super) fn read_exceptions(
    tables: &[(String, Vec<(String, String)>)],
    faults: &mut Vec<EngineFault>,
) -> Exceptions {
    let mut exceptions = Exceptions::default();
    for (index, (name, entries)) in tables.iter().enumerate() {
        let table = match Operation::named(name) {
            Some(Operation::Pascal) => &mut exceptions.pascal,
            Some(Operation::Camel) => &mut exceptions.camel,
            known => {
                faults.push(EngineFault {
                    place: EngineWhere::Exceptions(index),
                    message: no_such_table(name, known.is_some()),
                });
                continue;
            }
        };
        for (entry, (word, spelling)) in entries.iter().enumerate() {
            let clash = table
                .insert(words::lower(word), spelling.clone())
                .is_some_and(|earlier| earlier != *spelling);
            if clash {
                faults.push(EngineFault {
                    place: EngineWhere::Exception(index, entry),
                    message: format!(
                        "op_exceptions of {name:?} spell {word:?} in two ways; letter case does \
                         not tell keys apart"
                    ),
                });
            }
        }
    }
    exceptions
}

fn no_such_table(name: &str, known: bool) -> String {
    let takers: Vec<&str> = Operation::ALL
        .into_iter()
        .filter(|operation| operation.consults_exceptions())
        .map(Operation::name)
        .collect();
    let problem = if known {
        "which consults no exceptions"
    } else {
        "which is no built-in operation"
    };
    format!(
        "op_exceptions has a table for {name:?}, {problem}; only {} have one",
        takers.join(" and ")
    )
}

fn built_in_names<'n>() -> impl Iterator<Item = &'n str> {
    Operation::ALL.iter().map(|operation| operation.name())
}

/// Longer names than this are no slip of the pen, and comparing them would cost their square.
const LONGEST_COMPARED: usize = 64;

/// The known name that `name` may have been meant for: the closest within a third of its
/// letters, else a built-in that it begins with (`snakecase`).
pub(super) fn nearest<'n>(name: &str, pipelines: impl Iterator<Item = &'n str>) -> Option<String> {
    if name.len() > LONGEST_COMPARED {
        return None;
    }
    let wanted = words::lower(name);
    let allowed = (wanted.chars().count() / 3).max(1);
    built_in_names()
        .chain(pipelines)
        .filter(|known| known.len() <= LONGEST_COMPARED)
        .map(|known| (strsim::osa_distance(&wanted, &words::lower(known)), known))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
        .or_else(|| built_in_names().find(|known| wanted.starts_with(known)))
        .map(str::to_owned)
}
