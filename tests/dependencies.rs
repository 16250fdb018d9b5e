//! What Sedum depends on, held to `deny.toml`: licences, duplicates and sources.
//!
//! `cargo deny` does the same and looks for advisories too, but needs to be installed, and a network. This needs the crates
//! alone, those for the other systems included: `cargo fetch --locked` brings them. Why each dependency is there is on
//! `docs/dependencies.md`, which `tests/docs.rs` checks.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The quoted texts of one list of `deny.toml`; of a list of tables, those of the key `crate`.
fn listed(key: &str) -> Vec<String> {
    let policy = read("deny.toml");
    let (_, rest) = policy
        .split_once(&format!("\n{key} = ["))
        .unwrap_or_else(|| panic!("deny.toml: there is no {key}"));
    let (list, _) = rest.split_once("\n]").unwrap();
    let quoted = |line: &str| line.split('"').nth(1).map(str::to_owned);
    list.lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .filter_map(quoted)
        .collect()
}

/// The crates of the program for each target of a release, by name and version, with their licences. Crates for tests are
/// left out: they are in nothing that is given to others.
fn crates() -> &'static BTreeMap<String, BTreeMap<String, String>> {
    static CRATES: OnceLock<BTreeMap<String, BTreeMap<String, String>>> = OnceLock::new();
    CRATES.get_or_init(|| {
        let targets = listed("targets");
        assert_eq!(targets.len(), 5, "Z5 names five archives");
        targets
            .into_iter()
            .map(|target| (target.clone(), crates_for(&target)))
            .collect()
    })
}

fn crates_for(target: &str) -> BTreeMap<String, String> {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--offline",
            "--locked",
            "--edges",
            "normal,build",
            "--prefix",
            "none",
        ])
        .args(["--no-dedupe", "--format", "{p}|{l}", "--target", target])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "run `cargo fetch --locked` first: {errors}"
    );
    let printed = String::from_utf8(output.stdout).unwrap();
    let crates = printed.lines().map(|line| {
        let (package, licence) = line.split_once('|').unwrap();
        let (name, rest) = package.split_once(" v").unwrap();
        let version = rest.split_whitespace().next().unwrap();
        (format!("{name}@{version}"), licence.to_owned())
    });
    let crates: BTreeMap<_, _> = crates.collect();
    assert!(
        crates.len() > 80,
        "only {} crates for {target}",
        crates.len()
    );
    crates
}

/// Whether a licence expression can be met with the allowed licences: `OR`, which used to be written `/`, binds less than
/// `AND`, and `WITH` belongs to its licence.
fn is_met(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ");
    let words: Vec<_> = spaced.split_whitespace().collect();
    let mut at = 0;
    let met = any(&words, &mut at, allowed);
    assert_eq!(at, words.len(), "{expression:?} is no licence expression");
    met
}

fn any(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut met = every(words, at, allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        // Both sides are read, whatever the first one gave.
        met |= every(words, at, allowed);
    }
    met
}

fn every(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut met = one(words, at, allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        met &= one(words, at, allowed);
    }
    met
}

fn one(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let word = words[*at];
    *at += 1;
    if word == "(" {
        let met = any(words, at, allowed);
        assert_eq!(words[*at], ")");
        *at += 1;
        return met;
    }
    if words.get(*at) == Some(&"WITH") {
        let exception = words[*at + 1];
        *at += 2;
        return allowed.contains(&format!("{word} WITH {exception}"));
    }
    allowed.contains(word)
}

#[test]
fn licence_expressions_are_read() {
    let allowed = BTreeSet::from(["MIT".to_owned(), "ISC".to_owned(), "A WITH x".to_owned()]);
    for expression in [
        "MIT",
        "GPL-3.0 OR MIT",
        "GPL-3.0/MIT",
        "MIT AND ISC",
        "(GPL-3.0 OR ISC) AND MIT",
        "A WITH x",
    ] {
        assert!(is_met(expression, &allowed), "{expression}");
    }
    for expression in [
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "GPL-3.0 OR MIT AND LGPL-3.0",
        "A",
        "MIT WITH x",
        "(MIT OR ISC) AND A",
    ] {
        assert!(!is_met(expression, &allowed), "{expression}");
    }
}

/// Z8: the program is MIT, so nothing in it may ask for more than its notice. No licence is allowed that nothing has.
#[test]
fn every_licence_is_allowed() {
    let allowed: BTreeSet<_> = listed("allow").into_iter().collect();
    let licences: BTreeMap<_, _> = crates().values().flatten().collect();
    let refused = |allowed: &BTreeSet<String>| -> Vec<String> {
        let refused = licences
            .iter()
            .filter(|(_, licence)| !is_met(licence, allowed));
        refused
            .map(|(name, licence)| format!("{name}: {licence:?}"))
            .collect()
    };
    assert_eq!(refused(&allowed), Vec::<String>::new());
    for licence in &allowed {
        let others = allowed
            .iter()
            .filter(|other| *other != licence)
            .cloned()
            .collect();
        assert!(
            !refused(&others).is_empty(),
            "deny.toml allows {licence}, and nothing needs it"
        );
    }
}

/// One version of each crate for a target, but for those that `deny.toml` gives a reason for; and no reason outlives its
/// crate.
#[test]
fn duplicates_have_a_reason() {
    let reasons: BTreeSet<_> = listed("skip").into_iter().collect();
    let (mut twice, mut needed) = (BTreeSet::new(), BTreeSet::new());
    for (target, crates) in crates() {
        let mut versions: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for package in crates.keys() {
            let name = package.split('@').next();
            versions.entry(name).or_default().push(package.clone());
        }
        for versions in versions.into_values().filter(|versions| versions.len() > 1) {
            let (skipped, left): (Vec<_>, Vec<_>) = versions
                .into_iter()
                .partition(|package| reasons.contains(package));
            needed.extend(skipped);
            if left.len() > 1 {
                twice.insert(format!("{target}: {left:?}"));
            }
        }
    }
    assert_eq!(twice, BTreeSet::new(), "a crate is there more than once");
    assert_eq!(
        reasons, needed,
        "left: deny.toml, right: what is there more than once"
    );
}

/// Every crate comes from crates.io, with a checksum.
#[test]
fn every_crate_has_a_known_source() {
    let lock = read("Cargo.lock");
    let packages: Vec<_> = lock.split("[[package]]").skip(1).collect();
    let without: Vec<_> = packages
        .iter()
        .filter(|package| {
            let is_own = package.contains("name = \"sedum\"\n");
            let known = package
                .contains("source = \"registry+https://github.com/rust-lang/crates.io-index\"\n")
                && package.contains("checksum = \"");
            is_own == known
        })
        .collect();
    assert_eq!(without, Vec::<&&str>::new());
    assert!(packages.len() > 100);
}
