//! `sedum actions`.

use std::path::Path;

use crate::diag::Severity;
use crate::genpkg::{self, PackageSet};
use crate::report;
use crate::selection::Catalog;
use crate::selection::catalog::to_json;

use super::args::ActionsArgs;
use super::failure::Failure;
use super::terminal::Terminal;

/// Prints a package's catalog (U17, K2).
pub(super) fn run(args: &ActionsArgs, terminal: &mut Terminal) -> Result<(), Failure> {
    let packages = load_one(&args.generators.generators, &args.package, terminal)?;
    let all: Vec<_> = packages.iter().collect();
    let catalog = Catalog::of(&all, args.all);
    let entries = catalog.entries();
    if args.json {
        terminal.json(&to_json(&entries));
    } else {
        terminal.out(&report::catalog::text(
            &args.package,
            &entries,
            Terminal::width(),
        ));
    }
    Ok(())
}

/// Loads one package only, so that a broken neighbour does not matter.
pub(super) fn load_one(
    generators: &Path,
    name: &str,
    terminal: &mut Terminal,
) -> Result<PackageSet, Failure> {
    let loaded = genpkg::load(generators, &[name.to_owned()])?;
    if loaded.count(Severity::Error) > 0 {
        for finding in &loaded.findings {
            terminal.err(&finding.to_string());
        }
        return Err(Failure::failed(format!(
            "package {} does not load",
            crate::diag::quoted(name)
        )));
    }
    Ok(loaded.into_set())
}
