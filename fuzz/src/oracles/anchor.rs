//! Anchor patterns (A31, A32): what compiles finds the same alone and in a group, and quoted text is found as text.

use sedum::pattern::anchor::AnchorPattern;

use super::input;

/// An expression, and a text.
pub fn check(data: &[u8]) {
    let Some(all) = input::text(data, 1 << 11) else {
        return;
    };
    let [pattern, text] = input::parts(&all);
    let text = text.replace("\r\n", "\n");
    let compiled = AnchorPattern::compile(pattern);
    match &compiled {
        Ok(expression) => {
            assert_eq!(expression.text(), pattern);
            let found = expression.find(&text);
            if let Some(range) = &found {
                assert!(text.get(range.clone()).is_some());
            }
            if pattern.contains(r"\Q") {
                // What is quoted up to the end would quote the group's end.
                return;
            }
            // A group changes nothing, and no more does reading the expression again.
            let grouped = AnchorPattern::compile(&format!("(?:{pattern})"))
                .expect("a group of an expression is one");
            assert_eq!(grouped.find(&text), found, "{pattern:?}");
            if found.is_some() {
                super::reach();
            }
            let either = AnchorPattern::compile(&format!("(?:{pattern})|(?:{pattern})"));
            if let Ok(either) = either {
                assert_eq!(either.find(&text), found, "{pattern:?}");
            }
            let first = found.map_or(text.len(), |range| range.start);
            for (at, _) in text
                .char_indices()
                .take_while(|(at, _)| *at < first)
                .take(8)
            {
                let starts = AnchorPattern::compile(&format!("(?s:^.{{{at}}})(?:{pattern})"));
                // A prefix that is all ASCII has as many characters as bytes; nothing matches before the first match.
                if let Ok(starts) = starts
                    && text.is_ascii()
                {
                    assert_eq!(starts.find(&text), None, "{pattern:?} at {at}");
                }
            }
        }
        Err(fault) => {
            assert!(
                fault.offset().is_none_or(|at| pattern.get(at..).is_some()),
                "{pattern:?} {fault:?}"
            );
            let shown = fault.to_string();
            assert!(shown.starts_with("anchor_pattern `"), "{shown}");
        }
    }
    assert!(!AnchorPattern::lacks_line_mode(pattern) || pattern.contains(['^', '$']));
    if !pattern.contains(r"\E") && !pattern.ends_with('\\') {
        let quoted = AnchorPattern::compile(&format!(r"\Q{pattern}\E"))
            .expect("quoted text is an expression");
        let wanted = text.find(pattern).map(|at| at..at + pattern.len());
        assert_eq!(quoted.find(&text), wanted, "{pattern:?}");
        assert!(!AnchorPattern::lacks_line_mode(&format!(r"\Q{pattern}\E")));
    }
}
