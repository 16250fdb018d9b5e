//! Attacks by path: every route by which a path comes into a run, with every kind of path that must not be written.
//!
//! Each case starts the program in a folder that holds packages, records, an output directory and, beside them,
//! `elsewhere`, which no run may touch or show. A case says whether the rules refuse it, and with which status and words,
//! or allow it, and where the text then lies. A refused case leaves the whole folder as it was, byte by byte, and no case
//! may take long or show what lies elsewhere (X32, R9, R9a, J24, C17).

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::loom::{self, FILES_ONLY, REPLAY, call, loom, record, recording_of, thread};
use crate::run::{Files, Run, files_below};

/// What lies in `elsewhere` and must not be seen anywhere.
const SECRET: &str = "SECRET-5f0c27";
/// No case takes longer, whatever it is.
const PATIENCE: Duration = Duration::from_mins(1);

/// What the rules say of a case.
enum Verdict {
    /// Refused with status 1, and stderr says each of these.
    Refused(Vec<String>),
    /// Allowed: the file, from the case's folder, says this.
    Allowed(&'static str, &'static str),
}

struct Case {
    name: String,
    run: Run,
    verdict: Verdict,
}

/// The cases that were tried.
#[derive(Default)]
struct Attacks {
    cases: Vec<Case>,
}

impl Attacks {
    fn refused(&mut self, name: impl Into<String>, run: Run, saying: &[&str]) {
        let saying = saying.iter().map(|&text| text.to_owned()).collect();
        self.case(name, run, Verdict::Refused(saying));
    }

    fn allowed(
        &mut self,
        name: impl Into<String>,
        run: Run,
        file: &'static str,
        says: &'static str,
    ) {
        self.case(name, run, Verdict::Allowed(file, says));
    }

    fn case(&mut self, name: impl Into<String>, run: Run, verdict: Verdict) {
        let name = name.into();
        self.cases.push(Case { name, run, verdict });
    }

    /// Tries all, and says how many there were.
    fn try_all(self, route: &str) {
        let (mut refused, mut allowed) = (0, 0);
        let mut failures = Vec::new();
        for case in self.cases {
            match case.verdict {
                Verdict::Refused(_) => refused += 1,
                Verdict::Allowed(..) => allowed += 1,
            }
            if let Err(why) = attempt(&case) {
                failures.push(format!("{}: {why}", case.name));
            }
        }
        tell(&format!(
            "attacks by {route}: {refused} refused, {allowed} allowed"
        ));
        assert!(failures.is_empty(), "{route}:\n{}", failures.join("\n\n"));
    }
}

#[allow(clippy::print_stdout)] // the figures are shown by `cargo test -- --nocapture`
fn tell(text: &str) {
    println!("{text}");
}

