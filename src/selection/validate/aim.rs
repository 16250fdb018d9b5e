//! Where an invocation writes: the target's path, the anchor in that file, and which value would reach one of the
//! record's files (D18-D20, N15).
//!
//! Paths come from phase 6's own resolver (D19). Values are tried forwards only: one that the answer or the record's
//! file has already is put into the pattern, and it is seen whether a file of the record comes out (K20).

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diag::{Rule, listed, quoted};
use crate::expand::Part;
use crate::genpkg::Anchor;
use crate::invocation::Invocation;
use crate::resolve;
use crate::value::Value;

use super::super::mend::{Mend, coerced};
use super::super::narrow;
use super::{Case, Judge, Target};

/// More values of a kwarg than anybody means by one file; what an answer costs stays in proportion to it (X37).
const MOST_VALUES: usize = 20;

/// The values that an answer binds, by kwarg, each once; gathered when the first fault asks for them.
pub(super) struct Bound<'i> {
    answer: &'i [Invocation],
    values: OnceCell<BTreeMap<&'i str, Vec<&'i Value>>>,
}

impl<'i> Bound<'i> {
    pub(super) fn of(answer: &'i [Invocation]) -> Self {
        Self {
            answer,
            values: OnceCell::new(),
        }
    }

    fn to(&self, kwarg: &str) -> &[&'i Value] {
        let values = self.values.get_or_init(|| {
            let mut values: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
            for (name, value) in self.answer.iter().flat_map(|i| &i.kwargs) {
                let known = values.entry(name).or_default();
                if known.len() < MOST_VALUES && !known.contains(&value) {
                    known.push(value);
                }
            }
            values
        });
        values.get(kwarg).map_or(&[], Vec::as_slice)
    }
}

impl<'a, 'p> Judge<'a, 'p> {
    /// D18, D19, N15.
    pub(super) fn target(
        &self,
        part: &Part<'p>,
        case: &mut Case<'_, '_>,
    ) -> Option<Target<'a, 'p>> {
        let known = |path: &String| {
            let (path, held) = self.files.get_key_value(path.as_str())?;
            Some((Arc::clone(path), *held))
        };
        // The record's paths are clean, so what is rendered as one of them need not be looked at further.
        let rendered = part.rendered_target(self.variables);
        if let Some(known) = rendered.as_ref().ok().and_then(known) {
            return Some(known);
        }
        let target = part.target(self.variables);
        if let Some(known) = target.as_ref().ok().and_then(known) {
            return Some(known);
        }
        let of = part.shown_name(case.action);
        let (message, mend) = match target {
            Err(why) => (format!("{of}: {why}"), None),
            Ok(path) => match resolve::disowned(self.packages, &path) {
                Some(unmanaged) => (
                    format!(
                        "{of} would write {}, which package {} leaves unmanaged (its entry {}): Sedum does not write it",
                        quoted(&path),
                        quoted(unmanaged.package),
                        quoted(unmanaged.entry)
                    ),
                    Some(Mend::LeaveOut),
                ),
                None => self.astray(&of, part, &path, case.bound),
            },
        };
        case.add_with(Rule::UnauthorizedPath, None, message, mend);
        None
    }

    /// A target that is none of the record's files: which of them the action can reach, and with which value.
    fn astray(
        &self,
        of: &str,
        part: &Part<'p>,
        path: &str,
        bound: &Bound<'_>,
    ) -> (String, Option<Mend>) {
        let single = part.single;
        let text = format!(
            "{of} aims at {} ({}), which is none of this record's files",
            quoted(path),
            quoted(single.injects_into.text())
        );
        let reaches = |file: &str| {
            narrow::could_write(part, self.variables, file) && self.carries(file, &single.anchor)
        };
        if !self.files.keys().any(|file| reaches(file)) {
            let why = if single.injects_into.is_one_placeholder() {
                "none of them carries its anchor"
            } else {
                "no value makes it one of them"
            };
            let text = format!("{text}: leave this invocation out, for {why}");
            return (text, Some(Mend::LeaveOut));
        }
        let mut names = single.injects_into.references().map(|named| named.name);
        let hit = names.find_map(|name| Some((name, self.aims(part, name, path, bound)?)));
        let Some((kwarg, (file, value))) = hit else {
            let files = self.shown_files(reaches);
            let text = format!(
                "{text}: bind other values, or leave this invocation out; it could write into: {files}"
            );
            return (text, None);
        };
        let bind = Mend::Bind(kwarg.to_owned(), value.clone());
        let name = quoted(kwarg);
        if single.injects_into.is_one_placeholder() {
            let text = format!("{text}: bind {name} to the whole path {}", quoted(file));
            return (text, Some(bind));
        }
        let shown = serde_json::to_string(&value).unwrap_or_default();
        let shown = crate::diag::shown(&shown);
        // A value that is spelt quite differently is most likely meant for something that this record has no file for.
        if part
            .kwargs
            .get(kwarg)
            .is_none_or(|given| is_like(given, &value))
        {
            let text = format!(
                "{text}: bind {name} to {shown}, which makes it {}",
                quoted(file)
            );
            (text, Some(bind))
        } else {
            let text = format!(
                "{text}: leave this invocation out; only if it is meant for {}, bind {name} to {shown}",
                quoted(file)
            );
            (text, Some(Mend::LeaveOut))
        }
    }

