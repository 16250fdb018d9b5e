//! What directories of records give.

use super::*;
use std::fs;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, yaml) in files {
        fs::write(folder.path().join(name), yaml).unwrap();
    }
    folder
}

fn ingested(files: &[(&str, &str)], only: &[&str]) -> Result<Ingested, IngestError> {
    let only: Vec<String> = only.iter().map(|id| (*id).to_owned()).collect();
    ingest(folder(files).path(), &only)
}

/// Each fault as `file:line: message`, the file without its directory.
fn faults(files: &[(&str, &str)], only: &[&str]) -> Vec<String> {
    match ingested(files, only) {
        Err(IngestError::Faults(problems)) => problems.iter().map(line).collect(),
        other => panic!("{other:?}"),
    }
}

fn line(problem: &Problem) -> String {
    let Some(place) = &problem.place else {
        return problem.message.clone();
    };
    let name = place.source.name().rsplit('/').next().unwrap();
    format!("{name}:{}: {}", place.position().0, problem.message)
}

fn assert_faults(found: &[String], expected: &[&[&str]]) {
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (said, parts) in found.iter().zip(expected) {
        for part in *parts {
            assert!(said.contains(part), "{said} lacks {part}");
        }
    }
}

fn ids(ingested: &Ingested) -> Vec<&str> {
    let records = ingested.set.records.iter();
    records.map(|record| record.id.as_str()).collect()
}

#[test]
fn r1_r16_records_of_the_directory_come_by_id() {
    let found = ingested(
        &[
            ("one.YML", "id: REC-2\naffected_scope: [b.py]"),
            ("two.yaml", "id: REC-1\naffected_scope: [a.py]"),
            ("readme.md", "id: no"),
        ],
        &[],
    )
    .unwrap();
    assert_eq!(ids(&found), ["REC-1", "REC-2"]);
    assert!(found.warnings.is_empty());
}

#[test]
fn r6_all_problems_come_together_by_file_and_line() {
    let found = faults(
        &[
            (
                "d.yml",
                "id: R-2\naffected_scope: ['src/[a-.py', ok2.py]\nforbidden_scope: ['x/[.py']",
            ),
            ("b.yml", "id: [REC"),
            ("a.yml", "intent: none"),
            (
                "c.yml",
                "id: R-1\naffected_scope:\n- ../o.py\n- ok.py\n- /etc/i.py\n",
            ),
        ],
        &[],
    );
    assert_faults(
        &found,
        &[
            &["a.yml:1", "no id"],
            &["b.yml:"],
            &["c.yml:3", "../o.py"],
            &["c.yml:5", "/etc/i.py"],
            &["d.yml:2", "src/[a-.py"],
            &["d.yml:3", "x/[.py"],
        ],
    );
}

#[test]
fn x33_a_file_that_is_not_utf8_is_refused_by_name() {
    let folder = folder(&[("b.yml", "intent: none")]);
    fs::write(folder.path().join("a.yml"), b"id: R\nintent: \xe9\n").unwrap();
    let Err(IngestError::Faults(problems)) = ingest(folder.path(), &[]) else {
        panic!("sound")
    };
    assert!(problems[0].message.contains("a.yml is not UTF-8: line 2"));
    assert_eq!(problems.len(), 2);
}

#[test]
fn a_directory_that_is_not_there_is_named() {
    let folder = folder(&[]);
    let error = ingest(&folder.path().join("gone"), &[]).unwrap_err();
    assert!(matches!(error, IngestError::Directory { .. }));
    assert!(
        error
            .to_string()
            .contains("gone (from --records or SEDUM_RECORDS) cannot be read")
    );
}

#[test]
fn r17_an_id_in_two_files_names_both() {
    let files = [
        ("first.yml", "id: R-1\naffected_scope: [a.b]"),
        ("second.yaml", "affected_scope: [b.b]\nid: R-1"),
        ("third.yml", "id: R-2\naffected_scope: [c.b]"),
    ];
    assert_faults(
        &faults(&files, &[]),
        &[&["second.yaml:2", "\"R-1\"", "first.yml", "second.yaml"]],
    );
    // R19: nothing is asked of an id that is left out.
    assert_eq!(ids(&ingested(&files, &["R-2"]).unwrap()), ["R-2"]);
}

