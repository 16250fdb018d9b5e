//! Reconciliation (C2-C14, C21): a second reconciler agrees, doing it twice does it once, and only blanks are lost.

use sedum::marker::Comments;
use sedum::resolve::create::{FileOutcome, create};
use sedum::resolve::{Resolved, ResolvedFile, Variables};
use sedum::tree::Tree;
use sedum::value::Bindings;

use super::{input, marker, world};

/// A comment prefix, a suffix, a file, and its template; without a prefix there are no comments.
pub fn check(data: &[u8]) {
    let Some(all) = input::text(data, 1 << 12) else {
        return;
    };
    let [prefix, suffix, file, template] = input::parts(&all);
    let comments = world::shape(prefix, suffix);
    if comments.is_none() && !prefix.is_empty() {
        return;
    }
    let mut tree = world::tree(file);
    let outcome = grow(comments.as_ref(), &mut tree, template);
    let text = tree.text("a.weft").unwrap_or_default().to_owned();
    let regions = match &comments {
        Some(comments) => marker::regions(comments, unmarked(file)),
        None => Some(Vec::new()),
    };
    let Some(regions) = regions else {
        // C20.
        assert!(outcome.is_err());
        return;
    };
    // A template that opens a region without closing it would leave a corrupt file.
    let wanted = naive(comments.as_ref(), file, &regions, template).filter(|(text, _)| {
        let regions = |comments| marker::regions(comments, unmarked(text));
        comments
            .as_ref()
            .is_none_or(|comments| regions(comments).is_some())
    });
    let Ok(outcome) = outcome else {
        assert_eq!(wanted, None, "{file:?}\n{template:?}");
        assert_eq!(text, file, "a halt changes nothing");
        return;
    };
    let (wanted, lines) =
        wanted.unwrap_or_else(|| panic!("should have halted: {file:?}\n{template:?}\n{text:?}"));
    assert_eq!(text, wanted, "{file:?}\n{template:?}");
    match outcome {
        FileOutcome::Updated { lines: said } => assert_eq!(said, lines),
        other => assert_eq!((other, lines), (FileOutcome::Present, 0)),
    }
    nothing_is_lost(file, &text);
    super::reach();
    // C21. A template that closes or opens regions itself makes another file of it.
    let plants = comments.as_ref().is_some_and(|comments| {
        let reader = marker::Reader::new(comments);
        let is_marker = |line| {
            matches!(
                reader.read(line),
                marker::Naive::Open(..) | marker::Naive::Close(_)
            )
        };
        template.lines().any(is_marker)
    });
    if !plants {
        let again = grow(comments.as_ref(), &mut tree, template);
        assert_eq!(
            again.ok(),
            Some(FileOutcome::Present),
            "{file:?}\n{template:?}\n{text:?}"
        );
        assert_eq!(tree.text("a.weft"), Some(text.as_str()));
    }
}

fn grow(
    comments: Option<&Comments>,
    tree: &mut Tree,
    template: &str,
) -> Result<FileOutcome, String> {
    let package = world::package(comments.cloned());
    let template = world::file_template(template);
    let file = ResolvedFile {
        path: "a.weft".to_owned(),
        package: &package,
        template: Some(&template),
        is_default: false,
        captures: Bindings::new(),
    };
    let record = Resolved {
        record: "r".to_owned(),
        intent: String::new(),
        constraints: Vec::new(),
        files: vec![file],
        unmanaged: Vec::new(),
    };
    create(&[record], &Variables::default(), tree)
        .map(|created| created.files[0].outcome)
        .map_err(|problems| {
            assert!(!problems.is_empty());
            problems[0].message.clone()
        })
}

fn unmarked(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Every line of the file but blank ones stands in the result, in order.
fn nothing_is_lost(file: &str, text: &str) {
    let mut after = unmarked(text).lines();
    for line in unmarked(file)
        .lines()
        .filter(|line| !line.trim().is_empty())
    {
        assert!(
            after.any(|found| found.trim_end_matches('\r') == line.trim_end_matches('\r')),
            "{line:?} is gone: {file:?}\n{text:?}"
        );
    }
    assert_eq!(file.starts_with('\u{feff}'), text.starts_with('\u{feff}'));
}

/// A line of the file, its regions behind it.
struct Line<'t> {
    bare: &'t str,
    whole: String,
    has_region: bool,
}

