//! The built harness: what it stores, what it refuses, and that every stored answer is judged as it was.
//!
//! No model is needed: runs go to a stub on the loopback interface, in a copy of the cases and fixtures.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../src/selection/client/stub.rs"]
mod stub;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use stub::{Reply, Stub};

const MODEL: &str = "qwen2.5-coder-0.5b-instruct";

fn evals() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("evals")
}

/// A copy of cases and fixtures, without results.
fn copy() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["cases", "fixtures"] {
        copy_folder(&evals().join(name), &folder.path().join(name));
    }
    folder
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn harness(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sedum-evals"))
        .arg("--evals")
        .arg(folder)
        .args(words)
        .env_remove("OPENAI_BASE_URL")
        .env_remove("OPENAI_API_KEY")
        .env_remove("SEDUM_MAX_COMPLETION_TOKENS")
        .output()
        .unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What a server says first: which model it has.
fn listing() -> Reply {
    Reply::new(
        200,
        r#"{"data":[{"id":"/models/0.5b.gguf","meta":{"n_params":494}}]}"#,
    )
}

/// A run of one case against a stub that gives these answers.
fn run(folder: &Path, case: &str, replies: &[Reply], more: &[&str]) -> Output {
    let replies = std::iter::once(listing()).chain(replies.iter().cloned());
    let stub = Stub::start(replies).unwrap();
    let url = stub.url();
    let words = [
        &["run", "--case", case, "--model", MODEL, "--endpoint", &url],
        more,
    ]
    .concat();
    harness(folder, &words)
}

/// The lines of a case's results of one kind.
fn lines(folder: &Path, case: &str, kind: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("results").join(format!("{case}.jsonl"))).unwrap();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .filter(|line: &Value| line["kind"] == kind)
        .collect()
}

fn right(case: &str) -> String {
    fs::read_to_string(evals().join("cases").join(format!("{case}.answer.json"))).unwrap()
}

#[test]
fn every_stored_answer_is_judged_as_it_was_and_every_rule_is_broken_five_times() {
    let output = harness(&evals(), &["replay"]);
    assert!(output.status.success(), "{}{}", out(&output), err(&output));
    let corpus = fs::read_to_string(evals().join("corpus/answers.jsonl")).unwrap();
    let mut mutants: BTreeMap<String, usize> = BTreeMap::new();
    let mut count = 0;
    for line in corpus.lines() {
        let pinned: Value = serde_json::from_str(line).unwrap();
        count += 1;
        let mut rules: Vec<&str> = pinned["rules"]
            .as_array()
            .unwrap()
            .iter()
            .map(|r| r["rule"].as_str().unwrap())
            .collect();
        rules.sort_unstable();
        rules.dedup();
        for rule in rules {
            *mutants.entry(rule.to_owned()).or_insert(0) += 1;
        }
    }
    assert!(count >= 200, "{count} answers are pinned");
    let violations = sedum::diag::Rule::ALL
        .iter()
        .filter(|rule| rule.kind() == sedum::diag::rule::RuleKind::Violation);
    for rule in violations {
        let broken = mutants.get(rule.slug()).copied().unwrap_or(0);
        assert!(broken >= 5, "{}: {broken}", rule.slug());
    }
}

#[test]
fn stored_scores_are_those_of_today() {
    let output = harness(&evals(), &["rescore", "--check"]);
    assert!(output.status.success(), "{}{}", out(&output), err(&output));
}

#[test]
fn every_case_is_sound_and_has_a_right_answer_that_is_scored_right() {
    let output = harness(&evals(), &["cases"]);
    assert!(output.status.success(), "{}{}", out(&output), err(&output));
    assert!(out(&output).lines().count() > 6);
}