/// Carries one case out and says what is wrong with what came of it.
fn attempt(case: &Case) -> Result<(), String> {
    let mut command = case.run.command();
    let dir = command.get_current_dir().unwrap().to_owned();
    // What the program prints goes to files, so that it can be waited for with patience.
    let (out, err) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
    command
        .stdout(Stdio::from(out.try_clone().unwrap()))
        .stderr(Stdio::from(err.try_clone().unwrap()));
    let before = files_below(&dir);
    let mut child = command.spawn().unwrap();
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            return Err(format!("still runs after {PATIENCE:?}"));
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let after = files_below(&dir);
    let (out, err) = (whole(out), whole(err));
    let said = format!("status {:?}\n{out}{err}", status.code());
    let check = |holds: bool, what: &str| {
        if holds {
            Ok(())
        } else {
            Err(format!("{what}\n{said}"))
        }
    };
    check(!said.contains(SECRET), "shows what lies elsewhere")?;
    check(
        !said.contains(['\0', '\u{1b}', '\u{7}', '\r']),
        "prints a control character",
    )?;
    check(!said.contains("panicked"), "panics")?;
    let elsewhere = |files: &Files| -> Files {
        let of = files
            .iter()
            .filter(|(path, _)| path.starts_with("elsewhere"));
        of.map(|(path, bytes)| (path.clone(), bytes.clone()))
            .collect()
    };
    check(
        elsewhere(&before) == elsewhere(&after),
        "something elsewhere changed",
    )?;
    match &case.verdict {
        Verdict::Refused(saying) => {
            check(status.code() == Some(1), "is not refused with status 1")?;
            check(before == after, "something changed")?;
            check(
                err.lines().any(|line| line.starts_with("sedum: ")),
                "has no message",
            )?;
            for text in saying {
                check(err.contains(text), &format!("does not say {text:?}"))?;
            }
            Ok(())
        }
        Verdict::Allowed(file, says) => {
            check(status.code() == Some(0), "is not allowed")?;
            let text = fs::read_to_string(dir.join(file)).unwrap_or_default();
            check(text.contains(says), &format!("{file} lacks {says:?}"))?;
            let secret =
                |(_, bytes): (&String, &Vec<u8>)| String::from_utf8_lossy(bytes).contains(SECRET);
            let below_out = after.iter().filter(|(path, _)| path.starts_with("out/"));
            check(
                !below_out.into_iter().any(secret),
                "copies what lies elsewhere",
            )
        }
    }
}

fn whole(mut file: fs::File) -> String {
    use std::io::Seek as _;
    file.rewind().unwrap();
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A package, records and what lies elsewhere.
fn place<'a>(args: impl IntoIterator<Item = &'a str>) -> Run {
    let elsewhere = format!("cloth elsewhere\n-- {SECRET}\nbegin\nend\n");
    loom(args)
        .file("elsewhere/scarf.loom", &elsewhere)
        .file("elsewhere/x.loom", &elsewhere)
        .file(
            "elsewhere/secret.yml",
            format!("id: {SECRET}\naffected_scope: 7\n"),
        )
}

/// A replay of `recording` in such a place.
fn replay(recording: String) -> Run {
    place(REPLAY).file("run.json", recording)
}

/// A replay of a thread in the scarf.
fn scarf() -> Run {
    replay(loom::recording(&[thread("red")]))
}

fn at(run: &Run) -> PathBuf {
    run.command().get_current_dir().unwrap().to_owned()
}

/// Paths that no route may let through; `{DIR}` is the case's folder.
const BAD_PATHS: &[&str] = &[
    "../elsewhere/x.loom",
    "cloth/../../elsewhere/x.loom",
    "cloth/./..//../elsewhere/x.loom",
    "{DIR}/elsewhere/x.loom",
    "/x.loom",
    "//host/share/x.loom",
    "C:/x.loom",
    "c:x.loom",
    "./C:/x.loom",
    "..\\elsewhere\\x.loom",
    "cloth\\x.loom",
    "\\\\host\\share\\x.loom",
    ".git/x.loom",
    "cloth/.GIT/x.loom",
    "nul.loom",
    "cloth/Com1.loom",
    "AUX/x.loom",
    "lpt9 .x/x.loom",
    "cloth./x.loom",
    "cloth /x.loom",
    "cl\u{0}oth/x.loom",
    "cloth/\u{1b}[31mx.loom",
    "cloth/a\nb.loom",
    "cloth/a\rb.loom",
    "cloth/\u{7f}\u{9b}x.loom",
    "cloth/x.loom/",
    "..",
    ".",
    "",
];

/// Paths that the rules of text let through and the output tree does not.
const TREE_PATHS: &[&str] = &[
    ".sedum/x.loom",
    ".SEDUM/x.loom",
    "cloth/LONG.loom",
    "DEEP/x.loom",
];

/// The path as it is tried.
fn spelt(path: &str, dir: &Path) -> String {
    path.replace("{DIR}", dir.to_str().unwrap())
        .replace("LONG", &"n".repeat(300))
        .replace("DEEP", &"n/".repeat(3_000))
}

