//! Inputs that are large, deep or tangled: a clear error or success, in bounded time and bounded memory (X36, X37).
//!
//! Every run has an allowance of memory and of time. A run that would need more is ended by the system, which no
//! case takes for an answer.

use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::loom::{self, FILES_ONLY, REPLAY, SCARF, call, loom, replay, thread};
use crate::run::{PROGRAM, Run};

/// Time that is far beyond what any case needs, and far below what any of them would need if it were not bounded.
const PATIENCE: Duration = Duration::from_mins(1);
/// Memory of an ordinary case, in kibibytes. Address space would be the wrong measure: allocators reserve much of it for
/// each thread and never touch it.
const SPACE: u64 = 128 * 1024;

struct Bounded {
    status: Option<i32>,
    out: String,
    err: String,
}

/// Carries a run out within its allowance.
fn within(run: &Run, space: u64) -> Bounded {
    let plain = run.command();
    let dir = plain.get_current_dir().unwrap();
    let (out, err) = (dir.join("bounded-out"), dir.join("bounded-err"));
    let to = |path| Stdio::from(fs::File::create(path).unwrap());
    let mut child = if cfg!(target_os = "linux") {
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("ulimit -d {space}; exec \"$@\""), "sh"])
            .arg(PROGRAM)
            .args(plain.get_args())
            .current_dir(dir);
        command
    } else {
        run.command()
    };
    let mut child = child
        .stdin(Stdio::null())
        .stdout(to(&out))
        .stderr(to(&err))
        .spawn()
        .unwrap();
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("still runs after {PATIENCE:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let done = Bounded {
        status: status.code(),
        out: fs::read_to_string(out).unwrap(),
        err: fs::read_to_string(err).unwrap(),
    };
    assert!(!done.err.contains("panicked"), "{:.2000}", done.err);
    done
}

/// Refused with status 1, or 2 for what the command line alone shows, in a message of bounded length.
fn refused(name: &str, run: &Run, status: i32, saying: &[&str]) {
    let done = within(run, SPACE);
    assert_eq!(done.status, Some(status), "{name}: {:.2000}", done.err);
    // A fault is quoted in part, and of very many only the first are told.
    assert!(done.err.len() < 100_000, "{name}: {} bytes", done.err.len());
    for text in saying {
        assert!(
            done.err.contains(text),
            "{name}: no {text:?} in {:.2000}",
            done.err
        );
    }
}

fn accepted(name: &str, run: &Run) -> Bounded {
    let done = within(run, SPACE);
    assert_eq!(done.status, Some(0), "{name}: {:.2000}", done.err);
    done
}

/// Lists of lists, nine of each, whose leaves would be more than the memory of any machine.
fn bomb() -> String {
    let mut text = String::from("l0: &l0 [x]\n");
    for level in 1..40 {
        let below = format!("*l{}, ", level - 1).repeat(9);
        let _ = writeln!(text, "l{level}: &l{level} [{below}]");
    }
    text
}

/// The same by merge keys.
fn merge_bomb() -> String {
    let mut text = String::from("l0: &l0 { a: x }\n");
    for level in 1..40 {
        let below = format!("*l{}, ", level - 1).repeat(9);
        let _ = writeln!(text, "l{level}: &l{level} {{ <<: [{below}] }}");
    }
    text
}

const YAML_FILES: [&str; 3] = [
    "rec/odd.yml",
    "gen/loom/sedum.yaml",
    "gen/loom/actions/actions.yaml",
];

#[test]
fn yaml_that_grows_when_it_is_read() {
    for file in YAML_FILES {
        for (name, text) in [
            ("lists", bomb()),
            ("merge keys", merge_bomb()),
            ("a list in itself", "a: &a [*a, *a]\n".to_owned()),
            ("a map in itself", "a: &a { <<: *a, b: *a }\n".to_owned()),
            ("an alias of nothing", "a: *a\n".to_owned()),
        ] {
            let run = loom(FILES_ONLY).file(file, format!("id: x\nname: loom\n{text}"));
            refused(
                &format!("{name} in {file}"),
                &run,
                1,
                &[file.rsplit('/').next().unwrap()],
            );
        }
    }
}

