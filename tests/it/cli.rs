//! The command line: version, help, suggestions, environment, colour, the log, closed pipes.

use std::io::Read as _;
use std::process::Stdio;

use crate::loom::{FILES_ONLY, REPLAY, loom, replay, thread};
use crate::run::Run;

#[test]
fn the_version_is_bare_u2() {
    for args in [["--version"], ["-V"]] {
        let done = Run::new(args).ok().wrote_nothing();
        assert_eq!(done.out, concat!(env!("CARGO_PKG_VERSION"), "\n"));
    }
    assert_eq!(sedum::VERSION, env!("CARGO_PKG_VERSION"));
}

fn help(command: &str) -> String {
    let done = Run::new([command, "--help"]).ok().wrote_nothing();
    assert!(!done.out.contains('\u{1b}'), "no colour off a terminal");
    done.out
}

fn mentions(command: &str, flags: &[&str]) {
    let text = help(command);
    for flag in flags {
        let found = text.split(|c: char| c.is_whitespace() || c == ',' || c == '[');
        assert!(
            found.into_iter().any(|word| word == *flag),
            "{command} --help lacks {flag}:\n{text}"
        );
    }
}

#[test]
fn help_mentions_each_flag_u5_u15_u18() {
    mentions(
        "grow",
        &[
            "--generators",
            "--records",
            "--output",
            "--lang",
            "--only",
            "--var",
            "--record",
            "--execute",
            "--dry-run",
            "--stop-after",
            "--retries",
            "--model",
            "--log",
            "-v",
            "--verbose",
            "--color",
            "--lock-timeout",
        ],
    );
    mentions("validate", &["--generators", "--package", "--strict"]);
    mentions(
        "resolve",
        &[
            "--generators",
            "--records",
            "--lang",
            "--only",
            "--var",
            "--show-template",
        ],
    );
    mentions("actions", &["--generators", "--package", "--all", "--json"]);
    mentions(
        "render",
        &[
            "--generators",
            "--package",
            "--action",
            "--kwargs",
            "--var",
            "--json",
        ],
    );
}

#[test]
fn help_names_the_commands_u1() {
    let done = Run::new(["--help"]).ok();
    for command in ["grow", "validate", "resolve", "actions", "render"] {
        assert!(done.out.contains(&format!("\n  {command}")), "{}", done.out);
    }
    assert_eq!(Run::new(["help", "grow"]).ok().out, help("grow"));
}

#[test]
fn nothing_at_all_shows_help_and_fails_u3() {
    let done = Run::new([]).go().wrote_nothing();
    assert_eq!(done.status, Some(2));
    assert!(
        done.out.is_empty() && done.err.contains("Usage: sedum"),
        "{}",
        done.err
    );
}

#[test]
fn misspelt_commands_and_flags_are_suggested() {
    Run::new(["gorw"]).refused(2, &["gorw", "grow"]);
    Run::new(["validate", "--generator", "gen"]).refused(2, &["--generator", "--generators"]);
    Run::new(["grow", "--generators", "gen", "--stop-aftr", "files"])
        .refused(2, &["--stop-aftr", "--stop-after"]);
}

#[test]
fn no_command_takes_positional_arguments_u4() {
    for command in ["grow", "validate", "resolve", "actions", "render"] {
        Run::new([command, "stray"]).refused(2, &["stray"]);
    }
}

#[test]
fn missing_and_malformed_flags_are_usage_errors_u3() {
    Run::new(["validate"]).refused(2, &["--generators"]);
    Run::new(["grow", "--generators"]).refused(2, &["--generators"]);
    Run::new([
        "grow",
        "--generators",
        "g",
        "--records",
        "r",
        "--retries",
        "many",
    ])
    .refused(2, &["--retries", "many"]);
    Run::new(["validate", "--generators", "g", "--color", "blue"])
        .refused(2, &["blue", "auto", "always", "never"]);
    Run::new([
        "grow",
        "--generators",
        "g",
        "--execute",
        "r",
        "--execute",
        "s",
    ])
    .refused(2, &["--execute"]);
}

#[test]
fn folders_may_come_from_the_environment_and_a_flag_wins_u5() {
    let run = || {
        loom(["grow", "--stop-after", "files"])
            .env("SEDUM_GENERATORS", "gen")
            .env("SEDUM_RECORDS", "rec")
            .env("SEDUM_OUTPUT", "made")
    };
    let done = run().ok();
    assert!(done.after.contains_key("made/cloth/scarf.loom"));
    let done = run().args(["--output", "out"]).ok();
    assert!(done.after.contains_key("out/cloth/scarf.loom") && !done.after.contains_key("made/"));
    run()
        .args(["--generators", "nowhere"])
        .refused(1, &["nowhere"]);
    // Help shows the variables but not what they hold.
    let shown = Run::new(["grow", "--help"])
        .env("SEDUM_GENERATORS", "secret-place")
        .ok();
    assert!(shown.out.contains("SEDUM_GENERATORS") && !shown.out.contains("secret-place"));
}

