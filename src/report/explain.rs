//! `validate --explain`: the entry of a rule in `docs/rules.md`, which is the one place that describes it (O22).
//!
//! The document is part of the program. A rule's entry is the section headed by its slug in backquotes; nothing here
//! says anything about a rule that the document does not say.

use crate::diag::{Rule, nearest};

const DOCUMENT: &str = include_str!("../../docs/rules.md");

/// The entry of a rule as text for a terminal: the slug, then the section with its examples indented; the last line
/// ended. `None` for a slug that no rule has.
pub fn explain(slug: &str) -> Option<String> {
    let section = section(slug)?;
    let mut out = format!("{slug}\n\n");
    let mut in_example = false;
    for line in section.lines() {
        if line.starts_with("```") {
            in_example = !in_example;
            continue;
        }
        if in_example && !line.is_empty() {
            out.push_str("    ");
        }
        out.push_str(line);
        out.push('\n');
    }
    Some(out)
}

/// The slug that a misspelt one most likely means.
pub fn nearest_slug(wrong: &str) -> Option<&'static str> {
    nearest(wrong, Rule::ALL.iter().map(|rule| rule.slug()))
}

/// The section of a rule as it is written, without its heading.
pub(super) fn section(slug: &str) -> Option<&'static str> {
    Rule::from_slug(slug)?;
    let mut found: Option<usize> = None;
    let mut in_example = false;
    let mut at = 0;
    for line in DOCUMENT.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if line.starts_with("```") {
            in_example = !in_example;
        }
        if in_example || !(line.starts_with("# ") || line.starts_with("## ")) {
            continue;
        }
        if let Some(from) = found {
            return DOCUMENT.get(from..start).map(str::trim);
        }
        if heading(line) == Some(slug) {
            found = Some(at);
        }
    }
    DOCUMENT.get(found?..).map(str::trim)
}

/// The slug that a heading names.
fn heading(line: &str) -> Option<&str> {
    line.trim_end().strip_prefix("## `")?.strip_suffix('`')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_and_enumeration_are_in_step_o22() {
        let mut in_example = false;
        let mut documented = Vec::new();
        for line in DOCUMENT.lines() {
            in_example ^= line.starts_with("```");
            if !in_example && line.starts_with("## ") {
                documented.push(heading(line).unwrap_or(line));
            }
        }
        let rules: Vec<_> = Rule::ALL.iter().map(|rule| rule.slug()).collect();
        assert_eq!(documented, rules);
    }

    #[test]
    fn every_entry_says_what_it_means_shows_a_breach_and_mends_it_o22() {
        for rule in Rule::ALL {
            let section = section(rule.slug()).unwrap();
            let slug = rule.slug();
            assert!(
                !section.starts_with("```"),
                "{slug} starts with its meaning"
            );
            assert_eq!(
                section.matches("\n```").count() % 2,
                0,
                "{slug} closes its examples"
            );
            assert!(section.contains("\n```"), "{slug} has an example");
            assert!(
                section.contains("\n\nTo mend it"),
                "{slug} says how to mend it"
            );
            assert!(section.len() < 2000, "{slug} is short");
        }
    }

    #[test]
    fn an_entry_ends_where_the_next_begins() {
        let text = explain("template_unused").unwrap();
        assert!(text.starts_with("template_unused\n\n"));
        assert!(!text.contains("```") && !text.contains("\n## ") && !text.contains("\n# "));
        assert!(!text.contains("ambiguous_action"));
        let last = Rule::ALL.last().unwrap().slug();
        assert!(explain(last).unwrap().ends_with('\n'));
    }

    #[test]
    fn comments_in_an_example_end_no_entry() {
        let text = explain("anchor_planted_twice").unwrap();
        assert!(text.contains("    # sedum:anchor:"));
        assert!(text.contains("To mend it"));
    }

    #[test]
    fn an_unknown_slug_has_a_nearest_one_and_no_entry() {
        assert_eq!(explain("template_unusd"), None);
        assert_eq!(nearest_slug("template_unusd"), Some("template_unused"));
        assert_eq!(nearest_slug("zebra"), None);
    }
}