#[test]
fn r9a_spellings_of_one_file_conflict_within_and_between_records() {
    let files = [
        (
            "a.yml",
            "id: R-1\naffected_scope: [menu/tea.b, menu/Tea.b, ok.b]",
        ),
        ("b.yml", "id: R-2\naffected_scope: [Soup.b]"),
        ("c.yml", "id: R-3\naffected_scope: [SOUP.b, Menu/x.b]"),
    ];
    assert_faults(
        &faults(&files, &[]),
        &[
            &[
                "a.yml:2",
                "\"menu/tea.b\"",
                "\"menu/Tea.b\" of record \"R-1\"",
            ],
            &[
                "c.yml:2",
                "\"Soup.b\" of record \"R-2\"",
                "\"SOUP.b\" of record \"R-3\"",
            ],
            &["c.yml:2", "\"menu/tea.b\"", "\"Menu/x.b\""],
        ],
    );
    assert!(ingested(&files, &["R-3"]).is_ok());
}

#[test]
fn r13_r18_records_may_name_and_forbid_the_same_path() {
    let found = ingested(
        &[
            ("a.yml", "id: A\naffected_scope: [x.b]"),
            ("b.yml", "id: B\naffected_scope: [x.b, y.b]"),
            (
                "c.yml",
                "id: C\naffected_scope: [z.b]\nforbidden_scope: [x.b]",
            ),
        ],
        &[],
    )
    .unwrap();
    let shared = found.set.shared_paths();
    assert_eq!(
        shared,
        [("x.b".to_owned(), vec!["A".to_owned(), "B".to_owned()])]
    );
    assert!(found.set.authorise("x.b").is_ok());
}

#[test]
fn r14_warnings_come_for_kept_records_only() {
    let files = [
        ("a.yml", "id: A\naffected_scope: ['*.b']"),
        ("b.yml", "id: B\naffected_scope: [x/]"),
    ];
    assert_eq!(ingested(&files, &[]).unwrap().warnings.len(), 2);
    let one = ingested(&files, &["B"]).unwrap().warnings;
    assert!(one.len() == 1 && one[0].message.contains("\"B\""));
}

#[test]
fn r15_an_id_that_nobody_declares_is_an_error() {
    let files = [
        ("a.yml", "id: REC-1\naffected_scope: [a.b]"),
        ("b.yml", "id: other\naffected_scope: [/b]"),
    ];
    let error = ingested(&files, &["REC-1", "REC-9", "zebra", "REC-9"]).unwrap_err();
    let IngestError::UnknownIds(problems) = error else {
        panic!("{error:?}")
    };
    assert_eq!(problems.len(), 2);
    assert!(problems[0].message.contains("\"REC-9\""));
    let help = problems[0].help.as_deref().unwrap();
    assert!(help.contains("did you mean \"REC-1\"?") && help.contains("REC-1, other"));
    assert_eq!(
        problems[1].help.as_deref(),
        Some("the ids are REC-1, other")
    );
}

#[test]
fn r15_r6_unknown_ids_come_behind_faults_unless_a_file_hides_its_id() {
    let unsound = ("a.yml", "id: A\naffected_scope: [/a]");
    assert_faults(
        &faults(&[unsound], &["A", "zebra"]),
        &[&["a.yml:2", "/a"], &["\"zebra\""]],
    );
    let broken = ("b.yml", "id: [B");
    assert_faults(&faults(&[unsound, broken], &["zebra"]), &[&["b.yml:"]]);
}

#[test]
fn r19_faults_of_a_record_that_is_left_out_do_not_count() {
    let files = [
        ("a.yml", "id: A\naffected_scope: [a.b]"),
        (
            "b.yml",
            "id: B\naffected_scope: [/b, 'x[']\nconstraints: none\n",
        ),
    ];
    assert_eq!(ids(&ingested(&files, &["A"]).unwrap()), ["A"]);
    assert_eq!(faults(&files, &[]).len(), 3);
}
