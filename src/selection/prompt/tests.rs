use super::{ENVELOPE, Rejected, SYSTEM, messages};
use crate::diag::Rule;
use crate::resolve::Resolved;
use crate::resolve::create::Planted;
use crate::selection::catalog::Entry;
use crate::selection::client::{Message, Role};
use crate::selection::converse::fixture::Fixture;
use crate::selection::decode::{self, decode};
use crate::selection::mend::Mend;
use crate::selection::narrow::narrowed;
use crate::selection::{Catalog, Violation};

fn asked(fixture: &Fixture) -> Vec<Message> {
    let (catalog, _) = narrowed(&fixture.catalog(), fixture.record(), &fixture.variables);
    messages(fixture.record(), &catalog, &fixture.planted)
}

const WHOLE: &str = r#"The catalog of actions:
{
  "actions": [
    {
      "action": "addEdge",
      "package": "loom",
      "kwargs": {
        "cloth": {
          "type": "string",
          "required": true
        },
        "cord": {
          "type": "string",
          "required": false
        },
        "kind": {
          "type": "string",
          "required": true
        },
        "loops": {
          "type": "list",
          "required": false
        }
      },
      "discriminator": "kind",
      "variants": [
        "plain",
        "corded"
      ],
      "has_default": true,
      "injects_into": [
        "cloths/{{cloth|kebab}}.weft"
      ],
      "anchor": [
        "region"
      ],
      "anchor_start": [
        "edge"
      ],
      "anchor_end": [
        "edge_end"
      ],
      "anchor_pattern": [
        ""
      ],
      "variant_requires": {
        "_default": [
          "loops"
        ],
        "corded": [
          "cord"
        ]
      }
    },
    {
      "action": "addNote",
      "package": "loom",
      "kwargs": {
        "file": {
          "type": "string",
          "required": true
        },
        "text": {
          "type": "literal",
          "required": true
        }
      },
      "anchor": [
        "notes"
      ]
    },
    {
      "action": "addPick",
      "package": "loom",
      "description": "One pick of a cloth.",
      "kwargs": {
        "beats": {
          "type": "int",
          "required": false,
          "default": 2
        },
        "cloth": {
          "type": "string",
          "required": true,
          "description": "The cloth, by name."
        },
        "shed": {
          "type": "int",
          "required": true
        }
      },
      "injects_into": [
        "cloths/{{cloth|kebab}}.weft"
      ],
      "anchor": [
        "picks"
      ]
    }
  ]
}

The change:
Weave record 1.

It is held to:
- Keep <it> & "plain".

Its files, each with its package and the anchors it carries:
- a.bare (package: bare; no anchors)
- cloths/bag.weft (package: loom; anchors: edge, edge_end, nobody, picks)
- cloths/rug.weft (package: loom; anchors: edge, edge_end, nobody, picks)

Out of reach, written by somebody else; aim no action at them:
- dye/blue.weft
- dye/red.weft

Which invocations carry out this change? Answer with the JSON object and nothing else."#;

#[test]
fn the_whole_prompt_k12_k16_k17_k21a() {
    let fixture = Fixture::new(&[&[
        "cloths/rug.weft",
        "dye/red.weft",
        "a.bare",
        "cloths/bag.weft",
        "dye/blue.weft",
    ]]);
    let messages = asked(&fixture);
    let roles: Vec<_> = messages.iter().map(|m| m.role).collect();
    assert_eq!(roles, [Role::System, Role::User]);
    assert_eq!(messages[0].content, SYSTEM.trim_end());
    assert_eq!(messages[1].content, WHOLE);
}

#[test]
fn records_of_one_package_share_all_up_to_the_record_k15_k21a() {
    let fixture = Fixture::new(&[&["cloths/rug.weft"], &["cloths/bag.weft"]]);
    let of = |record: &Resolved<'_>| {
        let catalog = Catalog::of(&record.packages(), false);
        let messages = messages(record, &catalog, &fixture.planted);
        messages[1].content.clone()
    };
    let [one, two] = [0, 1].map(|n| of(&fixture.records[n]));
    let shared = one.find("\n\nThe change:\n").unwrap();
    assert_eq!(one[..shared], two[..shared]);
    assert!(one.contains("cloths/rug.weft") && !one.contains("cloths/bag.weft"));
    assert!(!one.contains("R-1"));
}

