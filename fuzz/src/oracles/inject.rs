//! Injection (sections 17 and 18): one region after the other by a naive injector gives the same file, what is outside
//! regions stays, and a rerun changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use sedum::expand::{Identity, Injection};
use sedum::genpkg::{Action, ActionKind, Anchor, Package};
use sedum::inject::inject;
use sedum::marker::{self as codec, Attributes, Comments, Label, Line, Marker, Tier};
use sedum::pattern::anchor::AnchorPattern;
use sedum::value::{Bindings, Value};

use super::{input, marker, world};

/// The actions, each with where it injects.
const ACTIONS: [&str; 6] = ["mark", "zone", "top", "end", "below", "above"];
const BELOW: &str = r"(?m)^[ \t]*turn$";
const ABOVE: &str = "turn\n?";

/// A comment prefix, a suffix, a line for each invocation (`action key body`, a `|` in the body being a line break), and
/// the file.
pub fn check(data: &[u8]) {
    let Some(all) = input::text(data, 1 << 12) else {
        return;
    };
    let [prefix, suffix, calls, file] = input::parts(&all);
    let Some(comments) = world::shape(prefix, suffix) else {
        return;
    };
    let mut package = world::package(Some(comments.clone()));
    for name in ACTIONS {
        package
            .actions
            .insert(name.to_owned(), world::action(name, anchor(name)));
    }
    let calls = calls_of(&comments, calls);
    if calls.is_empty() {
        return;
    }
    let injections: Vec<Injection<'_>> =
        calls.iter().map(|call| call.injection(&package)).collect();
    let wanted = naive(&comments, &calls, file);

    let mut tree = world::tree(file);
    match inject(vec![injections.clone()], &BTreeSet::new(), &mut tree) {
        Ok(reports) => {
            assert_eq!(reports.len(), injections.len());
            let made = tree.text("a.weft").unwrap_or_default().to_owned();
            assert_eq!(Some(&made), wanted.as_ref(), "{file:?}");
            let (before, after) = (outside(&comments, file), outside(&comments, &made));
            // I13: a last line without an ending may have gained one.
            let gained = ["\n", "\r\n"]
                .iter()
                .any(|ending| after == format!("{before}{ending}"));
            assert!(
                before == after || (gained && !before.ends_with('\n')),
                "{file:?}\n{made:?}"
            );
            let again =
                inject(vec![injections.clone()], &BTreeSet::new(), &mut tree).expect("a rerun");
            assert_eq!(
                tree.text("a.weft"),
                Some(made.as_str()),
                "a rerun of {file:?}"
            );
            assert!(again.iter().all(|report| {
                use sedum::inject::RegionOutcome::{Seeded, Unchanged};
                matches!(report.outcome, Unchanged | Seeded)
            }));
            super::reach();
        }
        Err(problems) => {
            assert!(!problems.is_empty());
            assert_eq!(wanted, None, "{}", problems[0].message);
            assert_eq!(tree.text("a.weft"), Some(file), "I1");
        }
    }
}

fn anchor(action: &str) -> Anchor {
    let pattern = |text| AnchorPattern::compile(text).expect("it is one");
    match action {
        "mark" => Anchor::Marker("alpha".to_owned()),
        "zone" => Anchor::Region {
            start: "beta".to_owned(),
            end: "gamma".to_owned(),
        },
        "top" => Anchor::StartOfFile,
        "end" => Anchor::EndOfFile,
        "below" => Anchor::AfterMatch(pattern(BELOW)),
        _ => Anchor::BeforeMatch(pattern(ABOVE)),
    }
}

struct Call {
    action: &'static str,
    key: String,
    body: String,
}

/// The invocations of a text, as Phase 5 would let them through (M31, I13).
fn calls_of(comments: &Comments, text: &str) -> Vec<Call> {
    let mut seen = BTreeSet::new();
    let calls = text.split('\n').take(8).filter_map(|line| {
        let mut words = line.splitn(3, ' ');
        let name = words.next().unwrap_or_default();
        let action = ACTIONS.into_iter().find(|action| *action == name)?;
        let key = words.next().unwrap_or_default().to_owned();
        let body = words.next().unwrap_or_default().replace('|', "\n");
        let fits = comments.label_fits(&Label::new(action, None))
            && codec::body_marker(comments, &body).is_none();
        (fits && seen.insert((action, key.clone()))).then_some(Call { action, key, body })
    });
    calls.collect()
}

impl Call {
    fn kwargs(&self) -> Bindings {
        Bindings::from([("key".to_owned(), Value::Text(self.key.clone()))])
    }

    fn injection<'p>(&self, package: &'p Package) -> Injection<'p> {
        let action: &Action = &package.actions[self.action];
        let ActionKind::Single(single) = &action.kind else {
            panic!("a single action")
        };
        let kwargs = self.kwargs();
        Injection {
            record: "r".into(),
            package,
            action,
            single,
            variant: None,
            path: "a.weft".into(),
            home: package,
            body: self.body.clone(),
            identity: Identity::of(action, single, None, &kwargs),
            kwargs,
        }
    }
}

/// A text without its regions.
fn outside(comments: &Comments, text: &str) -> String {
    let mark = text.len() - text.trim_start_matches('\u{feff}').len();
    let (mark, bare) = text.split_at(mark.min('\u{feff}'.len_utf8()));
    let mut out = mark.to_owned();
    let mut at = 0;
    for region in marker::regions(comments, bare).expect("a sound file") {
        out.push_str(&bare[at..region.start]);
        at = region.end;
    }
    out + &bare[at..]
}

