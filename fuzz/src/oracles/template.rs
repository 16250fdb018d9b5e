//! Templates (section 5): a second parser finds the same references and faults, and rendering is concatenation.

use sedum::template::{self, Scope, Template};
use sedum::transform::Engine;
use sedum::value::{Bindings, Value};

use super::input;
use super::json::Json;

/// A template, and bindings as a JSON object.
pub fn check(data: &[u8]) {
    let Some(all) = input::text(data, 1 << 14) else {
        return;
    };
    let [text, bindings] = input::parts(&all);
    let engine = engine();
    let bound = bindings_of(bindings);
    let none = Bindings::new();
    let scope = Scope {
        bound: &bound,
        variables: &none,
    };

    // T3: with its braces escaped, a text stands for itself.
    let (escaped, faults) = template::compile(&text.replace("{{", "{{{{"), Some(&engine));
    assert!(faults.is_empty(), "{faults:?}");
    assert!(escaped.is_literal());
    assert_eq!(
        escaped.render(scope, &engine).expect("a literal renders"),
        text
    );

    let (compiled, faults) = template::compile(text, Some(&engine));
    for fault in &faults {
        assert!(
            text.get(fault.span.start as usize..fault.span.end as usize)
                .is_some(),
            "{fault:?}"
        );
    }
    let (pieces, broken) = naive(text);
    let syntax = faults.iter().filter(|fault| !fault.transform).count();
    assert_eq!(syntax, broken, "{text:?}: {faults:?}");
    let names: Vec<&str> = compiled
        .references()
        .map(|reference| reference.name)
        .collect();
    let wanted: Vec<&str> = pieces
        .iter()
        .filter_map(|piece| Some(piece.reference.as_ref()?.0.as_str()))
        .collect();
    assert_eq!(names, wanted, "{text:?}");
    if faults.is_empty() {
        rendered(&compiled, &pieces, scope, &engine);
    }
}

fn rendered(compiled: &Template, pieces: &[Piece], scope: Scope<'_>, engine: &Engine) {
    let mut wanted = Some(String::new());
    for piece in pieces {
        let text = match &piece.reference {
            None => Some(piece.text.clone()),
            Some((name, false)) => scope.get(name).and_then(plain),
            // A reference with transforms renders alone as it does among others.
            Some((_, true)) => {
                let (alone, faults) = template::compile(&piece.text, Some(engine));
                assert!(
                    faults.is_empty() && alone.is_one_placeholder(),
                    "{:?}",
                    piece.text
                );
                alone.render(scope, engine).ok()
            }
        };
        wanted = wanted.zip(text).map(|(all, text)| all + &text);
    }
    match compiled.render(scope, engine) {
        Ok(text) => {
            assert_eq!(Some(text), wanted);
            super::reach();
        }
        Err(fault) => {
            assert_eq!(wanted, None, "{fault}");
            assert!(!fault.to_string().is_empty());
        }
    }
}

/// T8: how a value stands bare.
fn plain(value: &Value) -> Option<String> {
    Some(match value {
        Value::Text(text) => text.clone(),
        Value::Number(number) => number.as_str().to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Object(entries) => {
            let part = |name: &str| {
                entries
                    .iter()
                    .rev()
                    .find(|(key, _)| key == name)
                    .map(|(_, value)| value)
            };
            let known = entries.iter().all(|(key, value)| {
                ["text", "singular", "plural"].contains(&key.as_str())
                    && matches!(value, Value::Text(text) if !text.trim().is_empty())
            });
            let shown = part("singular").or(part("plural")).filter(|_| known)?;
            return plain(part("text").unwrap_or(shown));
        }
        Value::Null | Value::List(_) => return None,
    })
}

/// A vocabulary with pipelines and exceptions.
fn engine() -> Engine {
    let owned = |texts: &[&str]| {
        texts
            .iter()
            .map(|text| (*text).to_owned())
            .collect::<Vec<_>>()
    };
    Engine::new(
        &[
            ("ident".to_owned(), owned(&["singular", "snake"])),
            ("title".to_owned(), owned(&["pascal", "prefix:T"])),
        ],
        &[(
            "pascal".to_owned(),
            vec![("api".to_owned(), "API".to_owned())],
        )],
    )
    .expect("a sound vocabulary")
}

fn bindings_of(json: &str) -> Bindings {
    match sedum::doc::json::parse(json) {
        Ok(node) => match Value::from_node(&node) {
            Value::Object(entries) => {
                // A byte-order mark is passed over.
                let bare = json.strip_prefix('\u{feff}').unwrap_or(json);
                let again = Json::read(bare).expect("serde reads what Sedum reads");
                assert!(again.is(&Value::Object(entries.clone())), "{json}");
                entries.into_iter().collect()
            }
            _ => Bindings::new(),
        },
        Err(_) => Bindings::new(),
    }
}

/// A piece of a template; a reference has a name, and whether it has transforms.
struct Piece {
    text: String,
    reference: Option<(String, bool)>,
}

/// T1-T5 by hand: the pieces, and how many faults of syntax there are.
fn naive(text: &str) -> (Vec<Piece>, usize) {
    let chars: Vec<char> = text.chars().collect();
    let pair = |at: usize, c: char| chars.get(at) == Some(&c) && chars.get(at + 1) == Some(&c);
    let (mut pieces, mut faults, mut at) = (Vec::new(), 0, 0);
    while at < chars.len() {
        if !pair(at, '{') {
            pieces.push(Piece {
                text: chars[at].to_string(),
                reference: None,
            });
            at += 1;
            continue;
        }
        if pair(at + 2, '{') {
            pieces.push(Piece {
                text: "{{".to_owned(),
                reference: None,
            });
            at += 4;
            continue;
        }
        let Some(end) = (at + 2..chars.len()).find(|end| pair(*end, '}')) else {
            return (pieces, faults + 1);
        };
        let inside: String = chars[at + 2..end].iter().collect();
        let mut steps = inside.split('|');
        let name = steps.next().unwrap_or_default().trim();
        let ops: Vec<&str> = steps
            .map(|step| step.split(':').next().unwrap_or_default().trim())
            .collect();
        if is_name(name) && ops.iter().all(|op| is_name(op)) {
            pieces.push(Piece {
                text: chars[at..end + 2].iter().collect(),
                reference: Some((name.to_owned(), !ops.is_empty())),
            });
        } else {
            faults += 1;
        }
        at = end + 2;
    }
    (pieces, faults)
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