/// go-grow's own right answer leaves no question open but the empty anchor of its handler, so each sample has two calls.
#[test]
fn a_run_stores_each_sample_whole_and_resume_adds_what_is_lacking() {
    let folder = copy();
    let answer = right("go-grow");
    let again = [Reply::completion(&answer), Reply::completion(&answer)];
    let wrong = answer
        .replace("MarkPaid", "")
        .replace("\"status\": 204", "\"state\": 204");
    let mut replies = again.to_vec();
    replies.push(Reply::completion(&wrong));
    let output = run(folder.path(), "go-grow", &replies, &["--max-calls", "3"]);
    assert!(output.status.success(), "{}", err(&output));
    assert!(
        out(&output).contains("the budget of calls is used, 3"),
        "{}",
        out(&output)
    );

    let samples = lines(folder.path(), "go-grow", "sample");
    assert_eq!(samples.len(), 2);
    let [first, second] = &samples[..] else {
        panic!()
    };
    assert_eq!(first["outcome"], "valid");
    assert_eq!(
        first["scores"]["signals"],
        json!({
            "accepted": true, "accepted_first": true, "answered": true, "bound": true, "complete": true,
            "decoded": true, "equal": true, "idempotent": true, "nonempty": true
        })
    );
    assert_eq!(
        first["attempts"][0]["usage"],
        json!({"prompt": 11, "completion": 7})
    );
    assert_eq!(first["attempts"][1]["purpose"], "complete");
    assert_eq!(second["outcome"], "invalid");
    let broken: Vec<_> = second["attempts"][0]["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| {
            (
                v["rule"].as_str().unwrap(),
                v["kwarg"].as_str().unwrap(),
                v["index"].as_u64(),
            )
        })
        .collect();
    assert_eq!(
        broken,
        [
            ("unknown_kwarg", "state", Some(0)),
            ("empty_kwarg", "handler", Some(0))
        ]
    );
    // The wordings are what makes samples differ (and the raw answer is kept under its digest).
    assert_ne!(first["prompt"], second["prompt"]);
    let kept = second["attempts"][0]["answer"].as_str().unwrap();
    let text = fs::read_to_string(folder.path().join("results/texts").join(kept)).unwrap();
    assert_eq!(text, wrong);

    let refused = run(folder.path(), "go-grow", &[], &[]);
    assert_eq!(refused.status.code(), Some(2), "{}", err(&refused));
    let three: Vec<Reply> = [&again[..], &again[..], &again[..]].concat();
    let output = run(folder.path(), "go-grow", &three, &["--resume"]);
    assert!(output.status.success(), "{}", err(&output));
    assert_eq!(lines(folder.path(), "go-grow", "sample").len(), 5);
    assert!(harness(folder.path(), &["replay"]).status.success());
}

#[test]
fn h22_a_sample_that_did_not_reach_the_model_is_in_no_denominator_and_is_taken_again() {
    let folder = copy();
    let answer = Reply::completion(&right("ruby-nothing"));
    let refusal = Reply::error(401, "who are you?");
    // An empty list leaves anchors empty, so the second call of each sample is the question about them.
    let replies = [answer.clone(), answer.clone(), refusal];
    let output = run(
        folder.path(),
        "ruby-nothing",
        &replies,
        &["--resolution", "smoke"],
    );
    assert!(output.status.success(), "{}", err(&output));
    assert!(
        out(&output).contains("1 of 2 sample(s) scored"),
        "{}",
        out(&output)
    );
    assert!(out(&output).contains("never to be cited as a measurement"));
    let samples = lines(folder.path(), "ruby-nothing", "sample");
    assert_eq!(samples[1]["outcome"], "failed");
    assert!(samples[1].get("scores").is_none());
    let output = run(
        folder.path(),
        "ruby-nothing",
        &[answer.clone(), answer],
        &["--resolution", "smoke", "--resume"],
    );
    assert!(
        out(&output).contains("2 of 2 sample(s) scored"),
        "{}",
        out(&output)
    );
}

#[test]
fn h2_only_a_row_without_any_scored_sample_fails() {
    let folder = copy();
    let refusal = || Reply::error(401, "who are you?");
    let replies = [refusal(), refusal()];
    let output = run(
        folder.path(),
        "ruby-nothing",
        &replies,
        &["--resolution", "smoke"],
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).starts_with("sedum-evals: no sample was scored of: ruby-nothing."));
    // Nothing decodes: a rate of 0, and no failure.
    let prose = Reply::completion("I would rather not.");
    let output = run(
        folder.path(),
        "ruby-rules",
        &[prose.clone(), prose],
        &["--resolution", "smoke"],
    );
    assert!(output.status.success(), "{}", err(&output));
}

