//! What single record files give.

use super::*;

fn draft(yaml: &str) -> Draft {
    read_all(&Source::new("r.yml", yaml))
}

fn record(yaml: &str) -> Record {
    let draft = draft(yaml);
    assert!(draft.problems.is_empty(), "{:?}", draft.problems);
    draft.record.unwrap()
}

/// Line, column and message of every problem.
fn problems(yaml: &str) -> Vec<(u32, u32, String)> {
    draft(yaml).problems.iter().map(placed).collect()
}

fn placed(problem: &Problem) -> (u32, u32, String) {
    let (line, column) = problem.place.as_ref().unwrap().position();
    (line, column, problem.message.clone())
}

/// Asserts where each problem is and a part of what it says.
fn assert_problems(yaml: &str, expected: &[(u32, u32, &str)]) {
    let found = problems(yaml);
    assert_eq!(found.len(), expected.len(), "{yaml}\n{found:?}");
    for ((line, column, message), (at_line, at_column, part)) in found.iter().zip(expected) {
        assert_eq!((line, column), (at_line, at_column), "{yaml}\n{message}");
        assert!(message.contains(part), "{message} lacks {part}");
    }
}

fn paths(record: &Record) -> Vec<&str> {
    record
        .paths
        .iter()
        .map(|named| named.path.as_str())
        .collect()
}

#[test]
fn r2_r3_five_fields_are_read_and_nothing_else() {
    let record = record(
        "id: PR-1\nintent: |\n  Two\n  lines\nconstraints: [fast, 3, true]\nstatus: superseded\n\
         affected_scope: [a.rb]\nforbidden_scope: [b/]\nowner: {team: [x]}\n",
    );
    assert_eq!(record.id, "PR-1");
    assert_eq!(record.intent, "Two\nlines\n");
    assert_eq!(record.constraints, ["fast", "3", "true"]);
    assert_eq!(paths(&record), ["a.rb"]);
    assert_eq!(record.forbids("b/c"), Some("b/"));
}

#[test]
fn l14a_a_plain_number_as_id_is_its_spelling() {
    assert_eq!(record("id: 007").id, "007");
}

#[test]
fn r5_an_id_is_needed() {
    assert_problems("intent: x\n", &[(1, 1, "no id")]);
    assert_problems("id:\n", &[(1, 4, "id: expected text, found null")]);
    assert_problems("id: ' '\n", &[(1, 5, "blank")]);
    assert_problems("", &[(1, 1, "empty")]);
    assert_problems("# only a comment\n", &[(1, 1, "empty")]);
    assert_problems(
        "- id: x\n",
        &[(1, 1, "a record must be a map, found a list")],
    );
    let help = draft("ids: x\n").problems.remove(0).help;
    assert_eq!(help.as_deref(), Some("it has \"ids\": did you mean `id`?"));
}

#[test]
fn r5_wrong_types_are_all_reported_with_their_places() {
    assert_problems(
        "id: [a]\nintent: {b: c}\n",
        &[(1, 5, "id: expected text, found a list")],
    );
    assert_problems(
        "id: R\nintent: [b]\nconstraints: fast\naffected_scope:\n  a: b\nforbidden_scope: [[x]]\n",
        &[
            (2, 9, "intent: expected text, found a list"),
            (
                3,
                14,
                "constraints: expected a list of text, found the text \"fast\"",
            ),
            (5, 3, "affected_scope: expected a list of text, found a map"),
            (6, 19, "forbidden_scope: expected text, found a list"),
        ],
    );
    assert_problems("id: R\nconstraints: [~]\n", &[(2, 15, "found null")]);
}

#[test]
fn r5_j10_unsound_yaml_and_a_key_given_twice_are_faults() {
    assert_eq!(problems("id: [REC-3\n").len(), 1);
    assert_problems("id: R\nid: S\n", &[(2, 1, "key \"id\" is given twice")]);
    assert_problems("id: R\nx:\n  y: 1\n  y: 2\n", &[(4, 3, "\"y\"")]);
}

#[test]
fn r7_entries_are_trimmed_and_blank_ones_skipped() {
    let record = record(
        "id: R\naffected_scope:\n  - ' a.rb '\n  - ''\n  - '  '\n  -\n  - ' b/ '\nforbidden_scope: ['', ' c ']\n",
    );
    assert_eq!(paths(&record), ["a.rb"]);
    assert!(record.covers("b/x") && record.covers("b"));
    assert_eq!(record.forbids("c"), Some("c"));
    assert_eq!(record.forbids("d"), None);
}

#[test]
fn r8_a_literal_entry_names_a_file_and_others_only_authorise() {
    let record = record("id: R\naffected_scope: [a.rb, 'b/*.rb', 'c?.rb', 'd[x].rb', e/]\n");
    assert_eq!(paths(&record), ["a.rb"]);
    for covered in ["a.rb", "b/x.rb", "c1.rb", "dx.rb", "e/f/g"] {
        assert!(record.covers(covered), "{covered}");
    }
    for other in ["b.rb", "a.rb/x", "b/x/y.rb", "d[x].rb"] {
        assert!(!record.covers(other), "{other}");
    }
}

