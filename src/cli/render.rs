//! `sedum render`.

use crate::diag::{Source, listed, nearest, quoted};
use crate::doc::json;
use crate::expand;
use crate::genpkg::{Action, Package};
use crate::report;
use crate::resolve::Variables;
use crate::value::{Bindings, Value};

use super::actions::load_one;
use super::args::RenderArgs;
use super::failure::Failure;
use super::grow::variables;
use super::terminal::Terminal;

/// Prints where an invocation would land (U18-U20).
pub(super) fn run(args: &RenderArgs, terminal: &mut Terminal) -> Result<(), Failure> {
    let flags = variables(&args.var)?;
    let kwargs = kwargs(&args.kwargs)?;
    let packages = load_one(&args.generators.generators, &args.package, terminal)?;
    let package = packages
        .get(&args.package)
        .ok_or_else(|| Failure::failed(format!("no package {}", quoted(&args.package))))?;
    let action = action(package, &args.action)?;
    let variables = Variables::of_one(&packages, package, &flags).map_err(|problems| {
        let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
        Failure::failed(lines.join("\n  "))
    })?;
    let mut targets = Vec::new();
    let mut faults = Vec::new();
    for part in expand::parts(package, action, &kwargs) {
        match part.target(&variables) {
            Ok(path) => targets.push(report::targets::Target {
                action: part.action.name.clone(),
                injects_into: part.single.injects_into.text().to_owned(),
                path,
            }),
            Err(why) => faults.push(format!("{}: {why}", part.shown_name(&action.name))),
        }
    }
    if !faults.is_empty() {
        return Err(Failure::failed(faults.join("\n  ")));
    }
    let report = report::targets::Targets {
        package: package.name.clone(),
        action: action.name.clone(),
        targets,
    };
    if args.json {
        terminal.json(&report.json());
    } else {
        terminal.out(&report.text());
    }
    Ok(())
}

/// One JSON object, its numbers with their digits (U20).
fn kwargs(text: &str) -> Result<Bindings, Failure> {
    let fault = |span: crate::diag::Span, message: &str| {
        let (line, column) = Source::new("--kwargs", text).position(span.start);
        Failure::usage(format!(
            "--kwargs is not one JSON object: line {line}, column {column}: {message}; write it like --kwargs '{{\"name\": \"value\"}}'"
        ))
    };
    let node = json::parse(text).map_err(|f| fault(f.span, &f.message))?;
    match Value::from_node(&node) {
        Value::Object(entries) => Ok(entries.into_iter().collect()),
        other => Err(fault(
            node.span,
            &format!("expected an object, found {}", other.described()),
        )),
    }
}

fn action<'p>(package: &'p Package, name: &str) -> Result<&'p Action, Failure> {
    package.actions.get(name).ok_or_else(|| {
        let names = || package.actions.keys().map(String::as_str);
        let near = nearest(name, names()).map_or_else(String::new, |near| {
            format!("; did you mean {}?", quoted(near))
        });
        Failure::failed(format!(
            "package {} has no action {}; it has: {}{near}",
            quoted(&package.name),
            quoted(name),
            listed(names())
        ))
    })
}
