use std::sync::Mutex;
use std::time::Duration;

use super::fixture::{Fixture, Script, Turn};
use super::{Asking, Progress, Selection, SelectionError, Tally};
use crate::diag::Rule;
use crate::runlog::RunLog;
use crate::selection::client::Role;

const CLOTH: &[&str] = &["cloths/rug.weft"];
const PICK: &str = r#"{"action": "addPick", "kwargs": {"cloth": "rug", "shed": 1}}"#;
const EDGE: &str = r#"{"action": "addEdge", "kwargs": {"cloth": "rug", "kind": "plain"}}"#;

fn list(entries: &[&str]) -> String {
    format!("{{\"invocations\": [{}]}}", entries.join(", "))
}

/// An answer that fills every fillable anchor of `cloths/rug.weft`.
fn full() -> String {
    list(&[PICK, EDGE])
}

fn says(text: impl Into<String>) -> Turn {
    Turn::Says(text.into())
}

fn idle(_: Progress<'_>) {}

fn select(
    turns: &[Turn],
    with: impl FnOnce(&mut Asking<'_, '_>),
) -> (Result<Selection, SelectionError>, Script) {
    let fixture = Fixture::new(&[CLOTH]);
    let script = Script::new(turns);
    let log = RunLog::silent();
    let mut asking = fixture.asking(&script, &log, &idle);
    with(&mut asking);
    let outcome = asking.select(fixture.record());
    (outcome, script)
}

fn names(selection: &Selection) -> Vec<&str> {
    selection
        .invocations
        .iter()
        .map(|i| i.action.as_str())
        .collect()
}

fn logged(fixture: &Fixture, script: &Script, jobs: usize) -> String {
    let room = tempfile::tempdir().unwrap();
    let path = room.path().join("run.log");
    let log = RunLog::open(&path, None).unwrap();
    fixture
        .asking(script, &log, &idle)
        .select_all(&fixture.records, jobs);
    drop(log);
    std::fs::read_to_string(path).unwrap()
}

/// K4 sorts the catalog; an experiment may ask for another order, which reaches the prompt and the schema alike.
#[test]
fn the_catalog_is_asked_about_in_the_order_that_is_given_k4() {
    let order = Box::leak(Box::new(
        ["edgeAndLog", "addPick", "nothing"].map(str::to_owned),
    ));
    let (_, script) = select(&[says(full())], |asking| {
        asking.order = Some(order);
        asking.response_schema = true;
        asking.full_catalog = true;
    });
    let asked = script.asked.lock().unwrap();
    let schemas = script.schemas.lock().unwrap();
    let texts = [
        asked.first().unwrap().get(1).unwrap().content.as_str(),
        schemas.first().unwrap().as_deref().unwrap(),
    ];
    for text in texts {
        let at = |name: &str| text.find(&format!("\"{name}\"")).unwrap();
        // Those that the order lacks come last, in their own.
        assert!(at("edgeAndLog") < at("addPick"), "{text}");
        assert!(at("addPick") < at("addNote"), "{text}");
    }
}

#[test]
fn a_valid_answer_that_fills_everything_takes_one_call_d26() {
    let (outcome, script) = select(&[says(full())], |_| {});
    let selection = outcome.unwrap();
    assert_eq!(selection.record, "R-1");
    assert_eq!(names(&selection), ["addPick", "addEdge"]);
    let tally = Tally {
        calls: 1,
        rejected: 0,
        completeness: 0,
        prompt_tokens: 100,
        completion_tokens: 10,
    };
    assert_eq!(selection.tally, tally);
    assert_eq!(script.schemas.lock().unwrap()[..], [None]);
}

#[test]
fn a_rejected_answer_is_asked_for_again_and_only_the_last_is_carried_d24() {
    let turns = [says("prose one"), says("prose two"), says(""), says(full())];
    let (outcome, script) = select(&turns, |_| {});
    let tally = outcome.unwrap().tally;
    assert_eq!(
        (tally.calls, tally.rejected, tally.completion_tokens),
        (4, 3, 40)
    );
    let asked = script.asked.lock().unwrap();
    let roles: Vec<_> = asked[3].iter().map(|m| m.role).collect();
    assert_eq!(
        roles,
        [Role::System, Role::User, Role::Assistant, Role::User]
    );
    assert_eq!(asked[3][..2], asked[0][..]);
    assert_eq!(asked[2][2].content, "prose two");
    assert_eq!(asked[3][2].content, "(no content)");
    assert!(asked[2][3].content.contains("[response_shape]"));
    assert!(asked[3][3].content.contains("[empty_response]"));
}

#[test]
fn an_answer_that_is_given_again_is_said_to_be_d24() {
    let (outcome, script) = select(&[says("no"), says("no"), says(full())], |_| {});
    assert_eq!(outcome.unwrap().tally.rejected, 2);
    let asked = script.asked.lock().unwrap();
    let said = |n: usize| {
        asked[n][3]
            .content
            .starts_with("That answer was rejected again, ")
    };
    assert!(!said(1) && said(2));
}

#[test]
fn the_budget_is_retries_and_one_and_the_error_has_every_attempt_d24_d25() {
    let turns = [says("one"), says(list(&[r#"{"action": "addPik"}"#]))];
    let (outcome, script) = select(&turns, |asking| asking.retries = 1);
    let error = outcome.unwrap_err();
    assert!(error.to_string().contains("R-1"));
    assert!(
        error.to_string().contains("[unknown_action] #1 addPik: "),
        "{error}"
    );
    let SelectionError::Rejected {
        attempts, tally, ..
    } = error
    else {
        panic!("{error}");
    };
    assert_eq!(attempts.len(), 2);
    assert_eq!(attempts[0].answer, "one");
    assert_eq!(attempts[0].violations[0].rule, Rule::ResponseShape);
    assert_eq!(attempts[1].violations[0].rule, Rule::UnknownAction);
    assert_eq!((tally.calls, tally.rejected), (2, 2));
    assert_eq!(script.calls(), 2);
}

#[test]
fn without_retries_the_first_rejected_answer_is_the_end_d24() {
    let (outcome, script) = select(&[says("no")], |asking| asking.retries = 0);
    assert!(matches!(outcome, Err(SelectionError::Rejected { .. })));
    assert_eq!(script.calls(), 1);
}

#[test]
fn a_truncated_answer_is_rejected_whatever_it_decodes_to_k29() {
    let (outcome, script) = select(&[Turn::Breaks(full()), says(full())], |_| {});
    assert_eq!(outcome.unwrap().tally.rejected, 1);
    let asked = script.asked.lock().unwrap();
    assert!(asked[1][3].content.contains("[response_truncated]"));
}

#[test]
fn an_answer_that_goes_round_in_circles_is_carried_up_to_the_first_k29() {
    let [one, two] = ["a", "b"].map(|name| format!("{{\"action\": \"{name}\"}}"));
    let begun = format!("{{\"invocations\": [{one}");
    let circle = format!("{begun}, {two}, {two}, {two}, {{\"act");
    let (outcome, script) = select(&[Turn::Breaks(circle), says(full())], |_| {});
    assert_eq!(outcome.unwrap().tally.rejected, 1);
    let asked = script.asked.lock().unwrap();
    assert_eq!(asked[1][2].content, begun);
}

#[test]
fn a_transport_fault_is_its_own_error_and_spends_no_retry_d25_k32() {
    let (outcome, script) = select(&[says("no"), Turn::Fails], |_| {});
    let Err(SelectionError::Transport { record, tally, .. }) = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(record, "R-1");
    assert_eq!((tally.calls, tally.rejected), (2, 1));
    assert_eq!(script.calls(), 2);
}

#[test]
fn open_anchors_are_asked_about_once_and_the_next_valid_answer_stands_e2() {
    // The second answer leaves the edge open too, and stands all the same.
    let twice = list(&[
        PICK,
        r#"{"action": "addPick", "kwargs": {"cloth": "rug", "shed": 2}}"#,
    ]);
    let (outcome, script) = select(&[says(list(&[PICK])), says(twice)], |_| {});
    let selection = outcome.unwrap();
    assert_eq!(names(&selection), ["addPick", "addPick"]);
    assert_eq!(
        (selection.tally.calls, selection.tally.completeness),
        (2, 1)
    );
    let asked = script.asked.lock().unwrap();
    let roles: Vec<_> = asked[1].iter().map(|m| m.role).collect();
    assert_eq!(
        roles,
        [Role::System, Role::User, Role::Assistant, Role::User]
    );
    assert_eq!(asked[1][2].content, list(&[PICK]));
    assert!(
        asked[1][3]
            .content
            .contains("cloths/rug.weft: edge, edge_end")
    );
}

#[test]
fn the_question_follows_the_valid_answer_and_no_rejected_one_e2() {
    let (outcome, script) = select(&[says("no"), says(list(&[PICK])), says(full())], |_| {});
    assert_eq!(names(&outcome.unwrap()), ["addPick", "addEdge"]);
    let asked = script.asked.lock().unwrap();
    assert_eq!(asked[2].len(), 4);
    assert_eq!(asked[2][2].content, list(&[PICK]));
}

#[test]
fn a_follow_up_that_is_no_valid_answer_loses_nothing_e3() {
    for bad in [says("no"), Turn::Breaks(full()), Turn::Fails] {
        let (outcome, script) = select(&[says(list(&[PICK])), bad], |asking| asking.retries = 0);
        let selection = outcome.unwrap();
        assert_eq!(names(&selection), ["addPick"]);
        assert_eq!(selection.tally.rejected, 0, "first-call validity, D26");
        assert_eq!(
            (selection.tally.calls, selection.tally.completeness),
            (2, 1)
        );
        assert_eq!(script.calls(), 2);
    }
}

#[test]
fn an_empty_list_is_an_answer_d5() {
    let (outcome, _) = select(&[says(list(&[])), says(list(&[]))], |_| {});
    let selection = outcome.unwrap();
    assert!(selection.invocations.is_empty());
    assert_eq!((selection.tally.calls, selection.tally.rejected), (2, 0));
}

#[test]
fn the_schema_goes_with_every_call_when_it_is_asked_for_n24() {
    let turns = [says("no"), says(list(&[PICK])), says(full())];
    let (_, script) = select(&turns, |asking| asking.response_schema = true);
    let schemas = script.schemas.lock().unwrap();
    assert_eq!(schemas.len(), 3);
    assert!(schemas.iter().all(|s| s.is_some() && *s == schemas[0]));
    assert!(
        !schemas[0].as_ref().unwrap().contains("logUse"),
        "the narrowed catalog"
    );
}

#[test]
fn the_catalog_is_narrowed_for_the_question_and_whole_for_the_verdict_n20_n21() {
    let log_use = r#"{"action": "logUse", "kwargs": {"day": "mon"}}"#;
    let (_, script) = select(&[says(list(&[log_use])), says(full())], |_| {});
    {
        let asked = script.asked.lock().unwrap();
        assert!(!asked[0][1].content.contains("logUse"));
        assert!(
            asked[1][3]
                .content
                .contains("[unauthorized_path] #1 logUse: ")
        );
        assert!(asked[1][3].content.contains("books/north_hall/mon.weft"));
    }
    let (_, script) = select(&[says(full())], |asking| asking.full_catalog = true);
    assert!(
        script.asked.lock().unwrap()[0][1]
            .content
            .contains("logUse")
    );
}

#[test]
fn nothing_managed_and_nothing_exposed_take_no_call_k22_n22() {
    let fixture = Fixture::new(&[&["dye/red.weft"], &["a.bare"]]);
    let script = Script::new(&[]);
    let log = RunLog::silent();
    let outcomes = fixture
        .asking(&script, &log, &idle)
        .select_all(&fixture.records, 1);
    assert_eq!(outcomes.len(), 2);
    for outcome in outcomes {
        let selection = outcome.unwrap().unwrap();
        assert!(selection.invocations.is_empty());
        assert_eq!(selection.tally, Tally::default());
    }
    assert_eq!(script.calls(), 0);
}

#[test]
fn one_record_out_of_reach_stops_the_run_before_the_first_call_n22() {
    let fixture = Fixture::with(
        &[
            (
                "knot/sedum.yaml",
                "name: knot\nextensions: [\".knot\"]\ncomment_prefix: \"~\"\n",
            ),
            (
                "knot/actions/actions.yaml",
                "actions:\n  tie:\n    kwargs: { n: { type: string, required: true } }\n    injects_into: \"knots/{{n}}.knot\"\n    anchor: end_of_file\n",
            ),
            ("knot/actions/tie.knot", "{{n}}\n"),
        ],
        &[CLOTH, &["a.knot", "b.knot"]],
    );
    let script = Script::new(&[]);
    let log = RunLog::silent();
    let outcomes = fixture
        .asking(&script, &log, &idle)
        .select_all(&fixture.records, 4);
    assert!(outcomes[0].is_none());
    let text = outcomes[1]
        .as_ref()
        .unwrap()
        .as_ref()
        .unwrap_err()
        .to_string();
    for fact in ["R-2", "a.knot", "b.knot", "knots/{{n}}.knot"] {
        assert!(text.contains(fact), "{text}");
    }
    assert_eq!(script.calls(), 0);
}

const EIGHT: [&[&str]; 8] = [
    &["cloths/a.weft"],
    &["cloths/b.weft"],
    &["cloths/c.weft"],
    &["cloths/d.weft"],
    &["cloths/e.weft"],
    &["cloths/f.weft"],
    &["cloths/g.weft"],
    &["cloths/h.weft"],
];
const CLOTHS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

fn full_for(cloth: &str) -> String {
    format!(
        r#"[{{"action": "addPick", "kwargs": {{"cloth": "{cloth}", "shed": 1}}}},
            {{"action": "addEdge", "kwargs": {{"cloth": "{cloth}", "kind": "plain"}}}}]"#
    )
}

/// One script a record; the later the record, the sooner its answer.
fn reversed() -> Script {
    let keys = CLOTHS.map(|cloth| format!("cloths/{cloth}.weft"));
    let turns = CLOTHS
        .iter()
        .zip(&keys)
        .enumerate()
        .map(|(n, (cloth, key))| {
            let wait = Duration::from_millis(20 * (8 - n as u64));
            (key.as_str(), vec![Turn::SaysAfter(wait, full_for(cloth))])
        });
    Script::keyed(turns.collect())
}

#[test]
fn answers_in_reverse_order_give_the_outcomes_in_record_order_y32() {
    let fixture = Fixture::new(&EIGHT);
    let settled = Mutex::new(Vec::new());
    let progress = |progress: Progress<'_>| {
        if let Progress::Settled { record } = progress {
            settled.lock().unwrap().push(record.to_owned());
        }
    };
    let script = reversed();
    let log = RunLog::silent();
    let outcomes = fixture
        .asking(&script, &log, &progress)
        .select_all(&fixture.records, 8);
    let got: Vec<_> = outcomes.into_iter().map(|o| o.unwrap().unwrap()).collect();
    for (n, selection) in got.iter().enumerate() {
        assert_eq!(selection.record, format!("R-{}", n + 1));
        let cloth = selection.invocations[0].kwargs["cloth"].to_json();
        assert_eq!(cloth, format!("\"{}\"", CLOTHS[n]));
    }
    assert_eq!(settled.lock().unwrap().len(), 8);
}

#[test]
fn the_log_is_the_same_however_many_conversations_run_at_a_time_y32_g3() {
    let fixture = Fixture::new(&EIGHT);
    let one = logged(&fixture, &reversed(), 1);
    let eight = logged(&fixture, &reversed(), 8);
    assert_eq!(one, eight);
    let order: Vec<_> = (1..=8)
        .map(|n| one.find(&format!("record R-{n}: ")).unwrap())
        .collect();
    assert!(order.is_sorted());
}

#[test]
fn a_rejection_does_not_keep_later_records_from_being_asked_about_d27() {
    let fixture = Fixture::new(&EIGHT[..3]);
    let script = Script::keyed(vec![
        ("cloths/a.weft", vec![says(full_for("a"))]),
        ("cloths/b.weft", vec![says("no"); 4]),
        ("cloths/c.weft", vec![says(full_for("c"))]),
    ]);
    let log = RunLog::silent();
    let outcomes = fixture
        .asking(&script, &log, &idle)
        .select_all(&fixture.records, 1);
    assert!(matches!(outcomes[0], Some(Ok(_))));
    assert!(matches!(
        outcomes[1],
        Some(Err(SelectionError::Rejected { .. }))
    ));
    assert!(matches!(outcomes[2], Some(Ok(_))));
}

#[test]
fn a_transport_fault_ends_the_calling_and_keeps_what_was_valid_d27() {
    let fixture = Fixture::new(&EIGHT[..4]);
    let script = Script::keyed(vec![
        ("cloths/a.weft", vec![says(full_for("a"))]),
        ("cloths/b.weft", vec![Turn::Fails]),
    ]);
    let log = RunLog::silent();
    let outcomes = fixture
        .asking(&script, &log, &idle)
        .select_all(&fixture.records, 1);
    assert!(matches!(outcomes[0], Some(Ok(_))));
    let Some(Err(error)) = &outcomes[1] else {
        panic!("{outcomes:?}");
    };
    assert!(error.to_string().contains("it is out of order"));
    assert!(outcomes[2].is_none() && outcomes[3].is_none());
    assert_eq!(script.calls(), 2);
}

#[test]
fn the_log_has_prompts_answers_tokens_violations_removals_and_open_anchors_g3() {
    let fixture = Fixture::new(&[CLOTH]);
    let script = Script::new(&[says("Sure!"), says(list(&[PICK])), says("again no")]);
    let log = logged(&fixture, &script, 1);
    for fact in [
        "record R-1: left out of the catalog: action edgeAndLog of package loom, target books/{{hall|snake}}/{{day}}.weft",
        "record R-1: left out of the catalog: action logUse of package loom, target books/{{hall|snake}}/{{day}}.weft",
        "record R-1: prompt, system:\nYou choose actions",
        "record R-1: prompt, user:\nThe catalog of actions:",
        "record R-1: the model was asked",
        "record R-1: answer to call 1, 100 prompt and 10 completion token(s):\nSure!",
        "record R-1: rejected: [response_shape] ",
        "record R-1: prompt, user:\nThat answer was rejected:\n- [response_shape] ",
        "record R-1: unfilled anchors in cloths/rug.weft: edge, edge_end",
        "record R-1: the follow-up gives no valid answer; the earlier one stands",
        "record R-1: 1 invocation(s) selected, 3 call(s), 1 rejected, 1 completeness, 300 prompt and 30 completion token(s)",
    ] {
        assert!(log.contains(fact), "{fact}\n--\n{log}");
    }
}