#[test]
fn r10_paths_are_cleaned_sorted_and_kept_once_at_their_first_entry() {
    let yaml = "id: R\naffected_scope:\n- z.rb\n- ./x//k.rb\n- a/../x/k.rb\n- b.rb\n";
    let record = record(yaml);
    assert_eq!(paths(&record), ["b.rb", "x/k.rb", "z.rb"]);
    let span = record.paths[1].span;
    assert_eq!(record.source.position(span.start), (4, 3));
}

#[test]
fn r9_r9a_unsafe_entries_are_refused_literal_or_pattern() {
    assert_problems(
        "id: R\naffected_scope:\n- ../o.rb\n- /etc/*.rb\n- ok/../../up.rb\n- .GIT/x\n- aux.rb\n- 'a\\b.rb'\n- c:x\n\
         - \"a\\u0007b\"\n- x./y\n- ok.rb\n- ../**\n",
        &[
            (3, 3, "\"../o.rb\""),
            (4, 3, "absolute"),
            (5, 3, "leaves"),
            (6, 3, ".git"),
            (7, 3, "device"),
            (8, 3, "write `/`"),
            (9, 3, "drive"),
            (10, 3, "a\\u{7}b"),
            (11, 3, "dot"),
            (13, 3, "leaves"),
        ],
    );
}

#[test]
fn r11_unreadable_patterns_are_refused_in_both_lists() {
    assert_problems(
        "id: R\naffected_scope: ['src/[a-.py']\nforbidden_scope: ['x/[.py']\n",
        &[
            (2, 18, "affected_scope: scope pattern \"src/[a-.py\""),
            (3, 19, "forbidden_scope: scope pattern \"x/[.py\""),
        ],
    );
}

#[test]
fn r12_a_path_its_own_record_forbids_is_refused() {
    let yaml = "id: R\naffected_scope: [a/b.rb, c.rb]\nforbidden_scope: [x/, /a/]\n";
    assert_problems(
        yaml,
        &[(
            2,
            18,
            "record \"R\" authorises path \"a/b.rb\" and forbids it by \"/a/\"",
        )],
    );
    let label = draft(yaml).problems.remove(0).labels.remove(0);
    assert_eq!(label.place.position(), (3, 23));
}

#[test]
fn r9_q6_forbidden_entries_may_be_absolute_or_name_git() {
    let record =
        record("id: R\nforbidden_scope: [/a.rb, .git/, '*.lock']\naffected_scope: [b.rb]\n");
    assert_eq!(record.forbids("a.rb"), Some("/a.rb"));
}

#[test]
fn r14_a_record_that_creates_nothing_is_legal_and_warned_of_once() {
    for (yaml, line, part) in [
        (
            "id: R\naffected_scope: ['a/**', b/]\n",
            2,
            "\"R\" authorises by patterns only",
        ),
        ("id: R\n", 1, "\"R\" authorises no path"),
        ("id: R\naffected_scope: []\n", 2, "\"R\" authorises no path"),
    ] {
        let draft = draft(yaml);
        assert!(draft.problems.is_empty() && draft.record.is_some());
        let [warning] = &draft.warnings[..] else {
            panic!("{yaml}: {:?}", draft.warnings)
        };
        let (at, _, message) = placed(warning);
        assert!(message.contains(part), "{message}");
        assert_eq!(at, line);
    }
    let warning = draft("id: R\naffected_scopes: [a.rb]\n").warnings.remove(0);
    assert!(
        warning
            .help
            .unwrap()
            .contains("did you mean `affected_scope`?")
    );
}

#[test]
fn a_forbidden_entry_that_can_forbid_nothing_is_warned_of() {
    let draft = draft("id: R\naffected_scope: [a.rb]\nforbidden_scope: ['a\\b.rb', ../x, ok/]\n");
    let places: Vec<_> = draft.warnings.iter().map(placed).collect();
    assert_eq!(places.len(), 2);
    assert_eq!((places[0].0, places[0].1), (3, 19));
    assert!(places[0].2.contains("write `/`"));
    assert!(places[1].2.contains("\"../x\""));
}

#[test]
fn r19_of_a_record_that_is_not_wanted_only_the_id_counts() {
    let source = Source::new("r.yml", "id: R\naffected_scope: [/a]\nx: 1\nx: 2\n");
    let draft = read(&source, |id| id == "S");
    assert_eq!(draft.id.as_deref(), Some("R"));
    assert!(draft.record.is_none() && draft.problems.is_empty());
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    assert_eq!(record("\u{feff}id: R\n").id, "R");
}

proptest::proptest! {
    #[test]
    fn x37_no_text_makes_it_panic(text in "(id: a|affected_scope:|forbidden_scope:|[\\[\\]{}\\n :,*/.\\\\'\"-]|\\PC){0,12}") {
        let _ = draft(&text);
    }
}
