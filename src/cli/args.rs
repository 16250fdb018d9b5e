//! The command tree: every command and flag with its help text (section 20).

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::report::findings::Format;
use crate::schemas::Schema;

/// Generates boilerplate code from provenance records with generator packages.
#[derive(Debug, Parser)]
#[command(
    name = "sedum",
    bin_name = "sedum",
    version,
    about = "Generates boilerplate code from provenance records with generator packages",
    subcommand_required = true,
    arg_required_else_help = true,
    max_term_width = 100,
    styles = STYLES,
    after_help = AFTER
)]
pub struct Args {
    #[allow(clippy::doc_markdown)] // printed as help
    /// When to use colour; NO_COLOR is honoured too
    #[arg(long, value_enum, default_value_t = Color::Auto, global = true, value_name = "WHEN")]
    pub color: Color,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const AFTER: &str = "\
Environment:
  SEDUM_GENERATORS, SEDUM_RECORDS, SEDUM_OUTPUT, SEDUM_MODEL  stand in for the flags of the same name
  OPENAI_BASE_URL, OPENAI_API_KEY    the model endpoint and its key
  SEDUM_MAX_COMPLETION_TOKENS        the longest answer asked for (16384)
  NO_COLOR                           no colour

Exit status:
  0 success, 1 a run, validation or check failed, 2 usage error, 3 the model endpoint failed

Start with `sedum validate --generators DIR`, then `sedum grow --help`.";

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal.
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

/// The commands (U1).
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the pipeline: create the files that records authorise, and inject into them
    Grow(Box<GrowArgs>),
    /// Check generator packages and report every finding
    Validate(ValidateArgs),
    /// Show what each authorised path resolves to; writes nothing
    Resolve(ResolveArgs),
    /// Show a package's action catalog as a model sees it
    Actions(ActionsArgs),
    /// Show where an invocation would land
    Render(RenderArgs),
    /// Print the JSON Schema of a file format, for editors
    Schema(SchemaArgs),
    /// Print a shell's completion script
    Completions(CompletionsArgs),
}

/// Where packages are.
#[derive(Clone, Debug, clap::Args)]
pub struct Generators {
    /// Directory whose subdirectories are generator packages
    #[arg(
        long,
        value_name = "DIR",
        env = "SEDUM_GENERATORS",
        hide_env_values = true
    )]
    pub generators: PathBuf,
}

/// `grow`'s flags (U5).
#[allow(clippy::struct_excessive_bools)] // each is a flag
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  sedum grow --generators generators --execute scaffold.json --output build
  sedum grow --generators generators --records provenance --stop-after files
  sedum grow --generators generators --execute scaffold.json --check
  OPENAI_BASE_URL=http://127.0.0.1:8080/v1 sedum grow --generators generators \\
      --records provenance --model local --record scaffold.json

The model's endpoint comes from OPENAI_BASE_URL, its key from OPENAI_API_KEY, the longest answer
from SEDUM_MAX_COMPLETION_TOKENS.

