//! `actions.yaml` (section 4), in a package that has a template for every action it declares.

use std::fs;

use sedum::doc::yaml;
use tempfile::TempDir;

use super::{input, loom, package};

thread_local! {
    /// Gone when the thread is.
    static WORLD: TempDir = loom::world(&loom::FILES.iter().copied().filter(|(path, _)| !path.starts_with("actions/")).collect::<Vec<_>>());
}

/// Reads the input as the actions' file.
pub fn check(data: &[u8]) {
    let Some(text) = input::text(data, 1 << 13) else {
        return;
    };
    WORLD.with(|world| {
        let _ = fs::remove_dir_all(world.path().join("gen/loom/actions"));
        for path in templates(&text) {
            loom::write(world.path(), &path, "x\n");
        }
        package::holds(world.path(), "actions/actions.yaml", &text);
    });
}

/// A template for each action that could be one, and for each of its variants.
fn templates(text: &str) -> Vec<String> {
    let parsed = yaml::parse(text);
    let actions = parsed
        .root
        .as_ref()
        .and_then(|root| root.get("actions")?.map());
    let mut paths = Vec::new();
    for entry in actions.unwrap_or_default().iter().take(12) {
        let (name, declared) = (&entry.key, &entry.value);
        if !is_plain(name) || declared.get("composes").is_some() {
            continue;
        }
        if declared.get("discriminator").is_none() {
            paths.push(format!("actions/{name}.loom"));
            continue;
        }
        paths.push(format!("actions/{name}/_default.loom"));
        let variants = declared.get("variants").and_then(|list| list.list());
        let words = variants
            .unwrap_or_default()
            .iter()
            .filter_map(|variant| variant.text().ok());
        let sound = words.filter(|word| is_plain(word)).take(6);
        paths.extend(sound.map(|word| format!("actions/{name}/{word}.loom")));
    }
    paths
}

fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.len() < 40
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