fn yaml(text: &str) -> String {
    // JSON text is YAML text.
    json!(text).to_string()
}

#[test]
fn by_a_record() {
    let mut attacks = Attacks::default();
    let run = |entry: &str| {
        let run = place(FILES_ONLY).without("rec");
        let entry = spelt(entry, &at(&run));
        run.file(
            "rec/r.yml",
            format!("id: r-1\naffected_scope: [{}]\n", yaml(&entry)),
        )
    };
    // An entry that ends in a slash is a pattern, and a blank one is skipped (Q1, R7).
    let literals = BAD_PATHS.iter().filter(|path| !path.is_empty());
    for path in literals.filter(|path| !path.ends_with("x.loom/")) {
        attacks.refused(format!("literal {path:?}"), run(path), &["r.yml"]);
    }
    for path in TREE_PATHS {
        attacks.refused(format!("literal {path:?}"), run(path), &[]);
    }
    for pattern in [
        "../**",
        "../elsewhere/*.loom",
        "cloth/../../*.loom",
        "/**",
        "{DIR}/elsewhere/*.loom",
        "C:/*.loom",
        "//host/share/*",
        "..\\elsewhere\\*",
        ".git/**",
        "cloth/.Git/*",
        "nul.*/x*",
        "cloth./*",
        "cl\u{0}oth/*",
        "cloth/\u{1b}*",
        "../elsewhere/",
    ] {
        attacks.refused(format!("pattern {pattern:?}"), run(pattern), &["r.yml"]);
    }
    attacks.try_all("a record");
}

#[test]
fn by_names_that_are_one_on_some_file_systems() {
    let mut attacks = Attacks::default();
    for (first, second) in [
        ("cloth/a.loom", "cloth/A.loom"),
        ("cloth/a.loom", "Cloth/b.loom"),
        ("cloth/\u{e9}.loom", "cloth/e\u{301}.loom"),
        ("cloth/\u{3c3}.loom", "cloth/\u{3c2}.loom"),
        ("cloth/s.loom", "cloth/\u{17f}.loom"),
    ] {
        let one = format!(
            "id: r-1\naffected_scope: [{}, {}]\n",
            yaml(first),
            yaml(second)
        );
        attacks.refused(
            format!("one record {first:?} {second:?}"),
            place(FILES_ONLY).without("rec").file("rec/r.yml", one),
            &[first, second],
        );
        let scope = |id: &str, path: &str| format!("id: {id}\naffected_scope: [{}]\n", yaml(path));
        attacks.refused(
            format!("two records {first:?} {second:?}"),
            place(FILES_ONLY)
                .without("rec")
                .file("rec/a.yml", scope("r-1", first))
                .file("rec/b.yml", scope("r-2", second)),
            &[first, second],
        );
        let file = |path: &str| json!({ "path": path, "package": "loom", "template": "" });
        let mut recorded = record("r-1", &[], &[]);
        recorded["files"] = json!([file(first), file(second)]);
        attacks.refused(
            format!("a recording {first:?} {second:?}"),
            replay(recording_of(&[recorded])),
            &[first, second],
        );
    }
    attacks.try_all("names that are one");
}

