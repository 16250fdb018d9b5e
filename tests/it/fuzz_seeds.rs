//! The fuzz targets' oracles over a fixed sequence of inputs, and over every input that was ever found to fail.
//!
//! The oracles are those of `fuzz/`, which says what each of them holds the product to. Here they get the repository's
//! own test data, and that data damaged in ways that a fixed seed decides, so that a failure is the same everywhere.
//! `SEDUM_FUZZ_SECONDS` makes each target run that long instead, from the same beginning.

#[path = "../../fuzz/src/oracles/mod.rs"]
mod oracles;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use oracles::{TARGETS, Target};

use crate::run::repository;

/// The longest input that is made.
const LONGEST: usize = 3_000;

/// What tends to hurt one reader or another.
const TOKENS: [&str; 64] = [
    "\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "\0",
    "\u{feff}",
    "\u{2028}",
    "\u{85}",
    "\u{a0}",
    "é",
    "😀",
    "\\",
    "\"",
    "'",
    "/",
    "//",
    "..",
    ".",
    "*",
    "**",
    "?",
    "[",
    "]",
    "[^",
    "-",
    "{",
    "}",
    "{{",
    "}}",
    "{{{{",
    "{{n}}",
    "{a}",
    "|",
    ":",
    ": ",
    ",",
    "- ",
    "&a ",
    "*a",
    "<<: ",
    "!t ",
    "~",
    "null",
    "true",
    "1e999",
    "-0",
    "0x1F",
    "1.50",
    "\\u0000",
    "\\ud83d",
    "\n%%\n",
    "# sedum:anchor:alpha\n",
    "# sedum:mark {}\n",
    "# /sedum:mark\n",
    "sedum:",
    "#",
    "#!",
    "-->",
    "turn",
    "_default",
    ".git",
    "(?m)^",
    "$",
];

/// Random numbers that are the same each time (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let limit = u64::try_from(limit.max(1)).unwrap();
        usize::try_from((self.0 >> 11) % limit).unwrap()
    }

    /// A range of at most `longest` bytes.
    fn range(&mut self, bytes: &[u8], longest: usize) -> std::ops::Range<usize> {
        let start = self.below(bytes.len() + 1);
        let length = self.below(longest + 1).min(bytes.len() - start);
        start..start + length
    }

    /// A line of the text with its ending.
    fn line(&mut self, bytes: &[u8]) -> std::ops::Range<usize> {
        let at = self.below(bytes.len() + 1);
        let start = bytes[..at]
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |before| before + 1);
        let end = bytes[start..]
            .iter()
            .position(|b| *b == b'\n')
            .map_or(bytes.len(), |length| start + length + 1);
        start..end
    }

    /// One of the inputs with a few changes.
    fn damaged(&mut self, inputs: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = inputs[self.below(inputs.len())].clone();
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len() + 1);
            match self.below(9) {
                0 => drop(bytes.drain(self.range(&bytes, 20))),
                1 => drop(bytes.drain(self.line(&bytes))),
                2 => {
                    let copy = bytes[self.range(&bytes, 60)].to_vec();
                    bytes.splice(at..at, copy);
                }
                3 => {
                    let copy = bytes[self.line(&bytes)].to_vec();
                    let to = self.line(&bytes).start;
                    bytes.splice(to..to, copy);
                }
                4 => {
                    let other = &inputs[self.below(inputs.len())];
                    let piece = other[self.range(other, 200)].to_vec();
                    bytes.splice(at..at, piece);
                }
                5 if at < bytes.len() => bytes[at] = u8::try_from(self.below(256)).unwrap(),
                6 => {
                    let replaced = self.range(&bytes, 4);
                    bytes.splice(replaced, TOKENS[self.below(TOKENS.len())].bytes());
                }
                _ => drop(bytes.splice(at..at, TOKENS[self.below(TOKENS.len())].bytes())),
            }
        }
        bytes.truncate(LONGEST);
        bytes
    }
}

/// Runs one input; one that fails is kept, and the test's message says where.
fn run(target: Target, input: &[u8]) {
    if catch_unwind(AssertUnwindSafe(|| (target.check)(input))).is_ok() {
        return;
    }
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{}", target.name));
    fs::write(&kept, input).unwrap();
    panic!(
        "target {} fails on this input, kept as {} (once mended it belongs into fuzz/regressions/{}/):\n{}",
        target.name,
        kept.display(),
        target.name,
        String::from_utf8_lossy(input)
    );
}

/// The inputs that once failed.
fn regressions(target: Target) -> Vec<PathBuf> {
    let folder = repository("fuzz/regressions").join(target.name);
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// The kept inputs, the seeds, and then damaged ones: `count` of them, or as many as fit into the time asked for. How
/// many ran.
fn pass(name: &str, count: usize) -> usize {
    let target = TARGETS
        .into_iter()
        .find(|target| target.name == name)
        .unwrap();
    let mut inputs = (target.seeds)(&repository(""));
    assert!(inputs.len() > 2, "{name} has seeds");
    inputs.extend(
        regressions(target)
            .iter()
            .map(|path| fs::read(path).unwrap()),
    );
    for input in &inputs {
        run(target, input);
    }
    assert!(oracles::reached() > 3, "{name}: the seeds get nowhere");
    let seconds = std::env::var("SEDUM_FUZZ_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok());
    let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut done = inputs.len();
    let mut last = 0;
    while end.map_or(last < count, |end| Instant::now() < end) {
        run(target, &random.damaged(&inputs));
        last += 1;
    }
    done += last;
    done
}

macro_rules! passes {
    ($($name:ident: $count:literal,)*) => {
        $(
            #[test]
            fn $name() {
                let done = pass(stringify!($name), $count);
                let reached = oracles::reached();
                println!("{}: {done} inputs, {reached} right through", stringify!($name));
            }
        )*

        #[test]
        fn every_target_has_a_pass_and_a_file() {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
            for name in names {
                assert!(repository(&format!("fuzz/fuzz_targets/{name}.rs")).is_file(), "{name}");
            }
        }
    };
}

passes! {
    manifest: 150,
    actions: 150,
    template: 1_000,
    patterns: 2_000,
    anchor: 300,
    marker: 1_000,
    reconcile: 1_000,
    inject: 500,
    recording: 60,
    decode: 2_000,
}
