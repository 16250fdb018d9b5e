//! Every format, with lines worked out by hand.

use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::diag::{Label, Place, Rule, Source, Span};

fn at(source: &Arc<Source>, found: &str) -> Place {
    let start = source.text().find(found).unwrap();
    Place::new(source, Span::new(start, start + found.len()))
}

fn finding(place: Option<Place>) -> Finding {
    let file = place
        .as_ref()
        .map_or("sedum.yaml", |place| place.source.name());
    Finding {
        severity: Severity::Error,
        package: "loom".to_owned(),
        file: file.to_owned(),
        place,
        rule: Rule::ExtensionInvalid,
        message: "no dot".to_owned(),
        help: None,
        labels: Vec::new(),
    }
}

fn label(place: Place, text: &str) -> Label {
    Label {
        place,
        text: text.to_owned(),
    }
}

fn report<'a>(findings: &'a [Finding], generators: &'a str) -> Report<'a> {
    Report {
        packages: vec![("loom".to_owned(), false), ("mill".to_owned(), true)],
        findings,
        generators: Path::new(generators),
    }
}

fn human(finding: &Finding) -> String {
    let findings = [finding.clone()];
    let text = render(Format::Human, &report(&findings, "g"), false, 80);
    let (excerpt, rest) = text.split_once("\n\n").unwrap();
    assert_eq!(rest, "1 package(s) loaded, 1 error(s), 0 warning(s)\n");
    excerpt.to_owned()
}

fn lines(of: &[&str]) -> String {
    of.join("\n")
}

fn json_of(format: Format, report: &Report<'_>) -> Value {
    serde_json::from_str(&render(format, report, false, 80)).unwrap()
}

/// A finding with everything: wide characters, a tab and CRLF before it, help, a label in another file.
fn full() -> Vec<Finding> {
    let manifest = Source::new(
        "sedum.yaml",
        "name: loom\r\nextensions:\r\n\t- 日本 rb # x\r\n",
    );
    let other = Source::new("files/{n}.rb", "one\ntwo\n");
    let mut first = finding(Some(at(&manifest, "rb")));
    first.help = Some("write \".rb\"".to_owned());
    first.labels = vec![label(at(&other, "two"), "the [only] user")];
    let mut second = finding(None);
    second.severity = Severity::Warning;
    second.rule = Rule::TemplateUnused;
    second.file = "actions/a,b:100%.rb".to_owned();
    vec![first, second]
}

#[test]
fn short_is_a_line_a_finding_and_the_counts_l7_u15() {
    let findings = full();
    let expected = "\
error: loom/sedum.yaml:3:7 [extension_invalid] no dot
warning: loom/actions/a,b:100%.rb [template_unused] no dot
1 package(s) loaded, 1 error(s), 1 warning(s)
";
    assert_eq!(
        render(Format::Short, &report(&findings, "g"), true, 80),
        expected
    );
    assert_eq!(
        render(Format::Short, &report(&[], "g"), false, 80),
        "1 package(s) loaded, 0 error(s), 0 warning(s)\n"
    );
}

#[test]
fn every_line_of_short_is_one_finding_whatever_the_message_holds_o28() {
    let mut broken = finding(None);
    broken.message = "two\nlines \u{1b}[2J".to_owned();
    let text = render(Format::Short, &report(&[broken], "g"), false, 80);
    assert!(
        text.starts_with("error: loom/sedum.yaml [extension_invalid] two\\nlines \\u{1b}[2J\n")
    );
}

#[test]
fn human_measures_by_display_width_and_shows_other_files_o20_o28() {
    // A tab is four columns, each of the two wide characters two: `rb` begins at column 4 + 2 + 4 + 1.
    assert_eq!(
        human(&full()[0]),
        lines(&[
            "error: loom/sedum.yaml:3:7 [extension_invalid] no dot",
            "  |",
            "3 |     - 日本 rb # x",
            "  |            ^^",
            "  |",
            " ::: loom/files/{n}.rb:2:1",
            "  |",
            "2 | two",
            "  | --- the [only] user",
            "  |",
            "  = help: write \".rb\"",
        ])
    );
}

