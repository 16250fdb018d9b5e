//! The fixture packages of `testdata/generators`, their records, recordings and trees.
//!
//! A tree is what a replay of the recording gives, read and found right by a person who writes that language. Together
//! the fixtures show every feature of the rules:
//!
//! | feature | rules | where |
//! |---|---|---|
//! | simple action | A13 | all |
//! | discriminated action, variants | A16, A18 | all |
//! | `_default` template for any other value | A18, D17, Y9 | cairn `cross`, chi `float64`, rails `string`, web `callout` |
//! | discriminated without `_default` | A18 | cairn `bindRule`, chi `addEndpoint`, native `addInclude` |
//! | composite, children not exposed | A21-A27, Y1 | cairn `markDanger`, chi `addFilter`, rails `addGuard`, web `publishPage` |
//! | string, int, bool, list, literal | A5, A6 | cairn (all five), native literals |
//! | defaults of every type, applied and overridden | A8, A9, Y5, Y6 | cairn `layLeg`, web `addField` |
//! | explicit forms | X15, X16 | cairn `markDanger`'s shelf |
//! | list joined | X1, X17 | cairn, rails, web |
//! | pipelines | S2 | all |
//! | exceptions of `pascal` and of `camel` | S4, X7, X8 | chi `requireAPIKey`, rails `APIKey`, cairn `NorthWestGully` |
//! | prefix, suffix, non-ASCII argument | X3, T5 | chi, web; cairn's degrees |
//! | planted anchor | I4, F20 | all |
//! | region between two anchors | I5 | cairn `layLeg`, chi `mountHandler`, rails and web |
//! | start and end of file | I6 | cairn, native, web; rails `addSeed` |
//! | after and before a match | I7 | cairn `setSeasons`, `warnOnLeg`; native `declareClass`; web |
//! | free target | A35, K13 | cairn `carveVerse`, native `addInclude`, rails `addColumn`, web `addHeadLink` |
//! | declared identity | M25 | all |
//! | identity of the required kwargs | M25 | chi, native, rails, web |
//! | seeded | A3, M22 | all |
//! | line comments, closed comments | M8, M9 | `;;`, `//`, `#`; web `<!-- -->` |
//! | literal braces | T3 | cairn |
//! | file template with captures in one segment, and in several | F2 | cairn `{fell}~{route}`, `{order}_{leg}` |
//! | file template with a glob | F3 | cairn `hoard/*/` |
//! | ranking of templates that both match | F9, F10 | chi `store.go`, native `main.cpp`, web `index.html` |
//! | fallback template | F14 | cairn `songs/`, native `platform.hpp` |
//! | extension of two parts | N5 | cairn `.cairn.stone` |
//! | several extensions | L17 | cairn, native |
//! | run variable with a default, with an empty one | S11 | chi, native, rails, web; cairn `lantern` |
//! | variable in a file template and in an action | V7 | cairn `guild` |
//! | unmanaged paths, literal and by pattern | S6, N2 | all |
//! | test paths | S9, S10 | all |
//! | records: every status, unknown keys, both endings | R1-R3 | all |
//! | forbidden scope, literal and by pattern | R12, R13 | all |
//! | descriptions on packages, actions, kwargs, variables | A12, V12 | all |
//!
//! What needs two packages at odds (a contested extension, N7) or a mistake is shown by the small packages of the other
//! modules.

use std::fs;
use std::path::Path;

use crate::run::{Done, Files, Run, files_below, repository};

const PACKAGES: [&str; 5] = ["cairn", "chi", "native", "rails", "web"];

const GENERATORS: [&str; 2] = ["--generators", "{testdata}/generators"];
const RECORDS: [&str; 2] = ["--records", "{testdata}/records"];
const VARIABLES: [&str; 6] = [
    "--var",
    "module=github.com/acme/library",
    "--var",
    "root_namespace=wire",
    "--var",
    "site_name=Tide House",
];

fn replay_args(package: &str) -> [String; 7] {
    [
        "grow".to_owned(),
        GENERATORS[0].to_owned(),
        GENERATORS[1].to_owned(),
        "--execute".to_owned(),
        format!("{{testdata}}/recordings/{package}.json"),
        "--output".to_owned(),
        "out".to_owned(),
    ]
}

fn replay(package: &str) -> Run {
    let args = replay_args(package);
    Run::new(args.iter().map(String::as_str))
}

fn replay_after(done: Done, package: &str) -> Run {
    let args = replay_args(package);
    done.then(args.iter().map(String::as_str))
}

fn tree(package: &str) -> Files {
    files_below(&repository(&format!("testdata/trees/{package}")))
}

