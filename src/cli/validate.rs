//! `sedum validate`.

use std::path::Path;

use crate::diag::{Severity, listed, quoted};
use crate::genpkg;
use crate::report::explain::{explain, nearest_slug};
use crate::report::findings::{self, Format, Report};

use super::args::ValidateArgs;
use super::failure::Failure;
use super::terminal::Terminal;

/// Loads the packages and prints every finding (U15), or explains a rule (O22).
pub(super) fn run(args: &ValidateArgs, terminal: &mut Terminal) -> Result<(), Failure> {
    if let Some(slug) = &args.explain {
        return explained(slug, terminal);
    }
    let Some(generators) = &args.generators else {
        return Err(Failure::usage(
            "--generators DIR is required (or SEDUM_GENERATORS); --explain SLUG does without",
        ));
    };
    let default = if terminal.is_terminal() {
        Format::Human
    } else {
        Format::Short
    };
    let format = args.format.as_deref().and_then(Format::from_name);
    checked(generators, args, format.unwrap_or(default), terminal)
}

fn checked(
    generators: &Path,
    args: &ValidateArgs,
    format: Format,
    terminal: &mut Terminal,
) -> Result<(), Failure> {
    let mut loaded = match genpkg::load(generators, &args.package) {
        Ok(loaded) => loaded,
        Err(error) => {
            // Who reads a document gets one, though there is nothing in it.
            if matches!(format, Format::Json | Format::Sarif) {
                let nothing = Report {
                    packages: Vec::new(),
                    findings: &[],
                    generators,
                };
                terminal.out(&findings::render(format, &nothing, false, 0));
            }
            return Err(error.into());
        }
    };
    if args.strict {
        loaded = loaded.strict();
    }
    let report = Report {
        packages: loaded
            .verdicts
            .iter()
            .map(|verdict| (verdict.name.clone(), verdict.package.is_some()))
            .collect(),
        findings: &loaded.findings,
        generators,
    };
    let color = terminal.out_color();
    let text = findings::render(format, &report, color, Terminal::width());
    terminal.out(&text);
    if loaded.count(Severity::Error) == 0 {
        // The program ends here, and the system takes its memory back at once where giving up every text takes a while.
        std::mem::forget(loaded);
        return Ok(());
    }
    let rejected = loaded.verdicts.iter().filter(|v| v.package.is_none());
    Err(Failure::failed(format!(
        "packages rejected: {}",
        listed(rejected.map(|verdict| &verdict.name))
    )))
}

fn explained(slug: &str, terminal: &mut Terminal) -> Result<(), Failure> {
    let Some(text) = explain(slug) else {
        let near =
            nearest_slug(slug).map_or_else(String::new, |near| format!("; did you mean {near}?"));
        return Err(Failure::usage(format!(
            "--explain {}: there is no such rule{near}",
            quoted(slug)
        )));
    };
    terminal.out(&text);
    Ok(())
}
