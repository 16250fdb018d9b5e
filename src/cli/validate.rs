//! `sedum validate`.

use crate::diag::{Severity, listed};
use crate::genpkg;
use crate::report;

use super::args::ValidateArgs;
use super::failure::Failure;
use super::terminal::Terminal;

/// Loads the packages and prints every finding (U15).
pub(super) fn run(args: &ValidateArgs, terminal: &mut Terminal) -> Result<(), Failure> {
    let mut loaded = genpkg::load(&args.generators.generators, &args.package)?;
    if args.strict {
        loaded = loaded.strict();
    }
    terminal.out(&report::validate::text(&loaded));
    if loaded.count(Severity::Error) == 0 {
        return Ok(());
    }
    let rejected = loaded.verdicts.iter().filter(|v| v.package.is_none());
    Err(Failure::failed(format!(
        "packages rejected: {}",
        listed(rejected.map(|verdict| &verdict.name))
    )))
}