#[test]
fn by_a_recording() {
    let mut attacks = Attacks::default();
    let run = |change: &dyn Fn(&mut serde_json::Value, &Path)| {
        let run = place(REPLAY);
        let mut recorded = record("r-1", &["scarf"], &[]);
        change(&mut recorded["files"][0], &at(&run));
        run.file("run.json", recording_of(&[recorded]))
    };
    for path in BAD_PATHS.iter().chain(TREE_PATHS) {
        attacks.refused(
            format!("path {path:?}"),
            run(&|file, dir| {
                *file = json!({ "path": spelt(path, dir), "package": "loom", "template": "" });
            }),
            &[],
        );
    }
    for capture in ["../../elsewhere/x", "../x", "x/../../../elsewhere/x", "a/b"] {
        attacks.refused(
            format!("capture {capture:?}, its path as filled in"),
            run(&|file, _| {
                file["path"] = json!(format!("cloth/{capture}.loom"));
                file["captures"]["name"] = json!(capture);
            }),
            &["run.json"],
        );
        attacks.refused(
            format!("capture {capture:?}"),
            run(&|file, _| file["captures"]["name"] = json!(capture)),
            &["run.json", "cloth/{name}.loom"],
        );
    }
    for template in [
        "../../../elsewhere/x.loom",
        "{DIR}/elsewhere/x.loom",
        "../actions/addThread.loom",
        "cloth/../cloth/{name}.loom",
        "\u{1b}]0;x\u{7}",
    ] {
        attacks.refused(
            format!("template {template:?}"),
            run(&|file, dir| file["template"] = json!(spelt(template, dir))),
            &["run.json"],
        );
    }
    for package in ["../gen/loom", "..", "{DIR}/gen/loom", "loom/../loom", ""] {
        attacks.refused(
            format!("package {package:?}"),
            run(&|file, dir| file["package"] = json!(spelt(package, dir))),
            &["run.json"],
        );
    }
    attacks.try_all("a recording");
}

#[test]
fn by_an_argument_of_an_action() {
    let mut attacks = Attacks::default();
    for path in BAD_PATHS.iter().chain(TREE_PATHS) {
        let run = place(REPLAY);
        let path = spelt(path, &at(&run));
        let slug = if path.is_empty() {
            "[empty_kwarg]"
        } else {
            "[unauthorized_path]"
        };
        let note = call("addNote", json!({ "file": path, "text": "x" }));
        attacks.refused(
            format!("kwarg {path:.60?}"),
            run.file("run.json", loom::recording(&[note])),
            &[slug, "r-scarf"],
        );
    }
    // Template syntax in a value is text.
    for path in [
        "{{mill}}.loom",
        "{{file}}",
        "cloth/{name}.loom",
        "cloth/*.loom",
        "cloth/$0.loom",
    ] {
        let note = call("addNote", json!({ "file": path, "text": "x" }));
        attacks.refused(
            format!("kwarg {path:?}"),
            replay(loom::recording(&[note])),
            &["[unauthorized_path]", path],
        );
    }
    let note = call(
        "addNote",
        json!({ "file": "./cloth/x/..//scarf.loom", "text": "x" }),
    );
    attacks.allowed(
        "kwarg that cleans to an authorised path",
        replay(loom::recording(&[note])),
        "out/cloth/scarf.loom",
        "sedum:addNote",
    );
    for path in ["../elsewhere/x.loom", "/x.loom", "a\u{1b}b.loom"] {
        let kwargs = json!({ "file": path, "text": "x" }).to_string();
        attacks.refused(
            format!("render {path:?}"),
            place([
                "render",
                "--generators",
                "gen",
                "--package",
                "loom",
                "--action",
                "addNote",
            ])
            .args(["--kwargs", &kwargs]),
            &["addNote"],
        );
    }
    attacks.try_all("an argument of an action");
}

#[test]
fn by_a_package_that_says_where_to_inject() {
    let mut attacks = Attacks::default();
    let run = |target: &str| {
        let run = scarf();
        let target = yaml(&spelt(target, &at(&run)));
        let actions = fs::read_to_string(at(&run).join("gen/loom/actions/actions.yaml")).unwrap();
        let actions = actions.replacen("\"cloth/{{cloth|ident}}.loom\"", &target, 1);
        run.file("gen/loom/actions/actions.yaml", actions)
    };
    for path in BAD_PATHS.iter().chain(TREE_PATHS) {
        attacks.refused(format!("injects_into {path:?}"), run(path), &[]);
    }
    // A variable of the person who runs it is text as well.
    for value in ["..", "../../elsewhere", "/", "a\u{1b}b"] {
        let value = format!("mill={value}");
        attacks.refused(
            format!("variable {value:?}"),
            run("cloth/{{mill}}/x.loom").args(["--var", &value]),
            &["[unauthorized_path]"],
        );
    }
    attacks.try_all("a package that says where to inject");
}