#[test]
fn human_has_a_blank_line_after_each_finding_and_ends_with_the_counts() {
    let text = render(Format::Human, &report(&full(), "g"), false, 80);
    assert!(text.contains(
        "\n\nwarning: loom/actions/a,b:100%.rb [template_unused] no dot\n\n1 package(s)"
    ));
    assert!(text.ends_with("1 package(s) loaded, 1 error(s), 1 warning(s)\n"));
}

#[test]
fn a_label_in_the_same_file_stands_in_the_same_excerpt() {
    let source = Source::new("sedum.yaml", "name: a\nx: 1\ny: 1\nz: 1\nname: b\n");
    let start = source.text().rfind("name").unwrap();
    let mut twice = finding(Some(Place::new(&source, Span::new(start, start + 4))));
    twice.labels = vec![label(at(&source, "name"), "the first")];
    assert_eq!(
        human(&twice),
        lines(&[
            "error: loom/sedum.yaml:5:1 [extension_invalid] no dot",
            "  |",
            "1 | name: a",
            "  | ---- the first",
            "...",
            "5 | name: b",
            "  | ^^^^",
        ])
    );
}

#[test]
fn line_numbers_of_all_excerpts_share_a_gutter() {
    let long = Source::new("actions/actions.yaml", format!("{}here\n", "\n".repeat(99)));
    let short = Source::new("sedum.yaml", "there\n");
    let mut found = finding(Some(at(&short, "there")));
    found.labels = vec![label(at(&long, "here"), "and")];
    assert_eq!(
        human(&found),
        lines(&[
            "error: loom/sedum.yaml:1:1 [extension_invalid] no dot",
            "    |",
            "  1 | there",
            "    | ^^^^^",
            "    |",
            "   ::: loom/actions/actions.yaml:100:1",
            "    |",
            "100 | here",
            "    | ---- and",
        ])
    );
}

#[test]
fn control_characters_of_a_line_are_escaped_and_counted_o28() {
    let source = Source::new("sedum.yaml", "a\u{1b}[2J\u{202e}\rb: here\r\n");
    assert_eq!(
        human(&finding(Some(at(&source, "here")))),
        lines(&[
            "error: loom/sedum.yaml:1:11 [extension_invalid] no dot",
            "  |",
            "1 | a\\u{1b}[2J\\u{202e}\\rb: here",
            "  |                        ^^^^",
        ])
    );
}

#[test]
fn a_range_of_several_lines_is_underlined_on_its_first() {
    let source = Source::new(
        "sedum.yaml",
        "k:\r\n  a: 1\r\n  b: 2\r\n  c: 3\r\n  d: 4\r\n",
    );
    let mut found = finding(Some(at(&source, "a: 1\r\n  b: 2\r\n  c: 3\r\n  d: 4")));
    found.help = Some("one\ntwo".to_owned());
    assert_eq!(
        human(&found),
        lines(&[
            "error: loom/sedum.yaml:2:3 [extension_invalid] no dot",
            "  |",
            "2 |   a: 1",
            "  |   ^^^^",
            "3 |   b: 2",
            "4 |   c: 3",
            "  |",
            "  = help: one",
            "          two",
        ])
    );
    let line = finding(Some(at(&source, "a: 1\r\n")));
    assert!(human(&line).ends_with("2 |   a: 1\n  |   ^^^^"));
}

#[test]
fn an_empty_range_gets_a_caret() {
    let source = Source::new("sedum.yaml", "ab\ncd\n");
    let caret = |offset| {
        human(&finding(Some(Place::new(
            &source,
            Span::new(offset, offset),
        ))))
    };
    assert!(caret(0).ends_with("\n1 | ab\n  | ^"));
    assert!(caret(2).ends_with("\n1 | ab\n  |   ^"));
    assert!(caret(6).ends_with("\n3 |\n  | ^"));
    assert!(caret(60).ends_with("\n3 |\n  | ^"));
    let empty = Source::new("sedum.yaml", "");
    let text = human(&finding(Some(Place::new(&empty, Span::new(0, 0)))));
    assert!(text.ends_with("\n1 |\n  | ^"), "{text}");
}