#[test]
fn documents_that_are_deep() {
    const DEEP: usize = 200_000;
    for file in YAML_FILES {
        for (name, text) in [
            ("flow lists", "[".repeat(DEEP)),
            ("flow maps", "{a: ".repeat(DEEP)),
            ("block lists", "- ".repeat(DEEP) + "x"),
            ("keys of keys", "? ".repeat(DEEP) + "x"),
            (
                "block maps",
                (0..1_000).fold(String::new(), |text, at| text + &" ".repeat(at) + "a:\n"),
            ),
        ] {
            let run = loom(FILES_ONLY).file(file, text);
            refused(&format!("{name} in {file}"), &run, 1, &[]);
        }
    }
    for (name, text) in [
        ("lists", "[".repeat(DEEP)),
        ("closed lists", "[".repeat(DEEP) + &"]".repeat(DEEP)),
        ("maps", "{\"a\":".repeat(DEEP)),
        (
            "an unknown key",
            format!(
                "{{\"a\":{}{},\"records\":[]}}",
                "[".repeat(DEEP),
                "]".repeat(DEEP)
            ),
        ),
    ] {
        refused(name, &loom(REPLAY).file("run.json", text), 1, &["run.json"]);
    }
    let kwargs = |text: &str| {
        loom([
            "render",
            "--generators",
            "gen",
            "--package",
            "loom",
            "--action",
            "addThread",
        ])
        .args(["--kwargs", text])
    };
    // One argument of a program is no longer than this.
    let deep = "[".repeat(60_000);
    refused("--kwargs", &kwargs(&deep), 2, &["--kwargs"]);
    refused(
        "--kwargs of maps",
        &kwargs(&"{\"a\":".repeat(20_000)),
        2,
        &["--kwargs"],
    );
    let lists = format!("{}{}", "[".repeat(DEEP), "]".repeat(DEEP));
    // What is not one of its own keys is carried as it is, however deep (M20).
    let carried =
        format!("{SCARF}-- sedum:addThread {{\"unknown\":{lists}}}\n-- /sedum:addThread\n");
    let run = replay(&[thread("red")]).file("out/cloth/scarf.loom", &carried);
    accepted("a carried attribute", &run);
    for attributes in [
        format!("{{\"kwargs\":{{\"cloth\":{lists}}}}}"),
        format!("{{\"kwargs\":{lists}}}"),
        "[".repeat(DEEP),
        "{\"a\":".repeat(DEEP),
    ] {
        let file = format!("{SCARF}-- sedum:addThread {attributes}\n-- /sedum:addThread\n");
        let run = replay(&[thread("red")]).file("out/cloth/scarf.loom", file);
        refused("attributes of a marker", &run, 1, &["cloth/scarf.loom"]);
    }
    let nested = (0..100).fold("files".to_owned(), |path, _| path + "/d");
    let run = replay(&[]).file(&format!("gen/loom/{nested}/{nested}/x.loom"), "");
    refused("folders of a package", &run, 1, &["loom"]);
}

#[test]
fn files_beyond_their_limits_x36() {
    /// A file with a hole of this size, which takes no place on the disk.
    fn sparse(run: Run, path: &str, size: u64) -> Run {
        run.set_up(|dir| {
            let path = dir.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::File::create(path).unwrap().set_len(size).unwrap();
        })
    }
    const MIB: u64 = 1 << 20;
    for (path, limit) in [
        ("rec/scarf.yml", 16),
        ("gen/loom/sedum.yaml", 16),
        ("gen/loom/actions/actions.yaml", 16),
        ("gen/loom/actions/addThread.loom", 4),
        ("gen/loom/files/_default.loom", 4),
        ("run.json", 16),
        ("out/cloth/scarf.loom", 256),
    ] {
        let run = || {
            if path.starts_with("rec") {
                loom(FILES_ONLY)
            } else {
                replay(&[thread("red")])
            }
        };
        let name = path.rsplit('/').next().unwrap();
        let limits = [format!("{limit} MiB"), (limit * MIB).to_string()];
        for size in [limit * MIB + 1, 1 << 40] {
            let run = sparse(run(), path, size);
            refused(path, &run, 1, &[name]);
            let said = within(&run, SPACE).err;
            assert!(
                limits.iter().any(|limit| said.contains(limit)),
                "{path}: {said:.2000}"
            );
        }
    }
}

#[test]
fn patterns_that_are_slow_elsewhere() {
    let line = "a".repeat(100_000);
    for pattern in [
        "(a+)+$",
        "(a*)*b",
        "(a|aa)+$",
        "(.*)(.*)(.*)(.*)x$",
        "(?m)^(a?){30}a{30}z",
    ] {
        let run = replay(&[call(
            "addMend",
            json!({ "file": "cloth/scarf.loom", "tight": true }),
        )])
        .edit(
            "gen/loom/actions/actions.yaml",
            "'(?m)^end$'",
            &format!("'{pattern}'"),
        )
        .file("out/cloth/scarf.loom", format!("{SCARF}-- {line}!\n"));
        let done = within(&run, SPACE);
        assert!(
            matches!(done.status, Some(0 | 1)),
            "{pattern}: {:.2000}",
            done.err
        );
    }
    for pattern in [
        "(a{1000}){1000}",
        "((a{100}){100}){100}",
        "\\pL{1000}{1000}",
    ] {
        let run = replay(&[]).edit(
            "gen/loom/actions/actions.yaml",
            "'(?m)^end$'",
            &format!("'{pattern}'"),
        );
        refused(pattern, &run, 1, &["[anchor_invalid]"]);
    }
    let deep = format!("'{}a{}'", "(".repeat(10_000), ")".repeat(10_000));
    let run = replay(&[]).edit("gen/loom/actions/actions.yaml", "'(?m)^end$'", &deep);
    refused("groups in groups", &run, 1, &["[anchor_invalid]"]);
    // Patterns of paths, against a path that almost matches.
    let path = format!("{}b.loom", "a/".repeat(60));
    let name = "a".repeat(200);
    let scopes = [
        format!("{}c", "**/a/".repeat(30)),
        format!("{}c", "**/".repeat(60)),
        format!("{}c/*", "*a".repeat(60)),
        format!("**/{}c", "*a".repeat(60)),
        format!("**/{}", "[a-z]*".repeat(40)),
    ];
    let run = loom(FILES_ONLY).without("rec").file(
        "rec/r.yml",
        json!({
            "id": "r-1",
            "affected_scope": [path, format!("{name}.loom"), format!("x/{name}.loom")],
            "forbidden_scope": &scopes[..4],
        })
        .to_string(),
    );
    accepted("scopes", &run);
    let pattern = ('a'..='m').fold(String::new(), |pattern, c| {
        pattern + "{" + c.encode_utf8(&mut [0; 4]) + "}a"
    });
    let run = loom(FILES_ONLY)
        .without("rec")
        .file(&format!("gen/loom/files/t/{pattern}.loom"), "x\n")
        .file(
            "rec/r.yml",
            json!({ "id": "r-1", "affected_scope": [format!("t/{name}b.loom")] }).to_string(),
        );
    accepted("captures", &run);
}

