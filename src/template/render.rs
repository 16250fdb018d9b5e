//! A template and values to text (T6, T8, X15-X17).

use std::borrow::Cow;

use thiserror::Error;

use crate::diag::{listed, shown};
use crate::transform::{Engine, Forms, Operand};
use crate::value::{Bindings, Value};
use crate::work::{self, Work};

use super::compile::{Part, Reference, Template};

/// The values that a rendering may use, the first layer that has a name deciding.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// What was bound: kwargs or captures.
    pub bound: &'a Bindings,
    /// The run's variables of the package.
    pub variables: &'a Bindings,
}

impl<'a> Scope<'a> {
    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.bound.get(name).or_else(|| self.variables.get(name))
    }

    fn names(&self) -> String {
        listed(self.bound.keys().chain(self.variables.keys()))
    }
}

/// Why a template gives no text.
#[derive(Clone, Debug, Error)]
pub enum RenderFault {
    /// T6.
    #[error("{{{{{name}}}}} is bound to nothing; bound are: {bound}")]
    Unbound {
        /// The missing name.
        name: String,
        /// The names there are.
        bound: String,
    },
    /// A transform refuses the value, or the value cannot stand bare (T8, X17).
    #[error("{{{{{name}}}}}: {message}")]
    Value {
        /// The name whose value it is.
        name: String,
        /// What the transform says.
        message: String,
    },
}

impl Template {
    /// The text for these values. Fails on the first name that has none or whose value does not fit (T6, T8).
    pub fn render(&self, scope: Scope<'_>, engine: &Engine) -> Result<String, RenderFault> {
        work::done(Work::TemplateRendered);
        let mut out = String::with_capacity(self.text().len());
        for part in &self.parts {
            match part {
                Part::Text(span) => out.push_str(self.slice(*span)),
                Part::Braces => out.push_str("{{"),
                Part::Reference(stored) => {
                    out.push_str(&rendered(self.reference(stored), scope, engine)?);
                }
            }
        }
        Ok(out)
    }
}

fn rendered<'a>(
    reference: Reference<'_>,
    scope: Scope<'a>,
    engine: &Engine,
) -> Result<Cow<'a, str>, RenderFault> {
    let name = || shown(reference.name);
    let value = scope
        .get(reference.name)
        .ok_or_else(|| RenderFault::Unbound {
            name: name(),
            bound: scope.names(),
        })?;
    let fault = |message: String| RenderFault::Value {
        name: name(),
        message,
    };
    let operand = operand(value).map_err(fault)?;
    engine
        .apply(reference.steps, operand)
        .map_err(|refusal| RenderFault::Value {
            name: name(),
            message: refusal.to_string(),
        })
}

/// A value as a transform sees it (T8, X15, X17); an object that is no forms object is a fault.
pub fn operand(value: &Value) -> Result<Operand<'_>, String> {
    Ok(match value {
        Value::Null => Operand::Null,
        Value::List(items) => {
            let members: Result<Vec<_>, _> = items.iter().map(member).collect();
            Operand::List(members?)
        }
        Value::Object(_) => {
            let forms = value.forms().ok_or_else(|| {
                "an object has no text unless it gives explicit forms: singular, plural, text"
                    .to_owned()
            })?;
            Operand::Forms(Forms {
                text: forms.text,
                singular: forms.singular,
                plural: forms.plural,
            })
        }
        scalar => Operand::Text(member(scalar)?),
    })
}

fn member(value: &Value) -> Result<Cow<'_, str>, String> {
    match value {
        Value::Text(text) => Ok(Cow::Borrowed(text)),
        Value::Number(number) => Ok(Cow::Borrowed(number.as_str())),
        Value::Bool(true) => Ok(Cow::Borrowed("true")),
        Value::Bool(false) => Ok(Cow::Borrowed("false")),
        other => Err(format!(
            "{} cannot be a member of a list that is rendered",
            other.described()
        )),
    }
}
