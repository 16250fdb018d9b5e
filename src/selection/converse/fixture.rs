//! A package for an invented target, records of it and a scripted model, for the tests of phases 4 and 5.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::value::RawValue;

use crate::genpkg::{self, PackageSet};
use crate::record;
use crate::resolve::create::{Planted, create};
use crate::resolve::{Resolved, Variables, resolve};
use crate::runlog::RunLog;
use crate::selection::client::{Answer, Message, Model, ModelFault};
use crate::selection::{Catalog, Judge};
use crate::tree::{Options, Tree};

use super::{Asking, Progress};

const ACTIONS: &str = r#"
actions:
  addPick:
    description: "One pick of a cloth."
    kwargs:
      cloth: { type: string, required: true, description: "The cloth, by name." }
      shed: { type: int, required: true }
      beats: { type: int, default: 2 }
    injects_into: "cloths/{{cloth|kebab}}.weft"
    anchor: picks
  addEdge:
    kwargs:
      cloth: { type: string, required: true }
      kind: { type: string, required: true }
      cord: { type: string }
      loops: { type: list }
    discriminator: kind
    variants: [plain, corded]
    injects_into: "cloths/{{cloth|kebab}}.weft"
    anchor: region
    anchor_start: edge
    anchor_end: edge_end
  addNote:
    kwargs:
      file: { type: string, required: true }
      text: { type: literal, required: true }
    injects_into: "{{file}}"
    anchor: notes
  logUse:
    kwargs:
      day: { type: string, required: true }
      wet: { type: bool, default: false }
    injects_into: "books/{{hall|snake}}/{{day}}.weft"
    anchor: uses
  edgeAndLog:
    description: "An edge, and its line in the book."
    composes: [addEdge, logUse]
  hidden:
    kwargs: {}
    injects_into: "cloths/rug.weft"
    anchor: fringe
    exposed: false
"#;

const FILES: &[(&str, &str)] = &[
    (
        "loom/sedum.yaml",
        "name: loom\nextensions: [\".weft\"]\ncomment_prefix: \"~\"\nunmanaged: [\"dye/\"]\n\
         variables:\n  hall: { default: \"North Hall\" }\n",
    ),
    ("loom/actions/actions.yaml", ACTIONS),
    (
        "loom/actions/addPick.weft",
        "pick {{cloth}} {{shed}} x{{beats}}\n",
    ),
    ("loom/actions/addEdge/plain.weft", "edge {{cloth}} plain\n"),
    (
        "loom/actions/addEdge/corded.weft",
        "edge {{cloth}} corded {{cord}}\n",
    ),
    (
        "loom/actions/addEdge/_default.weft",
        "edge {{cloth}} {{kind}} {{loops|join:+}}\n",
    ),
    ("loom/actions/addNote.weft", "{{text}}\n"),
    ("loom/actions/logUse.weft", "used {{day}} {{wet}}\n"),
    ("loom/actions/hidden.weft", "fringe\n"),
    (
        "loom/files/cloths/{name}.weft",
        "cloth {{name}}\n~ sedum:anchor:picks\n~ sedum:anchor:edge\n~ sedum:anchor:edge_end\n\
         ~ sedum:anchor:nobody\n",
    ),
    (
        "loom/files/books/{hall_name}/{day_name}.weft",
        "~ sedum:anchor:uses\n~ sedum:anchor:notes\n",
    ),
    // A package without any exposed action.
    (
        "bare/sedum.yaml",
        "name: bare\nextensions: [\".bare\"]\ncomment_prefix: \"~\"\n",
    ),
    ("bare/actions/actions.yaml", "actions: {}\n"),
];

/// Packages, resolved records and staged anchors. What is borrowed is leaked: a test is short.
pub(crate) struct Fixture {
    pub(crate) packages: &'static PackageSet,
    pub(crate) records: Vec<Resolved<'static>>,
    pub(crate) variables: Variables,
    pub(crate) planted: Planted,
}

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

impl Fixture {
    /// The package `loom` and records of these paths, called R-1, R-2 and so on.
    pub(crate) fn new(records: &[&[&str]]) -> Self {
        Self::with(&[], records)
    }