Exit status: 0 success, 1 the run or check failed, 2 usage error, 3 the model endpoint failed")]
pub struct GrowArgs {
    /// Where packages are.
    #[command(flatten)]
    pub generators: Generators,
    /// Directory of provenance records; with --execute it turns scope validation on
    #[arg(
        long,
        value_name = "DIR",
        env = "SEDUM_RECORDS",
        hide_env_values = true
    )]
    pub records: Option<PathBuf>,
    /// Directory to generate into
    #[arg(
        long,
        value_name = "DIR",
        env = "SEDUM_OUTPUT",
        hide_env_values = true,
        default_value = "."
    )]
    pub output: PathBuf,
    /// Prefer this package where several claim an extension (repeatable, or separated by commas)
    #[arg(
        long,
        value_name = "PACKAGE",
        value_delimiter = ',',
        help_heading = "What to grow"
    )]
    pub lang: Vec<String>,
    /// Keep only the records with these ids (repeatable, or separated by commas)
    #[arg(
        long,
        value_name = "ID",
        value_delimiter = ',',
        help_heading = "What to grow"
    )]
    pub only: Vec<String>,
    /// Bind a run variable that a package declares (repeatable)
    #[arg(long, value_name = "NAME=VALUE", help_heading = "What to grow")]
    pub var: Vec<String>,
    /// Write the run as a recording
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "execute",
        help_heading = "Recordings"
    )]
    pub record: Option<PathBuf>,
    /// Replay a recording: no model, no network
    #[arg(long, value_name = "FILE", help_heading = "Recordings")]
    pub execute: Option<PathBuf>,
    /// Decide everything and write no generated file
    #[arg(long, help_heading = "What to write")]
    pub dry_run: bool,
    /// Show a unified diff of every file that changes
    #[arg(long, help_heading = "What to write")]
    pub diff: bool,
    /// Write nothing and fail when the run would change any file: a check for CI
    #[arg(long, help_heading = "What to write")]
    pub check: bool,
    /// Wait at the end until the files are on the disk
    #[arg(long, help_heading = "What to write")]
    pub sync: bool,
    /// Stop after a phase, so that a person can look before the run goes on
    #[arg(long, value_enum, value_name = "PHASE", help_heading = "What to write")]
    pub stop_after: Option<StopAfter>,
    /// Wait this many seconds for another run on the same output directory
    #[arg(
        allow_negative_numbers = true,
        long,
        value_name = "SECONDS",
        default_value_t = 10,
        help_heading = "What to write"
    )]
    pub lock_timeout: u64,
    /// Re-prompts after a rejected answer
    #[arg(allow_negative_numbers = true, long, value_name = "N", default_value_t = DEFAULT_RETRIES, help_heading = "Model")]
    pub retries: u32,
    #[allow(clippy::doc_markdown)] // printed as help
    /// The model to ask, else the one that SEDUM_MODEL names; its endpoint and key come from OPENAI_BASE_URL and
    /// OPENAI_API_KEY
    #[arg(long, value_name = "NAME", help_heading = "Model")]
    pub model: Option<String>,
    /// Records whose models are asked at the same time
    #[arg(allow_negative_numbers = true, long, value_name = "N", default_value_t = 1, value_parser = at_least_one, help_heading = "Model")]
    pub jobs: usize,
    /// Seconds that one request may take
    #[arg(
        allow_negative_numbers = true,
        long,
        value_name = "SECONDS",
        default_value_t = 600,
        help_heading = "Model"
    )]
    pub timeout: u64,
    /// Show the model every exposed action, not only those that can reach the record's files
    #[arg(long, help_heading = "Model")]
    pub full_catalog: bool,
    /// Send the catalog as a JSON Schema that the answer has to follow
    #[arg(long, help_heading = "Model")]
    pub response_schema: bool,
    /// Where the run log goes
    #[arg(
        long,
        value_name = "FILE",
        default_value = DEFAULT_LOG,
        help_heading = "Reports"
    )]
    pub log: PathBuf,
    /// Print one JSON document instead of the report
    #[arg(long, conflicts_with = "verbose", help_heading = "Reports")]
    pub json: bool,
    /// Mirror the run log to stdout
    #[arg(short, long, help_heading = "Reports")]
    pub verbose: bool,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("expected a whole number from 1".to_owned()),
        Ok(number) => Ok(number),
    }
}

/// The default of `--log` (G1, G4).
pub const DEFAULT_LOG: &str = ".sedum/run.log";

/// The default of `--retries` (D24).
pub const DEFAULT_RETRIES: u32 = 3;

/// The values of `--stop-after` (U7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StopAfter {
    /// Every path has its package and template
    Resolution,
    /// Every file is created or reconciled
    Files,
    /// Every invocation is selected and valid
    Invocations,
    /// Every composite is expanded
    Expansion,
}

