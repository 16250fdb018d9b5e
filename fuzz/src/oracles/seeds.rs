//! Where each target starts: the repository's own packages, recordings, trees and cases.

use std::fs;
use std::path::{Path, PathBuf};

use super::{input, loom};

/// All files below a folder, sorted.
fn below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
        .into_iter()
        .flat_map(|path| {
            if path.is_dir() {
                below(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn packages(root: &Path) -> Vec<PathBuf> {
    below(&root.join("testdata/generators"))
}

fn yaml(root: &Path, name: &str) -> Vec<String> {
    packages(root)
        .iter()
        .filter(|path| path.ends_with(name))
        .map(|path| text(path))
        .collect()
}

/// Manifests, each under the name of the package that it is put in.
pub fn manifest(root: &Path) -> Vec<Vec<u8>> {
    let renamed = yaml(root, "sedum.yaml").into_iter().map(|text| {
        let lines: Vec<&str> = text
            .lines()
            .map(|line| {
                if line.starts_with("name:") {
                    "name: loom"
                } else {
                    line
                }
            })
            .collect();
        lines.join("\n").into_bytes()
    });
    let mut seeds: Vec<Vec<u8>> = renamed.collect();
    for (from, to) in [
        ("", ""),
        ("[.loom]", "[.Loom, .blade.PHP]"),
        ("[.loom]", "[loom, .]"),
        ("\"--\"", "\"(*\"\ncomment_suffix: \"*)\""),
        ("\"--\"", "\"(*\"\ncomment_suffix: \"}\""),
        ("[pascal]", "[ident, pascal]"),
        ("legacy/", "src/"),
        ("mill:", "key:"),
    ] {
        seeds.push(loom::MANIFEST.replacen(from, to, 1).into_bytes());
    }
    seeds
}

/// The actions of every package: whole where that is short, and one by one.
pub fn actions(root: &Path) -> Vec<Vec<u8>> {
    let mut seeds = vec![loom::ACTIONS.as_bytes().to_vec()];
    // One change each, most of them a fault.
    for (from, to) in [
        ("default: 1 ", "default: 2.5 "),
        ("default: 1 ", "default: 20e-1 "),
        ("[left, right]", "[left, {}]"),
        ("exposed: false", "exposed: no"),
        ("tier: seeded", "tier: loose"),
        ("identity: [cloth]", "identity: [text, ghost]"),
        ("{ composes:", "{ tier: owned, composes:"),
        (
            "colour: { type: string, required: true",
            "mill: { type: string, required: false",
        ),
        ("variants: [plain]", "variants: [\"a b\"]"),
        ("addNote:", "anchor:"),
        ("composes: [topEdge", "composes: [addEdges"),
    ] {
        seeds.push(loom::ACTIONS.replace(from, to).into_bytes());
    }
    for text in yaml(root, "actions/actions.yaml") {
        let mut one = String::new();
        for line in text
            .lines()
            .skip_while(|line| !line.starts_with("actions:"))
            .skip(1)
        {
            let starts = line.starts_with("  ")
                && !line.starts_with("   ")
                && !line.trim_start().starts_with('#');
            if starts && !one.is_empty() {
                seeds.push(format!("actions:\n{one}").into_bytes());
                one.clear();
            }
            one.push_str(line);
            one.push('\n');
        }
        seeds.push(format!("actions:\n{one}").into_bytes());
    }
    seeds
}

/// Every template, with something for each of its names.
pub fn template(root: &Path) -> Vec<Vec<u8>> {
    let bindings = r#"{"name": "line items", "n": 1.50, "yes": true, "list": ["a", 2, false], "forms": {"singular": "datum", "plural": "data"}, "none": null}"#;
    let mut seeds: Vec<Vec<u8>> = [
        "a {{name|pascal}} {{n}} {{{{ {{yes}} {{list|join:, }}",
        "{{ forms | plural | prefix: x:y }}{{name|ident}}{{name|title}} }}",
        "{{a.b}} {{{name}} {{name|",
        "{{none}} {{list}} {{forms}} {{{{{{name}}",
    ]
    .iter()
    .map(|text| input::join(&[text, bindings]))
    .collect();
    let templates = packages(root)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e != "yaml"));
    seeds.extend(templates.map(|path| input::join(&[&text(&path), bindings])));
    seeds
}

/// Scope entries and file patterns with paths that they mean.
pub fn patterns(root: &Path) -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = [
        [
            "src/**/*.rb\napp/[a-c]?/\n**\n\\[id\\].ts\n[^a-z]x",
            "app/{name}_test.rb\napp/{a}-{b}.rb\napp/*.rb",
            "app/x_test.rb\nsrc/a/b.rb",
        ],
        [
            "a/**/b\n**/x\nlib/",
            "{dir}/{file}.{ext}\n{dir}/*.c\nlib/{x}.c",
            "lib/a.b.c\na/b\nA/b",
        ],
        [
            "/x/\n*.lock\n[a-\\]]",
            "_default.rb\nfiles/{a}b{c}\nfiles/ab{d}",
            "files/abab\nx.lock\n.git/x\ncon.txt",
        ],
    ]
    .iter()
    .map(|parts| input::join(parts))
    .collect();
    for path in packages(root) {
        let shown = path.to_string_lossy().into_owned();
        if let Some((_, name)) = shown.split_once("/files/") {
            let made = name.replace(['{', '}'], "");
            seeds.push(input::join(&[
                &format!("{name}\n**/*\n{made}"),
                name,
                &made,
            ]));
        }
    }
    seeds
}

/// Expressions with texts that they match.
pub fn anchor(root: &Path) -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = [
        [r"(?m)^begin$", "x\nbegin\nend\n"],
        [r"\bclass [[:upper:]]\w*\s*{", "class Foo {\n"],
        [r"(?i:a|b){2,3}?[^\]x-z]\Q.*\E\x{41}\101\pL", "AbC.*AAé"],
        [r"[a&&b]+|[[]|\d{1,}(?P<n>x)$", "a&&b [ 12x"],
        ["a.b+c", "axb+c abbc a.b+c"],
        ["(^|$)[x]{2}", "\\ [x] (^|$)xx (^|$)[x]{2}"],
    ]
    .iter()
    .map(|parts| input::join(parts))
    .collect();
    for text in yaml(root, "actions/actions.yaml") {
        let patterns = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("anchor_pattern:"));
        seeds.extend(patterns.map(|p| {
            input::join(&[
                p.trim().trim_matches(['\'', '"']),
                "begin\n  end\nclass X\n",
            ])
        }));
    }
    seeds
}