#[test]
fn a_long_line_is_cut_around_its_mark() {
    let source = Source::new(
        "sedum.yaml",
        format!("{}HERE{}", "ab ".repeat(90_000), " cd".repeat(90_000)),
    );
    let text = human(&finding(Some(at(&source, "HERE"))));
    let cut: Vec<_> = text.lines().collect();
    assert!(cut[2].starts_with("1 | ...") && cut[2].ends_with("..."));
    assert!(cut.iter().all(|line| line.len() <= 80), "{text}");
    assert_eq!(cut[2].find("HERE"), cut[3].find("^^^^"));
}

#[test]
fn help_without_a_place_stands_alone() {
    let mut found = finding(None);
    found.help = Some("add it \u{7}".to_owned());
    assert_eq!(
        human(&found),
        lines(&[
            "error: loom/sedum.yaml [extension_invalid] no dot",
            "  = help: add it \\u{7}",
        ])
    );
}

#[test]
fn color_changes_no_text() {
    let findings = full();
    let plain = render(Format::Human, &report(&findings, "g"), false, 80);
    let colored = render(Format::Human, &report(&findings, "g"), true, 80);
    assert_ne!(plain, colored);
    assert_eq!(without_color(&colored), plain);
}

fn without_color(text: &str) -> String {
    let mut out = String::new();
    for piece in text.split("\u{1b}[") {
        match piece.split_once('m') {
            Some((code, rest)) if code.bytes().all(|b| b.is_ascii_digit() || b == b';') => {
                out.push_str(rest);
            }
            _ => out.push_str(piece),
        }
    }
    out
}

#[test]
fn json_is_one_document_o21() {
    let findings = full();
    let expected = r#"{
  "packages": [
    {
      "name": "loom",
      "loaded": false
    },
    {
      "name": "mill",
      "loaded": true
    }
  ],
  "findings": [
    {
      "severity": "error",
      "package": "loom",
      "file": "sedum.yaml",
      "line": 3,
      "column": 7,
      "end_line": 3,
      "end_column": 9,
      "rule": "extension_invalid",
      "message": "no dot",
      "help": "write \".rb\"",
      "labels": [
        {
          "file": "files/{n}.rb",
          "line": 2,
          "column": 1,
          "end_line": 2,
          "end_column": 4,
          "text": "the [only] user"
        }
      ]
    },
    {
      "severity": "warning",
      "package": "loom",
      "file": "actions/a,b:100%.rb",
      "rule": "template_unused",
      "message": "no dot"
    }
  ],
  "summary": {
    "loaded": 1,
    "errors": 1,
    "warnings": 1
  }
}
"#;
    assert_eq!(
        render(Format::Json, &report(&findings, "g"), true, 80),
        expected
    );
    let none = json_of(Format::Json, &report(&[], "g"));
    assert_eq!(none["findings"], json!([]));
}

#[test]
fn json_escapes_what_could_drive_a_terminal_and_keeps_the_value_o28() {
    let mut found = finding(None);
    found.message = "\u{1b}\u{7f}\u{9b}\u{202e}é日".to_owned();
    let findings = [found];
    let text = render(Format::Json, &report(&findings, "g"), false, 80);
    assert!(text.contains("\\u001b\\u007f\\u009b\\u202eé日"));
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        value["findings"][0]["message"],
        findings[0].message.as_str()
    );
}

#[test]
fn sarif_has_a_result_a_finding_o21() {
    let findings = full();
    let log = json_of(Format::Sarif, &report(&findings, "./my gens/"));
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "sedum");
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    let first = &results[0];
    assert_eq!(first["ruleId"], "extension_invalid");
    assert_eq!(first["level"], "error");
    assert_eq!(
        first["message"]["text"],
        "no dot\nhelp: write \".rb\"\nsee [the \\[only\\] user](1)"
    );
    assert_eq!(
        first["locations"][0]["physicalLocation"],
        json!({
            "artifactLocation": { "uri": "my%20gens/loom/sedum.yaml" },
            "region": { "startLine": 3, "startColumn": 7, "endLine": 3, "endColumn": 9 },
        })
    );
    let related = &first["relatedLocations"][0];
    assert_eq!(related["id"], 1);
    assert_eq!(
        related["physicalLocation"]["artifactLocation"]["uri"],
        "my%20gens/loom/files/%7Bn%7D.rb"
    );
    let second = &results[1]["locations"][0]["physicalLocation"];
    assert_eq!(
        second["artifactLocation"]["uri"],
        "my%20gens/loom/actions/a%2Cb%3A100%25.rb"
    );
    assert_eq!(second["region"]["startLine"], 1);
    assert_eq!(results[1]["level"], "warning");
}

