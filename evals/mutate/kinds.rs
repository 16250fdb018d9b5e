//! The kinds of mutants: what each does to a list, and the rule that it aims at.
//!
//! A kind knows the catalog of the scene, because a kwarg can only be left out where one is required. Whether the
//! mutant breaks the rule is the validator's to say, not this module's.

use serde_json::{Map, Value as Json, json};

use sedum::diag::Rule;
use sedum::genpkg::{Action, KwargType};
use sedum::marker::Label;
use sedum::selection::Catalog;

use super::super::fixture::Scene;
use super::super::stats::Random;
use super::envelope;

/// A mutant.
pub struct Mutant {
    /// Its text.
    pub text: String,
    /// Whether it counts as cut off.
    pub truncated: bool,
}

type Make = fn(&[Json], &Scene<'_>, &mut Random) -> Option<Mutant>;

/// One kind.
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// The rule that it aims at; none for a mutant that stays valid.
    pub aims_at: Option<Rule>,
    /// Makes one, where the list has room for it.
    pub make: Make,
}

const fn kind(name: &'static str, rule: Rule, make: Make) -> Kind {
    Kind {
        name,
        aims_at: Some(rule),
        make,
    }
}

const fn sound(name: &'static str, make: Make) -> Kind {
    Kind {
        name,
        aims_at: None,
        make,
    }
}