#[test]
fn a_torn_line_is_passed_over_and_takes_no_other_with_it() {
    let folder = copy();
    let results = folder.path().join("results");
    fs::create_dir(&results).unwrap();
    let file = results.join("ruby-nothing.jsonl");
    fs::write(&file, r#"{"kind":"sample","run":"ruby-no"#).unwrap();
    let answer = Reply::completion(&right("ruby-nothing"));
    let replies = vec![answer; 4];
    let output = run(
        folder.path(),
        "ruby-nothing",
        &replies,
        &["--resolution", "smoke"],
    );
    assert!(output.status.success(), "{}", err(&output));
    assert!(
        out(&output).contains("line 1: passed over"),
        "{}",
        out(&output)
    );
    assert_eq!(lines(folder.path(), "ruby-nothing", "sample").len(), 2);
    // O1: the report names the line and leaves it as it is.
    let report = folder.path().join("report");
    let before = fs::read(&file).unwrap();
    let output = harness(
        folder.path(),
        &["report", "--output", report.to_str().unwrap()],
    );
    assert!(output.status.success(), "{}", err(&output));
    let report: Value =
        serde_json::from_slice(&fs::read(report.join("report.json")).unwrap()).unwrap();
    let [line] = &report["unreadable"].as_array().unwrap()[..] else {
        panic!("{}", report["unreadable"]);
    };
    assert_eq!(line["file"], "ruby-nothing.jsonl");
    assert_eq!(line["line"], 1);
    assert!(line["why"].as_str().unwrap().contains("EOF"), "{line}");
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn h49_h50_the_baseline_writes_the_records_files_and_no_other() {
    let folder = copy();
    let text = "```app/models/review.rb\nclass Review\nend\n```\n```lib/more.rb\nputs 1\n```";
    let nothing = "```path/of/the/file\nclass Review\nend\n```\n```app/models/review.rb\n\n```";
    let replies = [text, nothing].map(Reply::completion);
    let output = run(
        folder.path(),
        "ruby-rules",
        &replies,
        &["--arm", "baseline", "--resolution", "smoke"],
    );
    assert!(output.status.success(), "{}", err(&output));
    let samples = lines(folder.path(), "ruby-rules", "sample");
    let scores = &samples[0]["scores"];
    assert_eq!(
        scores["written"],
        json!({
            "files": ["app/models/review.rb"], "missing": [], "refused": ["lib/more.rb"]
        })
    );
    // H53: what belongs to a catalog is neither printed nor stored.
    assert_eq!(
        scores["signals"],
        json!({"answered": true, "decoded": true})
    );
    assert_eq!(samples[0]["attempts"].as_array().unwrap().len(), 1);
    // H51: a copied example is no file, and neither is a block without text.
    let scores = &samples[1]["scores"];
    assert_eq!(
        scores["written"],
        json!({"files": [], "missing": ["app/models/review.rb"], "refused": []})
    );
    assert_eq!(
        scores["signals"],
        json!({"answered": true, "decoded": false})
    );
    assert!(harness(folder.path(), &["replay"]).status.success());
}

#[test]
fn h48_the_baseline_is_asked_with_the_records_paths_and_no_other() {
    let folder = copy();
    let output = harness(
        folder.path(),
        &["cases", "--prompt", "ruby-rules", "--baseline"],
    );
    assert!(output.status.success(), "{}", err(&output));
    let text = out(&output);
    let (_, files) = text.split_once("The files to write:\n").unwrap();
    assert_eq!(
        files.trim_end(),
        "- app/models/review.rb (its block opens with the line ```app/models/review.rb)"
    );
    assert_eq!(text.matches("```").count(), 1, "{text}");
}

#[test]
fn h13_h17_h20_what_would_make_a_row_worthless_is_refused_before_the_first_call() {
    let folder = copy();
    for (more, says) in [
        (
            &["--samples", "4"][..],
            "--samples 4 is less than the 5 of a coarse run",
        ),
        (&["--samples", "6"], "would ask one of them twice"),
        (
            &["--arm", "baseline", "--retries", "1"],
            "--retries has no meaning in the baseline arm",
        ),
        (&["--wording", "9"], "has the wordings 1 to 5, and no 9"),
    ] {
        let output = run(folder.path(), "ruby-rules", &[], more);
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert!(err(&output).contains(says), "{}", err(&output));
    }
    let other = Stub::start([Reply::new(200, r#"{"data":[{"id":"1.5b.gguf"}]}"#)]).unwrap();
    let url = other.url();
    let output = harness(
        folder.path(),
        &[
            "run",
            "--case",
            "ruby-rules",
            "--model",
            MODEL,
            "--endpoint",
            &url,
        ],
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(
        err(&output).contains("ask the right server"),
        "{}",
        err(&output)
    );
    assert!(!folder.path().join("results").exists());
}

#[test]
fn replay_tells_a_verdict_and_a_tree_that_are_not_the_stored_ones() {
    let folder = copy();
    let answer = Reply::completion(&right("go-grow"));
    let prose = Reply::completion("no");
    let replies = [answer.clone(), answer, prose];
    let output = run(
        folder.path(),
        "go-grow",
        &replies,
        &["--resolution", "smoke"],
    );
    assert!(output.status.success(), "{}", err(&output));
    let file = folder.path().join("results/go-grow.jsonl");
    let stored = fs::read_to_string(&file).unwrap();
    let samples = lines(folder.path(), "go-grow", "sample");
    let tree = samples[0]["tree"].as_str().unwrap();
    for (from, to, says) in [
        (tree, "000000000000", "the files were 000000000000, and are"),
        (
            "response_shape",
            "empty_response",
            "the verdict was empty_response, and is response_shape",
        ),
    ] {
        fs::write(&file, stored.replace(from, to)).unwrap();
        let output = harness(folder.path(), &["replay"]);
        assert_eq!(output.status.code(), Some(1), "{from}");
        assert!(out(&output).contains(says), "{}", out(&output));
    }
}

#[test]
fn compare_pairs_samples_and_report_writes_the_same_bytes_twice() {
    let folder = copy();
    let answer = right("go-grow");
    let good = Reply::completion(&answer);
    let bad = Reply::completion("{}");
    // Plain: 2 of 5 accepted; with the schema: all of them.
    let plain = [vec![good.clone(); 4], vec![bad; 3]].concat();
    let output = run(folder.path(), "go-grow", &plain, &[]);
    assert!(output.status.success(), "{}", err(&output));
    let output = run(
        folder.path(),
        "go-grow",
        &vec![good; 10],
        &["--response-schema"],
    );
    assert!(output.status.success(), "{}", err(&output));

    let output = harness(
        folder.path(),
        &[
            "compare",
            "--a",
            "schema=off",
            "--b",
            "schema=on",
            "--signal",
            "accepted",
        ],
    );
    assert!(
        out(&output).contains(
            "accepted         5 pair(s): both 2, only a 0, only b 3, neither 0; 3 differ, exact McNemar p = 0.2500: \
             a difference is neither shown nor excluded"
        ),
        "{}{}",
        out(&output),
        err(&output)
    );
    let history = harness(folder.path(), &["history", "--signal", "accepted"]);
    assert!(out(&history).contains("2/5 0.12-0.77"), "{}", out(&history));

    let report = folder.path().join("report");
    let words = ["report", "--output", report.to_str().unwrap()];
    assert!(harness(folder.path(), &words).status.success());
    let index = fs::read_to_string(report.join("report.json")).unwrap();
    assert!(harness(folder.path(), &words).status.success());
    assert_eq!(
        index,
        fs::read_to_string(report.join("report.json")).unwrap()
    );
    let index: Value = serde_json::from_str(&index).unwrap();
    let run = &index["runs"][0];
    // Wilson of 2 in 5, and the rungs that 3 samples do not reach.
    assert_eq!(
        run["signals"]["accepted"],
        json!({"k": 2, "n": 5, "low": 0.118, "high": 0.769, "unit": "sample"})
    );
    assert_eq!(
        run["funnel"][0],
        json!({"stage": "asked", "count": 5, "dropped": []})
    );
    assert_eq!(
        run["funnel"][2],
        json!({
            "stage": "decoded", "count": 2,
            "dropped": [{"reason": "response_shape", "count": 3, "samples": [3, 4, 5]}]
        })
    );
    assert_eq!(run["faults"][0]["rule"], "response_shape");
    let detail = run["samples"][0]["detail"].as_str().unwrap();
    let detail = fs::read_to_string(report.join(detail)).unwrap();
    let detail: Value = serde_json::from_str(&detail).unwrap();
    assert_eq!(
        detail["attempts"][0]["answer"].as_str(),
        Some(answer.as_str())
    );
    let tree = detail["tree"].as_array().unwrap();
    assert!(tree.iter().any(|file| {
        file["content"]
            .as_str()
            .unwrap()
            .contains(r#"r.Method("PUT", "/{id}/paid", h.MarkPaid)"#)
    }));
}

/// K30 says what the tool sends; an experiment says what it sends instead.
#[test]
fn temperature_seed_and_a_shuffled_catalog_are_sent_when_they_are_declared() {
    let folder = copy();
    let answer = Reply::completion(&right("ruby-nothing"));
    let stub = Stub::start([vec![listing()], vec![answer; 4]].concat()).unwrap();
    let url = stub.url();
    let output = harness(
        folder.path(),
        &[
            "run",
            "--case",
            "ruby-nothing",
            "--model",
            MODEL,
            "--endpoint",
            &url,
            "--resolution",
            "smoke",
            "--temperature",
            "0.5",
            "--seed",
            "7",
            "--shuffle",
            "1",
            "--wording",
            "1",
        ],
    );
    assert!(output.status.success(), "{}", err(&output));
    let asked: Vec<Value> = stub
        .requests()
        .iter()
        .skip(1)
        .map(stub::Request::json)
        .collect();
    let told: Vec<_> = asked
        .iter()
        .map(|r| (r["temperature"].as_f64(), r["seed"].as_u64()))
        .collect();
    assert_eq!(
        told,
        [
            (Some(0.5), Some(7)),
            (Some(0.5), Some(7)),
            (Some(0.5), Some(8)),
            (Some(0.5), Some(8))
        ]
    );
    let question = |at: usize| {
        asked[at]["messages"][1]["content"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let sorted = |at: usize| {
        let text = question(at);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    assert_ne!(question(0), question(2));
    assert_eq!(sorted(0).len(), sorted(2).len());
}
