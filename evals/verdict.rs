//! One answer of the sedum arm, judged: what it decodes to, which rules it breaks, which files it makes.
//!
//! Runs, replays, the mutator and the report all come here, so that an answer has one verdict. It asks the library
//! and decides nothing by itself.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use sedum::expand::Injection;
use sedum::inject;
use sedum::invocation::Invocation;
use sedum::resolve::create::create;
use sedum::selection::{Violation, decode};

use super::digest;
use super::fixture::Scene;

/// What an answer comes to.
#[derive(Debug)]
pub struct Verdict<'f> {
    /// The list that it decodes to, sound or not.
    pub decoded: Option<Vec<Invocation>>,
    /// The rules that it breaks; none for a valid answer.
    pub violations: Vec<Violation>,
    /// What a valid answer injects.
    pub injections: Vec<Injection<'f>>,
    /// Why a valid answer cannot be expanded (Y11).
    pub fault: Option<String>,
}

/// A broken rule as it is stored (H58).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Broken {
    /// The slug.
    pub rule: String,
    /// Which invocation, from 0.
    pub index: Option<usize>,
    /// The action as it was named.
    pub action: Option<String>,
    /// The kwarg.
    pub kwarg: Option<String>,
    /// The sentence that the model was told.
    pub detail: String,
}

impl From<&Violation> for Broken {
    fn from(violation: &Violation) -> Self {
        Self {
            rule: violation.rule.slug().to_owned(),
            index: violation.index,
            action: Some(violation.action.clone()).filter(|name| !name.is_empty()),
            kwarg: violation.kwarg.clone(),
            detail: violation.message.clone(),
        }
    }
}

impl Verdict<'_> {
    /// Whether the answer is accepted.
    pub fn is_valid(&self) -> bool {
        self.violations.is_empty()
    }

    /// The broken rules as they are stored.
    pub fn broken(&self) -> Vec<Broken> {
        self.violations.iter().map(Broken::from).collect()
    }
}

/// Judges the text of an answer as phase 5 does.
pub fn judge<'f>(scene: &Scene<'f>, text: &str, truncated: bool) -> Verdict<'f> {
    let rejected = |decoded, violations| Verdict {
        decoded,
        violations,
        injections: Vec::new(),
        fault: None,
    };
    if truncated {
        return rejected(None, vec![decode::truncated()]);
    }
    let invocations = match decode::decode(text) {
        Ok(invocations) => invocations,
        Err(violations) => return rejected(None, violations),
    };
    let judge = sedum::selection::Judge::new(
        scene.packages,
        &scene.record,
        &scene.variables,
        &scene.planted,
    );
    match judge.judge(&invocations) {
        Err(violations) => rejected(Some(invocations), violations),
        Ok(judged) => {
            let fault = judged.iter().find_map(|part| part.as_ref().err());
            Verdict {
                fault: fault.map(ToString::to_string),
                decoded: Some(invocations),
                violations: Vec::new(),
                injections: judged.into_iter().flatten().collect(),
            }
        }
    }
}

/// The files that a valid answer makes.
#[derive(Debug, Default)]
pub struct Grown {
    /// The text of every managed path, when the run would have written them.
    pub files: Option<BTreeMap<String, String>>,
    /// Why it would not.
    pub fault: Option<String>,
    /// Whether phases 3, 6 and 7 once more leave every byte as it is (H37).
    pub idempotent: Option<bool>,
}

impl Grown {
    /// 12 digits over the files (H60's way).
    pub fn digest(&self) -> Option<String> {
        self.files.as_ref().map(digest::of_set)
    }
}

/// Carries a valid verdict out in the scene's staged tree.
pub fn grow(scene: &mut Scene<'_>, verdict: &Verdict<'_>) -> Grown {
    let failed = |fault: String| Grown {
        fault: Some(fault),
        ..Grown::default()
    };
    if let Some(fault) = &verdict.fault {
        return failed(fault.clone());
    }
    if let Err(problems) = inject::inject(
        vec![verdict.injections.clone()],
        &BTreeSet::new(),
        &mut scene.tree,
    ) {
        return failed(sedum::doc::input::lines(&problems));
    }
    let files = scene.files();
    let one = std::slice::from_ref(&scene.record);
    let again = create(one, &scene.variables, &mut scene.tree).is_ok()
        && inject::inject(
            vec![verdict.injections.clone()],
            &BTreeSet::new(),
            &mut scene.tree,
        )
        .is_ok();
    Grown {
        idempotent: Some(again && scene.files() == files),
        files: Some(files),
        fault: None,
    }
}