const SHAPES: [[&str; 2]; 6] = [
    ["#", ""],
    ["//", ""],
    ["<!--", "-->"],
    ["(*", "*)"],
    ["--[[", "]]"],
    ["{{!", "}}"],
];

/// The lines of the marker corpus, and the texts of the trees, in several comment shapes.
pub fn marker(root: &Path) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    let corpus: serde_json::Value =
        serde_json::from_str(&text(&root.join("conformance/markers/cases.json")))
            .unwrap_or_default();
    for case in corpus["cases"].as_array().into_iter().flatten() {
        let part = |key: &str| case[key].as_str().unwrap_or_default();
        let texts = ["line", "text", "input", "file"].map(part).concat();
        seeds.push(input::join(&[
            part("comment_prefix"),
            part("comment_suffix"),
            &texts,
        ]));
    }
    for [prefix, suffix] in SHAPES {
        let lines = [
            format!(
                "{prefix} sedum:add:v {{\"tier\":\"owned\",\"kwargs\":{{\"k\":\"a {suffix} b\",\"n\":1.50}},\"x\":[1]}} {suffix}"
            ),
            format!("body\n  {prefix} sedum:anchor:x {suffix}"),
            format!("{prefix} /sedum:add:v {suffix}\nrest\n"),
        ];
        seeds.push(input::join(&[prefix, suffix, &lines.join("\n")]));
        let texts = format!(
            "add:v\nseeded\nR-1\n{suffix}\nk\n1e3\n{suffix}{suffix}\n\"\\\nl\n}}}}\n\u{2028}\nx"
        );
        seeds.push(input::join(&[prefix, suffix, &texts]));
    }
    seeds.extend(
        below(&root.join("testdata/trees"))
            .iter()
            .take(30)
            .map(|path| input::join(&["#", "", &text(path)])),
    );
    seeds
}

/// The reconciliation corpus.
pub fn reconcile(root: &Path) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for path in below(&root.join("testdata/reconcile"))
        .iter()
        .filter(|path| path.ends_with("case.json"))
    {
        let case: serde_json::Value = serde_json::from_str(&text(path)).unwrap_or_default();
        let part = |key: &str| case[key].as_str().unwrap_or_default();
        let file = |name: &str| text(&path.with_file_name(name));
        for before in [file("before"), file("after")] {
            seeds.push(input::join(&[
                part("comment_prefix"),
                part("comment_suffix"),
                &before,
                &file("template"),
            ]));
        }
    }
    seeds
}