#[test]
fn what_is_required_or_has_a_default_is_not_named_twice_k8_k11() {
    let fixture = Fixture::new(&[&["cloths/rug.weft"]]);
    let [shown, whole] = [
        super::entries(&fixture.catalog()),
        fixture.catalog().entries(),
    ];
    let edge = |entries: &[Entry<'_>]| {
        let entry = entries.iter().find(|e| e.action == "addEdge").unwrap();
        let needs = entry.variant_requires.iter();
        needs
            .map(|(variant, names)| format!("{variant}: {names:?}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        edge(&shown),
        [r#"_default: {"loops"}"#, r#"corded: {"cord"}"#]
    );
    let expected = [
        r#"_default: {"cloth", "kind", "loops"}"#,
        r#"corded: {"cloth", "cord"}"#,
        r#"plain: {"cloth"}"#,
    ];
    assert_eq!(edge(&whole), expected, "the JSON keeps them");
}

#[test]
fn an_entry_with_several_targets_keeps_them_all_and_a_lone_bare_one_goes_k12() {
    let actions = "actions:\n  tag:\n    kwargs: { file: { type: string, required: true } }\n    injects_into: \"{{file}}\"\n    anchor: end_of_file\n  mark:\n    kwargs: { file: { type: string, required: true } }\n    injects_into: \"{{file|lower}}\"\n    anchor: end_of_file\n  seal:\n    kwargs: { n: { type: string, required: true } }\n    injects_into: \"{{n}}.knot\"\n    anchor: end_of_file\n  tagAndSeal: { composes: [tag, seal] }\n";
    let fixture = Fixture::with(
        &[
            (
                "knot/sedum.yaml",
                "name: knot\nextensions: [\".knot\"]\ncomment_prefix: \"~\"\n",
            ),
            ("knot/actions/actions.yaml", actions),
            ("knot/actions/tag.knot", "t\n"),
            ("knot/actions/mark.knot", "m\n"),
            ("knot/actions/seal.knot", "s\n"),
        ],
        &[&["a.knot"]],
    );
    let entries = super::entries(&fixture.catalog());
    let targets: Vec<_> = entries
        .iter()
        .map(|e| (e.action, e.injects_into.clone()))
        .collect();
    let expected = [
        ("mark", vec!["{{file|lower}}"]),
        ("seal", vec!["{{n}}.knot"]),
        ("tag", vec![]),
        ("tagAndSeal", vec!["{{file}}", "{{n}}.knot"]),
    ];
    assert_eq!(targets, expected);
    let whole = fixture.catalog().entries();
    assert_eq!(whole[2].injects_into, ["{{file}}"], "the JSON keeps them");
}

#[test]
fn the_system_text_names_no_language_framework_or_file_type_k19_p1() {
    const NAMES: &[&str] = &[
        "angular",
        "bash",
        "c",
        "chi",
        "class",
        "clojure",
        "cpp",
        "css",
        "django",
        "docker",
        "elixir",
        "erb",
        "flask",
        "function",
        "go",
        "golang",
        "haskell",
        "html",
        "java",
        "javascript",
        "jsx",
        "kotlin",
        "laravel",
        "lua",
        "markdown",
        "method",
        "node",
        "perl",
        "php",
        "py",
        "python",
        "rails",
        "rb",
        "react",
        "rs",
        "ruby",
        "rust",
        "scala",
        "shell",
        "spring",
        "sql",
        "svelte",
        "swift",
        "toml",
        "ts",
        "tsx",
        "typescript",
        "vue",
        "xml",
        "yaml",
        "yml",
        "zig",
    ];
    let lowered = SYSTEM.to_lowercase();
    let words = lowered.split(|c: char| !c.is_alphanumeric());
    let found: Vec<_> = words.filter(|word| NAMES.contains(word)).collect();
    assert!(found.is_empty(), "{found:?}");
    assert!(!lowered.contains("c++") && !lowered.contains("c#"));
}

#[test]
fn the_system_text_explains_what_a_model_has_to_know_k19() {
    for fact in [
        "closed catalog",
        "Read it forwards",
        "anchor_start and anchor_end",
        "neither an object nor a description",
        "exact source text",
        "has_default",
        "takes its default",
        "{\"singular\": \"...\", \"plural\": \"...\"}",
        "invoke the action three times",
        ENVELOPE,
        "{\"invocations\": []}",
    ] {
        assert!(SYSTEM.contains(fact), "{fact}");
    }
}

/// The re-prompt about an answer that was not cut off.
fn correction(
    first: &[Message],
    answer: &str,
    violations: &[Violation],
    before: &[Violation],
) -> Vec<Message> {
    let rejected = Rejected {
        text: answer,
        violations,
        before,
        invocations: &decode(answer).unwrap_or_default(),
        faults: violations,
    };
    super::correction(first, rejected)
}

fn violation(rule: Rule, index: Option<usize>, action: &str) -> Violation {
    Violation {
        rule,
        index,
        action: action.to_owned(),
        kwarg: None,
        message: "it is wrong".to_owned(),
        mend: None,
    }
}

#[test]
fn a_correction_has_the_answer_and_one_bullet_a_violation_d24() {
    let first = asked(&Fixture::new(&[&["cloths/rug.weft"]]));
    let violations = [
        violation(Rule::KwargType, Some(1), "addPick"),
        violation(Rule::ResponseShape, None, ""),
    ];
    let all = correction(&first, "<think>hm</think>\n[1]", &violations, &[]);
    assert_eq!(all[..2], first[..]);
    assert_eq!(
        (all[2].role, all[2].content.as_str()),
        (Role::Assistant, "[1]")
    );
    assert_eq!(all[3].role, Role::User);
    let bullets: Vec<_> = all[3]
        .content
        .lines()
        .filter(|l| l.starts_with("- "))
        .collect();
    let expected = [
        "- [kwarg_type] #2 addPick: it is wrong",
        "- [response_shape] it is wrong",
    ];
    assert_eq!(bullets, expected);
    assert!(all[3].content.contains("complete list"));
    assert!(all[3].content.ends_with(ENVELOPE));
}

#[test]
fn an_answer_without_text_is_carried_as_no_content_d24() {
    for answer in ["", " \n", "<think>hm</think>"] {
        let all = correction(&[], answer, &[], &[]);
        assert_eq!(all[0].content, "(no content)");
    }
}

#[test]
fn anchors_of_a_file_that_is_not_part_of_the_run_are_none_k18() {
    let fixture = Fixture::new(&[&["cloths/rug.weft"]]);
    let text = messages(fixture.record(), &fixture.catalog(), &Planted::default());
    assert!(
        text[1]
            .content
            .contains("- cloths/rug.weft (package: loom; no anchors)")
    );
}

/// An answer with four invocations, of which the first lacks nothing.
const ANSWER: &str = r#"[{"action":"addPick","kwargs":{"shed":1}},{"action":"addPick","kwargs":{"tint":"red"}},{"action":"hem"},{"action":"addPick"}]"#;

fn mended(index: usize, mend: Mend) -> Violation {
    Violation {
        mend: Some(Box::new(mend)),
        ..violation(Rule::UnknownKwarg, Some(index), "addPick")
    }
}

fn unbound() -> Violation {
    mended(1, Mend::Unbind(vec!["tint".to_owned()]))
}

#[test]
fn a_correction_shows_the_invocations_as_they_would_be_right_d24() {
    let violations = [
        unbound(),
        mended(2, Mend::LeaveOut),
        violation(Rule::MissingKwarg, Some(3), "addPick"),
    ];
    let all = correction(&[], ANSWER, &violations, &[]);
    let shown: Vec<_> = all[1]
        .content
        .lines()
        .filter(|line| line.starts_with('#'))
        .collect();
    let expected = [r#"#2 {"action":"addPick","kwargs":{}}"#, "#3 is left out"];
    assert_eq!(shown, expected, "the fourth is the model's to mend");
    assert!(all[1].content.ends_with(ENVELOPE));
}

#[test]
fn an_answer_whose_faults_can_all_be_mended_is_shown_whole_d24() {
    let violations = [unbound(), mended(2, Mend::LeaveOut)];
    let text = correction(&[], ANSWER, &violations, &[])[1].content.clone();
    assert!(text.starts_with("That answer was rejected:\n- [unknown_kwarg] #2 "));
    let whole = "{\"invocations\": [\n{\"action\":\"addPick\",\"kwargs\":{\"shed\":1}},\n\
                 {\"action\":\"addPick\",\"kwargs\":{}},\n{\"action\":\"addPick\",\"kwargs\":{}}\n]}\n";
    assert!(text.contains(whole), "{text}");
}

#[test]
fn an_answer_that_is_cut_off_again_is_shown_by_half_k29() {
    let cut = [decode::truncated()];
    let shown = |before| {
        let rejected = Rejected {
            text: "[",
            violations: &cut,
            before,
            invocations: &decode(ANSWER).unwrap(),
            faults: &[],
        };
        let text = super::correction(&[], rejected)[1].content.clone();
        text.matches("\"action\"").count()
    };
    let count = decode(ANSWER).unwrap().len();
    assert_eq!(shown(&[]), count);
    assert_eq!(shown(&cut), count / 2);
    assert!(count > 2, "{count}");
}

#[test]
fn a_fault_that_comes_back_is_said_to_d24() {
    let back = [unbound(), mended(2, Mend::LeaveOut)];
    let said = |before: &[Violation]| correction(&[], ANSWER, &back, before)[1].content.clone();
    let other = [violation(Rule::MissingKwarg, Some(3), "addPick")];
    for before in [&[][..], &other[..]] {
        assert!(said(before).starts_with("That answer was rejected:\n"));
    }
    let again = said(&back[..1]);
    assert!(
        again.starts_with("That answer was rejected again, for faults that were named before:\n")
    );
}

#[test]
fn an_answer_that_is_no_list_is_not_shown_d24() {
    let violations = [violation(Rule::ResponseShape, None, "")];
    let text = correction(&[], "so: {}", &violations, &violations)[1]
        .content
        .clone();
    assert!(!text.contains("it reads") && text.ends_with(ENVELOPE));
}

#[test]
fn an_invocation_that_stays_faulty_is_left_out_of_what_is_shown_d24() {
    let violations = [unbound(), violation(Rule::MissingKwarg, Some(3), "addPick")];
    let said = |before: &[Violation]| {
        correction(&[], ANSWER, &violations, before)[1]
            .content
            .clone()
    };
    assert!(
        said(&[]).ends_with(ENVELOPE),
        "at first it is the model's to mend"
    );
    let whole = "Without these faults, and without #4, it reads:\n{\"invocations\": [\n\
                 {\"action\":\"addPick\",\"kwargs\":{\"shed\":1}},\n{\"action\":\"addPick\",\"kwargs\":{}},\n\
                 {\"action\":\"hem\",\"kwargs\":{}}\n]}\n";
    let again = said(&[violation(Rule::UnknownAction, Some(0), "x")]);
    assert!(again.contains(whole), "{again}");
}

#[test]
fn nothing_is_shown_where_nothing_would_be_left_d24() {
    let violations = [0, 1, 2, 3].map(|n| mended(n, Mend::LeaveOut));
    let text = correction(&[], ANSWER, &violations, &violations)[1]
        .content
        .clone();
    assert!(!text.contains("it reads") && text.ends_with(ENVELOPE));
}

#[test]
fn of_an_answer_that_was_cut_off_its_faultless_part_is_shown_k29() {
    let faults = [violation(Rule::MissingKwarg, Some(1), "addPick")];
    let rejected = Rejected {
        text: "[",
        violations: &[decode::truncated()],
        before: &[],
        invocations: &decode(ANSWER).unwrap()[..2],
        faults: &faults,
    };
    let text = super::correction(&[], rejected)[1].content.clone();
    let bullets = text.lines().filter(|line| line.starts_with("- ")).count();
    assert_eq!(bullets, 1, "the cut is what is wrong");
    let whole = "{\"invocations\": [\n{\"action\":\"addPick\",\"kwargs\":{\"shed\":1}}\n]}\n";
    assert!(text.contains(whole), "{text}");
}