/// Every kind, in the order of the corpus.
pub const KINDS: &[Kind] = &[
    sound("bare array", |list, _, _| {
        plain(Json::from(list).to_string())
    }),
    sound("fence with a tag", |list, _, _| {
        plain(format!("```json\n{}\n```", envelope(list)))
    }),
    sound("reasoning before it", |list, _, _| {
        plain(format!(
            "<think>\nWhat is asked?\n</think>\n{}",
            envelope(list)
        ))
    }),
    sound("keys that nobody asked for", |list, _, _| {
        plain(json!({"note": 1, "invocations": list, "done": true}).to_string())
    }),
    sound("one invocation left out", |list, _, random| {
        let mut list = list.to_vec();
        if list.is_empty() {
            return None;
        }
        list.remove(random.below(list.len()));
        plain(envelope(&list))
    }),
    sound("another order", |list, _, random| {
        let mut list = list.to_vec();
        random.shuffle(&mut list);
        plain(envelope(&list))
    }),
    sound(
        "whole numbers with a fraction of none",
        |list, scene, random| {
            bound(
                list,
                scene,
                random,
                |kind, _| kind == KwargType::Int,
                |value, _| Some(Json::from(value.as_f64()?)),
            )
        },
    ),
    kind("cut off", Rule::ResponseTruncated, |list, _, random| {
        let text = envelope(list);
        let at = random.below(text.len());
        let text = text.chars().take(at).collect();
        Some(Mutant {
            text,
            truncated: true,
        })
    }),
    kind("no answer", Rule::EmptyResponse, |_, _, random| {
        let empty = [
            "",
            " \n",
            "```json\n```",
            "<think>Nothing to do.</think>",
            "\u{feff}",
            "~~~\n\n~~~",
            "\t",
            "\n\n\n",
        ];
        plain((*random.pick(&empty)?).to_owned())
    }),
    kind("prose around it", Rule::ResponseShape, |list, _, random| {
        let text = envelope(list);
        let around = [
            format!("Here it is: {text}"),
            format!("{text}\nI hope this helps."),
            format!("{text}}}"),
            format!("{text}{text}"),
            text.replacen("\"invocations\"", "\"invocation\"", 1),
            text.replacen("\"invocations\"", "\"Invocations\"", 1),
            text.replacen('[', "{\"list\":[", 1),
            text.replacen(':', ": ,", 1),
            format!("\"{}\"", text.len()),
        ];
        plain(random.pick(&around)?.clone())
    }),
    kind(
        "an entry of another shape",
        Rule::InvocationShape,
        |list, _, random| {
            let shapes: [fn(&mut Json); 4] = [
                |entry| *entry = entry.get("action").cloned().unwrap_or(Json::Null),
                |entry| put(entry, "kwargs", json!([])),
                |entry| put(entry, "kwargs", json!("none")),
                |entry| put(entry, "action", json!(7)),
            ];
            entry(list, random, |entry, random| {
                random.pick(&shapes)?(entry);
                Some(())
            })
        },
    ),
    kind("no action named", Rule::MissingAction, |list, _, random| {
        entry(list, random, |entry, random| {
            let name = ["", " ", "\t"];
            match random.below(4) {
                3 => drop(entry.as_object_mut()?.shift_remove("action")),
                at => put(entry, "action", json!(name.get(at)?)),
            }
            Some(())
        })
    }),
    kind(
        "an action that is not there",
        Rule::UnknownAction,
        |list, scene, random| {
            let hidden = Catalog::of(&scene.record.packages(), true);
            let hidden: Vec<&str> = hidden
                .choices()
                .filter(|choice| !choice.action.exposed)
                .map(|choice| choice.action.name.as_str())
                .collect();
            entry(list, random, |entry, random| {
                let name = entry.get("action")?.as_str()?.to_owned();
                let wrong = match random.below(4) {
                    0 => name.to_uppercase(),
                    1 => format!("{name}s"),
                    2 => name.chars().skip(1).collect(),
                    _ => (*random.pick(&hidden)?).to_owned(),
                };
                put(entry, "action", Json::from(wrong));
                Some(())
            })
        },
    ),
    kind(
        "an action of two packages",
        Rule::AmbiguousAction,
        |list, scene, random| {
            let catalog = catalog(scene);
            let shared: Vec<&str> = catalog
                .names()
                .filter(|name| catalog.named(name).len() > 1)
                .collect();
            let name = random.pick(&shared)?;
            let paths: Vec<&str> = scene.paths().collect();
            let mut list = list.to_vec();
            let file = random.pick(&paths)?;
            let at = random.below(list.len() + 1);
            let text = format!("remark {}", random.below(1000));
            list.insert(
                at,
                json!({"action": name, "kwargs": {"file": file, "text": text}}),
            );
            plain(envelope(&list))
        },
    ),
    kind(
        "a required kwarg left out",
        Rule::MissingKwarg,
        |list, scene, random| {
            kwargs(list, scene, random, |kwargs, action, random| {
                let required: Vec<&str> = action.required().collect();
                kwargs.shift_remove(*random.pick(&required)?)?;
                Some(())
            })
        },
    ),
    kind(
        "a required text of blanks",
        Rule::EmptyKwarg,
        |list, scene, random| {
            bound(
                list,
                scene,
                random,
                |kind, required| required && is_text(kind),
                |_, random| Some(Json::from(*random.pick(&["", " ", "\n\t"])?)),
            )
        },
    ),
    kind(
        "what the variant renders left out",
        Rule::MissingDerivedKwarg,
        |list, scene, random| {
            kwargs(list, scene, random, |kwargs, action, random| {
                let single = action.single()?;
                let discriminator = single.body.discriminator()?;
                let templates = single.body.templates();
                let (variant, _) = random.pick(&templates)?;
                kwargs.insert(discriminator.to_owned(), Json::from((*variant)?));
                let optional = action
                    .kwargs
                    .iter()
                    .filter(|(_, k)| !k.required && k.default.is_none());
                for (name, _) in optional {
                    kwargs.shift_remove(name);
                }
                Some(())
            })
        },
    ),
    kind(
        "a kwarg that is not declared",
        Rule::UnknownKwarg,
        |list, scene, random| {
            kwargs(list, scene, random, |kwargs, _, random| {
                let names: Vec<String> = kwargs.keys().cloned().collect();
                let name = random.pick(&names)?;
                let wrong = match random.below(3) {
                    0 => format!("{name}_name"),
                    1 => name.to_uppercase(),
                    _ => "comment".to_owned(),
                };
                kwargs.insert(wrong, json!("x"));
                Some(())
            })
        },
    ),
    kind(
        "a value of another type",
        Rule::KwargType,
        |list, scene, random| {
            bound(
                list,
                scene,
                random,
                |_, _| true,
                |value, random| {
                    let other = match value {
                        Json::String(text) => json!([text]),
                        Json::Number(n) => Json::from(n.to_string()),
                        Json::Bool(b) => Json::from(b.to_string()),
                        Json::Array(_) => json!("one, two"),
                        Json::Null | Json::Object(_) => json!(0.5),
                    };
                    let odd = [other, Json::Null, json!({"value": 1}), json!(2.5)];
                    random.pick(&odd).cloned()
                },
            )
        },
    ),
    kind(
        "a variant that is not there",
        Rule::Variant,
        |list, scene, random| {
            kwargs(list, scene, random, |kwargs, action, random| {
                let catalog = catalog(scene);
                let choice = catalog.named(&action.name).first()?;
                let names: Vec<&str> = sedum::selection::catalog::singles(*choice)
                    .into_iter()
                    .filter_map(|(_, single)| single.body.discriminator())
                    .collect();
                let wrong = ["other", "Other one", "none", "*", "a b"];
                let value = Json::from(*random.pick(&wrong)?);
                kwargs.insert((*random.pick(&names)?).to_owned(), value);
                Some(())
            })
        },
    ),
    kind(
        "a target that is not the record's",
        Rule::UnauthorizedPath,
        |list, scene, random| {
            bound(
                list,
                scene,
                random,
                |kind, required| required && is_text(kind),
                |value, random| {
                    let text = value.as_str()?;
                    let wrong = [
                        format!("{text}_other"),
                        "../up".to_owned(),
                        "elsewhere/x.txt".to_owned(),
                    ];
                    Some(Json::from(random.pick(&wrong)?.clone()))
                },
            )
        },
    ),
    kind(
        "a file without the anchor",
        Rule::AnchorUnplanted,
        |list, scene, random| {
            let paths: Vec<String> = scene.paths().map(str::to_owned).collect();
            kwargs(list, scene, random, |kwargs, action, random| {
                let single = action.single()?;
                let free = single.injects_into.is_one_placeholder();
                let named = single.injects_into.references().next().filter(|_| free)?;
                let path = random.pick(&paths)?.clone();
                kwargs.insert(named.name.to_owned(), Json::from(path));
                for other in action.kwargs.keys().filter(|name| **name != named.name) {
                    if let Some(Json::String(text)) = kwargs.get_mut(other.as_str()) {
                        text.push_str(&random.below(100).to_string());
                    }
                }
                Some(())
            })
        },
    ),
    kind(
        "a marker in what is written",
        Rule::BodyContainsMarker,
        |list, scene, random| {
            let markers: Vec<String> = scene
                .record
                .packages()
                .iter()
                .filter_map(|package| {
                    Some(
                        package
                            .comments
                            .as_ref()?
                            .close_line("", &Label::new("add", None)),
                    )
                })
                .collect();
            bound(
                list,
                scene,
                random,
                |kind, _| is_text(kind),
                |value, random| {
                    let text = value.as_str()?;
                    Some(Json::from(format!(
                        "{text}\n{}\n{text}",
                        random.pick(&markers)?
                    )))
                },
            )
        },
    ),
    kind(
        "the same invocation again",
        Rule::DuplicateRegion,
        |list, _, random| {
            let mut list = list.to_vec();
            let again = random.pick(&list)?.clone();
            let at = random.below(list.len() + 1);
            list.insert(at, again);
            plain(envelope(&list))
        },
    ),
];

