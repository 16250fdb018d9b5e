//! Phase 6: invocations to injections (Y1-Y12).
//!
//! Everything that an invocation decides is decided here, once: defaults, children, targets, variant, body, identity.
//! Phase 5 judges what this module works out and works out nothing itself (D19); phase 7 places it. Nothing after
//! this phase knows about composites (Y12).

mod identity;

use std::fmt;
use std::sync::Arc;

use crate::diag::{quoted, shown};
use crate::genpkg::{Action, ActionKind, Package, Single};
use crate::invocation::Origin;
use crate::pattern::path;
use crate::resolve::Variables;
use crate::template::Scope;
use crate::value::{Bindings, Value};

pub use identity::Identity;

/// One region to make: what goes where.
#[derive(Clone, Debug)]
pub struct Injection<'p> {
    /// The record that asks for it.
    pub record: Arc<str>,
    /// The package of the action.
    pub package: &'p Package,
    /// The simple or discriminated action (Y3).
    pub action: &'p Action,
    /// What it injects.
    pub single: &'p Single,
    /// The discriminator's value, whichever template it chose (Y9).
    pub variant: Option<Arc<str>>,
    /// The target, cleaned (Y8).
    pub path: Arc<str>,
    /// The package that the target resolved to, in whose comments its markers stand: a free target may lie in another
    /// package than the action's (E4).
    pub home: &'p Package,
    /// The rendered body.
    pub body: String,
    /// The effective kwargs (M7).
    pub kwargs: Bindings,
    /// What tells its region from others in the file (M25).
    pub identity: Identity,
}

/// One simple or discriminated action of an invocation, with the kwargs it sees.
#[derive(Clone, Debug)]
pub struct Part<'p> {
    /// The package.
    pub package: &'p Package,
    /// The action.
    pub action: &'p Action,
    /// What it injects.
    pub single: &'p Single,
    /// What was bound, and the declared defaults that apply (Y2, Y5).
    pub kwargs: Bindings,
}

/// Why a part gives no injection.
#[derive(Clone, Debug)]
pub struct ExpandFault {
    /// The record that asks for it.
    pub record: String,
    /// The target.
    pub path: String,
    /// The place of the invocation, when it comes from a file.
    pub origin: Option<Origin>,
    /// The action of the region; with its composite when it is a child (Y4).
    pub action: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ExpandFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "record {}: action {} into {}: {}",
            shown(&self.record),
            shown(&self.action),
            quoted(&self.path),
            self.message
        )
    }
}

/// The parts of an invocation: one, or the composite's children in declared order, each with exactly the kwargs that
/// it declares (Y1, Y2), declared defaults filled in (Y5, Y6).
pub fn parts<'p>(package: &'p Package, action: &'p Action, bound: &Bindings) -> Vec<Part<'p>> {
    let part = |action: &'p Action| {
        let single = action.single()?;
        Some(Part {
            package,
            action,
            single,
            kwargs: with_defaults(action, bound),
        })
    };
    match &action.kind {
        ActionKind::Single(_) => part(action).into_iter().collect(),
        ActionKind::Composite { children } => children
            .iter()
            .filter_map(|name| part(package.actions.get(name)?))
            .collect(),
    }
}

fn with_defaults(action: &Action, bound: &Bindings) -> Bindings {
    let mut kwargs = Vec::with_capacity(action.kwargs.len());
    // Both are in the order of their names.
    let mut bound = bound.iter().peekable();
    for (name, kwarg) in &action.kwargs {
        while bound.next_if(|(other, _)| *other < name).is_some() {}
        let value = bound.next_if(|(other, _)| *other == name);
        if let Some(value) = value.map(|(_, value)| value).or(kwarg.default.as_deref()) {
            kwargs.push((name.clone(), value.clone()));
        }
    }
    kwargs.into_iter().collect()
}

impl<'p> Part<'p> {
    /// The name that messages use: the action, or the composite and the child (Y4).
    pub fn shown_name(&self, invoked: &str) -> String {
        if invoked == self.action.name {
            invoked.to_owned()
        } else {
            format!("{invoked} > {}", self.action.name)
        }
    }

    /// The target's path, rendered and cleaned; the reason when it cannot be rendered or leaves the output (Y8).
    pub fn target(&self, variables: &Variables) -> Result<String, String> {
        let rendered = self.rendered_target(variables)?;
        path::check(&rendered)
            .map_err(|fault| format!("its target {} is no path: {fault}", quoted(&rendered)))
    }

    /// The target as it is rendered, which [`Part::target`] gives when it is a cleaned path.
    pub fn rendered_target(&self, variables: &Variables) -> Result<String, String> {
        let scope = Scope {
            bound: &self.kwargs,
            variables: variables.of(self.package),
        };
        let target = &self.single.injects_into;
        target.render(scope, &self.package.engine).map_err(|fault| {
            let target = quoted(target.text());
            format!("its target {target} cannot be rendered: {fault}")
        })
    }

    /// The discriminator's bound or default value.
    pub fn discriminator(&self) -> Option<(&'p str, Option<&Value>)> {
        let name = self.single.body.discriminator()?;
        Some((name, self.kwargs.get(name)))
    }

    /// The discriminator's value as a label writes it (Y9): the text, of a forms object too.
    pub fn variant(&self) -> Result<Option<&str>, String> {
        match self.discriminator() {
            None => Ok(None),
            Some((_, Some(Value::Text(text)))) => Ok(Some(text)),
            Some((_, Some(value))) if value.forms().is_some() => {
                Ok(value.forms().map(|forms| forms.text))
            }
            Some((name, Some(_))) => Err(format!(
                "its discriminator {} is bound to no text",
                quoted(name)
            )),
            Some((name, None)) => Err(format!("its discriminator {} is not bound", quoted(name))),
        }
    }

    /// The rendered body (Y9, T6).
    pub fn body(&self, variables: &Variables) -> Result<String, String> {
        let variant = self.variant()?.unwrap_or_default();
        let template = self.single.body.template_for(variant).ok_or_else(|| {
            format!(
                "it has neither a variant {} nor a _default",
                quoted(variant)
            )
        })?;
        let scope = Scope {
            bound: &self.kwargs,
            variables: variables.of(self.package),
        };
        template
            .render(scope, &self.package.engine)
            .map_err(|fault| format!("its template cannot be rendered: {fault}"))
    }

    /// The injection of this part at a target that has been judged.
    pub fn injection(
        self,
        record: &Arc<str>,
        invoked: &str,
        (path, home): (Arc<str>, &'p Package),
        variables: &Variables,
    ) -> Result<Injection<'p>, Box<ExpandFault>> {
        let fault = |message: String| {
            Box::new(ExpandFault {
                record: record.to_string(),
                path: path.to_string(),
                origin: None,
                action: self.shown_name(invoked),
                message,
            })
        };
        let body = self.body(variables).map_err(fault)?;
        let variant = self.variant().map_err(fault)?.map(Arc::from);
        let identity = Identity::of(self.action, self.single, variant.as_deref(), &self.kwargs);
        Ok(Injection {
            record: Arc::clone(record),
            package: self.package,
            action: self.action,
            single: self.single,
            variant,
            path,
            home,
            body,
            kwargs: self.kwargs,
            identity,
        })
    }
}
