//! Whether written files parse, as the case's command for their extension tells (H36). Not whether they are right.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use super::failure::Failure;
use super::sample::SyntaxScore;

/// How much of a checker's message is kept, in characters.
const MESSAGE_KEPT: usize = 400;

/// Checks every file that the case has a command for, in a private folder that is gone afterwards (H23).
pub fn check(
    files: &BTreeMap<String, String>,
    commands: &BTreeMap<String, Vec<String>>,
) -> Result<Vec<SyntaxScore>, Failure> {
    let folder = tempfile::tempdir()
        .map_err(|e| Failure::failed(format!("no temporary folder can be made: {e}")))?;
    let mut scores = Vec::new();
    for (path, text) in files {
        let Some(words) = commands.iter().find(|(end, _)| path.ends_with(*end)) else {
            continue;
        };
        let on_disk = folder.path().join(path);
        let parent = on_disk.parent().unwrap_or(folder.path());
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&on_disk, text))
            .map_err(|e| Failure::io(&on_disk, "written", &e))?;
        scores.push(one(path, words.1, folder.path())?);
    }
    Ok(scores)
}

fn one(path: &str, words: &[String], folder: &Path) -> Result<SyntaxScore, Failure> {
    let score = |ok, message| SyntaxScore {
        path: path.to_owned(),
        ok,
        message,
    };
    let Some((program, arguments)) = words.split_first() else {
        return Ok(score(None, None));
    };
    let run = Command::new(program)
        .args(arguments)
        .arg(path)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output();
    match run {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(score(None, None)),
        Err(e) => Err(Failure::failed(format!(
            "the checker {program} cannot be run: {e}"
        ))),
        Ok(output) if output.status.success() => Ok(score(Some(true), None)),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            let folder = folder.to_string_lossy();
            let said = said.replace(&*folder, "").trim().to_owned();
            Ok(score(
                Some(false),
                Some(said.chars().take(MESSAGE_KEPT).collect()),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn h36_a_checker_that_is_not_there_gives_no_rate() {
        let files = BTreeMap::from([
            ("a.one".to_owned(), "x".to_owned()),
            ("b/c.two".to_owned(), "x".to_owned()),
            ("d.three".to_owned(), "x".to_owned()),
        ]);
        let words = |list: &[&str]| list.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        let commands = BTreeMap::from([
            (".one".to_owned(), words(&["no-such-checker-anywhere"])),
            (".two".to_owned(), words(&["cat"])),
        ]);
        let found = check(&files, &commands).unwrap();
        let told: Vec<_> = found.iter().map(|s| (s.path.as_str(), s.ok)).collect();
        assert_eq!(told, [("a.one", None), ("b/c.two", Some(true))]);
    }

    #[test]
    fn a_file_that_its_checker_refuses_does_not_parse() {
        let files = BTreeMap::from([("a.one".to_owned(), "x".to_owned())]);
        let words = vec!["ls".to_owned(), "no-such-file".to_owned()];
        let found = check(&files, &BTreeMap::from([(".one".to_owned(), words)])).unwrap();
        assert_eq!(found.first().and_then(|s| s.ok), Some(false));
        assert!(found.first().is_some_and(|s| s.message.is_some()));
    }
}