#[cfg(unix)]
mod links {
    use super::*;
    use crate::loom::SCARF;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    /// A link in a case's folder; `{DIR}` in what it holds is that folder.
    fn link(run: Run, path: &str, to: &str) -> Run {
        let dir = at(&run);
        let to = spelt(to, &dir);
        run.set_up(|dir| {
            let path = dir.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            if path.is_dir() {
                fs::remove_dir_all(&path).unwrap();
            } else if path.symlink_metadata().is_ok() {
                fs::remove_file(&path).unwrap();
            }
            symlink(to, path).unwrap();
        })
    }

    /// A file with a second name elsewhere.
    fn second_name(run: Run, path: &str) -> Run {
        run.file("elsewhere/twin", format!("{SECRET}\n"))
            .set_up(|dir| {
                let path = dir.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::hard_link(dir.join("elsewhere/twin"), path).unwrap();
            })
    }

    /// What is neither file nor folder.
    fn special(run: Run, path: &str, kind: &str) -> Run {
        run.set_up(|dir| {
            let path = dir.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let _ = fs::remove_file(&path);
            let _ = fs::remove_dir_all(&path);
            match kind {
                "fifo" => {
                    let made = std::process::Command::new("mkfifo").arg(&path).status();
                    assert!(made.unwrap().success());
                }
                // The listener is gone at once; the socket stays.
                "socket" => drop(UnixListener::bind(&path).unwrap()),
                _ => symlink("/dev/zero", &path).unwrap(),
            }
        })
    }

    const SPECIALS: [&str; 3] = ["fifo", "socket", "device"];

    #[test]
    fn in_the_output_directory() {
        let mut attacks = Attacks::default();
        let target = "out/cloth/scarf.loom";
        for (path, to) in [
            ("out/cloth", "../elsewhere"),
            ("out/cloth", "{DIR}/elsewhere"),
            ("out/cloth", ".."),
            ("out/cloth", "/"),
            ("out/cloth", "../out/real"),
            ("out/cloth", "nowhere"),
            ("out/cloth", "cloth"),
            ("out/cloth", ".git"),
            ("out/cloth", ".sedum"),
            (target, "../../elsewhere/scarf.loom"),
            (target, "{DIR}/elsewhere/scarf.loom"),
            (target, "../../elsewhere/new.loom"),
            (target, "nowhere.loom"),
            (target, "scarf.loom"),
            (target, "../.git/config"),
            (target, "../.sedum/lock"),
            (target, ".."),
        ] {
            let run = scarf()
                .file("out/real/scarf.loom", SCARF)
                .file("out/.git/config", "[core]\n");
            attacks.refused(format!("{path} -> {to}"), link(run, path, to), &["cloth"]);
        }
        let run = || scarf().file("out/real/scarf.loom", SCARF);
        attacks.allowed(
            "a link to a folder that stays",
            link(run(), "out/cloth", "real"),
            "out/real/scarf.loom",
            "thread red",
        );
        attacks.allowed(
            "an absolute link that stays",
            link(run(), target, "{DIR}/out/real/scarf.loom"),
            "out/real/scarf.loom",
            "thread red",
        );
        attacks.allowed(
            "a chain of links that stays",
            link(
                link(run(), "out/a", "real"),
                target,
                "../a/../real/scarf.loom",
            ),
            "out/real/scarf.loom",
            "thread red",
        );
        for chain in ["../../elsewhere/scarf.loom", "{DIR}/elsewhere"] {
            attacks.refused(
                format!("a chain of links to {chain}"),
                link(link(run(), "out/b", chain), target, "../b"),
                &["cloth"],
            );
        }
        for kind in SPECIALS {
            for path in [target, "out/cloth"] {
                attacks.refused(
                    format!("a {kind} at {path}"),
                    special(scarf(), path, kind),
                    &["cloth"],
                );
            }
        }
        attacks.refused(
            "a folder where the file belongs",
            scarf().file("out/cloth/scarf.loom/x", ""),
            &["cloth/scarf.loom"],
        );
        attacks.allowed(
            "a second name of a file elsewhere: the name is replaced, the file is not",
            scarf().file("elsewhere/twin.loom", SCARF).set_up(|dir| {
                fs::create_dir_all(dir.join("out/cloth")).unwrap();
                fs::hard_link(dir.join("elsewhere/twin.loom"), dir.join(target)).unwrap();
            }),
            target,
            "thread red",
        );
        let two = || {
            recording_of(&[
                record("r-1", &["scarf"], &[]),
                record("r-2", &["shawl"], &[]),
            ])
        };
        attacks.refused(
            "two paths that are one file by a link",
            link(
                replay(two()).file(target, SCARF),
                "out/cloth/shawl.loom",
                "scarf.loom",
            ),
            &["cloth/scarf.loom", "cloth/shawl.loom"],
        );
        attacks.refused(
            "two paths that are one file by a second name",
            replay(two()).file(target, SCARF).set_up(|dir| {
                fs::hard_link(dir.join(target), dir.join("out/cloth/shawl.loom")).unwrap();
            }),
            &["cloth/scarf.loom", "cloth/shawl.loom"],
        );
        attacks.try_all("the output directory");
    }

