//! The conversations of phase 4: ask, judge, ask again, and what comes of it (D24-D27, E2, E3, K22, K29, N22, Y32).
//!
//! One conversation a record, several at a time, the outcome the same whatever their timing. What to say is
//! [`super::prompt`]'s and [`super::completeness`]'s, what is wrong with an answer [`super::validate`]'s. Nothing here
//! mends an answer, and a transport fault is never shown to the model (K32).

mod lines;
mod outcome;
mod queue;

use std::thread;

use serde_json::value::RawValue;

use crate::expand::Injection;
use crate::genpkg::PackageSet;
use crate::invocation::Invocation;
use crate::log;
use crate::resolve::create::Planted;
use crate::resolve::{Resolved, Variables};
use crate::runlog::RunLog;

use super::catalog::Catalog;
use super::client::{Answer, Message, Model, ModelFault};
use super::narrow::{self, Reach};
use super::prompt::Rejected;
use super::validate::Judge;
use super::violation::Violation;
use super::{completeness, decode, prompt, schema};

use self::lines::Lines;
pub use self::outcome::{Attempt, Progress, Selection, SelectionError, Tally};
use self::queue::Queue;

/// What every conversation of a run needs.
#[derive(Clone, Copy)]
pub struct Asking<'a, 'p> {
    /// The loaded packages.
    pub packages: &'p PackageSet,
    /// The run's variables.
    pub variables: &'a Variables,
    /// The anchors of the staged files.
    pub planted: &'a Planted,
    /// Who answers.
    pub model: &'a dyn Model,
    /// How often a rejected answer is asked for again (D24).
    pub retries: u32,
    /// Whether the catalog is not narrowed (N21).
    pub full_catalog: bool,
    /// Whether answers are held to a schema (N24).
    pub response_schema: bool,
    /// The actions of the prompt's catalog in an order of somebody's choice, for an experiment; K4's without it.
    pub order: Option<&'a [String]>,
    /// The run log; the lines of a record stand together, records in order.
    pub log: &'a RunLog,
    /// Told what is under way, from any thread (O26).
    pub progress: &'a (dyn Fn(Progress<'_>) + Sync),
}

/// What comes of each record, in their order; `None` for one that was not asked about.
pub type Outcomes = Vec<Option<Result<Selection, SelectionError>>>;

