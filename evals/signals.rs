//! The signals: what each is called, what it counts, and where it has no meaning.
//!
//! One list for the terminal, the report and the site, in the order of the rungs of a ladder: a sample that does not
//! reach one seldom reaches the next. Values are [`super::score`]'s, rates [`super::rate`]'s.

use super::case::{Arm, Case};

/// What a signal counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Samples, yes or no.
    Sample,
    /// Anchors, several a sample.
    Anchor,
    /// Files, several a sample.
    File,
}

impl Unit {
    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sample => "sample",
            Self::Anchor => "anchor",
            Self::File => "file",
        }
    }
}

/// One signal.
#[derive(Clone, Copy, Debug)]
pub struct Signal {
    /// Its stable name.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// What it counts.
    pub unit: Unit,
    /// What it says.
    pub means: &'static str,
    /// What it does not say.
    pub limits: &'static str,
}

/// The names of the signals, for those who ask for one.
pub mod id {
    #![allow(missing_docs)]
    pub const ANSWERED: &str = "answered";
    pub const DECODED: &str = "decoded";
    pub const ACCEPTED_FIRST: &str = "accepted_first";
    pub const ACCEPTED: &str = "accepted";
    pub const NONEMPTY: &str = "nonempty";
    pub const COMPLETE: &str = "complete";
    pub const EQUAL: &str = "equal";
    pub const BOUND: &str = "bound";
    pub const ANCHORS: &str = "anchors";
    pub const WRITTEN: &str = "written";
    pub const PARSES: &str = "parses";
    pub const IDEMPOTENT: &str = "idempotent";
}

/// Every signal, in the order of the rungs.
pub const ALL: [Signal; 12] = [
    Signal {
        id: id::ANSWERED,
        name: "answered",
        unit: Unit::Sample,
        means: "The model's first answer has text in it.",
        limits: "Says nothing of what the text is.",
    },
    Signal {
        id: id::DECODED,
        name: "decoded",
        unit: Unit::Sample,
        means: "Some answer is, whole and with nothing around it, the JSON list that is asked for; in the baseline arm, \
                some fence holds one of the record's files.",
        limits: "A list of actions that do not exist is decoded too.",
    },
    Signal {
        id: id::ACCEPTED_FIRST,
        name: "accepted at the first call",
        unit: Unit::Sample,
        means: "The first answer breaks no rule.",
        limits: "Accepted is not right: an accepted answer may lack half of what the record asks for.",
    },
    Signal {
        id: id::ACCEPTED,
        name: "accepted",
        unit: Unit::Sample,
        means: "An answer breaks no rule, after as many re-prompts as the run allows.",
        limits: "Only comparable between runs with the same number of re-prompts.",
    },
    Signal {
        id: id::NONEMPTY,
        name: "not empty",
        unit: Unit::Sample,
        means: "The accepted list holds an invocation, where the record asks for one.",
        limits: "An empty list is valid, so this is where silent refusals show.",
    },
    Signal {
        id: id::COMPLETE,
        name: "complete",
        unit: Unit::Sample,
        means: "An accepted list holds every expected action at least as often as expected.",
        limits: "Looks at names and numbers only, and lets further invocations pass.",
    },
    Signal {
        id: id::EQUAL,
        name: "strictly equal",
        unit: Unit::Sample,
        means: "An accepted list holds every expected action exactly as often as expected, and no other.",
        limits: "Looks at names and numbers only; what is bound is the next signal's.",
    },
    Signal {
        id: id::BOUND,
        name: "bound right",
        unit: Unit::Sample,
        means: "Among accepted lists with at least one invocation that an expectation is about: every kwarg that the \
                expectation names is right in all of them.",
        limits: "Only the kwargs that the case names are looked at. Invocations that are missing are not wrong here; \
                 they count at \"complete\".",
    },
    Signal {
        id: id::ANCHORS,
        name: "anchors filled",
        unit: Unit::Anchor,
        means: "Of the anchors in the record's files that some action fills, those that an accepted list fills.",
        limits: "An anchor may rightly stay empty, so 100 % is not the aim; read it across runs of one case.",
    },
    Signal {
        id: id::WRITTEN,
        name: "files written",
        unit: Unit::File,
        means: "Of the files that the record names, those that the sample ends with.",
        limits: "A file that is there need not hold what was asked for.",
    },
    Signal {
        id: id::PARSES,
        name: "files that parse",
        unit: Unit::File,
        means: "Of the files written that the case has a syntax check for, those that pass it.",
        limits: "Syntax is not correctness: a file that does nothing parses.",
    },
    Signal {
        id: id::IDEMPOTENT,
        name: "idempotent",
        unit: Unit::Sample,
        means: "Among accepted lists that were carried out: doing it once more changes no byte.",
        limits: "Says something of the tool and the package, and little of the model.",
    },
];

/// The signal of a name.
pub fn named(id: &str) -> Option<&'static Signal> {
    ALL.iter().find(|signal| signal.id == id)
}

/// Why a signal has no meaning for an arm and a case; `None` when it has (H16, H53).
pub fn undefined(id: &str, arm: Arm, case: &Case) -> Option<&'static str> {
    if arm == Arm::Baseline {
        return match id {
            id::ANSWERED | id::DECODED | id::WRITTEN | id::PARSES => None,
            id::IDEMPOTENT => Some("the baseline arm has no second run"),
            _ => Some("the baseline arm has no catalog"),
        };
    }
    let is_nothing = case.expect.actions.is_empty();
    match id {
        id::NONEMPTY | id::ANCHORS if is_nothing => Some("the record asks for nothing"),
        id::BOUND if case.expect.bindings.is_empty() => Some("the case names no bindings"),
        id::PARSES if case.check.is_empty() => Some("the case has no syntax check"),
        _ => None,
    }
}