    #[test]
    fn as_the_output_directory_the_lock_the_log_and_the_recording() {
        let mut attacks = Attacks::default();
        attacks.allowed(
            "--output is missing",
            scarf(),
            "out/cloth/scarf.loom",
            "thread red",
        );
        attacks.allowed(
            "--output is a link to a folder, as its person chose",
            link(scarf().file("real/keep", ""), "out", "real"),
            "real/cloth/scarf.loom",
            "thread red",
        );
        attacks.refused(
            "--output is missing, and the run fails",
            scarf().file("run.json", loom::recording(&[call("nope", json!({}))])),
            &["nope"],
        );
        attacks.refused("--output is a file", scarf().file("out", "x"), &["out"]);
        attacks.refused(
            "--output is below a file",
            place(["grow", "--generators", "gen", "--execute", "run.json"])
                .args(["--output", "out/x"])
                .file("run.json", loom::recording(&[]))
                .file("out", "x"),
            &["out"],
        );
        attacks.refused(
            "--output is a link to nothing",
            link(scarf(), "out", "nowhere"),
            &["out"],
        );
        attacks.refused("--output is a loop", link(scarf(), "out", "out"), &["out"]);
        for kind in SPECIALS {
            attacks.refused(
                format!("--output is a {kind}"),
                special(scarf(), "out", kind),
                &["out"],
            );
            attacks.refused(
                format!("the lock is a {kind}"),
                special(scarf(), "out/.sedum/lock", kind),
                &["lock"],
            );
            attacks.refused(
                format!("the log is a {kind}"),
                special(scarf(), ".sedum/run.log", kind),
                &["log"],
            );
        }
        for (what, path, to) in [
            ("the lock", "out/.sedum/lock", "../../elsewhere/scarf.loom"),
            ("the lock", "out/.sedum/lock", "{DIR}/elsewhere/new"),
            ("the lock's folder", "out/.sedum", "../elsewhere"),
            ("the log", ".sedum/run.log", "../elsewhere/scarf.loom"),
            ("the log", ".sedum/run.log", "{DIR}/elsewhere/new"),
            ("the log's folder", ".sedum", "elsewhere"),
        ] {
            attacks.refused(
                format!("{what} is a link to {to}"),
                link(scarf(), path, to),
                &["sedum"],
            );
        }
        attacks.allowed(
            "--log is a link, as its person chose",
            link(scarf().args(["--log", "log"]), "log", "run.log"),
            "run.log",
            "addThread",
        );
        attacks.allowed(
            "--record is a link, as its person chose",
            link(
                place(FILES_ONLY).args(["--record", "made.json"]),
                "made.json",
                "kept.json",
            ),
            "kept.json",
            "r-scarf",
        );
        for (what, path, file, says) in [
            (
                "the lock",
                "out/.sedum/lock",
                "out/cloth/scarf.loom",
                "thread red",
            ),
            ("the log", ".sedum/run.log", ".sedum/run.log", "addThread"),
            ("--log", "log", "log", "addThread"),
        ] {
            let run = if path == "log" {
                scarf().args(["--log", "log"])
            } else {
                scarf()
            };
            attacks.allowed(
                format!("{what} is a second name of a file elsewhere, which stays as it is"),
                second_name(run, path),
                file,
                says,
            );
        }
        attacks.allowed(
            "--record is a second name of a file elsewhere, which stays as it is",
            second_name(
                place(FILES_ONLY).args(["--record", "made.json"]),
                "made.json",
            ),
            "made.json",
            "r-scarf",
        );
        let target = "out/cloth/scarf.loom";
        for flag in ["--log", "--record"] {
            let run = |path: &str| {
                let run = if flag == "--log" {
                    scarf()
                } else {
                    place(FILES_ONLY)
                };
                run.args([flag, path])
            };
            let there = |path: &str| run(path).file(target, SCARF);
            attacks.refused(
                format!("{flag} is a file of the run"),
                there(target),
                &["cloth/scarf.loom", flag],
            );
            attacks.refused(
                format!("{flag} is a file of the run that is yet to be made"),
                run(target).file("out/cloth/other", ""),
                &["cloth/scarf.loom", flag],
            );
            attacks.refused(
                format!("{flag} is a link to a file of the run"),
                link(there("link"), "link", target),
                &["cloth/scarf.loom", flag],
            );
            attacks.refused(
                format!("{flag} is a file of the run by another way"),
                link(there("way/cloth/../cloth/scarf.loom"), "way", "out"),
                &["cloth/scarf.loom", flag],
            );
        }
        attacks.refused(
            "--record is a file of a run that stops before it reads one",
            place(FILES_ONLY)
                .args(["--record", target])
                .file(target, SCARF)
                .edit_args("files", "resolution"),
            &["cloth/scarf.loom", "--record"],
        );
        attacks.refused(
            "--execute is a file of the run",
            link(
                scarf().file("out/x/keep", ""),
                target,
                "{DIR}/out/x/run.json",
            )
            .set_up(|dir| {
                fs::rename(dir.join("run.json"), dir.join("out/x/run.json")).unwrap();
                symlink("out/x/run.json", dir.join("run.json")).unwrap();
            }),
            &["cloth/scarf.loom", "--execute"],
        );
        attacks.refused(
            "--record is a folder",
            place(FILES_ONLY).args(["--record", "elsewhere", "--dry-run"]),
            &["elsewhere"],
        );
        attacks.refused(
            "--execute is a folder",
            place(REPLAY).file("run.json/x", ""),
            &["run.json"],
        );
        attacks.refused(
            "--execute never ends",
            special(place(REPLAY), "run.json", "device"),
            &["run.json"],
        );
        attacks.try_all("the output directory itself, the lock, the log and the recording");
    }

