//! The command line of the harness.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};

use super::case::Arm;
use super::sample::Resolution;

/// Measures what models select from a catalog, and replays what they selected.
#[derive(Debug, Parser)]
#[command(
    name = "sedum-evals",
    version,
    propagate_version = true,
    max_term_width = 100
)]
pub struct Args {
    /// The harness's folder, with cases, fixtures and results.
    #[arg(long, global = true, value_name = "DIR", default_value = "evals")]
    pub evals: PathBuf,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the harness does.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check every case and its fixture, and list them.
    Cases(CasesArgs),
    /// Ask a model and store what it answers.
    Run(Box<RunArgs>),
    /// Judge every stored answer again, without a model, and compare with the stored verdicts.
    Replay(ReplayArgs),
    /// Score stored samples by the cases as they are now, and append what differs.
    Rescore(RescoreArgs),
    /// Compare two conditions on the same questions, sample by sample.
    Compare(CompareArgs),
    /// List every run of every case, oldest first.
    History(HistoryArgs),
    /// Write the scored JSON that the results site shows.
    Report(ReportArgs),
    /// Make mutants of stored answers, and pin their verdicts.
    Mutate(MutateArgs),
}

/// Flags of `cases`.
#[derive(Debug, ClapArgs)]
pub struct CasesArgs {
    /// Print the first messages of this case.
    #[arg(long, value_name = "CASE")]
    pub prompt: Option<String>,
    /// With --prompt: the question of the baseline arm.
    #[arg(long)]
    pub baseline: bool,
}

/// Flags of `run`.
#[derive(Debug, ClapArgs)]
#[allow(clippy::struct_excessive_bools)]
pub struct RunArgs {
    /// Run this case only (repeatable, or separated by commas).
    #[arg(long = "case", value_name = "CASE", value_delimiter = ',')]
    pub cases: Vec<String>,
    /// The model's row in the cases: its id, or its label.
    #[arg(long, value_name = "ROW")]
    pub model: String,
    /// The name that the server knows the model by.
    #[arg(long, value_name = "NAME", default_value = "local")]
    pub served: String,
    /// The server; else that of `OPENAI_BASE_URL`.
    #[arg(long, value_name = "URL")]
    pub endpoint: Option<String>,
    /// Who makes the files.
    #[arg(long, value_name = "ARM", default_value = "sedum", value_parser = arm)]
    pub arm: Arm,
    /// Hold answers to a schema of the catalog.
    #[arg(long)]
    pub response_schema: bool,
    /// Show the whole catalog, not only the actions that can reach the record's files.
    #[arg(long)]
    pub full_catalog: bool,
    /// The temperature.
    #[arg(long, value_name = "T", default_value_t = 0.0)]
    pub temperature: f64,
    /// The seed of the first sample; each further one has the next.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Ask every sample with this wording of the record, and not each with its own.
    #[arg(long, value_name = "N")]
    pub wording: Option<usize>,
    /// Shuffle the catalog, each sample in an order of its own, by this seed.
    #[arg(long, value_name = "SEED")]
    pub shuffle: Option<u64>,
    /// How much the run is to say: at least 2, 5 or 30 samples.
    #[arg(long, value_name = "NAME", default_value = "coarse")]
    pub resolution: Resolution,
    /// How many samples of each case; not fewer than the resolution's.
    #[arg(long, value_name = "N")]
    pub samples: Option<u32>,
    /// Re-prompts after a rejected answer.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub retries: u32,
    /// Samples that are asked for at once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    pub jobs: usize,
    /// The most tokens of one answer.
    #[arg(long, value_name = "N", default_value_t = 1024)]
    pub max_completion_tokens: u64,
    /// How many seconds one call may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub timeout: u64,
    /// Stop before a sample when so many calls were made.
    #[arg(long, value_name = "N")]
    pub max_calls: Option<u64>,
    /// Stop before a sample when so many tokens were used, prompts and answers together.
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u64>,
    /// Stop before a sample when so many minutes have passed.
    #[arg(long, value_name = "N")]
    pub max_minutes: Option<u64>,
    /// Add what a run that was begun still lacks.
    #[arg(long)]
    pub resume: bool,
    /// Print the plan and ask nothing.
    #[arg(long)]
    pub plan: bool,
    /// Run though the checkout has changes; the run is compared with nothing.
    #[arg(long)]
    pub dirty: bool,
}

/// Flags of `replay`.
#[derive(Debug, ClapArgs)]
pub struct ReplayArgs {
    /// Print every difference, not only the first of each kind.
    #[arg(long)]
    pub all: bool,
}

/// Flags of `rescore`.
#[derive(Debug, ClapArgs)]
pub struct RescoreArgs {
    /// Only this case (repeatable, or separated by commas).
    #[arg(long = "case", value_name = "CASE", value_delimiter = ',')]
    pub cases: Vec<String>,
    /// Tell what differs and append nothing.
    #[arg(long)]
    pub check: bool,
}

/// Flags of `compare`.
#[derive(Debug, ClapArgs)]
pub struct CompareArgs {
    /// The first condition: key=value pairs with commas between, of run, case, model, arm, schema, full, shuffle,
    /// retries and commit.
    #[arg(long, value_name = "FILTER")]
    pub a: String,
    /// The second condition.
    #[arg(long, value_name = "FILTER")]
    pub b: String,
    /// The signal; every one that is yes or no for a sample, if it is left out.
    #[arg(long, value_name = "SIGNAL")]
    pub signal: Option<String>,
    /// Compare runs of different fixtures too, when what was changed is the fixture.
    #[arg(long)]
    pub across_fixtures: bool,
}

/// Flags of `history`.
#[derive(Debug, ClapArgs)]
pub struct HistoryArgs {
    /// Only this case (repeatable, or separated by commas).
    #[arg(long = "case", value_name = "CASE", value_delimiter = ',')]
    pub cases: Vec<String>,
    /// The signal whose rates are listed.
    #[arg(long, value_name = "SIGNAL", default_value = "accepted")]
    pub signal: String,
}

/// Flags of `report`.
#[derive(Debug, ClapArgs)]
pub struct ReportArgs {
    /// The folder to write; what an earlier report left there is replaced.
    #[arg(long, value_name = "DIR")]
    pub output: PathBuf,
}

/// Flags of `mutate`.
#[derive(Debug, ClapArgs)]
pub struct MutateArgs {
    /// The seed; the same seed makes the same mutants of the same answers.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many mutants of each kind.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub each: usize,
}

fn arm(word: &str) -> Result<Arm, String> {
    Arm::named(word).ok_or_else(|| {
        let known = sedum::diag::listed(Arm::ALL.map(Arm::name));
        format!("an arm is one of: {known}")
    })
}

fn at_least_one(word: &str) -> Result<usize, String> {
    match word.parse() {
        Ok(0) | Err(_) => Err("a whole number of at least 1 is expected".to_owned()),
        Ok(count) => Ok(count),
    }
}
