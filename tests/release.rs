//! What makes a release: the workflows, the scripts, and the names that install.sh and cargo binstall ask for.
//!
//! It decides whether they agree with each other and with the rules (Z2-Z5, Z9), as far as that shows without a runner. It
//! builds no archive: `scripts/package.sh` does, and tries what it built.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use sedum::doc::node::Node;
use sedum::doc::yaml;

/// The rule's five archives (Z5), by the target that each is built for.
const ARCHIVES: [(&str, &str); 5] = [
    ("x86_64-unknown-linux-musl", "linux_amd64.tar.gz"),
    ("aarch64-unknown-linux-musl", "linux_arm64.tar.gz"),
    ("x86_64-apple-darwin", "darwin_amd64.tar.gz"),
    ("aarch64-apple-darwin", "darwin_arm64.tar.gz"),
    ("x86_64-pc-windows-msvc", "windows_amd64.zip"),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn workflows() -> BTreeMap<String, String> {
    let folder = root().join(".github/workflows");
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let workflows: BTreeMap<_, _> = entries
        .map(|entry| entry.file_name().into_string().unwrap())
        .map(|name| (name.clone(), read(&format!(".github/workflows/{name}"))))
        .collect();
    assert!(workflows.len() >= 3, "{:?}", workflows.keys());
    workflows
}

/// A value of a workflow, by the keys that lead to it.
fn at<'a, 'b>(node: &'a Node<'b>, keys: &[&str]) -> &'a Node<'b> {
    keys.iter().fold(node, |node, key| {
        node.get(key)
            .unwrap_or_else(|| panic!("there is no {key} in {keys:?}"))
    })
}

/// A text, or the texts of a list.
fn texts(node: &Node<'_>) -> Vec<String> {
    match node.list() {
        Some(list) => list
            .iter()
            .map(|item| item.text().unwrap().to_owned())
            .collect(),
        None => vec![node.text().unwrap().to_owned()],
    }
}

fn keys(node: &Node<'_>) -> BTreeSet<String> {
    node.map()
        .unwrap()
        .iter()
        .map(|entry| entry.key.to_string())
        .collect()
}

/// Runs a check on a workflow as it is read.
fn read_as_yaml(name: &str, check: impl Fn(&Node<'_>)) {
    let text = read(&format!(".github/workflows/{name}"));
    let parsed = yaml::parse(&text);
    assert!(parsed.faults.is_empty(), "{name}: {:?}", parsed.faults);
    check(&parsed.root.unwrap());
}

/// An action of somebody else's is a commit that cannot be moved, with its version behind it for people.
#[test]
fn actions_are_pinned() {
    let mut pinned = 0;
    for (name, text) in workflows() {
        for line in text.lines() {
            let Some(action) = line
                .trim_start()
                .trim_start_matches("- ")
                .strip_prefix("uses: ")
            else {
                continue;
            };
            if let Some(own) = action.strip_prefix("./") {
                assert!(root().join(own).is_file(), "{name}: there is no {own}");
                continue;
            }
            let (_, rest) = action
                .split_once('@')
                .unwrap_or_else(|| panic!("{name}: {line}"));
            let (commit, version) = rest
                .split_once(" # v")
                .unwrap_or_else(|| panic!("{name}: {line}: no version"));
            let is_commit = commit.len() == 40
                && commit
                    .bytes()
                    .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
            assert!(is_commit, "{name}: {commit:?} is no commit");
            assert_eq!(version.split('.').count(), 3, "{name}: {version:?}");
            pinned += 1;
        }
    }
    assert!(pinned >= 5, "only {pinned} actions were found");
}

/// One action is the same commit wherever it is used.
#[test]
fn actions_are_of_one_version() {
    let mut commits: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for text in workflows().values() {
        for (action, rest) in text
            .lines()
            .filter_map(|line| line.split_once("uses: ")?.1.split_once('@'))
        {
            commits
                .entry(action.to_owned())
                .or_default()
                .insert(rest.to_owned());
        }
    }
    for (action, commits) in commits {
        assert_eq!(commits.len(), 1, "{action}: {commits:?}");
    }
}

/// What comes from outside, such as the name of a tag, reaches a script as a variable and never as part of its text; and no
/// job may more than it says.
#[test]
fn workflows_are_tight() {
    for (name, text) in workflows() {
        read_as_yaml(&name, |workflow| {
            let top = workflow
                .get("permissions")
                .unwrap_or_else(|| panic!("{name} states no permissions"));
            let allowed = top.map().unwrap_or_default();
            for entry in allowed {
                assert_eq!(
                    (&*entry.key, entry.value.text().unwrap()),
                    ("contents", "read"),
                    "{name}"
                );
            }
            for job in at(workflow, &["jobs"]).map().unwrap() {
                for step in job
                    .value
                    .get("steps")
                    .and_then(Node::list)
                    .unwrap_or_default()
                {
                    if let Some(script) = step.get("run") {
                        assert!(
                            !script.text().unwrap().contains("${{"),
                            "{name}: {}",
                            job.key
                        );
                    }
                }
            }
        });
        assert!(!text.contains("pull_request_target"), "{name}");
        let checkouts = text.matches("actions/checkout@").count();
        assert_eq!(
            text.matches("persist-credentials: false").count(),
            checkouts,
            "{name}"
        );
    }
}

/// Z9: on push and pull request, the tests on three systems and a build for every target.
#[test]
fn z9_every_change_is_tested_everywhere() {
    read_as_yaml("ci.yml", |ci| {
        let on = keys(at(ci, &["on"]));
        assert!(on.contains("push") && on.contains("pull_request"), "{on:?}");
        assert_eq!(
            texts(at(ci, &["jobs", "build", "uses"])),
            ["./.github/workflows/build.yml"]
        );
    });
    read_as_yaml("build.yml", |build| {
        let check = at(build, &["jobs", "check"]);
        let runners = texts(at(check, &["strategy", "matrix", "runner"])).join(" ");
        for system in ["ubuntu", "macos", "windows"] {
            assert!(runners.contains(system), "{runners}");
        }
        let steps = at(check, &["steps"]).list().unwrap();
        let mut scripts = steps.iter().filter_map(|step| step.get("run"));
        assert!(scripts.any(|script| script.text().unwrap() == ".ci/run"));
        let include = at(build, &["jobs", "package", "strategy", "matrix", "include"]);
        let targets = include
            .list()
            .unwrap()
            .iter()
            .map(|one| at(one, &["target"]).text().unwrap().to_owned());
        let targets: BTreeSet<_> = targets.collect();
        assert_eq!(
            targets,
            ARCHIVES
                .iter()
                .map(|(target, _)| (*target).to_owned())
                .collect()
        );
    });
}

/// Z3, Z4: nothing is published before the tag was compared and everything passed, and nothing else may publish.
#[test]
fn z4_tests_come_before_publishing() {
    read_as_yaml("release.yml", |release| {
        assert_eq!(texts(at(release, &["on", "push", "tags"])), ["v*"]);
        let jobs = at(release, &["jobs"]);
        let needs = |job: &str| at(jobs, &[job]).get("needs").map(texts).unwrap_or_default();
        assert_eq!(needs("publish"), ["version", "build", "sbom"]);
        assert_eq!(needs("build"), ["version"]);
        assert_eq!(
            texts(at(jobs, &["build", "uses"])),
            ["./.github/workflows/build.yml"]
        );
        for job in jobs.map().unwrap() {
            let permissions = job
                .value
                .get("permissions")
                .unwrap_or_else(|| panic!("{}: permissions", job.key));
            let may: BTreeSet<_> = permissions
                .map()
                .unwrap()
                .iter()
                .map(|e| e.value.text().unwrap())
                .collect();
            assert_eq!(
                may.contains("write"),
                job.key == "publish",
                "{}: {may:?}",
                job.key
            );
            assert!(
                job.value.get("if").is_none(),
                "{}: a condition could pass over what it needs",
                job.key
            );
        }
    });
}

/// O1: the pages are tested before they are published, and only the job that publishes may write.
#[test]
fn o1_the_site_is_looked_at_before_it_is_published() {
    read_as_yaml("site.yml", |site| {
        let jobs = at(site, &["jobs"]);
        assert_eq!(texts(at(jobs, &["publish", "needs"])), ["build"]);
        let scripts = |job: &str| -> Vec<String> {
            let steps = at(jobs, &[job, "steps"]).list().unwrap().iter();
            steps
                .filter_map(|step| Some(step.get("run")?.text().unwrap().to_owned()))
                .collect()
        };
        assert!(scripts("build").contains(&"docs/site/test/run.sh".to_owned()));
        assert!(scripts("publish").concat().contains("build.mjs --check"));
        for (job, may) in [("build", "read"), ("publish", "write")] {
            assert_eq!(texts(at(jobs, &[job, "permissions", "contents"])), [may]);
        }
    });
}

/// The branch holds the site and nothing else, and what is no site is not pushed.
#[cfg(unix)]
#[test]
fn o1_a_finished_site_becomes_the_one_commit_of_its_branch() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let stranger = at("stranger");
    let run = |program: &Path, words: &[&std::ffi::OsStr]| {
        std::process::Command::new(program)
            .args(words)
            .current_dir(root())
            .env_remove("GITHUB_TOKEN")
            .output()
            .unwrap()
    };
    if std::process::Command::new("git").output().is_err() {
        return;
    }
    let in_repository = run(Path::new("git"), &["rev-parse".as_ref(), "HEAD".as_ref()]);
    if !in_repository.status.success() {
        // An archive of the sources has no commit that a site could be of.
        return;
    }
    let (site, remote) = (at("site"), at("remote"));
    let made = ["init", "--quiet", "--bare"].map(std::ffi::OsStr::new);
    let made = [&made[..], &[remote.as_os_str()]].concat();
    assert!(run(Path::new("git"), &made).status.success());
    let script = root().join("scripts/publish-site.sh");
    // As a hook would run it: whatever repository git was told of is left alone.
    assert!(
        run(
            Path::new("git"),
            &["init".as_ref(), "--quiet".as_ref(), stranger.as_os_str()]
        )
        .status
        .success()
    );
    let publish = || {
        std::process::Command::new(&script)
            .args([&site, &remote])
            .current_dir(root())
            .env_remove("GITHUB_TOKEN")
            .env("GIT_INDEX_FILE", stranger.join(".git/index"))
            .output()
            .unwrap()
    };
    fs::create_dir_all(site.join("results")).unwrap();
    fs::write(site.join("index.html"), "<p>").unwrap();
    let refused = publish();
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("is no finished site"));
    fs::write(site.join("results/manifest.json"), "{}").unwrap();
    for _ in 0..2 {
        let published = publish();
        let told = String::from_utf8_lossy(&published.stderr);
        assert!(published.status.success(), "{told}");
    }
    let git = |words: &[&str]| {
        let words: Vec<_> = [&["--git-dir", remote.to_str().unwrap()], words]
            .concat()
            .into_iter()
            .map(std::ffi::OsStr::new)
            .collect();
        String::from_utf8(run(Path::new("git"), &words).stdout).unwrap()
    };
    assert_eq!(git(&["rev-list", "--count", "gh-pages"]).trim(), "1");
    let files = git(&["ls-tree", "-r", "--name-only", "gh-pages"]);
    let files: Vec<_> = files.lines().collect();
    assert_eq!(files, [".nojekyll", "index.html", "results/manifest.json"]);
    assert!(!stranger.join(".git/index").exists());
}

