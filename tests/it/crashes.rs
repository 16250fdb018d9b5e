//! Runs that are killed, interrupted, crowded or short of space: no file is lost, and the next run finishes the job.
//!
//! The workload is a replay that grows 1,800 files by a line and makes 200 new ones. What an undisturbed run makes of it
//! is the measure; whatever happens to a run, every file is wholly old or wholly new, and a rerun comes to that measure
//! byte by byte (X31, X34, X35, C17). `SEDUM_SLOW=1` tries ten times as many moments.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::loom;
use crate::run::{Files, PROGRAM, files_below};

/// No step of a run takes longer.
const PATIENCE: Duration = Duration::from_mins(1);

const FILES: usize = 2_000;
/// Every tenth file is new.
const NEW: usize = 10;
const FOLDERS: usize = 20;
const OLD: &str = "mass\n-- a person's line\nend\n";
const GROWN: &str = "mass\n-- a person's line\ngrown\nend\n";
const MADE: &str = "mass\ngrown\nend\n";

/// How many moments are tried, ten times as many when there is time.
fn moments(few: usize) -> usize {
    if std::env::var_os("SEDUM_SLOW").is_some_and(|value| value == "1") {
        few * 10
    } else {
        few
    }
}

/// Numbers that look random, the same in every run of the suite.
struct Dice(u64);

impl Dice {
    /// From 0 to just below 1.
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        f64::from(u32::try_from(self.0 >> 32).unwrap()) / f64::from(u32::MAX)
    }
}

fn is_new(number: usize) -> bool {
    number.is_multiple_of(NEW)
}

fn path_of(number: usize) -> String {
    format!("m{}/f{number}.mass", number % FOLDERS)
}

/// A folder in memory where there is such a file system: thousands of files are written over and over, and other tests
/// keep the disk busy.
fn quick_folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir()
        && let Ok(dir) = TempDir::with_prefix_in("sedum-crash-", memory)
    {
        return dir;
    }
    TempDir::with_prefix("sedum-crash-").unwrap()
}

/// A folder with the workload.
struct Mass {
    dir: TempDir,
}