#[test]
fn sarif_describes_the_rules_that_occur_and_no_others() {
    let mut findings = full();
    findings.push(findings[0].clone());
    let log = json_of(Format::Sarif, &report(&findings, "g"));
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), 2);
    for result in run["results"].as_array().unwrap() {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
    let unused = rules.iter().find(|r| r["id"] == "template_unused").unwrap();
    assert_eq!(unused["defaultConfiguration"]["level"], "warning");
    assert_eq!(
        unused["shortDescription"]["text"],
        Rule::TemplateUnused.summary()
    );
    let markdown = unused["help"]["markdown"].as_str().unwrap();
    assert!(markdown.contains("To mend it") && markdown.contains("```"));
}

#[test]
fn an_absolute_generators_directory_gives_file_uris_and_absolute_paths() {
    let findings = [finding(None)];
    let report = report(&findings, "/srv/a b");
    let log = json_of(Format::Sarif, &report);
    let location = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(
        location["artifactLocation"]["uri"],
        "file:///srv/a%20b/loom/sedum.yaml"
    );
    let commands = render(Format::Github, &report, false, 80);
    assert!(commands.starts_with("::error file=/srv/a b/loom/sedum.yaml,title="));
}

#[test]
fn fingerprints_outlive_edits_elsewhere_and_tell_equal_findings_apart() {
    let fingerprints = |text: &str| {
        let source = Source::new("sedum.yaml", text);
        let twice = [
            finding(Some(at(&source, "rb"))),
            finding(Some(at(&source, "rb"))),
        ];
        let log = json_of(Format::Sarif, &report(&twice, "g"));
        let results = log["runs"][0]["results"].as_array().unwrap();
        let prints = results.iter().map(|r| r["partialFingerprints"].to_string());
        prints.collect::<Vec<_>>()
    };
    let before = fingerprints("x: rb\n");
    assert_ne!(before[0], before[1]);
    assert_eq!(before, fingerprints("# new\n\n  x: rb\n"));
    assert_ne!(before, fingerprints("y: rb\n"));
}

#[test]
fn github_escapes_as_the_runner_undoes() {
    let mut findings = full();
    findings[0].message = "100% sure:\r\nso, no".to_owned();
    let commands = render(Format::Github, &report(&findings, "./g"), true, 80);
    let expected = "\
::error file=g/loom/sedum.yaml,line=3,col=7,endLine=3,endColumn=9,title=extension_invalid::100%25 sure:%0Aso, no%0Ahelp: write \".rb\"
::warning file=g/loom/actions/a%2Cb%3A100%25.rb,title=template_unused::no dot
1 package(s) loaded, 1 error(s), 1 warning(s)
";
    assert_eq!(commands, expected);
}

#[test]
fn github_gives_no_columns_for_a_range_of_several_lines() {
    let source = Source::new("sedum.yaml", "a: 1\nb: 2\n");
    let findings = [finding(Some(at(&source, "1\nb")))];
    let commands = render(Format::Github, &report(&findings, "g"), false, 80);
    assert!(commands.starts_with("::error file=g/loom/sedum.yaml,line=1,endLine=2,title="));
}

#[test]
fn a_problem_has_its_place_excerpt_and_help_o20() {
    let record = Source::new("records/a.yaml", "id: a\nintent: [b]\n");
    let span = at(&record, "[b]").span;
    let found = Problem::new("intent of record a is a list, expected text")
        .at(&record, span)
        .help("write intent: b");
    assert_eq!(
        problem(&found, false, 80),
        "\
records/a.yaml:2:9: intent of record a is a list, expected text
  |
2 | intent: [b]
  |         ^^^
  |
  = help: write intent: b
"
    );
    let bare = Problem::new("no\u{1b} place").help("look");
    assert_eq!(
        problem(&bare, false, 80),
        "no\\u{1b} place\n  = help: look\n"
    );
}