/// Both trees have the same files with the same text.
fn assert_same(package: &str, made: &Files, wanted: &Files) {
    let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(made), names(wanted), "{package}");
    for (path, bytes) in wanted {
        assert_eq!(
            String::from_utf8_lossy(&made[path]),
            String::from_utf8_lossy(bytes),
            "{package}: {path}"
        );
    }
}

#[test]
fn the_packages_are_without_findings() {
    Run::new(["validate"])
        .args(GENERATORS)
        .ok()
        .says(&[])
        .wrote_nothing()
        .out
        .eq("5 package(s) loaded, 0 error(s), 0 warning(s)\n")
        .then_some(())
        .expect("nothing but the count");
}

#[test]
fn strict_finds_nothing_either_l12() {
    let done = Run::new(["validate", "--strict"]).args(GENERATORS).ok();
    assert_eq!(done.out, "5 package(s) loaded, 0 error(s), 0 warning(s)\n");
}

#[test]
fn every_recording_gives_its_tree_and_again_nothing_p4_p12() {
    for package in PACKAGES {
        let wanted = tree(package);
        let done = replay(package).ok();
        assert_same(package, &done.below("out"), &wanted);
        let again = replay_after(done, package).ok().wrote_nothing();
        assert!(
            again.out.contains("0 region(s) injected, 0 replaced, "),
            "{}",
            again.out
        );
        // J20: the records authorise what was recorded.
        let scoped = replay_after(again, package).args(RECORDS).ok();
        scoped.wrote_nothing();
    }
}

#[test]
fn with_records_the_tree_is_the_same_j20() {
    for package in PACKAGES {
        let done = replay(package).args(RECORDS).ok();
        assert_same(package, &done.below("out"), &tree(package));
    }
}

#[test]
fn a_dry_run_reports_the_same_and_writes_nothing_c22() {
    for package in PACKAGES {
        let real = replay(package).ok();
        let dry = replay(package).args(["--dry-run"]).ok().wrote_nothing();
        let said = dry.out.replace("would be ", "");
        let said = said.replace("dry run: no generated file was written\n", "");
        assert_eq!(said, real.out, "{package}");
    }
}

#[test]
fn all_five_grow_in_one_folder_side_by_side() {
    let mut wanted = Files::new();
    let mut done = Run::new(["validate"]).args(GENERATORS).ok();
    for package in PACKAGES {
        wanted.extend(tree(package));
        done = replay_after(done, package).ok();
    }
    assert_same("all", &done.below("out"), &wanted);
}

/// A record's files, without its regions: what phase 3 makes is what the trees hold once the regions are taken out.
#[test]
fn records_alone_give_the_files_without_regions_c1() {
    let done = Run::new(["grow", "--output", "out", "--stop-after", "files"])
        .args(GENERATORS)
        .args(RECORDS)
        .args(VARIABLES)
        .ok();
    let mut wanted = Files::new();
    for package in PACKAGES {
        for (path, bytes) in tree(package) {
            let text = String::from_utf8(bytes).unwrap();
            wanted.insert(path, without_regions(&text).into_bytes());
        }
    }
    assert_same("records", &done.below("out"), &wanted);
    insta::assert_snapshot!("records_stop_after_files", done.report());

    // Growing on, the recordings give the very trees that they give from nothing.
    let mut done = done;
    for package in PACKAGES {
        done = replay_after(done, package).ok();
        let made = done.below("out");
        for (path, bytes) in tree(package) {
            assert_eq!(made[&path], bytes, "{package}: {path}");
        }
    }
}

/// The lines outside regions, by the marker's outward form alone.
fn without_regions(text: &str) -> String {
    let mut inside = false;
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let bare = line
            .trim()
            .trim_start_matches(['#', '/', ';', '<', '!', '-'])
            .trim_start();
        let opens = bare.starts_with("sedum:") && !bare.starts_with("sedum:anchor:");
        let closes = line.contains(" /sedum:");
        inside |= opens;
        if !inside {
            out.push_str(line);
        }
        inside &= !closes;
    }
    out
}

#[test]
fn resolution_of_the_records_u16() {
    let done = Run::new(["resolve"])
        .args(GENERATORS)
        .args(RECORDS)
        .args(VARIABLES)
        .ok()
        .wrote_nothing();
    insta::assert_snapshot!("records_resolved", done.report());
    let shown = Run::new(["resolve", "--show-template"])
        .args(GENERATORS)
        .args(RECORDS)
        .args(VARIABLES)
        .ok();
    // What is shown is what a run would write.
    let main = fs::read_to_string(repository("testdata/trees/chi/cmd/library/main.go")).unwrap();
    for line in main.lines().filter(|line| !line.trim().is_empty()) {
        assert!(shown.out.contains(line.trim()), "{line}");
    }
}

#[test]
fn the_records_can_be_grown_without_a_variable_v1() {
    Run::new(["resolve"]).args(GENERATORS).args(RECORDS).ok();
}