/// `validate`'s flags (U15).
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  sedum validate --generators generators --package shop --strict"
)]
pub struct ValidateArgs {
    /// Directory whose subdirectories are generator packages
    #[arg(
        long,
        value_name = "DIR",
        env = "SEDUM_GENERATORS",
        hide_env_values = true
    )]
    pub generators: Option<PathBuf>,
    /// Load only these packages (repeatable, or separated by commas)
    #[arg(long, value_name = "PACKAGE", value_delimiter = ',')]
    pub package: Vec<String>,
    /// How findings are printed; without it human on a terminal, short elsewhere
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(Format::ALL.map(Format::name)))]
    pub format: Option<String>,
    /// Explain a rule, with an example and the mend, and do nothing else
    #[arg(long, value_name = "SLUG", exclusive = true)]
    pub explain: Option<String>,
    /// Treat every warning as an error
    #[arg(long)]
    pub strict: bool,
}

/// `resolve`'s flags (U16).
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  sedum resolve --generators generators --records provenance --show-template"
)]
pub struct ResolveArgs {
    /// Where packages are.
    #[command(flatten)]
    pub generators: Generators,
    /// Directory of provenance records
    #[arg(
        long,
        value_name = "DIR",
        env = "SEDUM_RECORDS",
        hide_env_values = true
    )]
    pub records: PathBuf,
    /// Prefer this package where several claim an extension (repeatable, or separated by commas)
    #[arg(long, value_name = "PACKAGE", value_delimiter = ',')]
    pub lang: Vec<String>,
    /// Keep only the records with these ids (repeatable, or separated by commas)
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Bind a run variable that a package declares (repeatable)
    #[arg(long, value_name = "NAME=VALUE")]
    pub var: Vec<String>,
    /// Render each matched template
    #[arg(long)]
    pub show_template: bool,
    /// Print one JSON document instead of the report
    #[arg(long)]
    pub json: bool,
}

/// `actions`' flags (U17).
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  sedum actions --generators generators --package shop")]
pub struct ActionsArgs {
    /// Where packages are.
    #[command(flatten)]
    pub generators: Generators,
    /// The package
    #[arg(long, value_name = "PACKAGE")]
    pub package: String,
    /// Show actions that are not exposed too
    #[arg(long)]
    pub all: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `render`'s flags (U18).
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  sedum render --generators generators --package shop --action addScope --kwargs '{\"model\": \"person\"}'"
)]
pub struct RenderArgs {
    /// Where packages are.
    #[command(flatten)]
    pub generators: Generators,
    /// The package
    #[arg(long, value_name = "PACKAGE")]
    pub package: String,
    /// The action
    #[arg(long, value_name = "ACTION")]
    pub action: String,
    /// The kwargs, one JSON object
    #[arg(long, value_name = "JSON", default_value = "{}")]
    pub kwargs: String,
    /// Bind a run variable that the package declares (repeatable)
    #[arg(long, value_name = "NAME=VALUE")]
    pub var: Vec<String>,
    /// Print one line of JSON
    #[arg(long)]
    pub json: bool,
}

/// `schema`'s arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  sedum schema actions > actions.schema.json")]
pub struct SchemaArgs {
    /// The format
    #[arg(value_name = "FORMAT", value_parser = PossibleValuesParser::new(Schema::ALL.map(format_value)))]
    pub format: String,
}

/// A format by its name, or by the name of the file that it is the format of.
fn format_value(schema: Schema) -> PossibleValue {
    let value = PossibleValue::new(schema.name());
    match schema {
        Schema::Manifest => value.alias("sedum.yaml"),
        Schema::Actions => value.alias("actions.yaml"),
        Schema::Record | Schema::Recording => value,
    }
}

/// `completions`' arguments (O27).
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  sedum completions bash > ~/.local/share/bash-completion/completions/sedum"
)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}
