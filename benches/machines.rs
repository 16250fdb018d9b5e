//! The small machines by themselves: `cargo bench`. Whole runs are `run.sh`'s affair.
//!
//! Every input is made here, of the size and shape that a package or a target of ordinary use has.

#![allow(clippy::unwrap_used, missing_docs)]

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::path::Path;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use sedum::doc::{json, yaml};
use sedum::marker::{self, Comments};
use sedum::pattern::file::{Pattern, PatternSet};
use sedum::pattern::path;
use sedum::pattern::scope::{Entry, ScopeSet};
use sedum::resolve::reconcile::reconcile;
use sedum::selection::decode::decode;
use sedum::template::{Scope, compile};
use sedum::transform::{Engine, inflection, words};
use sedum::value::{Bindings, Value};
use sedum::{genpkg, recording};

const TEMPLATE: &str = "class {{name|singular|pascal}} < Entity\n  # sedum:anchor:fields\n\n  # sedum:anchor:queries\n\n  def self.table\n    \"{{name|plural|snake}}\"\n  end\nend\n";
const NAMES: [&str; 8] = [
    "customer_invoice",
    "OAuth2Token",
    "userAccountStatus",
    "ledger-entry",
    "category",
    "analysis",
    "HTTPServer",
    "child",
];

fn templates(c: &mut Criterion) {
    let engine = Engine::built_ins_only();
    c.bench_function("compile", |b| {
        b.iter(|| compile(black_box(TEMPLATE), Some(&engine)));
    });
    let (template, _) = compile(TEMPLATE, Some(&engine));
    let name = Value::Text("customer_invoice".to_owned());
    let bound = Bindings::from([("name".to_owned(), name)]);
    let variables = Bindings::new();
    let scope = Scope {
        bound: &bound,
        variables: &variables,
    };
    c.bench_function("render", |b| {
        b.iter(|| template.render(scope, &engine).unwrap());
    });
}

fn transforms(c: &mut Criterion) {
    c.bench_function("split, 8 names", |b| {
        b.iter(|| NAMES.map(|name| words::snake(black_box(name))));
    });
    c.bench_function("inflect, 8 names", |b| {
        b.iter(|| NAMES.map(|name| inflection::plural(black_box(name)).len()));
    });
}

fn patterns(c: &mut Criterion) {
    let texts = (0..50).flat_map(|n| {
        [
            format!("lib/part{n}/{{name}}.rb"),
            format!("lib/part{n}/{{name}}_test.rb"),
        ]
    });
    let patterns = || {
        texts
            .clone()
            .map(|text| Pattern::parse(&text).unwrap())
            .collect()
    };
    let set = PatternSet::new(patterns());
    c.bench_function("match, a path against 100 file templates", |b| {
        b.iter(|| set.best(black_box("lib/part30/customer_invoice_test.rb")));
    });
    c.bench_function("rank, 100 file templates", |b| {
        b.iter_batched(patterns, PatternSet::new, BatchSize::SmallInput);
    });
    let entries = (0..100).map(|n| Entry::parse(&format!("vendor/**/part{n}*/*.rb")).unwrap());
    let scope = ScopeSet::new(entries.collect());
    c.bench_function("match, a path against 100 scope patterns", |b| {
        b.iter(|| scope.first_match(black_box("lib/part30/customer/invoice_test.rb")));
    });
    c.bench_function("check a path", |b| {
        b.iter(|| path::check(black_box("lib/part30/customer_invoice_test.rb")));
    });
}

/// A file made from [`TEMPLATE`] with so many regions.
fn target(regions: usize) -> String {
    let mut text = String::from("class CustomerInvoice < Entity\n  # sedum:anchor:fields\n");
    for at in 0..regions {
        let _ = write!(
            text,
            "  # sedum:addField {{\"tier\":\"owned\",\"record\":\"r-7\",\"kwargs\":{{\"entity\":\"customer_invoice\",\"field\":\"field_{at}\"}}}}\n  field :field_{at}\n  # /sedum:addField\n",
        );
    }
    text.push_str(
        "\n  # sedum:anchor:queries\n\n  def self.table\n    \"customer_invoices\"\n  end\nend\n",
    );
    text
}

