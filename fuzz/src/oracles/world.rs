//! What an oracle needs around the code it calls: a package in memory, and an output directory that is not there.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::time::Duration;

use sedum::genpkg::{
    Action, ActionKind, Anchor, Body, FileTemplate, Kwarg, KwargType, Package, Single,
};
use sedum::marker::{Comments, Tier};
use sedum::pattern::file::PatternSet;
use sedum::pattern::scope::ScopeSet;
use sedum::template;
use sedum::transform::Engine;
use sedum::tree::{Options, Tree};
use sedum::value::Names;

/// A package with these comments and nothing else.
pub fn package(comments: Option<Comments>) -> Package {
    Package {
        name: "weft".to_owned(),
        extensions: vec![".weft".to_owned()],
        comments,
        engine: Engine::built_ins_only(),
        unmanaged: ScopeSet::default(),
        variables: BTreeMap::new(),
        actions: BTreeMap::new(),
        files: Vec::new(),
        file_names: HashMap::default(),
        patterns: PatternSet::default(),
        defaults: BTreeMap::new(),
    }
}

/// A file template that renders to `text`.
pub fn file_template(text: &str) -> FileTemplate {
    FileTemplate {
        name: "a.weft".to_owned(),
        captures: Vec::new(),
        template: template::compile(&text.replace("{{", "{{{{"), None).0,
        executable: false,
    }
}

/// An action with the required kwarg `key` and the optional one `text`.
pub fn action(name: &str, anchor: Anchor) -> Action {
    let kwarg = |kind, required| Kwarg {
        kind,
        required,
        description: None,
        default: None,
    };
    Action {
        name: name.to_owned(),
        description: None,
        exposed: true,
        kwargs: Names::from([
            ("key".to_owned(), kwarg(KwargType::String, true)),
            ("text".to_owned(), kwarg(KwargType::Literal, false)),
        ]),
        kind: ActionKind::Single(Box::new(Single {
            injects_into: template::compile("a.weft", None).0,
            anchor,
            tier: Tier::Owned,
            identity: None,
            body: Body::Simple(template::compile("{{text}}", None).0),
        })),
    }
}

/// A tree that holds one file, in memory only.
pub fn tree(text: &str) -> Tree {
    let options = Options {
        write: false,
        lock_timeout: Duration::ZERO,
        sync: false,
    };
    let mut tree =
        Tree::open(Path::new("/nonexistent-sedum-fuzz"), &options).expect("an empty tree");
    tree.stage("a.weft", text.to_owned(), false);
    tree
}

/// The comment shape of a prefix and a suffix, when a package may declare it with actions (S13, M5).
pub fn shape(prefix: &str, suffix: &str) -> Option<Comments> {
    let breaks = |text: &str| text.contains(['\n', '\r', '\u{feff}']);
    let usable = !prefix.trim().is_empty()
        && !breaks(prefix)
        && !breaks(suffix)
        && Comments::suffix_is_breakable(prefix, suffix);
    usable.then(|| Comments::new(prefix, Some(suffix)))
}