    /// The one file of the record that a value of this kwarg aims at, and the value. Several files are too many, unless
    /// `meant` is how the path of one of them ends.
    pub(super) fn aims(
        &self,
        part: &Part<'p>,
        kwarg: &str,
        meant: &str,
        bound: &Bound<'_>,
    ) -> Option<(&str, Value)> {
        let kind = part.action.kwargs.get(kwarg)?.kind;
        let reached = |value: &Value| {
            let value = if kind.accepts(value) {
                value.clone()
            } else {
                coerced(kind, value)?
            };
            let mut part = part.clone();
            part.kwargs.insert(kwarg.to_owned(), value.clone());
            let path = part.target(self.variables).ok()?;
            let file = self.files.get_key_value(path.as_str())?.0.as_ref();
            self.carries(file, &part.single.anchor)
                .then_some((file, value))
        };
        let mut hits: BTreeMap<&str, Value> = BTreeMap::new();
        if part.single.injects_into.is_one_placeholder() {
            let files = self.files.keys().map(ToString::to_string);
            hits.extend(files.filter_map(|file| reached(&Value::Text(file))));
        } else {
            // A part of what was given is nearer than what was given elsewhere.
            let given = part.kwargs.get(kwarg).into_iter().flat_map(shorter);
            let mut given = given.filter_map(|text| reached(&Value::Text(text)));
            if let Some(hit) = given.next() {
                return Some(hit);
            }
            let elsewhere = bound.to(kwarg).iter().copied();
            let files = self.record.files.iter().take(MOST_VALUES);
            let captured = files.flat_map(|file| file.captures.values());
            for (file, value) in elsewhere.chain(captured).filter_map(reached) {
                hits.entry(file).or_insert(value);
            }
        }
        if hits.len() > 1 {
            let end = format!("/{meant}");
            hits.retain(|file, _| file.ends_with(&end));
        }
        let hit = hits.pop_first();
        hit.filter(|_| hits.is_empty())
    }

    /// Whether a file of the record carries every marker of an anchor.
    fn carries(&self, file: &str, anchor: &Anchor) -> bool {
        let planted = self.files.get(file).map_or(&[][..], |held| held.planted);
        let mut markers = anchor.markers().into_iter();
        markers.all(|marker| planted.iter().any(|name| name == marker))
    }

    fn shown_files(&self, is_meant: impl Fn(&str) -> bool) -> String {
        const MOST: usize = 20;
        let files = self.record.files.iter().map(|file| file.path.as_str());
        let files: Vec<&str> = files.filter(|path| is_meant(path)).collect();
        let list = listed(files.iter().take(MOST));
        match files.len().saturating_sub(MOST) {
            0 => list,
            more => format!("{list} and {more} more"),
        }
    }

    /// D20.
    pub(super) fn anchor(
        &self,
        part: &Part<'p>,
        (path, held): &Target<'a, 'p>,
        case: &mut Case<'_, '_>,
    ) {
        let planted = held.planted;
        let missing = match &part.single.anchor {
            Anchor::Marker(name) => (!planted.contains(name)).then(|| quoted(name)),
            Anchor::Region { start, end } => {
                let opens = planted.iter().position(|name| name == start);
                let closes = opens.is_some_and(|at| planted.iter().skip(at + 1).any(|n| n == end));
                (!closes).then(|| format!("{} followed by {}", quoted(start), quoted(end)))
            }
            _ => None,
        };
        let Some(missing) = missing else { return };
        let others = if planted.is_empty() {
            "that file plants no anchor".to_owned()
        } else {
            let mut names = planted.to_vec();
            names.sort_unstable();
            names.dedup();
            format!("that file plants: {}", listed(names))
        };
        let carries = |file: &str| self.carries(file, &part.single.anchor);
        let (advice, mend) = if self.files.keys().any(|file| carries(file)) {
            let mut names = part.single.injects_into.references();
            let bind = names.find_map(|named| {
                let (_, value) = self.aims(part, named.name, path, case.bound)?;
                Some(Mend::Bind(named.name.to_owned(), value))
            });
            let files = self.shown_files(carries);
            (format!("aim it at one that does: {files}"), bind)
        } else {
            let advice = "leave this invocation out, for no file of this record does";
            (advice.to_owned(), Some(Mend::LeaveOut))
        };
        case.add_with(
            Rule::AnchorUnplanted,
            None,
            format!(
                "{} injects at the anchor {missing}, which {} does not carry ({others}): {advice}",
                part.shown_name(case.action),
                quoted(path)
            ),
            mend,
        );
    }
}

/// Whether two values are likely meant for the same thing: one is nearly the other, or a part of it. A number names
/// nothing of its own.
fn is_like(given: &Value, other: &Value) -> bool {
    if matches!(given, Value::Number(_)) {
        return true;
    }
    let folded = |value: &Value| {
        let text = serde_json::to_string(value).unwrap_or_default();
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.collect::<String>().to_lowercase()
    };
    let [given, other] = [folded(given), folded(other)];
    // Two letters are a part of too many words.
    let holds = |whole: &str, part: &str| part.chars().count() > 2 && whole.contains(part);
    holds(&given, &other)
        || holds(&other, &given)
        || crate::diag::nearest(&given, [other.as_str()]).is_some()
}

/// What is left of a text that gives a path where a part of one is asked for: without folders in front, without the
/// ending of the file's name, without both.
fn shorter(given: &Value) -> Vec<String> {
    const MOST_FOLDERS: usize = 8;
    let Value::Text(given) = given else {
        return Vec::new();
    };
    let mut texts = Vec::new();
    let mut rest = Some(given.as_str());
    for _ in 0..MOST_FOLDERS {
        let Some(text) = rest else { break };
        texts.push(text.to_owned());
        if let Some((stem, ending)) = text.rsplit_once('.').filter(|(_, end)| !end.contains('/')) {
            texts.extend((!stem.is_empty() && !ending.is_empty()).then(|| stem.to_owned()));
        }
        rest = text.split_once('/').map(|(_, behind)| behind);
    }
    texts
}