#[test]
fn the_output_folder_is_here_by_default_u5() {
    let done = loom([
        "grow",
        "--generators",
        "gen",
        "--records",
        "rec",
        "--stop-after",
        "files",
    ])
    .ok();
    assert!(done.after.contains_key("cloth/scarf.loom"));
}

#[test]
fn verbose_mirrors_the_log_g1() {
    let done = replay(&[thread("red")])
        .args(["-v", "--log", "run.log"])
        .ok();
    let log = done.text("run.log");
    assert!(log.lines().count() > 3, "{log}");
    let quiet = replay(&[thread("red")]).ok();
    assert_eq!(done.out, format!("{log}{}", quiet.out));
}

#[test]
fn only_grow_writes_a_log_g5() {
    for args in [
        vec!["validate", "--generators", "gen"],
        vec!["resolve", "--generators", "gen", "--records", "rec"],
        vec!["actions", "--generators", "gen", "--package", "loom"],
        vec![
            "render",
            "--generators",
            "gen",
            "--package",
            "loom",
            "--action",
            "addNote",
            "--kwargs",
            "{\"file\":\"a\"}",
        ],
    ] {
        let done = loom(args).ok().wrote_nothing();
        assert!(!done.path().join(".sedum").exists());
    }
}

#[test]
fn colour_is_for_terminals_or_on_request() {
    let escape = |run: Run| run.go().err.contains('\u{1b}');
    assert!(!escape(Run::new([])));
    assert!(!escape(Run::new([]).env("NO_COLOR", "1")));
    let always = |run: Run| run.ok().out.contains('\u{1b}');
    assert!(!always(Run::new(["--color", "never", "grow", "--help"])));
    assert!(!always(
        Run::new(["grow", "--help", "--color", "auto"]).env("NO_COLOR", "1")
    ));
}

#[test]
fn a_closed_pipe_is_success_u3() {
    for args in [
        vec!["--help"],
        vec!["--version"],
        vec![
            "actions",
            "--generators",
            "gen",
            "--package",
            "loom",
            "--json",
        ],
        vec![
            "resolve",
            "--generators",
            "gen",
            "--records",
            "rec",
            "--show-template",
        ],
        FILES_ONLY.to_vec(),
    ] {
        let run = loom(args.iter().copied());
        let mut child = run
            .command()
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut err = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut err)
            .unwrap();
        let status = child.wait().unwrap();
        assert_eq!((status.code(), err.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn control_characters_are_shown_escaped_o28() {
    let evil = serde_json::json!({ "cloth": "scarf", "colour": "red", "\u{1b}[2J": 1 });
    let done = replay(&[crate::loom::call("addThread", evil)]).refused(1, &["[unknown_kwarg]"]);
    assert!(!done.err.contains('\u{1b}'), "{}", done.err);
}

#[test]
fn a_failure_is_said_once_and_without_usage_text_u3() {
    let done = loom(REPLAY).refused(1, &[]);
    assert!(!done.err.contains("Usage"), "{}", done.err);
    assert!(done.out.is_empty(), "{}", done.out);
}

#[test]
fn the_model_may_come_from_the_environment_and_a_flag_wins_u5() {
    // The next fault of the environment shows that a model's name was found.
    let run = || {
        loom(["grow", "--generators", "gen", "--records", "rec"])
            .env("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
            .env("SEDUM_MAX_COMPLETION_TOKENS", "no number")
    };
    let number = "SEDUM_MAX_COMPLETION_TOKENS";
    run().refused(2, &["--model is required"]);
    run()
        .env("SEDUM_MODEL", " ")
        .refused(2, &["--model is required"]);
    run().env("SEDUM_MODEL", "m").refused(2, &[number]);
    run()
        .env("SEDUM_MODEL", " ")
        .args(["--model", "m"])
        .refused(2, &[number]);
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_no_text_is_not_taken_for_unset_k33() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    for name in ["OPENAI_BASE_URL", "OPENAI_API_KEY", "SEDUM_MODEL"] {
        let run = loom(["grow", "--generators", "gen", "--records", "rec"]);
        let mut command = run.command();
        command
            .env("SEDUM_MODEL", "m")
            .env("OPENAI_API_KEY", "k")
            .env(name, OsStr::from_bytes(b"http://host\xff/v1"));
        let done = command.output().unwrap();
        let err = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(2), "{err}");
        assert!(err.starts_with("sedum: ") && err.contains(name), "{err}");
    }
}