/// Files with every anchor, and invocations for them.
pub fn inject(_: &Path) -> Vec<Vec<u8>> {
    let calls = "mark k1 a|b\nzone k1 x\ntop k1 t||\nend k1 e\nbelow k1 \tz\nabove k1 \nmark k2 y";
    let mut seeds = Vec::new();
    for [prefix, suffix] in SHAPES {
        let line = |text: &str| format!("{prefix} {text} {suffix}");
        let file = format!(
            "#!/bin/x\n{}\nfoo\n  {}\n\t{}\n\tturn\n{}\nold\n{}\nlast",
            line("sedum:anchor:alpha"),
            line("sedum:anchor:beta"),
            line("sedum:anchor:gamma"),
            line("sedum:mark {\"tier\":\"owned\",\"kwargs\":{\"key\":\"k2\"},\"seen\":1}"),
            line("/sedum:mark"),
        );
        seeds.push(input::join(&[prefix, suffix, calls, &file]));
        seeds.push(input::join(&[
            prefix,
            suffix,
            calls,
            &format!("\u{feff}{}\r\n", file.replace('\n', "\r\n")),
        ]));
    }
    seeds
}

/// Recordings of the package that replays load, and the repository's own.
pub fn recording(root: &Path) -> Vec<Vec<u8>> {
    let loom = r#"{
  "sedum_version": "1",
  "packages": { "loom": { "extensions": [".loom"] } },
  "records": [{
    "record_id": "r",
    "files": [
      { "path": "cloth/scarf.loom", "package": "loom", "template": "cloth/{name}.loom", "captures": { "name": "scarf" } },
      { "path": "rag.loom", "package": "loom", "template": "_default.loom" }
    ],
    "phases": [{ "name": "default", "invocations": [
      { "action": "addThread", "kwargs": { "cloth": "scarf", "colour": "Red", "count": 2.0 } },
      { "action": "addPick", "kwargs": { "cloth": "scarf", "name": "a", "kind": "plain" } },
      { "action": "addEdges", "kwargs": { "cloth": {"singular": "scarf"}, "knots": ["x", 1e3, true] } },
      { "action": "addNote", "kwargs": { "cloth": "scarf", "text": "if (a) { b }\n" } }
    ] }]
  }],
  "variables": { "mill": "South" }
}"#;
    let mut seeds = vec![
        loom.to_owned(),
        loom.replace("scarf", "été"),
        loom.replace("Red", "a\\r\\n-- b"),
    ];
    for (from, to) in [
        ("2.0", "20e-1"),
        ("plain\"", "odd\""),
        ("South", ""),
        ("default\"", "other\""),
    ] {
        seeds.push(loom.replace(from, to));
    }
    seeds.extend(
        below(&root.join("testdata/recordings"))
            .iter()
            .map(|path| text(path)),
    );
    seeds.into_iter().map(String::into_bytes).collect()
}

/// Answers in every form, sound and not.
pub fn decode(_: &Path) -> Vec<Vec<u8>> {
    let answer = r#"{"invocations": [{"action": "add", "kwargs": {"n": 1.50, "m": -0e1, "t": "a\u00e9\n", "l": [1, true, "x"], "f": {"singular": "s"}}}]}"#;
    [
        answer.to_owned(),
        format!("```json\n{answer}\n```"),
        format!("<think>so {{</think>\n~~~~\n{answer}\n~~~~\n"),
        r#"[{"action": "add"}, {"action": "b", "kwargs": null, "more": 1}]"#.to_owned(),
        r#"{"invocations": []}"#.to_owned(),
        r#"[{"action": "a", "action": "b"}]"#.to_owned(),
        r#"{"invocations": [{"action": "a", "kwargs": {"f": {"singular": "x", "singular": "y"}}}]}"#.to_owned(),
        r#"{"note": {"a": 1, "a": 2}, "invocations": []}"#.to_owned(),
        answer.replace(", ", ",\n"),
        r#"{"invocations": [1, {"kwargs": []}, {"action": ""}], "invocations": 2} }"#.to_owned(),
        "Sure! Here it is".to_owned(),
        String::new(),
    ]
    .map(String::into_bytes)
    .to_vec()
}
