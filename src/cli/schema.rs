//! `sedum schema`.

use crate::schemas::Schema;

use super::args::SchemaArgs;
use super::failure::Failure;
use super::terminal::Terminal;

/// Prints the JSON Schema of a file format.
pub(super) fn run(args: &SchemaArgs, terminal: &mut Terminal) -> Result<(), Failure> {
    let name = match args.format.as_str() {
        "sedum.yaml" => "manifest",
        "actions.yaml" => "actions",
        name => name,
    };
    let schema = Schema::from_name(name)
        .ok_or_else(|| Failure::usage(format!("no format {:?}", args.format)))?;
    terminal.out(&schema.text());
    Ok(())
}