/// The text after every call, one after the other, each reading the file anew; `None` when one finds no place.
fn naive(comments: &Comments, calls: &[Call], file: &str) -> Option<String> {
    let bare = file.strip_prefix('\u{feff}').unwrap_or(file);
    let mark = if bare.len() < file.len() {
        "\u{feff}"
    } else {
        ""
    };
    let crlf = bare
        .split_inclusive('\n')
        .next()
        .is_some_and(|line| line.ends_with("\r\n"));
    let ending = if crlf { "\r\n" } else { "\n" };
    // Places are those of the file as it was (I17); a line that gains its ending on the way is no other line.
    let mut text = bare.to_owned();
    let places = places(comments, bare);
    for call in calls {
        text = one(comments, call, &text, ending, &places)?;
    }
    Some(format!("{mark}{text}"))
}

/// For each action, the number of lines outside regions before its place, and the indentation there.
type Places = BTreeMap<&'static str, (usize, String)>;

/// Lines outside regions, each with its ending.
fn skeleton<'t>(comments: &Comments, text: &'t str) -> Option<Vec<&'t str>> {
    let regions = marker::regions(comments, text)?;
    let mut at = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        if !regions.iter().any(|region| region.contains(&at)) {
            lines.push(line);
        }
        at += line.len();
    }
    Some(lines)
}

fn places(comments: &Comments, text: &str) -> Places {
    let Some(lines) = skeleton(comments, text) else {
        return Places::new();
    };
    let bare: Vec<&str> = lines
        .iter()
        .map(|line| {
            line.strip_suffix("\r\n")
                .or(line.strip_suffix('\n'))
                .unwrap_or(line)
        })
        .collect();
    let reader = marker::Reader::new(comments);
    let plants =
        |at: usize, name: &str| reader.read(bare[at]) == marker::Naive::Anchor(name.to_owned());
    let indent = |at: usize| {
        bare[at]
            .chars()
            .take_while(|c| c.is_whitespace())
            .collect::<String>()
    };
    let mut places = Places::new();
    if let Some(at) = (0..bare.len()).find(|at| plants(*at, "alpha")) {
        places.insert("mark", (at + 1, indent(at)));
    }
    if let Some(start) = (0..bare.len()).find(|at| plants(*at, "beta"))
        && let Some(end) = (start + 1..bare.len()).find(|at| plants(*at, "gamma"))
    {
        places.insert("zone", (end, indent(end)));
    }
    // A shebang below a region is on no first line.
    let leads =
        text.starts_with("#!") && text.split_inclusive('\n').next() == lines.first().copied();
    places.insert("top", (usize::from(leads), String::new()));
    places.insert("end", (bare.len(), String::new()));
    // `turn` alone on a line; and `turn` anywhere, its first character deciding.
    let alone = |line: &str| line.trim_start_matches([' ', '\t']) == "turn";
    if let Some(at) = bare.iter().position(|line| alone(line)) {
        places.insert("below", (at + 1, indent(at)));
    }
    if let Some(at) = bare.iter().position(|line| line.contains("turn")) {
        places.insert("above", (at, indent(at)));
    }
    places
}

fn one(
    comments: &Comments,
    call: &Call,
    text: &str,
    ending: &str,
    places: &Places,
) -> Option<String> {
    let regions = marker::regions(comments, text)?;
    let marker = Marker {
        label: Label::new(call.action, None),
        tier: Tier::Owned,
        record: Some("r".to_owned()),
        writer: None,
        kwargs: call.kwargs(),
        carried: Vec::new(),
    };
    for region in &regions {
        let old = &text[region.clone()];
        let first = old.lines().next().unwrap_or_default();
        let Line::Open(open) = comments.read(first) else {
            panic!("{first:?}")
        };
        let found = open.parse().ok()?;
        if found.label.action != call.action
            || found.label.variant.is_some()
            || !same_key(&found, call)
        {
            continue;
        }
        if found.tier != Tier::Owned {
            return Some(text.to_owned());
        }
        let indent: String = first.chars().take_while(|c| c.is_whitespace()).collect();
        let mut new = written(
            comments,
            &indent,
            Attributes::from(&marker).replacing(&found),
            &call.body,
            ending,
        );
        if !old.ends_with('\n') {
            new.truncate(new.len() - ending.len());
        }
        return Some(format!(
            "{}{new}{}",
            &text[..region.start],
            &text[region.end..]
        ));
    }
    let (gap, indent) = places.get(call.action)?;
    // Behind the lines before it and the regions that stand there (I8).
    let mut at = 0;
    let mut lines = 0;
    for line in text.split_inclusive('\n') {
        if !regions.iter().any(|region| region.contains(&at)) {
            if lines == *gap {
                break;
            }
            lines += 1;
        }
        at += line.len();
    }
    let (before, after) = text.split_at(at);
    let missing = if before.is_empty() || before.ends_with('\n') {
        ""
    } else {
        ending
    };
    Some(format!(
        "{before}{missing}{}{after}",
        written(comments, indent, &marker, &call.body, ending)
    ))
}

fn same_key(found: &Marker, call: &Call) -> bool {
    matches!(found.kwargs.get("key"), Some(Value::Text(key)) if *key == call.key)
}

/// M1, I13.
fn written<'m>(
    comments: &Comments,
    indent: &str,
    marker: impl Into<Attributes<'m>>,
    body: &str,
    ending: &str,
) -> String {
    let marker = marker.into();
    let mut body = body.to_owned();
    if ending == "\r\n" {
        body = body.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    while let Some(bare) = body.strip_suffix(ending) {
        body.truncate(bare.len());
    }
    if !body.is_empty() {
        body.push_str(ending);
    }
    let (open, close) = (
        comments.open_line(indent, marker),
        comments.close_line(indent, marker.label),
    );
    format!("{open}{ending}{body}{close}{ending}")
}