fn targets(c: &mut Criterion) {
    let comments = Comments::new("#", None);
    let text = target(100);
    let mut group = c.benchmark_group("targets");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("marker index, 100 regions", |b| {
        b.iter(|| marker::scan(&comments, black_box(&text)).unwrap());
    });
    let scan = marker::scan(&comments, &text).unwrap();
    let engine = Engine::built_ins_only();
    let (template, _) = compile(TEMPLATE, Some(&engine));
    let name = Value::Text("customer_invoice".to_owned());
    let bound = Bindings::from([("name".to_owned(), name)]);
    let variables = Bindings::new();
    let scope = Scope {
        bound: &bound,
        variables: &variables,
    };
    let rendered = template.render(scope, &engine).unwrap();
    group.bench_function("reconcile, 100 regions", |b| {
        b.iter(|| reconcile(Some(&comments), &scan, black_box(&rendered)));
    });
    group.finish();
}

/// The declarations of so many actions, in YAML.
fn actions(count: usize) -> String {
    let mut text = String::from("actions:\n");
    for at in 0..count {
        let _ = write!(
            text,
            "  addPart{at}:\n    description: Adds part number {at} to an entity.\n    kwargs:\n"
        );
        for kwarg in ["entity", "title", "source", "target"] {
            let _ = writeln!(
                text,
                "      {kwarg}: {{ type: string, required: true, description: \"the {kwarg}\" }}"
            );
        }
        text.push_str("    injects_into: \"{{entity|snake}}.ent\"\n    anchor: parts\n");
    }
    text
}

fn lay_out(root: &Path, count: usize) {
    let package = root.join("parts");
    for folder in ["files", "actions"] {
        fs::create_dir_all(package.join(folder)).unwrap();
    }
    fs::write(
        package.join("sedum.yaml"),
        "name: parts\nextensions: [.ent]\ncomment_prefix: \"#\"\n",
    )
    .unwrap();
    fs::write(
        package.join("files/{name}.ent"),
        "{{name|pascal}}\n# sedum:anchor:parts\n",
    )
    .unwrap();
    fs::write(package.join("actions/actions.yaml"), actions(count)).unwrap();
    for at in 0..count {
        let body = "{{entity}} {{title}} {{source}} {{target|snake}}\n";
        fs::write(package.join(format!("actions/addPart{at}.ent")), body).unwrap();
    }
}

fn packages(c: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    lay_out(folder.path(), 100);
    c.bench_function("validate, a package of 100 actions", |b| {
        b.iter(|| genpkg::load(black_box(folder.path()), &[]).unwrap());
    });
}

fn documents(c: &mut Criterion) {
    let declared = actions(100);
    let calls: Vec<String> = (0..200)
        .map(|at| format!("{{\"action\": \"addField\", \"kwargs\": {{\"entity\": \"customer_invoice\", \"field\": \"field_{at}\"}}}}"))
        .collect();
    let answer = format!("{{\"invocations\": [{}]}}", calls.join(",\n  "));
    let recorded = format!(
        "{{\"records\": [{{\"record_id\": \"r\", \"files\": [], \"phases\": [{{\"name\": \"default\", \"invocations\": [{}]}}]}}]}}",
        calls.join(",\n  ")
    );
    let mut group = c.benchmark_group("decode");
    group.throughput(Throughput::Bytes(declared.len() as u64));
    group.bench_function("YAML, 100 actions", |b| {
        b.iter(|| yaml::parse(black_box(&declared)));
    });
    group.throughput(Throughput::Bytes(recorded.len() as u64));
    group.bench_function("JSON, 200 invocations", |b| {
        b.iter(|| json::parse(black_box(&recorded)).unwrap());
    });
    let source = sedum::diag::Source::new("recording.json", recorded.as_str());
    group.bench_function("a recording of 200 invocations", |b| {
        b.iter(|| recording::parse(black_box(&source)).unwrap());
    });
    group.throughput(Throughput::Bytes(answer.len() as u64));
    group.bench_function("an answer of 200 invocations", |b| {
        b.iter(|| decode(black_box(&answer)).unwrap());
    });
    group.finish();
}

criterion_group!(
    machines, templates, transforms, patterns, targets, packages, documents
);
criterion_main!(machines);
