//! Tests that a run does no more than its input asks for (Y30), by counting what it does.
//!
//! A clock would say the same on a quiet machine only; `benches/run.sh` has the clock.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::*;
use crate::work::{Counts, Work, observe};

/// Lays out a package of `actions` actions that all inject at a file's one anchor, and a recording of `files` files
/// with `invocations` invocations each.
fn lay_out(root: &Path, actions: usize, files: usize, invocations: usize) {
    let package = root.join("generators/shop");
    for folder in ["files", "actions"] {
        fs::create_dir_all(package.join(folder)).unwrap();
    }
    let manifest = "name: shop\nextensions: [.shop]\ncomment_prefix: \"#\"\n";
    fs::write(package.join("sedum.yaml"), manifest).unwrap();
    let template = "shop {{name|pascal}}\n# sedum:anchor:items\n";
    fs::write(package.join("files/{name}.shop"), template).unwrap();
    let mut declared = "actions:\n".to_owned();
    for action in 0..actions {
        writeln!(declared, "  add{action}:\n    kwargs:").unwrap();
        for kwarg in ["file", "item"] {
            writeln!(
                declared,
                "      {kwarg}: {{ type: string, required: true }}"
            )
            .unwrap();
        }
        declared += "    injects_into: \"{{file}}.shop\"\n    anchor: items\n";
        let body = package.join(format!("actions/add{action}.shop"));
        fs::write(body, "item {{item|snake}}\n").unwrap();
    }
    fs::write(package.join("actions/actions.yaml"), declared).unwrap();
    let recorded = |n: usize| {
        json!({"path": format!("f{n}.shop"), "package": "shop", "template": "{name}.shop",
               "captures": {"name": format!("f{n}")}})
    };
    let call = |n: usize, at: usize| {
        json!({"action": format!("add{}", at % actions),
               "kwargs": {"file": format!("f{n}"), "item": format!("i{at}")}})
    };
    let calls = (0..files).flat_map(|n| (0..invocations).map(move |at| call(n, at)));
    let recording = json!({
        "packages": {"shop": {"extensions": [".shop"]}},
        "records": [{"record_id": "r", "files": (0..files).map(recorded).collect::<Vec<_>>(),
                     "phases": [{"name": "default", "invocations": calls.collect::<Vec<_>>()}]}],
    });
    fs::write(root.join("recording.json"), recording.to_string()).unwrap();
}

/// Replays the recording of a folder.
fn replay(root: &Path) {
    let config = Config {
        generators: root.join("generators"),
        records: None,
        output: root.join("out"),
        lang: Vec::new(),
        only: Vec::new(),
        vars: BTreeMap::new(),
        source: Source::Recording(root.join("recording.json")),
        dry_run: false,
        stop: None,
        record: None,
        log: None,
        lock_timeout: Duration::ZERO,
        sync: false,
        keep_changes: false,
        asking: Asking {
            retries: 0,
            jobs: 1,
            full_catalog: false,
            response_schema: false,
        },
    };
    let around = Surroundings {
        log: &RunLog::silent(),
        model: None,
        progress: &|_| {},
        interrupt: &Interrupt::default(),
    };
    grow(&config, &around).1.unwrap();
}

/// How often the first replay of a workload does something, and the one after it.
struct Counted {
    first: Arc<Counts>,
    again: Arc<Counts>,
}

impl Counted {
    fn new(actions: usize, files: usize, invocations: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        lay_out(folder.path(), actions, files, invocations);
        Self {
            first: observe(|| replay(folder.path())),
            again: observe(|| replay(folder.path())),
        }
    }

    fn of(&self, work: Work) -> (usize, usize) {
        (self.first.of(work), self.again.of(work))
    }
}

/// Numbers of actions, files and invocations a file.
const WORKLOADS: [(usize, usize, usize); 4] = [(1, 1, 1), (3, 200, 3), (3, 1, 300), (30, 1, 30)];

#[test]
fn y30_package_files_are_read_and_templates_compiled_once_a_run() {
    for (actions, files, invocations) in WORKLOADS {
        let counted = Counted::new(actions, files, invocations);
        // The manifest, the actions, the file template, and a template for each action.
        let read = 3 + actions;
        assert_eq!(counted.of(Work::PackageFileRead), (read, read));
        assert_eq!(counted.of(Work::YamlParsed), (2, 2));
        // The file template, and for each action its target and its body.
        let compiled = 1 + 2 * actions;
        assert_eq!(counted.of(Work::TemplateCompiled), (compiled, compiled));
    }
}

#[test]
fn y30_each_template_is_rendered_once_for_each_use() {
    for (actions, files, invocations) in WORKLOADS {
        let counted = Counted::new(actions, files, invocations);
        // Each file's text, and for each invocation its target and its body.
        let rendered = files + 2 * files * invocations;
        assert_eq!(counted.of(Work::TemplateRendered), (rendered, rendered));
    }
}

#[test]
fn y30_targets_and_markers_are_read_once_a_phase() {
    for (actions, files, invocations) in WORKLOADS {
        let counted = Counted::new(actions, files, invocations);
        assert_eq!(counted.of(Work::TargetRead), (0, files));
        // Phase 3 looks for anchors, phase 7 for regions.
        assert_eq!(counted.of(Work::TargetScanned), (2 * files, 2 * files));
        let regions = files * invocations;
        assert_eq!(counted.of(Work::MarkerRead), (0, 2 * regions));
        assert_eq!(counted.of(Work::MarkerWritten), (regions, regions));
    }
}
