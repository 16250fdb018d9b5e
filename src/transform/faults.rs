//! What can be wrong with declarations, references and values, and how it is said.
//!
//! It decides the wording of the machine's faults. It must not know places in files, nor the name
//! of a value: whoever reports a fault adds those.

use std::fmt;

use super::operation::Operation;

/// Which declaration a fault is about; all numbers are indices from 0 into what was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineWhere {
    /// A pipeline as a whole: its name, or its lack of steps.
    Pipeline(usize),
    /// A step: the pipeline's index, then the step's.
    Step(usize, usize),
    /// A table of exceptions as a whole: the operation it is declared for.
    Exceptions(usize),
    /// An entry of a table: the table's index, then the entry's.
    Exception(usize, usize),
}

/// One problem of a package's declarations, for a `transform_invalid` finding (L19).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineFault {
    /// The declaration at fault.
    pub place: EngineWhere,
    /// What is wrong, naming the pipeline or table.
    pub message: String,
}

impl fmt::Display for EngineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for EngineFault {}

/// Why a reference's step cannot be resolved (X3, L20).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepFault {
    /// No operation or pipeline has this name; `nearest` is the one that may have been meant.
    Unknown {
        /// The name as written.
        name: String,
        /// A known name that resembles it.
        nearest: Option<String>,
    },
    /// The operation requires an argument, and none or a blank one was given.
    NeedsArgument {
        /// The operation.
        name: String,
    },
    /// An argument was given to an operation or pipeline that takes none.
    TakesNoArgument {
        /// The operation or pipeline.
        name: String,
        /// The argument, trimmed.
        argument: String,
    },
    /// The argument contains `{{`, but only literal text is taken.
    DynamicArgument {
        /// The operation.
        name: String,
        /// The argument, trimmed.
        argument: String,
    },
}

impl fmt::Display for StepFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepFault::Unknown { name, .. } => write!(
                f,
                "unknown transform {name:?}: it is neither a built-in one nor a pipeline of the package"
            ),
            StepFault::NeedsArgument { name } => {
                write!(f, "transform {name:?} needs an argument, as in {name}:X")
            }
            StepFault::TakesNoArgument { name, argument } => {
                write!(
                    f,
                    "transform {name:?} takes no argument, but has {argument:?}"
                )
            }
            StepFault::DynamicArgument { name, argument } => write!(
                f,
                "the argument {argument:?} of transform {name:?} is dynamic; only literal text is taken"
            ),
        }
    }
}

impl std::error::Error for StepFault {}

impl StepFault {
    /// The likely mend.
    pub fn help(&self) -> Option<String> {
        match self {
            StepFault::Unknown {
                nearest: Some(nearest),
                ..
            } => Some(format!("did you mean {nearest:?}?")),
            StepFault::Unknown { nearest: None, .. } => {
                Some(format!("the built-in ones are {}", Operation::listing()))
            }
            _ => None,
        }
    }
}

/// Why steps cannot be applied to a value (X17).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApplyFault {
    /// A list met a bare reference, or a first step other than `join`.
    ListNeedsJoin {
        /// The first step, or `None` for a bare reference.
        step: Option<Operation>,
    },
    /// `join` met text.
    JoinNeedsList,
    /// `join` met a list without members.
    EmptyList,
    /// The value is null.
    Null,
}

impl fmt::Display for ApplyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ApplyFault::ListNeedsJoin { step: None } => {
                f.write_str("a list cannot be rendered without join:X")
            }
            ApplyFault::ListNeedsJoin { step: Some(step) } => write!(
                f,
                "transform {:?} works on text, not on a list; join:X must come first",
                step.name()
            ),
            ApplyFault::JoinNeedsList => {
                f.write_str("transform \"join\" works on a list, not on text")
            }
            ApplyFault::EmptyList => f.write_str("transform \"join\" met an empty list"),
            ApplyFault::Null => f.write_str("null cannot be rendered or transformed"),
        }
    }
}

impl std::error::Error for ApplyFault {}
