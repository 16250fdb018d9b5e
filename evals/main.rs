//! The `sedum-evals` program: it measures what models select from a catalog, and replays what they selected.
//!
//! It uses the library and the library knows nothing of it (H1). Rates are printed and written, and decide nothing
//! (H2). The modules, from a case to a rate:
//!
//! | module | is |
//! |---|---|
//! | [`case`], [`fixture`] | what is asked, and the loaded packages and record that it is asked about |
//! | [`arms`], [`observe`] | how it is asked, and what is kept of that |
//! | [`run`] | plan, budgets, samples |
//! | [`sample`], [`store`] | what is stored, and where |
//! | [`verdict`], [`score`], [`syntax`] | what an answer comes to |
//! | [`signals`], [`rate`], [`stats`] | what is counted, and how sure that is |
//! | [`replay`], [`rescore`], [`mutate`] | stored answers looked at again |
//! | [`compare`], [`history`], [`report`], [`table`] | how it is shown |

#![allow(clippy::print_stdout, clippy::print_stderr)]

mod arms;
mod case;
mod cli;
mod clock;
mod compare;
mod digest;
mod failure;
mod fixture;
mod history;
mod home;
mod listing;
mod mutate;
mod observe;
mod rate;
mod replay;
mod report;
mod repository;
mod rescore;
mod run;
mod sample;
mod score;
mod signals;
mod stats;
mod store;
mod syntax;
mod table;
mod verdict;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

use cli::{Args, Command};
use failure::Failure;
use home::Home;

fn main() -> ExitCode {
    let args = Args::parse();
    match carry_out(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("sedum-evals: {failure}");
            ExitCode::from(failure.status)
        }
    }
}

fn carry_out(args: &Args) -> Result<(), Failure> {
    let home = Home::new(&args.evals)?;
    match &args.command {
        Command::Cases(args) => listing::run(args, &home, &say),
        Command::Run(args) => run::run(args, &home, &say),
        Command::Replay(args) => replay::run(args.all, &home, &say),
        Command::Rescore(args) => rescore::run(&args.cases, args.check, &home, &say),
        Command::Compare(args) => compare::run(args, &home, &say),
        Command::History(args) => history::run(&args.cases, &args.signal, &home, &say),
        Command::Report(args) => report::run(&args.output, &home, &say),
        Command::Mutate(args) => mutate::run(args.seed, args.each, &home, &say),
    }
}

/// Prints a line. A reader that has gone away has seen what it wanted.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