    /// The same with further or other files below the generators directory.
    pub(crate) fn with(files: &[(&str, &str)], records: &[&[&str]]) -> Self {
        let room = tempfile::tempdir().unwrap();
        let generators = room.path().join("generators");
        for (name, text) in FILES.iter().chain(files) {
            write(&generators, name, text);
        }
        for (n, paths) in records.iter().enumerate() {
            let scope: Vec<_> = paths.iter().map(|path| format!("  - \"{path}\"")).collect();
            let scope = scope.join(
                "
",
            );
            let text = format!(
                "id: R-{}\nintent: \" Weave record {}. \"\nconstraints: [\" Keep <it> & \\\"plain\\\". \", \" \"]\naffected_scope:\n{scope}",
                n + 1,
                n + 1
            );
            write(room.path(), &format!("records/r{:03}.yml", n + 1), &text);
        }
        let loaded = genpkg::load(&generators, &[]).unwrap();
        assert_eq!(
            loaded.count(crate::diag::Severity::Error),
            0,
            "{:?}",
            loaded.findings
        );
        let packages: &'static PackageSet = Box::leak(Box::new(loaded.into_set()));
        let ingested = record::ingest(&room.path().join("records"), &[]).unwrap();
        let records = resolve(packages, &ingested.set, &[]).unwrap().records;
        let used: Vec<_> = packages.iter().collect();
        let none = BTreeMap::new();
        let variables = Variables::bind(packages, &used, &none, &none).unwrap();
        let options = Options {
            write: false,
            lock_timeout: Duration::ZERO,
            sync: false,
        };
        let mut tree = Tree::open(&room.path().join("out"), &options).unwrap();
        let planted = create(&records, &variables, &mut tree).unwrap().planted;
        Self {
            packages,
            records,
            variables,
            planted,
        }
    }

    pub(crate) fn record(&self) -> &Resolved<'static> {
        &self.records[0]
    }

    /// The first record's whole catalog.
    pub(crate) fn catalog(&self) -> Catalog<'static> {
        Catalog::of(&self.record().packages(), false)
    }

    pub(crate) fn judge(&self) -> Judge<'_, 'static> {
        Judge::new(self.packages, self.record(), &self.variables, &self.planted)
    }

    pub(crate) fn asking<'a>(
        &'a self,
        model: &'a dyn Model,
        log: &'a RunLog,
        progress: &'a (dyn Fn(Progress<'_>) + Sync),
    ) -> Asking<'a, 'static> {
        Asking {
            packages: self.packages,
            variables: &self.variables,
            planted: &self.planted,
            model,
            retries: 3,
            full_catalog: false,
            response_schema: false,
            order: None,
            log,
            progress,
        }
    }
}

/// What the model does when it is asked.
#[derive(Clone)]
pub(crate) enum Turn {
    /// Answers with this text.
    Says(String),
    /// Answers with this text after a while.
    SaysAfter(Duration, String),
    /// Answers with this text and is cut off.
    Breaks(String),
    /// Gives no answer.
    Fails,
}

/// A model that has one script for each key: the script whose key stands in the first question is the one it follows.
pub(crate) struct Script {
    turns: Mutex<Vec<(String, VecDeque<Turn>)>>,
    pub(crate) asked: Mutex<Vec<Vec<Message>>>,
    pub(crate) schemas: Mutex<Vec<Option<String>>>,
}

impl Script {
    pub(crate) fn new(turns: &[Turn]) -> Self {
        Self::keyed(vec![("", turns.to_vec())])
    }

    pub(crate) fn keyed(turns: Vec<(&str, Vec<Turn>)>) -> Self {
        let turns = turns
            .into_iter()
            .map(|(key, turns)| (key.to_owned(), turns.into()));
        Self {
            turns: Mutex::new(turns.collect()),
            asked: Mutex::default(),
            schemas: Mutex::default(),
        }
    }

    pub(crate) fn calls(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

impl Model for Script {
    fn ask(
        &self,
        messages: &[Message],
        schema: Option<&RawValue>,
        log: &dyn Fn(&str),
    ) -> Result<Answer, ModelFault> {
        log("the model was asked");
        self.asked.lock().unwrap().push(messages.to_vec());
        self.schemas
            .lock()
            .unwrap()
            .push(schema.map(|s| s.get().to_owned()));
        let turn = {
            let mut scripts = self.turns.lock().unwrap();
            let script = scripts
                .iter_mut()
                .find(|(key, _)| messages[1].content.contains(key.as_str()));
            script
                .unwrap()
                .1
                .pop_front()
                .expect("a turn is left in the script")
        };
        let (text, truncated) = match turn {
            Turn::Says(text) => (text, false),
            Turn::Breaks(text) => (text, true),
            Turn::SaysAfter(time, text) => {
                std::thread::sleep(time);
                (text, false)
            }
            Turn::Fails => {
                return Err(ModelFault::Setup {
                    endpoint: "the stub".to_owned(),
                    cause: "it is out of order".to_owned(),
                });
            }
        };
        Ok(Answer {
            text,
            truncated,
            prompt_tokens: 100,
            completion_tokens: 10,
            ..Answer::default()
        })
    }
}
