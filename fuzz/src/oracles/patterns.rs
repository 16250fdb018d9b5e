//! Scope entries, file patterns and paths (sections 7 and 9, R9, R9a): quick matchers against slow ones.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use sedum::pattern::file::{Match, Pattern, PatternSet};
use sedum::pattern::path;
use sedum::pattern::scope::{Entry, ScopeSet};
use sedum::value::Names;

use super::input;

/// Scope entries, file patterns, and paths; each a line.
pub fn check(data: &[u8]) {
    let Some(all) = input::text(data, 400) else {
        return;
    };
    let [entries, patterns, paths] = input::parts(&all);
    let paths: Vec<&str> = paths.split('\n').take(4).collect();
    scopes(&entries.split('\n').take(5).collect::<Vec<_>>(), &paths);
    files(&patterns.split('\n').take(5).collect::<Vec<_>>(), &paths);
    checked(&paths);
    let files: Vec<Pattern> = patterns
        .split('\n')
        .take(2)
        .filter_map(|text| Pattern::parse(text).ok())
        .collect();
    for text in entries.split('\n').take(2) {
        let Ok(entry) = Entry::parse(text) else {
            continue;
        };
        for file in &files {
            covers(&entry, file);
        }
    }
}

// ---- scope entries

fn scopes(texts: &[&str], paths: &[&str]) {
    let mut entries = Vec::new();
    for text in texts {
        let parsed = Entry::parse(text);
        let sound = !text.trim().is_empty() && text.trim().split('/').all(go_sound);
        // A `..` may take a broken segment with it.
        if !text.split('/').any(|segment| segment.trim() == "..") {
            assert_eq!(parsed.is_ok(), sound, "{text:?}: {parsed:?}");
        }
        entries.extend(parsed.ok());
    }
    let set = ScopeSet::new(entries.clone());
    for path in paths
        .iter()
        .map(|path| path::clean(path))
        .filter(|path| path != ".")
    {
        let first = entries.iter().position(|entry| entry.matches(&path));
        assert_eq!(set.first_match(&path), first, "{path:?} in {texts:?}");
        for entry in &entries {
            let dotted = entry
                .text()
                .split('/')
                .any(|segment| matches!(segment, "." | ".."));
            if !dotted {
                assert_eq!(
                    entry.matches(&path),
                    naive_scope(entry.text(), &path),
                    "{:?} {path:?}",
                    entry.text()
                );
            }
        }
    }
}

fn naive_scope(entry: &str, path: &str) -> bool {
    let mut steps: Vec<&str> = entry.split('/').filter(|step| !step.is_empty()).collect();
    if entry.ends_with('/') {
        steps.push("**");
    }
    let segments: Vec<&str> = path
        .split('/')
        .filter(|segment| !segment.is_empty())
        .collect();
    naive_steps(&steps, &segments)
}

fn naive_steps(steps: &[&str], segments: &[&str]) -> bool {
    // Row by row: which ends of the path the steps so far can reach.
    let mut reached: BTreeSet<usize> = BTreeSet::from([0]);
    for step in steps {
        let mut next = BTreeSet::new();
        for at in &reached {
            if *step == "**" {
                next.extend(*at..=segments.len());
            } else if let Some(segment) = segments.get(*at) {
                let (pattern, text): (Vec<char>, Vec<char>) =
                    (step.chars().collect(), segment.chars().collect());
                if go_match(&pattern, &text) {
                    next.insert(at + 1);
                }
            }
        }
        reached = next;
    }
    reached.contains(&segments.len())
}

/// Go's `path.Match` over one segment, sound patterns only.
fn go_match(pattern: &[char], text: &[char]) -> bool {
    match pattern {
        [] => text.is_empty(),
        ['*', rest @ ..] => {
            let rest = skip_stars(rest);
            (0..=text.len()).any(|taken| go_match(rest, &text[taken..]))
        }
        ['?', rest @ ..] => !text.is_empty() && go_match(rest, &text[1..]),
        ['[', rest @ ..] => {
            let (set, rest) = class(rest).expect("a sound class");
            text.first().is_some_and(|c| set(*c)) && go_match(rest, &text[1..])
        }
        ['\\', c, rest @ ..] | [c, rest @ ..] => {
            text.first() == Some(c) && go_match(rest, &text[1..])
        }
    }
}

fn skip_stars(mut pattern: &[char]) -> &[char] {
    while let ['*', rest @ ..] = pattern {
        pattern = rest;
    }
    pattern
}

type Set = Box<dyn Fn(char) -> bool>;