#[allow(clippy::unnecessary_wraps)]
fn plain(text: String) -> Option<Mutant> {
    Some(Mutant {
        text,
        truncated: false,
    })
}

fn is_text(kind: KwargType) -> bool {
    matches!(kind, KwargType::String | KwargType::Literal)
}

fn catalog<'p>(scene: &Scene<'p>) -> Catalog<'p> {
    Catalog::of(&scene.record.packages(), false)
}

fn put(entry: &mut Json, key: &str, value: Json) {
    if let Some(object) = entry.as_object_mut() {
        object.insert(key.to_owned(), value);
    }
}

/// Changes one entry.
fn entry(
    list: &[Json],
    random: &mut Random,
    change: impl Fn(&mut Json, &mut Random) -> Option<()>,
) -> Option<Mutant> {
    let mut list = list.to_vec();
    let at = random.below(list.len());
    change(list.get_mut(at)?, random)?;
    plain(envelope(&list))
}

/// Changes the kwargs of one entry whose action the catalog has.
fn kwargs(
    list: &[Json],
    scene: &Scene<'_>,
    random: &mut Random,
    change: impl Fn(&mut Map<String, Json>, &Action, &mut Random) -> Option<()>,
) -> Option<Mutant> {
    entry(list, random, |entry, random| {
        let catalog = catalog(scene);
        let name = entry.get("action")?.as_str()?.to_owned();
        let action = catalog.named(&name).first()?.action;
        change(entry.get_mut("kwargs")?.as_object_mut()?, action, random)
    })
}

/// Changes the value of one bound kwarg of a type.
fn bound(
    list: &[Json],
    scene: &Scene<'_>,
    random: &mut Random,
    is_meant: impl Fn(KwargType, bool) -> bool,
    change: impl Fn(&Json, &mut Random) -> Option<Json>,
) -> Option<Mutant> {
    kwargs(list, scene, random, |kwargs, action, random| {
        let meant: Vec<String> = kwargs
            .keys()
            .filter(|name| {
                let declared = action.kwargs.get(name.as_str());
                declared.is_some_and(|kwarg| is_meant(kwarg.kind, kwarg.required))
            })
            .cloned()
            .collect();
        let value = kwargs.get_mut(random.pick(&meant)?)?;
        *value = change(value, random)?;
        Some(())
    })
}