impl Mass {
    fn new() -> Self {
        let mass = Self {
            dir: quick_folder(),
        };
        let write = |path: &str, text: &str| {
            let path = mass.at(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            "gen/mass/sedum.yaml",
            "name: mass\nextensions: [.mass]\ncomment_prefix: \"--\"\n",
        );
        write("gen/mass/actions/actions.yaml", "actions: {}\n");
        write("gen/mass/files/_default.mass", MADE);
        let file = |number| json!({ "path": path_of(number), "package": "mass", "template": "_default.mass" });
        let recording = json!({
            "packages": { "mass": { "extensions": [".mass"] } },
            "records": [{
                "record_id": "r-1",
                "files": (0..FILES).map(file).collect::<Vec<Value>>(),
                "phases": [{ "name": "default", "invocations": [] }],
            }],
        });
        write("run.json", &recording.to_string());
        mass.reset();
        mass
    }

    fn at(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    /// The output directory as before all runs.
    fn reset(&self) {
        let out = self.at("out");
        let _ = fs::remove_dir_all(&out);
        for folder in 0..FOLDERS {
            fs::create_dir_all(out.join(format!("m{folder}"))).unwrap();
        }
        for number in (0..FILES).filter(|number| !is_new(*number)) {
            fs::write(out.join(path_of(number)), OLD).unwrap();
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .args(loom::REPLAY)
            .current_dir(self.dir.path())
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command
    }

    fn out(&self) -> Files {
        files_below(&self.at("out"))
    }

    /// A run that nothing disturbs.
    fn finish(&self) {
        let done = self.command().output().unwrap();
        assert!(done.status.success(), "{}", err(&done));
    }

    /// What an undisturbed run makes, and how long it takes.
    fn measure(&self) -> (Files, Duration) {
        let started = Instant::now();
        self.finish();
        let took = started.elapsed();
        let made = self.out();
        for number in 0..FILES {
            let want = if is_new(number) { MADE } else { GROWN };
            assert_eq!(made[&path_of(number)], want.as_bytes());
        }
        self.reset();
        (made, took)
    }

    /// How many files are new by now, after seeing that each is wholly old or wholly new, and nothing else is there but
    /// temporary files.
    fn whole(&self) -> usize {
        let mut grown = 0;
        let mut seen = 0;
        for (path, bytes) in self.out() {
            let name = path.rsplit('/').next().unwrap_or_default();
            if path.ends_with('/') || sedum::tree::is_temporary_name(name) {
                continue;
            }
            let number: usize = name[1..].strip_suffix(".mass").unwrap().parse().unwrap();
            assert_eq!(path, path_of(number));
            let (old, new) = if is_new(number) {
                (None, MADE)
            } else {
                seen += 1;
                (Some(OLD), GROWN)
            };
            let text = String::from_utf8(bytes).unwrap();
            assert!(text == new || Some(&*text) == old, "{path}: {text:?}");
            grown += usize::from(text == new);
        }
        assert_eq!(seen, FILES - FILES / NEW, "a file is missing");
        grown
    }

    /// Waits until the run has come to a stage of its commit; no if it ended before.
    fn is_at(&self, stage: Stage, child: &mut Child) -> bool {
        while child.try_wait().unwrap().is_none() {
            let there = match stage {
                Stage::Anywhere => true,
                Stage::Writing => {
                    let entries = fs::read_dir(self.at(FIRST.0)).unwrap();
                    entries.flatten().any(|entry| {
                        let name = entry.file_name();
                        name.to_str().is_some_and(sedum::tree::is_temporary_name)
                    })
                }
                Stage::Renaming => self.at(FIRST.1).exists(),
            };
            if there {
                return true;
            }
            std::thread::sleep(Duration::from_micros(500));
        }
        false
    }
}

/// Where a run is.
#[derive(Clone, Copy, PartialEq)]
enum Stage {
    Anywhere,
    /// It writes temporary files.
    Writing,
    /// It renames them over the files.
    Renaming,
}

const STAGES: [Stage; 3] = [Stage::Renaming, Stage::Writing, Stage::Anywhere];

/// The folder and the file that a commit begins with; the file is a new one.
const FIRST: (&str, &str) = ("out/m0", "out/m0/f0.mass");

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[allow(clippy::print_stdout)] // the figures are shown by `cargo test -- --nocapture`
fn tell(text: &str) {
    println!("{text}");
}

#[test]
fn a_kill_at_any_moment_loses_nothing_x31() {
    let mass = Mass::new();
    let (made, took) = mass.measure();
    let mut dice = Dice(31);
    let wanted = moments(20);
    let (mut kills, mut in_commit, mut part_way, mut swept) = (0, 0, 0, 0);
    while kills < wanted {
        let stage = STAGES[kills % STAGES.len()];
        let mut child = mass.command().spawn().unwrap();
        let there = mass.is_at(stage, &mut child);
        let longest = if stage == Stage::Anywhere {
            took
        } else {
            took / 4
        };
        std::thread::sleep(longest.mul_f64(dice.roll()));
        child.kill().unwrap();
        let done = child.wait_with_output().unwrap();
        let killed = done.status.code().is_none();
        assert!(killed || done.status.success(), "{}", err(&done));
        kills += usize::from(killed);
        in_commit += usize::from(killed && there && stage != Stage::Anywhere);
        let grown = mass.whole();
        part_way += usize::from(grown > 0 && grown < FILES);
        // Two runs are killed one after the other before one gets to its end.
        if !killed || grown > 0 || kills.is_multiple_of(2) {
            let leftovers = mass.out().len() > made.len();
            swept += usize::from(leftovers);
            mass.finish();
            assert!(mass.out() == made, "a rerun comes to another end");
            mass.reset();
        }
    }
    tell(&format!(
        "an undisturbed run takes {took:?}; killed {kills} times, {in_commit} of them while writing, {part_way} times with part of the files new, {swept} times with leftovers to sweep"
    ));
    assert!(in_commit > 0);
}

#[test]
fn a_signal_during_the_commit_puts_everything_back_x31() {
    let mass = Mass::new();
    let before = mass.out();
    let (_, took) = mass.measure();
    let mut dice = Dice(7);
    for signal in ["-INT", "-TERM"] {
        let mut rolled_back = 0;
        for round in 0..60 {
            let mut child = mass.command().spawn().unwrap();
            let writing = mass.is_at(STAGES[round % 2], &mut child);
            std::thread::sleep((took / 8).mul_f64(dice.roll()));
            let pid = child.id().to_string();
            // A run that is over already is waited for below.
            let _ = Command::new("kill")
                .args([signal, &pid])
                .stderr(Stdio::null())
                .status();
            let done = child.wait_with_output().unwrap();
            let said = err(&done);
            match done.status.code() {
                Some(0) => {
                    assert!(mass.whole() == FILES, "{said}");
                    mass.reset();
                }
                Some(1 | 130) if writing => {
                    assert!(said.contains("interrupted"), "{said}");
                    assert!(mass.out() == before, "not as before: {said}");
                    rolled_back += usize::from(said.contains("the output tree is as it was"));
                }
                other => panic!("{signal}: {other:?}: {said}"),
            }
            if rolled_back == moments(2) {
                break;
            }
        }
        tell(&format!("{signal}: {rolled_back} commits rolled back"));
        assert!(rolled_back > 0, "{signal} never met a commit");
    }
    mass.finish();
    assert_eq!(mass.whole(), FILES);
}

#[test]
fn a_signal_after_the_commit_lets_the_recording_be_written_u14() {
    use std::io::Read as _;

    let dir = crowd(1);
    let pipe = dir.path().join("made.json");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    fs::create_dir(dir.path().join("rec")).unwrap();
    for (path, text) in loom::RECORDS {
        fs::write(dir.path().join(path), text).unwrap();
    }
    let mut child = Command::new(PROGRAM)
        .args(loom::FILES_ONLY)
        .args(["--record", "made.json"])
        .current_dir(dir.path())
        .env_clear()
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The recording waits for its reader; the files are written by then.
    let file = dir.path().join("out/rags/old.loom");
    let started = Instant::now();
    while !file.exists() && started.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(200));
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status().unwrap();
    assert!(sent.success());
    std::thread::sleep(Duration::from_millis(200));
    assert!(child.try_wait().unwrap().is_none(), "the recording is lost");
    let mut text = String::new();
    fs::File::open(&pipe)
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    let recording: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(recording["records"].as_array().unwrap().len(), 2);
    end(child);
}

#[test]
fn a_signal_while_a_model_is_asked_leaves_no_trace_c17() {
    let dir = crowd(0);
    fs::create_dir(dir.path().join("rec")).unwrap();
    for (path, text) in loom::RECORDS {
        fs::write(dir.path().join(path), text).unwrap();
    }
    // It takes a request and never answers.
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", server.local_addr().unwrap());
    let before = files_below(dir.path());
    for signal in ["-INT", "-TERM", "-HUP"] {
        let child = Command::new(PROGRAM)
            .args(["grow", "--generators", "gen", "--records", "rec"])
            .args(["--output", "deep/out", "--model", "m"])
            .current_dir(dir.path())
            .env_clear()
            .env("OPENAI_BASE_URL", &url)
            .env("OPENAI_API_KEY", "k")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let asked = server.accept().unwrap();
        assert!(dir.path().join("deep/out/.sedum/lock").exists());
        let pid = child.id().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status().unwrap();
        assert!(sent.success());
        let done = child.wait_with_output().unwrap();
        drop(asked);
        let said = err(&done);
        assert_eq!(done.status.code(), Some(130), "{said}");
        assert_eq!(said, "sedum: interrupted, nothing was written\n");
        assert_eq!(files_below(dir.path()), before, "{signal}");
    }
}

/// Something that another program does to the output directory.
type Swap = fn(&Path) -> std::io::Result<()>;

/// Puts a link at a path, over what is there, in one step.
fn link_over(dir: &Path, at: &str, to: &str) -> std::io::Result<()> {
    std::os::unix::fs::symlink(to, dir.join("new-link"))?;
    fs::rename(dir.join("new-link"), dir.join(at))
}

const SWAPS: [(&str, Swap); 4] = [
    ("a folder is a link, now inside and now outside", |dir| {
        link_over(dir, "out/cloth", "real")?;
        link_over(dir, "out/cloth", "../elsewhere")
    }),
    ("a file is a link outside from time to time", |dir| {
        link_over(dir, "out/cloth/scarf.loom", "../../elsewhere/scarf.loom")?;
        fs::write(dir.join("new-file"), loom::SCARF)?;
        fs::rename(dir.join("new-file"), dir.join("out/cloth/scarf.loom"))
    }),
    ("a folder is a link outside from time to time", |dir| {
        fs::rename(dir.join("out/cloth"), dir.join("out/kept"))?;
        link_over(dir, "out/cloth", "../elsewhere")?;
        fs::remove_file(dir.join("out/cloth"))?;
        fs::rename(dir.join("out/kept"), dir.join("out/cloth"))
    }),
    ("temporary files are exchanged for links outside", |dir| {
        for entry in fs::read_dir(dir.join("out/cloth"))?.flatten() {
            let name = entry.file_name().into_string().unwrap_or_default();
            if sedum::tree::is_temporary_name(&name) {
                let at = format!("out/cloth/{name}");
                link_over(dir, &at, "../../elsewhere/scarf.loom")?;
            }
        }
        Ok(())
    }),
];

#[test]
fn links_that_come_and_go_during_runs_lead_nowhere_x32() {
    use std::sync::atomic::{AtomicBool, Ordering};

    const SECRET: &str = "SECRET-77ab\n";
    for (name, swap) in SWAPS {
        let dir = crowd(2);
        let dir = dir.path();
        for folder in ["elsewhere", "out/cloth", "out/real"] {
            fs::create_dir_all(dir.join(folder)).unwrap();
        }
        fs::write(dir.join("elsewhere/scarf.loom"), SECRET).unwrap();
        fs::write(dir.join("out/cloth/scarf.loom"), loom::SCARF).unwrap();
        if name.contains("now inside") {
            fs::remove_dir_all(dir.join("out/cloth")).unwrap();
        }
        let ended = AtomicBool::new(false);
        let (mut written, mut refused) = (0, 0);
        let swapped = std::thread::scope(|scope| {
            let swapping = scope.spawn(|| {
                let mut swapped = 0;
                while !ended.load(Ordering::Relaxed) {
                    match swap(dir) {
                        Ok(()) => swapped += 1,
                        // A run has made the folder that was away for a moment.
                        Err(_) if dir.join("out/kept").exists() => {
                            let _ = fs::remove_file(dir.join("out/cloth"));
                            let _ = fs::remove_dir_all(dir.join("out/kept"));
                        }
                        Err(_) => {}
                    }
                }
                swapped
            });
            for run in 0..moments(16) {
                let done = start(dir, run % 2).wait_with_output().unwrap();
                let said = err(&done);
                match done.status.code() {
                    Some(0) => written += 1,
                    Some(1) => refused += 1,
                    other => panic!("{name}: {other:?}: {said}"),
                }
                assert!(!said.contains("SECRET"), "{name}: {said}");
                let elsewhere = files_below(&dir.join("elsewhere"));
                let kept = [("scarf.loom".to_owned(), SECRET.as_bytes().to_vec())];
                assert_eq!(elsewhere, Files::from(kept), "{name}: {said}");
            }
            ended.store(true, Ordering::Relaxed);
            swapping.join().unwrap()
        });
        tell(&format!(
            "{name}, {swapped} times: {written} runs wrote, {refused} were refused, nothing elsewhere changed"
        ));
    }
}

/// A folder of the test with the loom and a recording for each run.
fn crowd(runs: usize) -> TempDir {
    let dir = TempDir::with_prefix("sedum-crowd-").unwrap();
    for (path, text) in loom::FILES {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    for run in 0..runs {
        let own = format!("own{run}");
        let mut record = loom::record(
            &format!("r-{run}"),
            &["scarf", &own],
            &[loom::thread(&format!("c{run}"))],
        );
        record["record_id"] = json!(format!("r-{run}"));
        let text = loom::recording_of(&[record]);
        fs::write(dir.path().join(format!("run{run}.json")), text).unwrap();
    }
    dir
}

fn start(dir: &Path, run: usize) -> Child {
    Command::new(PROGRAM)
        .args(["grow", "--generators", "gen", "--output", "out"])
        .args(["--execute", &format!("run{run}.json")])
        .current_dir(dir)
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn end(child: Child) {
    let done = child.wait_with_output().unwrap();
    assert!(done.status.success(), "{}", err(&done));
}

#[test]
fn four_runs_at_once_end_as_one_after_the_other_x34() {
    for _ in 0..moments(3) {
        let dir = crowd(4);
        let children: Vec<_> = (0..4).map(|run| start(dir.path(), run)).collect();
        children.into_iter().for_each(end);
        let made = files_below(&dir.path().join("out"));
        // The threads stand in the order in which the runs had the lock.
        let text = String::from_utf8(made["cloth/scarf.loom"].clone()).unwrap();
        let order: Vec<usize> = text
            .lines()
            .filter_map(|line| {
                line.strip_prefix("thread c")?
                    .split(' ')
                    .next()?
                    .parse()
                    .ok()
            })
            .collect();
        let again = crowd(4);
        for &run in &order {
            end(start(again.path(), run));
        }
        assert_eq!(order.len(), 4, "{text}");
        assert_eq!(made, files_below(&again.path().join("out")));
    }
}

#[test]
fn a_lock_of_a_program_that_is_no_more_holds_nobody_up_x34() {
    let dir = crowd(1);
    let own = dir.path().join("out/.sedum");
    fs::create_dir_all(&own).unwrap();
    fs::create_dir_all(dir.path().join("out/cloth")).unwrap();
    fs::write(
        own.join("lock"),
        "pid 4194999 on elsewhere since 2026-01-01T00:00:00Z\n",
    )
    .unwrap();
    let leftover = dir.path().join("out/cloth/.sedum-4194999-3.tmp");
    fs::write(&leftover, "half a fi").unwrap();
    end(start(dir.path(), 0));
    assert!(!leftover.exists(), "a leftover is swept");
    assert!(dir.path().join("out/cloth/own0.loom").exists());
}

#[test]
fn waiting_for_the_lock_ends_by_naming_its_holder_x34() {
    let dir = crowd(1);
    let own = dir.path().join("out/.sedum");
    fs::create_dir_all(&own).unwrap();
    let path = own.join("lock");
    fs::write(
        &path,
        "pid 77 on loom\u{1b}[31mhouse since 2026-01-01T00:00:00Z\n",
    )
    .unwrap();
    let held = fs::File::options()
        .read(true)
        .write(true)
        .open(&path)
        .unwrap();
    held.lock().unwrap();
    let before = files_below(dir.path());
    let done = Command::new(PROGRAM)
        .args(["grow", "--generators", "gen", "--output", "out"])
        .args(["--execute", "run0.json", "--lock-timeout", "1"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    let said = err(&done);
    assert_eq!(done.status.code(), Some(1), "{said}");
    for text in [
        "pid 77 on loom",
        "house since 2026-01-01",
        "1 s",
        "--lock-timeout",
        "out",
    ] {
        assert!(said.contains(text), "{text:?}: {said}");
    }
    assert!(!said.contains('\u{1b}'), "{said:?}");
    assert_eq!(files_below(dir.path()), before);
}

/// The loom's scarf grown by a thread of more than a mebibyte.
fn big(dir: &Path) {
    let thread = loom::thread(&"x".repeat(1 << 20));
    fs::write(dir.join("run0.json"), loom::recording(&[thread])).unwrap();
}

#[test]
fn a_file_that_cannot_be_written_to_its_end_leaves_the_tree_as_it_was_c17() {
    let dir = crowd(1);
    big(dir.path());
    let before = files_below(dir.path());
    // With the signal ignored, a file beyond the limit is an error in the middle of writing, as on a full disk.
    let script = "trap '' XFSZ; ulimit -f 256; exec \"$0\" grow --generators gen --output out --execute run0.json";
    let done = Command::new("sh")
        .args(["-c", script, PROGRAM])
        .current_dir(dir.path())
        .output()
        .unwrap();
    let said = err(&done);
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(said.contains("cloth/scarf.loom"), "{said}");
    assert!(said.contains("the output tree is as it was"), "{said}");
    assert_eq!(files_below(dir.path()), before);
}

#[test]
fn a_full_disk_leaves_the_tree_as_it_was_c17() {
    let dir = crowd(1);
    big(dir.path());
    let out = dir.path().join("out");
    fs::create_dir(&out).unwrap();
    let mount = |args: &[&str]| {
        let mut command = Command::new(args[0]);
        command.args(&args[1..]).arg(&out).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if !mount(&["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs"]) {
        tell("skipped: this user may not mount a small file system to fill");
        return;
    }
    let before = files_below(&out);
    let done = Command::new(PROGRAM)
        .args(["grow", "--generators", "gen", "--output", "out"])
        .args(["--execute", "run0.json"])
        .current_dir(dir.path())
        .output();
    let after = files_below(&out);
    assert!(mount(&["umount"]));
    let done = done.unwrap();
    let said = err(&done);
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(said.contains("the output tree is as it was"), "{said}");
    assert_eq!(before, after);
}

#[test]
fn a_folder_that_may_not_be_written_leaves_the_tree_as_it_was_c17() {
    use std::os::unix::fs::PermissionsExt as _;

    /// A user who owns nothing.
    const NOBODY: u32 = 65_534;
    let dir = crowd(1);
    let own = dir.path().join("out/cloth");
    fs::create_dir_all(&own).unwrap();
    fs::write(own.join("scarf.loom"), loom::SCARF).unwrap();
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let log = dir.path().join("log");
    fs::create_dir(&log).unwrap();
    fs::create_dir(dir.path().join("out/.sedum")).unwrap();
    fs::write(dir.path().join("out/.sedum/lock"), "").unwrap();
    for (path, mode) in [
        ("", 0o755),
        ("log", 0o777),
        ("out", 0o777),
        ("out/.sedum", 0o777),
        ("out/.sedum/lock", 0o666),
        ("out/cloth", 0o555),
    ] {
        set(&dir.path().join(path), mode);
    }
    let mut command = Command::new(PROGRAM);
    command
        .args(["grow", "--generators", "gen", "--output", "out"])
        .args(["--execute", "run0.json", "--log", "log/run.log"])
        .current_dir(dir.path());
    let is_root = fs::write(own.join("probe"), "").is_ok();
    if is_root {
        fs::remove_file(own.join("probe")).unwrap();
        command.uid(NOBODY).gid(NOBODY);
    }
    let before = files_below(&dir.path().join("out"));
    match command.output() {
        Ok(done) => {
            let said = err(&done);
            assert_eq!(done.status.code(), Some(1), "{said}");
            assert!(said.contains("cloth/"), "{said}");
            assert!(said.contains("the output tree is as it was"), "{said}");
            assert_eq!(files_below(&dir.path().join("out")), before);
        }
        Err(error) => tell(&format!(
            "skipped: permissions do not bind this user, and no other can run the program: {error}"
        )),
    }
    set(&own, 0o755);
}

#[test]
fn a_change_behind_a_run_between_its_reading_and_its_commit_is_refused_x35() {
    use sedum::tree::{Options, Tree};

    /// The path that is named, and what is done behind the run.
    type Meddling = (&'static str, fn(&Path));
    let meddlings: [Meddling; 4] = [
        ("cloth/a.loom", |out| {
            fs::write(out.join("cloth/a.loom"), "theirs").unwrap();
        }),
        ("cloth/a.loom", |out| {
            fs::remove_file(out.join("cloth/a.loom")).unwrap();
            fs::create_dir(out.join("cloth/a.loom")).unwrap();
        }),
        ("cloth/new.loom", |out| {
            fs::create_dir(out.join("cloth/new.loom")).unwrap();
        }),
        ("fresh", |out| fs::write(out.join("fresh"), "").unwrap()),
    ];
    for (named, meddle) in meddlings {
        let dir = TempDir::new().unwrap();
        let out = dir.path().join("out");
        fs::create_dir_all(out.join("cloth")).unwrap();
        fs::write(out.join("cloth/a.loom"), "old").unwrap();
        fs::write(out.join("z.loom"), "old").unwrap();
        let options = Options {
            write: true,
            lock_timeout: Duration::ZERO,
            sync: false,
        };
        let mut tree = Tree::open(&out, &options).unwrap();
        let staged = ["cloth/a.loom", "cloth/new.loom", "fresh/b.loom", "z.loom"];
        for path in staged {
            assert!(tree.read(path).is_ok());
            tree.stage(path, "ours".to_owned(), false);
        }
        meddle(&out);
        let before: BTreeMap<_, _> = files_below(&out);
        let error = tree.commit().unwrap_err();
        assert!(error.to_string().contains(named), "{error}");
        assert!(error.unrestored.is_empty(), "{error}");
        assert_eq!(files_below(&out), before, "{error}");
    }
}
