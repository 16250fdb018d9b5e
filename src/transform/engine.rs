//! The engine: a package's vocabulary of built-ins and pipelines, and the applying of steps.
//!
//! It decides what a reference's step means to a package (X3, L20), and what a chain of steps does
//! to text, to explicit forms, to a list and to null (X15-X17). It must not know where anything
//! was written: faults say which entry is meant, and the caller puts the place to it. An engine is
//! immutable once made.

use std::borrow::Cow;
use std::collections::HashMap;

use super::declared;
use super::faults::{ApplyFault, EngineFault, StepFault};
use super::inflection;
use super::operation::{Exceptions, Operation, Step};

/// A value as a transform sees it; bools and integers come in their printed form (X17).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operand<'a> {
    /// Plain text.
    Text(Cow<'a, str>),
    /// Text that brings its own singular or plural (X15).
    Forms(Forms<'a>),
    /// A list's members in their printed form, in the order bound.
    List(Vec<Cow<'a, str>>),
    /// Null, which no transform takes (X17).
    Null,
}

/// A value with explicit forms (X15).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forms<'a> {
    /// What any step but a leading `plural` or `singular` sees, already decided by the caller.
    pub text: &'a str,
    /// The given singular, if any.
    pub singular: Option<&'a str>,
    /// The given plural, if any.
    pub plural: Option<&'a str>,
}

#[derive(Debug, Clone)]
struct Pipeline {
    name: String,
    steps: Vec<Step>,
}

/// A package's vocabulary: the built-ins, its pipelines in the order declared, its exceptions.
#[derive(Debug, Clone, Default)]
pub struct Engine {
    pipelines: Vec<Pipeline>,
    by_name: HashMap<String, usize>,
    exceptions: Exceptions,
}

impl Engine {
    /// Builds the vocabulary from `transforms` (name and step texts) and `op_exceptions`
    /// (operation, then word and spelling), both as declared. Errs with every problem found, in
    /// the order of the declarations (S2-S5, L19).
    pub fn new(
        pipelines: &[(String, Vec<String>)],
        exceptions: &[(String, Vec<(String, String)>)],
    ) -> Result<Engine, Vec<EngineFault>> {
        let mut faults = Vec::new();
        let by_name: HashMap<String, usize> = pipelines
            .iter()
            .enumerate()
            .map(|(index, (name, _))| (name.clone(), index))
            .collect();
        let pipelines = pipelines
            .iter()
            .enumerate()
            .map(|(index, (name, steps))| {
                declared::check_pipeline(index, name, steps, &mut faults);
                Pipeline {
                    name: name.clone(),
                    steps: declared::read_steps(index, name, steps, &by_name, &mut faults),
                }
            })
            .collect();
        let exceptions = declared::read_exceptions(exceptions, &mut faults);
        if faults.is_empty() {
            Ok(Engine {
                pipelines,
                by_name,
                exceptions,
            })
        } else {
            Err(faults)
        }
    }

    /// The vocabulary of a package that declares neither pipelines nor exceptions (X1).
    pub fn built_ins_only() -> Engine {
        Engine::default()
    }

    /// One `|name` or `|name:argument` of a reference as steps; a pipeline gives all of its own.
    /// `argument` is everything after the first colon, trimmed here (T5), `None` without a colon.
    pub fn resolve(
        &self,
        name: &str,
        argument: Option<&str>,
    ) -> Result<Cow<'static, [Step]>, StepFault> {
        if let Some(operation) = Operation::named(name) {
            return declared::built_in(operation, argument).map(Step::alone);
        }
        let found = self
            .by_name
            .get(name)
            .and_then(|at| self.pipelines.get(*at));
        match (found, argument) {
            (Some(pipeline), None) => Ok(Cow::Owned(pipeline.steps.clone())),
            (Some(_), Some(argument)) => Err(StepFault::TakesNoArgument {
                name: name.to_owned(),
                argument: argument.trim().to_owned(),
            }),
            (None, _) => Err(StepFault::Unknown {
                name: name.to_owned(),
                nearest: declared::nearest(name, self.pipeline_names()),
            }),
        }
    }

    /// The pipelines' names in the order declared.
    pub fn pipeline_names(&self) -> impl Iterator<Item = &str> {
        self.pipelines.iter().map(|pipeline| pipeline.name.as_str())
    }

    /// Applies `steps` from left to right. Without steps, text and forms give their text. Only
    /// the first step sees explicit forms (X15, X16) or a list (X17).
    pub fn apply<'a>(
        &self,
        steps: &[Step],
        value: Operand<'a>,
    ) -> Result<Cow<'a, str>, ApplyFault> {
        let (mut text, rest) = first_text(steps, value)?;
        for step in rest {
            text = match step.over_text(&text, &self.exceptions) {
                Some(made) => Cow::Owned(made),
                None => return Err(ApplyFault::JoinNeedsList),
            };
        }
        Ok(text)
    }
}

/// The text that the remaining steps work on: a list is joined and a given form taken, for which
/// the first step is used up.
fn first_text<'a, 's>(
    steps: &'s [Step],
    value: Operand<'a>,
) -> Result<(Cow<'a, str>, &'s [Step]), ApplyFault> {
    match (value, steps.split_first()) {
        (Operand::Null, _) => Err(ApplyFault::Null),
        (Operand::List(members), Some((Step::Join(separator), rest))) => {
            if members.is_empty() {
                return Err(ApplyFault::EmptyList);
            }
            Ok((Cow::Owned(members.join(separator)), rest))
        }
        (Operand::List(_), first) => Err(ApplyFault::ListNeedsJoin {
            step: first.map(|(step, _)| step.operation()),
        }),
        (Operand::Forms(forms), Some((Step::Plural, rest))) => {
            let plural = forms.plural.map(Cow::Borrowed);
            Ok((
                plural.unwrap_or_else(|| inflection::plural(forms.text)),
                rest,
            ))
        }
        (Operand::Forms(forms), Some((Step::Singular, rest))) => {
            let singular = forms.singular.map(Cow::Borrowed);
            Ok((
                singular.unwrap_or_else(|| inflection::singular(forms.text)),
                rest,
            ))
        }
        (Operand::Forms(forms), _) => Ok((Cow::Borrowed(forms.text), steps)),
        (Operand::Text(text), _) => Ok((text, steps)),
    }
}

#[cfg(test)]
#[path = "engine_tests.rs"]
mod tests;
