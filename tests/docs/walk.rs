//! A document's blocks, carried out one after another in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::blocks::{self, Block};
use super::support::{read, root};

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Runs a command of a document in a folder, with `sedum` in the path and no setting of it in the environment: its exit
/// status, its output, its errors.
fn carry_out(folder: &Path, command: &blocks::Command) -> (i32, String, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_sedum"));
    let mut process = match command.program.as_str() {
        "sedum" => Command::new(program),
        other => Command::new(other),
    };
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("SEDUM_") || text.starts_with("OPENAI_") {
            process.env_remove(&name);
        }
    }
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::env::split_paths(&paths);
    let paths = std::iter::once(program.parent().unwrap().to_owned()).chain(paths);
    process.env("PATH", std::env::join_paths(paths).unwrap());
    let output = process
        .args(&command.arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap_or(-1),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Whether a program that a block needs can be started here.
fn is_there(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped what needs {program}: it is not here");
    }
    found
}

/// Whether what a document shows is what was printed: lines that stand next to each other do so there, and `...` on a
/// line of its own stands for any lines between.
fn shows(shown: &str, printed: &str) -> Result<(), String> {
    let printed: Vec<_> = printed.lines().map(str::trim_end).collect();
    let shown: Vec<_> = shown.lines().map(str::trim_end).collect();
    let same = |(found, line): (&&str, &&str)| match line.strip_suffix("...") {
        Some(start) => found.starts_with(start),
        None => found == line,
    };
    let mut at = 0;
    for run in shown.split(|line| line.trim() == "...") {
        let rest = printed.get(at..).unwrap_or_default();
        let stands = |start: &usize| {
            let there = &rest[*start..];
            there.len() >= run.len() && there.iter().zip(run).all(same)
        };
        let start = (0..=rest.len())
            .find(stands)
            .ok_or_else(|| format!("these lines are not printed there:\n{}", run.join("\n")))?;
        at += start + run.len();
    }
    Ok(())
}

/// A document while its blocks are gone through.
pub struct Walk {
    name: String,
    scratch: tempfile::TempDir,
    /// What the last commands printed; `None` before the first ones.
    printed: Option<String>,
    /// Whether the last shell block was left out, and its output with it.
    skipped: bool,
    /// How many commands were carried out.
    pub ran: usize,
    /// What does not hold.
    pub faults: Vec<String>,
}

impl Walk {
    /// In a fresh folder, with the parts of the repository that the document names.
    pub fn new(name: String, text: &str) -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let parts = [
            "testdata/generators",
            "testdata/records",
            "testdata/recordings",
        ];
        for part in parts.into_iter().chain(["conformance", "provenance"]) {
            if text.contains(part) {
                copy(&root().join(part), &scratch.path().join(part));
            }
        }
        Self {
            name,
            scratch,
            printed: None,
            skipped: false,
            ran: 0,
            faults: Vec::new(),
        }
    }

    fn file(&self, path: &str) -> PathBuf {
        self.scratch.path().join(path)
    }

    /// Does what the next block asks.
    pub fn step(&mut self, block: &Block) {
        let place = format!("{}:{}", self.name, block.line);
        if let Some(path) = block.value("file") {
            let path = self.file(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, &block.text).unwrap();
        } else if let Some(path) = block.value("expect") {
            if read(&self.file(path)) != block.text {
                self.faults
                    .push(format!("{place}: {path} holds something else"));
            }
        } else if block.says("output") {
            let printed = self.printed.as_ref();
            let printed = printed.expect("an output block stands behind a command");
            let fault = shows(&block.text, printed).err();
            let faults = fault.filter(|_| !self.skipped);
            self.faults
                .extend(faults.map(|why| format!("{place}: {why}")));
        } else if block.runs() {
            self.skipped = block.value("needs").is_some_and(|needed| !is_there(needed));
            self.printed = Some(String::new());
            if !self.skipped {
                self.commands(block, &place);
            }
        }
    }

    fn commands(&mut self, block: &Block, place: &str) {
        let mut all = String::new();
        let commands = block.commands(&self.name);
        let last = commands.len() - 1;
        for (at, command) in commands.iter().enumerate() {
            let (status, out, err) = carry_out(self.scratch.path(), command);
            let expected = match block.value("status") {
                Some(status) if at == last => status.parse().unwrap(),
                _ => 0,
            };
            if status != expected {
                self.faults.push(format!(
                    "{place}: status {status}, not {expected}\n{out}{err}"
                ));
            }
            match &command.target {
                Some(file) => fs::write(self.file(file), out).unwrap(),
                None => all.push_str(&out),
            }
            all.push_str(&err);
            self.ran += 1;
        }
        self.printed = Some(all);
    }
}