/// A class behind its bracket, and what follows it.
fn class(mut rest: &[char]) -> Option<(Set, &[char])> {
    let negated = rest.first() == Some(&'^');
    if negated {
        rest = &rest[1..];
    }
    let mut ranges: Vec<(char, char)> = Vec::new();
    loop {
        if let [']', behind @ ..] = rest
            && !ranges.is_empty()
        {
            let holds =
                move |c: char| ranges.iter().any(|(low, high)| *low <= c && c <= *high) != negated;
            return Some((Box::new(holds), behind));
        }
        let (low, behind) = class_char(rest)?;
        rest = behind;
        let mut high = low;
        if let ['-', behind @ ..] = rest {
            (high, rest) = class_char(behind)?;
        }
        ranges.push((low, high));
    }
}

fn class_char(rest: &[char]) -> Option<(char, &[char])> {
    match rest {
        ['\\', c, rest @ ..] => Some((*c, rest)),
        ['-' | ']' | '\\', ..] | [] => None,
        [c, rest @ ..] => Some((*c, rest)),
    }
}

fn go_sound(segment: &str) -> bool {
    let chars: Vec<char> = segment.chars().collect();
    let mut rest = chars.as_slice();
    loop {
        rest = match rest {
            [] => return true,
            ['\\'] => return false,
            ['[', behind @ ..] => match class(behind) {
                Some((_, rest)) => rest,
                None => return false,
            },
            ['\\', _, rest @ ..] | [_, rest @ ..] => rest,
        };
    }
}

/// S8: an entry that covers a template means whatever the template can produce.
fn covers(entry: &Entry, file: &Pattern) {
    let covers = entry.covers_template(file);
    if file.captures().count() == 0 && !file.text().contains('*') {
        assert_eq!(
            covers,
            entry.matches(file.text()),
            "{:?} {:?}",
            entry.text(),
            file.text()
        );
    }
    if !covers {
        return;
    }
    for held in ["a", "zz9", ".x.y", "é-", "[]", "users_controller"] {
        let captures: Names<String> = file
            .captures()
            .map(|name| (name.to_owned(), held.to_owned()))
            .collect();
        if let Some(path) = file.fill(&captures) {
            assert!(
                entry.matches(&path),
                "{:?} {:?} {path:?}",
                entry.text(),
                file.text()
            );
        }
    }
}

// ---- file patterns

fn files(texts: &[&str], paths: &[&str]) {
    let patterns: Vec<Pattern> = texts
        .iter()
        .filter_map(|text| Pattern::parse(text).ok())
        .collect();
    for pattern in &patterns {
        let again = Pattern::parse(pattern.text()).expect("a pattern's text is one");
        assert_eq!(&again, pattern);
    }
    let set = PatternSet::new(patterns.clone());
    let mut ties = BTreeSet::new();
    for (a, first) in patterns.iter().enumerate() {
        for (b, second) in patterns.iter().enumerate() {
            assert_eq!(first.rank_cmp(second), second.rank_cmp(first).reverse());
            assert_eq!(first.overlaps(second), second.overlaps(first));
            if a != b && first.rank_cmp(second).is_eq() && first.overlaps(second) {
                ties.insert((a.min(b), a.max(b)));
            }
            if first.text().split('/').count() == second.text().split('/').count() {
                assert_eq!(
                    first.rank_cmp(second),
                    naive_rank(first.text(), second.text()),
                    "{first:?} {second:?}"
                );
            }
        }
    }
    let found: BTreeSet<_> = set
        .ties()
        .into_iter()
        .map(|(a, b)| (a.min(b), a.max(b)))
        .collect();
    assert_eq!(found, ties, "{texts:?}");
    for path in paths {
        let compared = path::clean(path);
        let compared = compared.trim_start_matches('/');
        let mut matching = Vec::new();
        for (at, pattern) in patterns.iter().enumerate() {
            let bound = pattern.matches(path);
            let wanted = naive_file(pattern.text(), if compared == "." { "" } else { compared });
            let owned: Option<Vec<(String, String)>> = bound.map(|bound| {
                bound
                    .into_iter()
                    .map(|(name, text)| (name.to_owned(), text))
                    .collect()
            });
            assert_eq!(owned, wanted, "{:?} {path:?}", pattern.text());
            if let Some(bound) = owned {
                let captures: Names<String> = bound.into_iter().collect();
                assert!(pattern.produces(path, &captures));
                if let Some(filled) = pattern.fill(&captures) {
                    assert_eq!(filled, compared);
                }
                matching.push(at);
                super::reach();
            }
        }
        for (n, a) in matching.iter().enumerate() {
            assert!(
                matching[n..]
                    .iter()
                    .all(|b| patterns[*a].overlaps(&patterns[*b])),
                "{path:?} {texts:?}"
            );
        }
        let best: Vec<usize> = matching
            .iter()
            .copied()
            .filter(|a| {
                matching
                    .iter()
                    .all(|b| patterns[*a].rank_cmp(&patterns[*b]) != Ordering::Greater)
            })
            .collect();
        match set.best(path) {
            Match::None => assert!(best.is_empty(), "{path:?} {texts:?}"),
            Match::One { index, .. } => assert_eq!(best, [index], "{path:?} {texts:?}"),
            Match::Tie(mut equals) => {
                equals.sort_unstable();
                assert_eq!(best, equals, "{path:?} {texts:?}");
            }
        }
    }
}