/// Z5: the workflow, the packaging script, the installer, cargo binstall and the page mean the same archives.
#[test]
fn z5_archives_have_one_name() {
    let (release, package) = (
        read(".github/workflows/release.yml"),
        read("scripts/package.sh"),
    );
    let (manifest, page) = (read("Cargo.toml"), read("docs/installing.md"));
    for (target, archive) in ARCHIVES {
        let (platform, extension) = archive.split_once('.').unwrap();
        assert!(
            release.contains(&format!(" {archive}")),
            "release.yml: {archive}"
        );
        let pattern = target.replace("msvc", "*");
        let (_, case) = package
            .split_once(&format!("\n{pattern})"))
            .unwrap_or_else(|| panic!("package.sh: {target}"));
        let (case, _) = case.split_once(";;").unwrap();
        assert!(
            case.contains(&format!("platform={platform}\n"))
                || case.trim() == format!("platform={platform}")
        );
        assert_eq!(
            case.contains("extension=zip"),
            extension == "zip",
            "package.sh: {target}"
        );
        let table = format!("[package.metadata.binstall.overrides.{target}]");
        let (_, table) = manifest
            .split_once(&table)
            .unwrap_or_else(|| panic!("Cargo.toml: {target}"));
        let url =
            format!("{{ repo }}/releases/download/v{{ version }}/sedum_{{ version }}_{archive}\"");
        assert!(
            table.lines().nth(1).unwrap().ends_with(&url),
            "Cargo.toml: {target}"
        );
        let folder = format!("bin-dir = \"sedum_{{ version }}_{platform}/{{ bin }}");
        assert!(
            table.lines().take(4).any(|line| line.starts_with(&folder)),
            "Cargo.toml: {target}"
        );
        assert!(
            page.contains(&format!("sedum_VERSION_{archive}")),
            "installing.md: {archive}"
        );
    }
    let installer = read("install.sh");
    assert!(installer.contains("name=sedum_${version}_${os}_${arch}\n"));
    assert!(installer.contains("asset=$name.tar.gz\n"));
    assert!(package.contains("name=sedum_${version}_${platform}\n"));
    let repository = env!("CARGO_PKG_REPOSITORY");
    assert!(
        installer.contains(&format!("default_base={repository}/releases\n")),
        "Z1"
    );
}