#[test]
fn a_hundred_thousand_findings() {
    let mut template = String::new();
    for number in 0..100_000 {
        let _ = writeln!(template, "{{{{n{number}}}}}");
    }
    let run = loom(["validate", "--generators", "gen", "--format", "short"])
        .file("gen/loom/files/_default.loom", &template);
    let done = within(&run, 2 * SPACE);
    assert_eq!(done.status, Some(1), "{:.2000}", done.err);
    let findings = done.out.matches("[template_value_undeclared]").count();
    assert_eq!(findings, 100_000, "{:.2000}", done.out);
    // Findings in YAML, and as JSON.
    let mut actions = String::from("actions:\n");
    for number in 0..10_000 {
        let _ = writeln!(actions, "  a{number}: {{ bad: 1 }}");
    }
    let run = loom(["validate", "--generators", "gen", "--format", "json"])
        .file("gen/loom/actions/actions.yaml", &actions);
    let done = within(&run, SPACE);
    assert_eq!(done.status, Some(1), "{:.2000}", done.err);
    let findings = done.out.matches("actions_malformed").count();
    assert!(findings >= 10_000, "{findings}: {:.2000}", done.out);
}

#[test]
fn thirty_thousand_regions() {
    let mut file = SCARF.replace("begin", "");
    let mut regions = String::new();
    for number in 0..30_000 {
        let _ = write!(
            regions,
            "-- sedum:addThread {{\"tier\":\"owned\",\"record\":\"r\",\"kwargs\":{{\"cloth\":\"scarf\",\"colour\":\"c{number}\",\"count\":1}}}}\nthread c{number} x1\n-- /sedum:addThread\n"
        );
    }
    file = file
        .replace("threads\n", &format!("threads\n{regions}"))
        .replace("\n\n  --", "\nbegin\n  --");
    let run = replay(&[thread("c7"), thread("new")]).file("out/cloth/scarf.loom", file);
    let done = within(&run, 2 * SPACE);
    assert_eq!(done.status, Some(0), "{:.2000}", done.err);
    let report = "1 region(s) injected, 1 replaced, 0 unchanged";
    assert!(done.out.contains(report), "{:.2000}", done.out);
}

#[test]
fn one_line_of_sixteen_mebibytes_and_many_short_ones() {
    let long = "x".repeat(16 << 20);
    let run = replay(&[thread("red")]).file("out/cloth/scarf.loom", format!("{SCARF}-- {long}"));
    let done = within(&run, 2 * SPACE);
    assert_eq!(done.status, Some(0), "{:.2000}", done.err);
    let run = replay(&[thread("red")]).file(
        "out/cloth/scarf.loom",
        format!("{SCARF}{}", "\n".repeat(1 << 20)),
    );
    let done = within(&run, 2 * SPACE);
    assert_eq!(done.status, Some(0), "{:.2000}", done.err);
}

#[test]
fn a_recording_of_many_small_values() {
    // As dense as JSON gets: what is read is many times the text, and still in proportion.
    let dense = format!("{{\"x\":[{}0],\"records\":[]}}", "[],".repeat(1 << 20));
    let run = loom(REPLAY).file("run.json", dense);
    let done = within(&run, 4 * SPACE);
    assert_eq!(done.status, Some(0), "{:.2000}", done.err);
    let repeated = format!("{{{}\"records\":[]}}", "\"a\":1,".repeat(100_000));
    refused(
        "a key over and over",
        &loom(REPLAY).file("run.json", repeated),
        1,
        &["run.json"],
    );
    let calls: Vec<_> = (0..3_000).map(|_| call("nope", json!({}))).collect();
    let run = loom(REPLAY).file("run.json", loom::recording(&calls));
    let done = within(&run, SPACE);
    assert_eq!(done.status, Some(1), "{:.2000}", done.err);
}