/// A piece of a pattern's segment.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Char(char),
    /// A capture's name; `*` has none.
    Wild(Option<String>),
}

fn pieces(segment: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut chars = segment.chars();
    while let Some(c) = chars.next() {
        pieces.push(match c {
            '*' => Piece::Wild(None),
            '{' => Piece::Wild(Some(chars.by_ref().take_while(|c| *c != '}').collect())),
            c => Piece::Char(c),
        });
    }
    pieces
}

/// F4, F6, F7: every way to match is tried, the shortest captures first.
fn naive_file(pattern: &str, path: &str) -> Option<Vec<(String, String)>> {
    let (rows, texts): (Vec<&str>, Vec<&str>) =
        (pattern.split('/').collect(), path.split('/').collect());
    if rows.len() != texts.len() {
        return None;
    }
    let mut bound = Vec::new();
    for (row, text) in rows.iter().zip(texts) {
        let text: Vec<char> = text.chars().collect();
        bound.extend(naive_segment(&pieces(row), &text)?);
    }
    Some(bound)
}

fn naive_segment(pieces: &[Piece], text: &[char]) -> Option<Vec<(String, String)>> {
    match pieces.split_first() {
        None => text.is_empty().then(Vec::new),
        Some((Piece::Char(c), rest)) => {
            (text.first() == Some(c)).then(|| naive_segment(rest, &text[1..]))?
        }
        Some((Piece::Wild(name), rest)) => (1..=text.len()).find_map(|taken| {
            let mut bound = naive_segment(rest, &text[taken..])?;
            if let Some(name) = name {
                bound.insert(0, (name.clone(), text[..taken].iter().collect()));
            }
            Some(bound)
        }),
    }
}

/// F9 by hand, for patterns of as many segments.
fn naive_rank(a: &str, b: &str) -> Ordering {
    // A kind a piece: literals by length, then the segment's end, a capture, a glob.
    let ranks = |segment: &str| {
        let mut ranks: Vec<(u8, i64)> = Vec::new();
        for piece in pieces(segment) {
            match (piece, ranks.last_mut()) {
                (Piece::Char(_), Some((0, length))) => *length -= 1,
                (Piece::Char(_), _) => ranks.push((0, -1)),
                (Piece::Wild(Some(_)), _) => ranks.push((2, 0)),
                (Piece::Wild(None), _) => ranks.push((3, 0)),
            }
        }
        ranks.push((1, 0));
        ranks
    };
    let pairs = a.split('/').zip(b.split('/'));
    pairs
        .map(|(a, b)| ranks(a).cmp(&ranks(b)))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

// ---- paths

fn checked(paths: &[&str]) {
    let mut sound = Vec::new();
    for path in paths {
        let cleaned = path::clean(path);
        assert_eq!(path::clean(&cleaned), cleaned);
        assert_eq!(path::fold(&path::fold(path)), path::fold(path), "{path:?}");
        let Ok(checked) = path::check(path) else {
            continue;
        };
        assert_eq!(checked, cleaned);
        assert_eq!(path::check(&checked).as_ref(), Ok(&checked));
        // R9: whatever is taken stays inside, by the standard library's own reading.
        let inside = std::path::Path::new(&checked).components();
        assert!(
            inside
                .into_iter()
                .all(|part| matches!(part, std::path::Component::Normal(_))),
            "{path:?}"
        );
        assert!(!checked.chars().any(|c| c.is_control() || c == '\\'));
        assert!(
            !checked
                .split('/')
                .any(|part| part.eq_ignore_ascii_case(".git") || part.ends_with(['.', ' ']))
        );
        sound.push(checked);
    }
    // R9a: two of them conflict exactly when a shared beginning is spelt in two ways.
    let mut conflict = false;
    for (n, a) in sound.iter().enumerate() {
        for b in &sound[n + 1..] {
            let (a, b): (Vec<&str>, Vec<&str>) = (a.split('/').collect(), b.split('/').collect());
            let alike = a
                .iter()
                .zip(&b)
                .take_while(|(a, b)| path::fold(a) == path::fold(b))
                .count();
            conflict |= a[..alike] != b[..alike];
        }
    }
    let found = path::conflicts(sound.iter().map(String::as_str));
    assert_eq!(!found.is_empty(), conflict, "{sound:?} {found:?}");
}