/// Z5: what an archive carries.
#[test]
fn z5_archives_are_complete() {
    let package = read("scripts/package.sh");
    let (_, list) = package.split_once("for file in ").unwrap();
    let (list, _) = list.split_once(';').unwrap();
    let required: BTreeSet<_> = list.split_whitespace().collect();
    assert_eq!(
        required,
        BTreeSet::from(["README.md", "LICENSE", "TOOL_BOUNDARIES.md", "conformance"])
    );
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(
            package.contains(&format!("completions {shell} >")),
            "{shell}"
        );
    }
    assert!(package.contains("--example man -- "));
}

/// What the sources include from outside `src` is part of the published crate, and so is the licence.
#[test]
fn the_published_crate_is_whole() {
    fn look(folder: &Path, wanted: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                look(&path, wanted);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                for (start, found) in text.match_indices("include_str!(\"../") {
                    let name = text[start + found.len() - 3..].split('"').next().unwrap();
                    let file = folder.join(name).canonicalize().unwrap();
                    let inside = file.strip_prefix(root().canonicalize().unwrap()).unwrap();
                    wanted.insert(format!("/{}", inside.display()).replace('\\', "/"));
                }
            }
        }
    }
    let mut wanted = BTreeSet::from(["/LICENSE".to_owned(), "/README.md".to_owned()]);
    look(&root().join("src"), &mut wanted);
    assert!(wanted.contains("/docs/rules.md"), "{wanted:?}");
    let manifest = read("Cargo.toml");
    let (_, list) = manifest.split_once("\ninclude = [").unwrap();
    let (list, _) = list.split_once(']').unwrap();
    for path in wanted.iter().filter(|path| !path.starts_with("/src/")) {
        assert!(
            list.contains(&format!("\"{path}\"")),
            "Cargo.toml does not include {path}"
        );
    }
}