#[test]
fn a_problems_other_file_goes_by_its_own_name() {
    let (a, b) = (
        Source::new("r/a.yml", "id: x\n"),
        Source::new("r/b.yml", "id: x\n"),
    );
    let found = Problem::new("x is declared twice")
        .at(&b, at(&b, "x").span)
        .label(&a, at(&a, "x").span, "first here");
    let text = problem(&found, false, 80);
    assert!(text.starts_with("r/b.yml:1:5: x is declared twice\n"));
    assert!(text.ends_with(" ::: r/a.yml:1:5\n  |\n1 | id: x\n  |     - first here\n"));
}

#[test]
fn names_of_formats_read_back() {
    for format in Format::ALL {
        assert_eq!(Format::from_name(format.name()), Some(format));
    }
    assert_eq!(Format::from_name("xml"), None);
}

#[test]
fn sarif_is_valid_by_the_schema_of_sarif_2_1_0() {
    // The published schema has a stray bracket in the pattern of a language tag, which the validator refuses.
    let schema = include_str!("../../../testdata/sarif-2.1.0.schema.json")
        .replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(
        !validator.is_valid(&json!({ "version": "2.1.0" })),
        "the schema checks something"
    );
    let mut findings = full();
    // Every rule occurs, so every descriptor is checked.
    findings.extend(Rule::ALL.iter().map(|rule| {
        let mut found = finding(None);
        found.rule = *rule;
        found
    }));
    for list in [&findings[..], &[]] {
        let log = json_of(Format::Sarif, &report(list, "g"));
        let faults: Vec<_> = validator.iter_errors(&log).map(|e| e.to_string()).collect();
        assert!(faults.is_empty(), "{faults:?}");
    }
}

proptest! {
    /// X37 and O28: no text and no range makes a panic, and nothing printed can drive a terminal.
    #[test]
    fn any_text_and_range_can_be_printed(
        text in "([a-c \t日é\u{301}\u{200d}\u{1b}\u{9b}\u{202e}\u{0}]|\n|\r\n|\r){0,60}",
        other in "[a-z\n]{0,9}",
        ranges in prop::collection::vec((0usize..90, 0usize..40, any::<bool>()), 1..5),
        width in 0usize..120,
        color: bool,
    ) {
        let (source, other) = (Source::new("a\u{7}", text), Source::new("b", other));
        let places: Vec<_> = ranges
            .iter()
            .map(|(start, length, is_other)| {
                let source = if *is_other { &other } else { &source };
                Place::new(source, Span::new(*start, start + length))
            })
            .collect();
        let mut found = finding(Some(places[0].clone()));
        found.labels = places.iter().map(|place| label(place.clone(), "x\u{1b}")).collect();
        let findings = [found];
        let report = report(&findings, "g");
        let short = render(Format::Short, &report, false, width);
        for format in Format::ALL {
            let printed = render(format, &report, color, width);
            let plain = if color { without_color(&printed) } else { printed };
            let controls = plain.chars().any(|c| c != '\n' && (c.is_control() || c == '\u{202e}'));
            prop_assert!(!controls, "{plain:?}");
            if format == Format::Human {
                prop_assert_eq!(plain.lines().next(), short.lines().next());
                prop_assert_eq!(plain.lines().last(), short.lines().last());
            }
        }
    }

    /// A range within one line is underlined under its own characters.
    #[test]
    fn the_underline_stands_below_the_marked_text(
        before in "\t{0,12}[a-z日é\t]{0,12}",
        marked in "[A-Z本]{1,6}",
        after in "[a-z日 ]{0,12}",
    ) {
        let source = Source::new("f", format!("x\n{before}{marked}{after}\ny\n"));
        let start = 2 + before.len();
        let place = Place::new(&source, Span::new(start, start + marked.len()));
        let text = human(&finding(Some(place)));
        let columns = |text: &str| text.chars().map(|c| match c {
            '\t' => 4,
            '日' | '本' => 2,
            _ => 1,
        }).sum::<usize>();
        let mut lines = text.lines().rev();
        let underline = lines.next().unwrap();
        // Of a line that begins far to the right less is shown.
        let shown = lines.next().unwrap();
        let until = columns(&shown[..shown.find(&*marked).unwrap()]);
        prop_assert_eq!(&underline[..3], "  |");
        let expected = format!("{}{}", " ".repeat(until - 3), "^".repeat(columns(&marked)));
        prop_assert_eq!(&underline[3..], expected);
        if columns(&before) <= 20 {
            prop_assert_eq!(until, 4 + columns(&before));
        }
    }
}
