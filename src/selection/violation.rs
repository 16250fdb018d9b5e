//! What is wrong with an answer or a recorded invocation.

use std::fmt;

use crate::diag::{Rule, shown};

use super::mend::Mend;

/// One broken rule. The text is written to be acted on by whoever wrote the invocation, a model included.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The rule (D21).
    pub rule: Rule,
    /// Which invocation of the list, from 0; none for a fault of the answer as a whole.
    pub index: Option<usize>,
    /// The action as it was named, empty when none was.
    pub action: String,
    /// The kwarg at fault, when it is one.
    pub kwarg: Option<String>,
    /// What was found, what is expected.
    pub message: String,
    /// What would take the fault away, where the answer leaves little doubt about it.
    pub mend: Option<Box<Mend>>,
}

/// `[slug] action: text` (D7).
impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] ", self.rule.slug())?;
        if let Some(index) = self.index {
            write!(f, "#{} ", index + 1)?;
        }
        if !self.action.is_empty() {
            let action = crate::diag::shown::cut_at(&self.action, 100);
            write!(f, "{}: ", shown(action))?;
        }
        write!(f, "{}", self.message)
    }
}
