//! Phase 4's prompt: what a model is told about one record, and about an answer that was rejected (K12, K15-K21a, D24).
//!
//! What does not change comes first, so that a server can keep it: the system text, then the catalog, then the record
//! (K21a). The system text knows no language, framework or file type (K19, P1); whatever a model learns about its
//! target it learns from the catalog. Nothing here depends on the run's other records.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::diag::{Rule, listed};
use crate::genpkg::{Action, Single};
use crate::invocation::Invocation;
use crate::resolve::create::Planted;
use crate::resolve::{Resolved, ResolvedFile};

use super::catalog::{self, Catalog, Entry};
use super::client::{Message, Role};
use super::decode;
use super::mend::{self, Mended};
use super::violation::Violation;

/// The system text (K19).
pub const SYSTEM: &str = include_str!("system.txt");

/// The shape of an answer, as every question shows it.
pub(super) const ENVELOPE: &str =
    r#"{"invocations": [{"action": "NAME", "kwargs": {"KWARG": "VALUE"}}]}"#;

/// What stands for a rejected answer that has no text (D24).
const NO_CONTENT: &str = "(no content)";
/// Beyond so many violations a correction says how many more there are: no context is long enough for all of them, and
/// the run log has them.
const MOST_BULLETS: usize = 100;

/// The first messages about a record: the system text and its question (K15). `catalog` is the narrowed one (N20).
pub fn messages(record: &Resolved<'_>, catalog: &Catalog<'_>, planted: &Planted) -> Vec<Message> {
    let catalog = catalog::to_json(&entries(catalog));
    let part = record_part(record, planted);
    let question = format!(
        "The catalog of actions:\n{catalog}\n\n{part}\n\
         Which invocations carry out this change? Answer with the JSON object and nothing else."
    );
    vec![
        message(Role::System, SYSTEM.trim_end().to_owned()),
        message(Role::User, question),
    ]
}

/// A rejected answer, as a re-prompt speaks of it.
#[derive(Clone, Copy, Debug)]
pub struct Rejected<'a> {
    /// Its text, as received; of one that was cut off the beginning that is worth reading again.
    pub text: &'a str,
    /// What is wrong with it.
    pub violations: &'a [Violation],
    /// What was wrong with the answer before it.
    pub before: &'a [Violation],
    /// What can be shown of it, without its faults; none of an answer that cannot be read.
    pub invocations: &'a [Invocation],
    /// What is wrong with those: `violations`, unless they are what came before the answer was cut off.
    pub faults: &'a [Violation],
}

/// The conversation that asks again: the first messages, the rejected answer, what is wrong with it, and how the
/// invocations would be right of which that can be told (D24).
pub fn correction(first: &[Message], rejected: Rejected<'_>) -> Vec<Message> {
    let Rejected {
        text: answer,
        violations,
        before,
        invocations,
        faults,
    } = rejected;
    let is_back = violations.iter().any(|found| before.contains(found));
    let mut text = String::from(if is_back {
        "That answer was rejected again, for faults that were named before:\n"
    } else {
        "That answer was rejected:\n"
    });
    for violation in violations.iter().take(MOST_BULLETS) {
        let _ = writeln!(text, "- {violation}");
    }
    if let Some(more) = violations
        .len()
        .checked_sub(MOST_BULLETS)
        .filter(|n| *n > 0)
    {
        let _ = writeln!(text, "- and {more} more");
    }
    let is_cut = violations
        .iter()
        .any(|found| found.rule == Rule::ResponseTruncated);
    // Shown the same again, the model would go on as it did before.
    let invocations = match invocations.len() {
        shown @ 2.. if is_cut && is_back => invocations.get(..shown / 2).unwrap_or_default(),
        _ => invocations,
    };
    let mut mended = mend::mended(invocations, faults);
    let faulty: BTreeSet<usize> = faults.iter().filter_map(|found| found.index).collect();
    let unclear: Vec<usize> = faulty
        .into_iter()
        .filter(|index| !mended.contains_key(index))
        .collect();
    // What the model could not mend when it was asked to, it had better do without; and so what it is not told of.
    let whole = (unclear.is_empty() || !before.is_empty() || is_cut)
        .then(|| {
            mended.extend(unclear.iter().map(|index| (*index, Mended::LeftOut)));
            whole(invocations, &mended)
        })
        .flatten();
    if let Some(whole) = whole {
        let without = if is_cut {
            ", as far as it goes and each invocation once,".to_owned()
        } else if unclear.is_empty() {
            String::new()
        } else {
            let numbers = unclear.iter().map(|index| format!("#{}", index + 1));
            format!(", and without {},", listed(numbers))
        };
        // The last thing that a small model reads is what it copies, so that is the list without the faults.
        let _ = write!(
            text,
            "The same answer would be rejected again. Without these faults{without} it reads:\n{whole}\n\
             Answer with this list, or with a better one that has none of these faults, as one JSON object and nothing \
             else."
        );
    } else {
        let right = some(&mended);
        let _ = write!(
            text,
            "{right}Correct what is named here; the same answer would be rejected again. Keep every other invocation as \
             it is. Answer with the complete list of invocations, as one JSON object and nothing else:\n{ENVELOPE}"
        );
    }
    follow_up(first, answer, text)
}