/// C4-C12 by hand, from the rules: the new text and how many lines came in; `None` is a halt.
fn naive(
    comments: Option<&Comments>,
    file: &str,
    regions: &[std::ops::Range<usize>],
    template: &str,
) -> Option<(String, usize)> {
    let bom = if file.starts_with('\u{feff}') {
        "\u{feff}"
    } else {
        ""
    };
    let body = unmarked(file);
    let wanted: Vec<&str> = unmarked(template)
        .lines()
        .map(|line| line.trim_end_matches('\r'))
        .collect();
    let ending = if body
        .split_inclusive('\n')
        .next()
        .is_some_and(|line| line.ends_with("\r\n"))
    {
        "\r\n"
    } else {
        "\n"
    };
    if template.is_empty() || wanted.is_empty() {
        return Some((file.to_owned(), 0));
    }
    if body.is_empty() {
        let lines: Vec<String> = wanted
            .iter()
            .map(|line| format!("{line}{ending}"))
            .collect();
        return Some((format!("{bom}{}", lines.concat()), wanted.len()));
    }
    let reader = comments.map(marker::Reader::new);
    let structural = |line: &str| {
        let comment = comments.is_some_and(|c| line.trim().starts_with(c.prefix()));
        let anchor = reader
            .as_ref()
            .is_some_and(|r| matches!(r.read(line), marker::Naive::Anchor(_)));
        !line.trim().is_empty() && (!comment || anchor)
    };
    // The regions before the first line belong to a line that is not there.
    let mut lines = vec![Line {
        bare: "",
        whole: String::new(),
        has_region: false,
    }];
    let mut at = 0;
    for whole in body.split_inclusive('\n') {
        if regions.iter().any(|region| region.contains(&at)) {
            let last = lines.last_mut()?;
            last.whole.push_str(whole);
            last.has_region = true;
        } else {
            let bare = whole
                .strip_suffix("\r\n")
                .or(whole.strip_suffix('\n'))
                .unwrap_or(whole);
            lines.push(Line {
                bare,
                whole: whole.to_owned(),
                has_region: false,
            });
        }
        at += whole.len();
    }
    // For each structural line its counterpart; the end of both texts is one too.
    let mut pairs = Vec::new();
    let mut from = 0;
    for (at, line) in lines
        .iter()
        .enumerate()
        .skip(1)
        .filter(|(_, line)| structural(line.bare))
    {
        let found = from
            + wanted[from..]
                .iter()
                .position(|want| *want == line.bare.trim_end_matches('\r'))?;
        pairs.push((at, found));
        from = found + 1;
    }
    pairs.push((lines.len(), wanted.len()));
    let (mut out, mut added, mut line_at, mut want_at) = (String::new(), 0, 0, 0);
    for (line_end, want_end) in pairs {
        out.push_str(&lines[line_at].whole);
        let filler = &lines[line_at + 1..line_end];
        let slice = &wanted[want_at..want_end];
        let grows = slice.iter().any(|line| structural(line));
        let blank = filler
            .iter()
            .all(|line| line.bare.trim().is_empty() && !line.has_region);
        if !grows || !blank {
            for line in filler {
                out.push_str(&line.whole);
            }
        }
        if grows {
            if !out.is_empty() && !out.ends_with('\n') {
                out.push_str(ending);
            }
            for line in slice {
                out.push_str(line);
                out.push_str(ending);
            }
            added += slice.len();
        }
        (line_at, want_at) = (line_end, want_end + 1);
    }
    if added == 0 {
        return Some((file.to_owned(), 0));
    }
    if !body.ends_with('\n') && out.ends_with(ending) {
        out.truncate(out.len() - ending.len());
    }
    Some((format!("{bom}{out}"), added))
}