/// The stated Rust version is written once; the workflows install what `Cargo.toml` says.
#[test]
fn the_rust_version_is_stated_once() {
    let stated = env!("CARGO_PKG_RUST_VERSION");
    assert!(
        read("Cargo.toml").contains(&format!("\nrust-version = \"{stated}\"\n")),
        "toolchain.sh reads this line"
    );
    for (name, text) in workflows() {
        assert!(
            !text.contains(stated),
            "{name} states a Rust version of its own"
        );
        let rust = text.matches("scripts/toolchain.sh").count();
        assert!(
            rust > 0 || !text.contains("cargo "),
            "{name} uses whatever Rust is there"
        );
    }
}

#[cfg(unix)]
mod scripts {
    use std::process::{Command, Output};

    use tempfile::TempDir;

    use super::{Path, PathBuf, fs, read, root};

    /// The scripts, with a manifest and a changelog of the test's own.
    fn copy(version: &str, changelog: &str) -> TempDir {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("scripts")).unwrap();
        for script in ["scripts/version.sh", "scripts/release-notes.sh"] {
            fs::copy(root().join(script), place.path().join(script)).unwrap();
        }
        let manifest = read("Cargo.toml");
        let stated = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
        let changed = manifest.replacen(&stated, &format!("version = \"{version}\""), 1);
        fs::write(place.path().join("Cargo.toml"), changed).unwrap();
        fs::write(place.path().join("CHANGELOG.md"), changelog).unwrap();
        place
    }

    fn bash(place: &Path, arguments: &[&str]) -> Output {
        Command::new("bash")
            .args(arguments)
            .current_dir(place)
            .output()
            .unwrap()
    }

    fn text(bytes: &[u8]) -> &str {
        std::str::from_utf8(bytes).unwrap()
    }

    const CHANGELOG: &str = "# Changelog\n\n## 1.3.0 (unreleased)\n\nnext\n\n## 1.2.3 - 2027-01-05\n\nthis\n\n### Part\n\nmore\n\n## 1.2.30\n\nother\n";

    /// Z2: the version is Cargo.toml's.
    #[test]
    fn z2_the_version_is_the_constant() {
        let printed = bash(&root(), &["scripts/version.sh"]);
        assert_eq!(text(&printed.stdout), format!("{}\n", sedum::VERSION));
        assert_eq!(sedum::VERSION, env!("CARGO_PKG_VERSION"));
    }

    #[test]
    fn z3_only_the_tag_of_the_version_passes() {
        let place = copy("1.2.3", CHANGELOG);
        let passed = bash(place.path(), &["scripts/version.sh", "v1.2.3"]);
        assert!(passed.status.success(), "{}", text(&passed.stderr));
        assert_eq!(text(&passed.stdout), "1.2.3\n");
        for tag in [
            "1.2.3",
            "v1.2.4",
            "v1.2.30",
            "v1.2",
            "V1.2.3",
            "v1.2.3-rc.1",
            "vv1.2.3",
            "v",
            "",
        ] {
            let refused = bash(place.path(), &["scripts/version.sh", tag]);
            assert!(!refused.status.success(), "{tag}");
            assert_eq!(text(&refused.stdout), "", "{tag}");
            assert!(
                text(&refused.stderr).contains("expected v1.2.3"),
                "{tag}: {}",
                text(&refused.stderr)
            );
        }
    }

    /// The notes of a release are its section, which has to be there and to say that it is out.
    #[test]
    fn notes_are_the_section_of_the_version() {
        let place = copy("1.2.3", CHANGELOG);
        let notes = bash(place.path(), &["scripts/release-notes.sh", "1.2.3"]);
        assert_eq!(text(&notes.stdout), "\nthis\n\n### Part\n\nmore\n\n");
        for (version, why) in [
            ("1.3.0", "put the day of the release there"),
            ("1.2.4", "has no section"),
        ] {
            let place = copy(version, CHANGELOG);
            let refused = bash(
                place.path(),
                &["scripts/version.sh", &format!("v{version}")],
            );
            assert!(!refused.status.success(), "{version}");
            assert!(
                text(&refused.stderr).contains(why),
                "{}",
                text(&refused.stderr)
            );
        }
    }

    fn python(arguments: &[&str]) {
        let ran = Command::new("python3")
            .arg(root().join("scripts/archive.py"))
            .args(arguments)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}", text(&ran.stderr));
    }

    /// A folder as package.sh fills it, its files written in this order.
    fn filled(name: &str, order: &[&str]) -> (TempDir, PathBuf) {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join(name);
        for file in order {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("{file}\n")).unwrap();
        }
        (place, folder)
    }

    /// The same files are the same archive, byte by byte, whenever and in whatever order they were written.
    #[test]
    fn archives_are_reproducible() {
        let files = ["sedum", "README.md", "man/sedum.1", "conformance/a/b.json"];
        let mut backwards = files;
        backwards.reverse();
        for extension in ["tar.gz", "zip"] {
            let pack = |order: &[&str]| {
                let (place, folder) = filled("sedum_1.2.3_linux_amd64", order);
                let archive = place.path().join(format!("archive.{extension}"));
                python(&[
                    "pack",
                    folder.to_str().unwrap(),
                    archive.to_str().unwrap(),
                    "1700000000",
                ]);
                (place, archive)
            };
            let (one, two) = (pack(&files), pack(&backwards));
            assert_eq!(
                fs::read(&one.1).unwrap(),
                fs::read(&two.1).unwrap(),
                "{extension}"
            );
            let out = one.0.path().join("out");
            python(&["unpack", one.1.to_str().unwrap(), out.to_str().unwrap()]);
            for file in files {
                let unpacked = out.join("sedum_1.2.3_linux_amd64").join(file);
                assert_eq!(fs::read_to_string(unpacked).unwrap(), format!("{file}\n"));
            }
        }
    }

    /// Entries are sorted, of one time, owned by nobody in particular, and the program alone may be run.
    #[test]
    fn archives_tell_nothing_of_the_machine() {
        let (place, folder) = filled(
            "sedum_1.2.3_linux_amd64",
            &["sedum", "README.md", "man/sedum.1"],
        );
        let archive = place.path().join("archive.tar.gz");
        python(&[
            "pack",
            folder.to_str().unwrap(),
            archive.to_str().unwrap(),
            "1700000000",
        ]);
        let mut list = Command::new("python3");
        list.args(["-c", "import sys, tarfile\nfor e in tarfile.open(sys.argv[1]):\n  print(e.name, oct(e.mode), e.mtime, e.uid, e.gid, repr(e.uname))"]);
        let listed = list.arg(&archive).output().unwrap();
        assert_eq!(
            text(&listed.stdout),
            "sedum_1.2.3_linux_amd64 0o755 1700000000 0 0 ''\n\
             sedum_1.2.3_linux_amd64/README.md 0o644 1700000000 0 0 ''\n\
             sedum_1.2.3_linux_amd64/man 0o755 1700000000 0 0 ''\n\
             sedum_1.2.3_linux_amd64/man/sedum.1 0o644 1700000000 0 0 ''\n\
             sedum_1.2.3_linux_amd64/sedum 0o755 1700000000 0 0 ''\n"
        );
    }

    /// One line an archive, of every kind, sorted, in the form that `sha256sum --check` reads; and no other file.
    #[test]
    fn checksums_cover_the_archives() {
        let (_place, folder) = filled(
            "dist",
            &[
                "sedum_1_b.zip",
                "sedum_1_a.tar.gz",
                "notes.md",
                "sedum_1_sbom.cdx.json",
            ],
        );
        python(&["checksums", folder.to_str().unwrap()]);
        let sums = fs::read_to_string(folder.join("checksums.txt")).unwrap();
        // The SHA-256 of "sedum_1_a.tar.gz\n" and of "sedum_1_b.zip\n".
        assert_eq!(
            sums,
            "247821ec0622936df55edfb7b4ca69b597f5e9848b734f6559bc1a3036c396d4  sedum_1_a.tar.gz\n\
             cd200bb53bcb448e4486f30dbb54107411a2f8adf19abb175133a8a7ecb0eb0b  sedum_1_b.zip\n"
        );
    }

    /// The bill of materials names the program and a crate for each name and version in it, with Cargo.lock's checksum.
    #[test]
    fn the_bill_of_materials_is_cargos() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("sedum.cdx.json");
        let mut sbom = Command::new("python3");
        let ran = sbom
            .arg(root().join("scripts/sbom.py"))
            .arg(&file)
            .env("CARGO_NET_OFFLINE", "true")
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}", text(&ran.stderr));
        let found: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        assert_eq!(found["metadata"]["component"]["version"], sedum::VERSION);
        let lock = read("Cargo.lock");
        let components = found["components"].as_array().unwrap();
        for component in components {
            let field = |key: &str| component[key].as_str().unwrap();
            let entry = format!(
                "name = \"{}\"\nversion = \"{}\"\n",
                field("name"),
                field("version")
            );
            let (_, rest) = lock
                .split_once(&entry)
                .unwrap_or_else(|| panic!("{entry} is not in Cargo.lock"));
            let sum = component["hashes"][0]["content"].as_str().unwrap();
            assert!(
                rest.lines()
                    .take(2)
                    .any(|line| line == format!("checksum = \"{sum}\"")),
                "{entry}"
            );
        }
        let names: Vec<_> = components
            .iter()
            .map(|one| one["name"].as_str().unwrap())
            .collect();
        assert!(
            names.contains(&"clap") && names.contains(&"rustls"),
            "{names:?}"
        );
        assert!(
            !names.contains(&"proptest"),
            "what only tests need is in no program"
        );
    }
}