/// The faulty invocations of which it can be told how they would be right.
fn some(mended: &BTreeMap<usize, Mended>) -> String {
    let mut text = String::new();
    if !mended.is_empty() {
        text.push_str("This is how they would be right:\n");
    }
    for (index, mended) in mended.iter().take(MOST_BULLETS) {
        let _ = match mended {
            Mended::Reads(invocation) => {
                writeln!(text, "#{} {}", index + 1, mend::spelled(invocation))
            }
            Mended::LeftOut => writeln!(text, "#{} is left out", index + 1),
        };
    }
    text
}

/// An answer with its mends in place; nothing when none is left.
fn whole(invocations: &[Invocation], mended: &BTreeMap<usize, Mended>) -> Option<String> {
    let kept = invocations.iter().enumerate();
    let kept = kept.filter_map(|(index, invocation)| match mended.get(&index) {
        None => Some(invocation),
        Some(Mended::Reads(invocation)) => Some(invocation),
        Some(Mended::LeftOut) => None,
    });
    let kept: Vec<&Invocation> = kept.collect();
    (!kept.is_empty()).then(|| mend::list(kept))
}

/// The conversation that goes on after an answer: system, user, assistant, user. What the model thought before it
/// answered is no part of the answer and takes no room in the context (D2, D24).
pub fn follow_up(first: &[Message], answer: &str, text: String) -> Vec<Message> {
    let answer = decode::without_reasoning(answer);
    let answer = if answer.is_empty() {
        NO_CONTENT
    } else {
        answer
    };
    let mut all = first.to_vec();
    all.push(message(Role::Assistant, answer.to_owned()));
    all.push(message(Role::User, text));
    all
}

fn message(role: Role, content: String) -> Message {
    Message { role, content }
}

/// The catalog's entries as the prompt has them. A lone target that is nothing but a kwarg is left out, since it says
/// nothing (K12). Of what templates render, only what has to be bound beside the required kwargs is kept: a small model
/// takes these lists for all that an action needs, and leaves required kwargs out that are not in them.
fn entries<'p>(catalog: &Catalog<'p>) -> Vec<Entry<'p>> {
    let mut entries = catalog.entries();
    for (entry, choice) in entries.iter_mut().zip(catalog.choices()) {
        if let [(action, single)] = catalog::singles(choice)[..]
            && is_bare(action, single)
        {
            entry.injects_into.clear();
        }
        let is_extra = |name: &&str| {
            let kwarg = choice.action.kwargs.get(name);
            kwarg.is_none_or(|kwarg| !kwarg.required && kwarg.default.is_none())
        };
        entry.requires.retain(is_extra);
        for names in entry.variant_requires.values_mut() {
            names.retain(is_extra);
        }
        entry.variant_requires.retain(|_, names| !names.is_empty());
    }
    entries
}

fn is_bare(action: &Action, single: &Single) -> bool {
    single.injects_into.is_one_placeholder()
        && single.injects_into.references().all(|reference| {
            reference.steps.is_empty() && action.kwargs.contains_key(reference.name)
        })
}

/// What is asked of this record (K16, K17).
fn record_part(record: &Resolved<'_>, planted: &Planted) -> String {
    let mut out = format!("The change:\n{}\n", record.intent.trim());
    let constraints: Vec<&str> = record.constraints.iter().map(|text| text.trim()).collect();
    if constraints.iter().any(|text| !text.is_empty()) {
        out.push_str("\nIt is held to:\n");
        for text in constraints.into_iter().filter(|text| !text.is_empty()) {
            let _ = writeln!(out, "- {text}");
        }
    }
    out.push_str("\nIts files, each with its package and the anchors it carries:\n");
    let mut files: Vec<&ResolvedFile<'_>> = record.files.iter().collect();
    files.sort_by_key(|file| &file.path);
    for file in files {
        let mut anchors: Vec<&str> = planted.of(&file.path).iter().map(String::as_str).collect();
        anchors.sort_unstable();
        anchors.dedup();
        let anchors = if anchors.is_empty() {
            "no anchors".to_owned()
        } else {
            format!("anchors: {}", anchors.join(", "))
        };
        let _ = writeln!(
            out,
            "- {} (package: {}; {anchors})",
            file.path, file.package.name
        );
    }
    if !record.unmanaged.is_empty() {
        out.push_str("\nOut of reach, written by somebody else; aim no action at them:\n");
        let mut paths: Vec<&str> = record.unmanaged.iter().map(|u| u.path.as_str()).collect();
        paths.sort_unstable();
        for path in paths {
            let _ = writeln!(out, "- {path}");
        }
    }
    out
}

#[cfg(test)]
mod tests;