#[test]
fn a_recording_of_the_files_is_stable_and_replays_j2_u14() {
    let record = |to: &'static str| {
        Run::new([
            "grow",
            "--output",
            "out",
            "--stop-after",
            "files",
            "--record",
        ])
        .args([to])
        .args(GENERATORS)
        .args(RECORDS)
        .args(VARIABLES)
    };
    let done = record("made/run.json").ok();
    let recording = done.text("made/run.json");
    insta::assert_snapshot!("records_recorded", recording);
    assert_eq!(
        record("made/run.json").ok().text("made/run.json"),
        recording
    );
    // The same from a tree that is there already.
    let files = done.below("out");
    let rerun = done
        .then([
            "grow",
            "--output",
            "out",
            "--stop-after",
            "files",
            "--record",
        ])
        .args(["made/run.json"])
        .args(GENERATORS)
        .args(RECORDS)
        .args(VARIABLES);
    let again = rerun.ok().wrote_nothing();

    let replayed = again
        .then(["grow", "--execute", "made/run.json", "--output", "fresh"])
        .args(GENERATORS)
        .args(RECORDS)
        .ok();
    assert_same("recorded", &replayed.below("fresh"), &files);
}

/// P2: the invented target goes through every phase and command like any other.
#[test]
fn the_invented_target_is_treated_like_the_others_p2() {
    let catalog = |package: &str| {
        let done = Run::new(["actions", "--json", "--package", package]).args(GENERATORS);
        serde_json::from_str::<serde_json::Value>(&done.ok().out).unwrap()
    };
    let keys = |package: &str| {
        let catalog = catalog(package);
        let entries = catalog["actions"].as_array().unwrap().clone();
        let mut keys: Vec<_> = entries
            .iter()
            .flat_map(|entry| entry.as_object().unwrap().keys().cloned())
            .collect();
        keys.sort();
        keys.dedup();
        keys
    };
    let every = [
        "action",
        "anchor",
        "anchor_end",
        "anchor_pattern",
        "anchor_start",
        "composes",
        "description",
        "discriminator",
        "has_default",
        "injects_into",
        "kwargs",
        "package",
        "requires",
        "variant_requires",
        "variants",
    ];
    for package in ["cairn", "web"] {
        assert_eq!(keys(package), every, "{package}");
    }
    // The set does not change when its neighbours are gone.
    let alone = Run::new(["validate", "--package", "cairn"])
        .args(GENERATORS)
        .ok();
    assert_eq!(alone.out, "1 package(s) loaded, 0 error(s), 0 warning(s)\n");
}

/// P1: nothing in the sources, tests and comments apart, knows a language, a framework or a file type.
#[test]
fn the_sources_name_no_target_p1() {
    const TARGETS: &[&str] = &[
        "angular",
        "cairn",
        "chi",
        "clojure",
        "cpp",
        "csharp",
        "css",
        "dart",
        "django",
        "elixir",
        "erb",
        "erlang",
        "flask",
        "gemfile",
        "golang",
        "gradle",
        "haskell",
        "html",
        "java",
        "javascript",
        "jsx",
        "kotlin",
        "laravel",
        "lua",
        "nodejs",
        "npm",
        "perl",
        "php",
        "phoenix",
        "prisma",
        "python",
        "rails",
        "react",
        "ruby",
        "scala",
        "spring",
        "sql",
        "svelte",
        "swift",
        "terraform",
        "tsx",
        "typescript",
        "vue",
    ];
    // Examples for people who read a flag's help or an editor's hints, and what web servers answer with: no behaviour.
    const ALLOWED: &[(&str, &[&str])] = &[
        ("src/cli/args.rs", &["rails"]),
        ("src/schemas/manifest.rs", &["html", "erb"]),
        ("src/selection/client/fault.rs", &["html"]),
    ];
    let allowed = |path: &Path, word: &str| {
        let mut entries = ALLOWED.iter();
        entries.any(|(end, words)| path.ends_with(end) && words.contains(&word))
    };
    let mut found = Vec::new();
    for path in sources(&repository("src")) {
        let text = fs::read_to_string(&path).unwrap();
        for (at, line) in code_of(&text) {
            let words = line.split(|c: char| !c.is_ascii_alphanumeric());
            for word in words.map(str::to_ascii_lowercase) {
                if TARGETS.contains(&word.as_str()) && !allowed(&path, &word) {
                    found.push(format!("{}:{at}: {word}", path.display()));
                }
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// Rust sources that are part of the program, unit tests left out.
fn sources(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if name == "tests" || name.ends_with("_tests") {
            continue;
        }
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
    found
}

/// The lines up to the unit tests, without comments.
fn code_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .take_while(|(_, line)| *line != "#[cfg(test)]")
        .map(|(at, line)| (at + 1, line.split("//").next().unwrap_or_default()))
}