impl<'p> Asking<'_, 'p> {
    /// Selects for one record: its catalog, its conversation, the completeness pass.
    pub fn select(&self, record: &Resolved<'p>) -> Result<Selection, SelectionError> {
        let reach = narrow::reach(record, self.variables, self.full_catalog)
            .map_err(SelectionError::Unreachable)?;
        self.converse(record, &reach, &Lines::live(self.log))
    }

    /// Selects for every record, `jobs` at a time (Y32).
    ///
    /// Records that no action can reach are found before the first call, and then there is none: their outcomes are
    /// [`SelectionError::Unreachable`], all others `None` (N22). A rejection ends one record; a transport fault ends
    /// the calling, and the records that were not begun have no outcome (D27).
    pub fn select_all(&self, records: &[Resolved<'p>], jobs: usize) -> Outcomes {
        let reaches: Vec<_> = records
            .iter()
            .map(|record| narrow::reach(record, self.variables, self.full_catalog))
            .collect();
        if reaches.iter().any(Result::is_err) {
            let fault = |unreachable| Err(SelectionError::Unreachable(unreachable));
            return reaches
                .into_iter()
                .map(|reach| reach.err().map(fault))
                .collect();
        }
        let tasks: Vec<_> = records.iter().zip(reaches.into_iter().flatten()).collect();
        let queue = Queue::new(tasks.len());
        let workers = jobs.min(tasks.len());
        let work = || {
            while let Some(index) = queue.next() {
                let Some((record, reach)) = tasks.get(index) else {
                    break;
                };
                // With one conversation at a time the log can be followed as it grows.
                let lines = if workers > 1 {
                    Lines::held(self.log)
                } else {
                    Lines::live(self.log)
                };
                let outcome = self.converse(record, reach, &lines);
                queue.finish(index, outcome, lines.into_held(), self.log);
            }
        };
        thread::scope(|scope| {
            for _ in 1..workers {
                // A machine that gives no further thread has the work done by fewer.
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
        queue.into_outcomes()
    }

    fn converse(
        &self,
        record: &Resolved<'p>,
        reach: &Reach<'p>,
        lines: &Lines<'_>,
    ) -> Result<Selection, SelectionError> {
        let id = &record.record;
        let selected = match reach {
            Reach::Actions { catalog, removals } => {
                for removal in removals {
                    log!(lines, "record {id}: {removal}");
                }
                let reordered = self.order.map(|order| catalog.clone().ordered(order));
                let catalog = reordered.as_ref().unwrap_or(catalog);
                Conversation::new(self, record, catalog, lines).run()
            }
            Reach::NoManagedPath => {
                log!(lines, "record {id}: no call, none of its paths is managed");
                Ok(Selection::empty(id))
            }
            Reach::NothingExposed => {
                log!(lines, "record {id}: no call, its packages expose no action");
                Ok(Selection::empty(id))
            }
        };
        (self.progress)(Progress::Settled { record: id });
        selected
    }
}

/// A valid answer.
struct Valid<'p> {
    text: String,
    invocations: Vec<Invocation>,
    injections: Vec<Injection<'p>>,
}

/// The conversation about one record.
struct Conversation<'c, 'a, 'p> {
    asking: &'c Asking<'a, 'p>,
    record: &'c Resolved<'p>,
    judge: Judge<'c, 'p>,
    lines: &'c Lines<'c>,
    schema: Option<Box<RawValue>>,
    first: Vec<Message>,
    tally: Tally,
}

impl<'c, 'a, 'p> Conversation<'c, 'a, 'p> {
    fn new(
        asking: &'c Asking<'a, 'p>,
        record: &'c Resolved<'p>,
        catalog: &Catalog<'p>,
        lines: &'c Lines<'c>,
    ) -> Self {
        Self {
            asking,
            record,
            judge: Judge::new(asking.packages, record, asking.variables, asking.planted),
            lines,
            schema: asking
                .response_schema
                .then(|| schema::response_schema(catalog)),
            first: prompt::messages(record, catalog, asking.planted),
            tally: Tally::default(),
        }
    }

    fn run(mut self) -> Result<Selection, SelectionError> {
        let id = &self.record.record;
        for message in &self.first {
            lines::message(self.lines, id, message);
        }
        if let Some(schema) = &self.schema {
            log!(self.lines, "record {id}: response schema\n{}", schema.get());
        }
        let valid = self.valid_answer()?;
        let invocations = self.completed(valid);
        log!(
            self.lines,
            "record {id}: {} invocation(s) selected, {}",
            invocations.len(),
            self.tally
        );
        Ok(Selection {
            record: id.clone(),
            invocations,
            tally: self.tally,
        })
    }

    /// Asks until an answer is valid or the budget is spent (D24, D25).
    fn valid_answer(&mut self) -> Result<Valid<'p>, SelectionError> {
        let mut attempts: Vec<Attempt> = Vec::new();
        let mut messages = self.first.clone();
        loop {
            let answer = match self.ask(&messages) {
                Ok(answer) => answer,
                Err(fault) => {
                    return Err(SelectionError::Transport {
                        record: self.record.record.clone(),
                        fault: Box::new(fault),
                        tally: self.tally,
                    });
                }
            };
            let violations = match self.judged(&answer) {
                Ok(valid) => return Ok(valid),
                Err(violations) => violations,
            };
            self.tally.rejected += 1;
            if self.tally.rejected > self.asking.retries {
                attempts.push(Attempt {
                    answer: answer.text,
                    violations,
                });
                return Err(SelectionError::Rejected {
                    record: self.record.record.clone(),
                    attempts,
                    tally: self.tally,
                });
            }
            let before = attempts.last().map(|attempt| attempt.violations.as_slice());
            let before = before.unwrap_or_default();
            messages = self.correction(&answer, &violations, before);
            self.log_last(&messages);
            attempts.push(Attempt {
                answer: answer.text,
                violations,
            });
        }
    }

    /// The re-prompt (D24). Of an answer that was cut off it shows the invocations that came through whole.
    fn correction(
        &self,
        answer: &Answer,
        violations: &[Violation],
        before: &[Violation],
    ) -> Vec<Message> {
        let mut rejected = Rejected {
            text: &answer.text,
            violations,
            before,
            invocations: &[],
            faults: violations,
        };
        if answer.truncated {
            // An answer that goes round in circles goes on when the model reads it again.
            let (invocations, beginning) = decode::before_the_cut(&answer.text);
            let faults = self.judge.judge(&invocations).err().unwrap_or_default();
            rejected.text = beginning;
            rejected.invocations = &invocations;
            rejected.faults = &faults;
            return prompt::correction(&self.first, rejected);
        }
        let invocations = decode::decode(&answer.text).unwrap_or_default();
        rejected.invocations = &invocations;
        prompt::correction(&self.first, rejected)
    }

    /// The completeness pass: one question about the anchors that a valid answer leaves empty. The next valid answer
    /// stands; failing that, this one does (E1-E3).
    fn completed(&mut self, valid: Valid<'p>) -> Vec<Invocation> {
        let id = &self.record.record;
        let planted = self.asking.planted;
        let unfilled = completeness::unfilled(self.record, planted, &valid.injections);
        if unfilled.is_empty() {
            return valid.invocations;
        }
        for file in &unfilled {
            log!(self.lines, "record {id}: unfilled anchors in {file}");
        }
        self.tally.completeness = 1;
        let question = completeness::question(&unfilled, &valid.invocations);
        let messages = prompt::follow_up(&self.first, &valid.text, question);
        self.log_last(&messages);
        let answer = self.ask(&messages).ok();
        if let Some(next) = answer.and_then(|answer| self.judged(&answer).ok()) {
            return next.invocations;
        }
        log!(
            self.lines,
            "record {id}: the follow-up gives no valid answer; the earlier one stands"
        );
        valid.invocations
    }

    fn ask(&mut self, messages: &[Message]) -> Result<Answer, ModelFault> {
        let id = &self.record.record;
        self.tally.calls += 1;
        (self.asking.progress)(Progress::Asking {
            record: id,
            call: self.tally.calls,
        });
        let told = |line: &str| log!(self.lines, "record {id}: {line}");
        let asked = self
            .asking
            .model
            .ask(messages, self.schema.as_deref(), &told);
        match &asked {
            Ok(answer) => {
                self.tally.prompt_tokens += answer.prompt_tokens;
                self.tally.completion_tokens += answer.completion_tokens;
                lines::answer(self.lines, id, self.tally.calls, answer);
            }
            Err(fault) => log!(
                self.lines,
                "record {id}: call {} failed: {fault}",
                self.tally.calls
            ),
        }
        asked
    }

    /// Decodes and validates an answer; its violations go to the log (G3).
    fn judged(&self, answer: &Answer) -> Result<Valid<'p>, Vec<Violation>> {
        let judged = if answer.truncated {
            Err(vec![decode::truncated()])
        } else {
            decode::decode(&answer.text).and_then(|invocations| {
                let judged = self.judge.judge(&invocations)?;
                Ok(Valid {
                    text: answer.text.clone(),
                    invocations,
                    injections: judged.into_iter().flatten().collect(),
                })
            })
        };
        if let Err(violations) = &judged {
            for violation in violations {
                log!(
                    self.lines,
                    "record {}: rejected: {violation}",
                    self.record.record
                );
            }
        }
        judged
    }

    fn log_last(&self, messages: &[Message]) {
        if let Some(last) = messages.last() {
            lines::message(self.lines, &self.record.record, last);
        }
    }
}

#[cfg(test)]
pub(super) mod fixture;
#[cfg(test)]
mod tests;