    #[test]
    fn in_a_package() {
        let mut attacks = Attacks::default();
        let root = "gen/loom";
        for (path, to) in [
            ("actions/addThread.loom", "../../../elsewhere/x.loom"),
            ("actions/addThread.loom", "{DIR}/elsewhere/x.loom"),
            ("actions/addThread.loom", "nowhere"),
            ("actions/addThread.loom", "addThread.loom"),
            ("actions/addPick/plain.loom", "../../../../elsewhere/x.loom"),
            ("actions/addPick", "../../../elsewhere"),
            ("actions/actions.yaml", "../../../elsewhere/secret.yml"),
            ("actions", "../../elsewhere"),
            ("files/_default.loom", "../../../elsewhere/x.loom"),
            (
                "files/cloth/{name}.loom",
                "../../../../elsewhere/scarf.loom",
            ),
            ("files/cloth", "../../../elsewhere"),
            ("files", "../../elsewhere"),
            ("sedum.yaml", "../../elsewhere/secret.yml"),
        ] {
            attacks.refused(
                format!("{path} -> {to}"),
                link(scarf(), &format!("{root}/{path}"), to),
                &["loom"],
            );
        }
        // The folder's own link is what leads out, and nothing in it may be shown either.
        attacks.refused(
            "the actions' folder holds declarations elsewhere",
            link(
                scarf().file("elsewhere/actions.yaml", format!("{SECRET}: [\n")),
                "gen/loom/actions",
                "../../elsewhere",
            ),
            &["loom"],
        );
        for kind in SPECIALS {
            for path in [
                "sedum.yaml",
                "actions/actions.yaml",
                "actions/addThread.loom",
                "actions/addPick/twill.loom",
                "files/_default.loom",
                "files/new.loom",
            ] {
                attacks.refused(
                    format!("a {kind} at {path}"),
                    special(scarf(), &format!("{root}/{path}"), kind),
                    &["loom"],
                );
            }
        }
        attacks.allowed(
            "a template that is a link inside its package",
            link(
                scarf().file(
                    "gen/loom/kept/thread.loom",
                    "thread {{colour|lower}} x{{count}}\n",
                ),
                "gen/loom/actions/addThread.loom",
                "../kept/thread.loom",
            ),
            "out/cloth/scarf.loom",
            "thread red",
        );
        attacks.allowed(
            "a package that is a link",
            link(
                scarf().set_up(|dir| fs::rename(dir.join("gen/loom"), dir.join("real")).unwrap()),
                "gen/loom",
                "../real",
            ),
            "out/cloth/scarf.loom",
            "thread red",
        );
        attacks.refused(
            "a package that is a link to nothing",
            link(scarf(), "gen/other", "nowhere"),
            &["other"],
        );
        for folder in ["files", "actions/spare", "actions/addPick/spare"] {
            let tangled = ["a", "b", "c"].iter().fold(scarf(), |run, name| {
                link(run, &format!("{root}/{folder}/{name}"), ".")
            });
            attacks.refused(
                format!("links in {folder} that lead back, three at each step"),
                tangled,
                &["loom"],
            );
        }
        attacks.try_all("a package");
    }

    #[test]
    fn in_a_records_directory() {
        let mut attacks = Attacks::default();
        for to in [
            "../elsewhere/secret.yml",
            "{DIR}/elsewhere/secret.yml",
            "nowhere.yml",
            "odd.yml",
        ] {
            attacks.refused(
                format!("a record -> {to}"),
                link(place(FILES_ONLY), "rec/odd.yml", to),
                &["odd.yml"],
            );
        }
        for kind in SPECIALS {
            attacks.refused(
                format!("a record is a {kind}"),
                special(place(FILES_ONLY), "rec/odd.yaml", kind),
                &["odd.yaml"],
            );
        }
        attacks.allowed(
            "a record that is a link inside its directory",
            link(
                place(FILES_ONLY).file("rec/real", "id: r-9\naffected_scope: [cloth/cap.loom]\n"),
                "rec/odd.yml",
                "real",
            ),
            "out/cloth/cap.loom",
            "cloth Cap",
        );
        attacks.try_all("a records directory");
    }
}
