//! Tests of the engine: declarations, references, and the applying of steps.

use super::super::{EngineWhere, split_step};
use super::*;
use proptest::prelude::*;

type Pipelines = Vec<(String, Vec<String>)>;
type Tables = Vec<(String, Vec<(String, String)>)>;

fn pipelines(declared: &[(&str, &[&str])]) -> Pipelines {
    declared
        .iter()
        .map(|(name, steps)| {
            let steps = steps.iter().map(|step| (*step).to_owned()).collect();
            ((*name).to_owned(), steps)
        })
        .collect()
}

fn tables(declared: &[(&str, &[(&str, &str)])]) -> Tables {
    declared
        .iter()
        .map(|(operation, entries)| {
            let entries = entries
                .iter()
                .map(|(word, spelling)| ((*word).to_owned(), (*spelling).to_owned()))
                .collect();
            ((*operation).to_owned(), entries)
        })
        .collect()
}

fn engine(declared: &[(&str, &[&str])], exceptions: &[(&str, &[(&str, &str)])]) -> Engine {
    Engine::new(&pipelines(declared), &tables(exceptions)).unwrap()
}

fn faults(
    declared: &[(&str, &[&str])],
    exceptions: &[(&str, &[(&str, &str)])],
) -> Vec<EngineFault> {
    Engine::new(&pipelines(declared), &tables(exceptions)).unwrap_err()
}

/// Applies a chain written as in a template (`snake|upper`) to `value`.
fn run(engine: &Engine, chain: &str, value: Operand<'_>) -> Result<String, ApplyFault> {
    let mut steps = Vec::new();
    for reference in chain.split('|').filter(|reference| !reference.is_empty()) {
        let (name, argument) = split_step(reference);
        steps.extend(engine.resolve(name, argument).unwrap().into_owned());
    }
    engine.apply(&steps, value).map(Cow::into_owned)
}

fn text(engine: &Engine, chain: &str, value: &str) -> String {
    run(engine, chain, Operand::Text(Cow::Borrowed(value))).unwrap()
}

fn list<'a>(members: &[&'a str]) -> Operand<'a> {
    Operand::List(
        members
            .iter()
            .map(|member| Cow::Borrowed(*member))
            .collect(),
    )
}

#[test]
fn x1_every_built_in_is_available_without_declarations() {
    let engine = Engine::built_ins_only();
    assert_eq!(text(&engine, "pascal", "order_line"), "OrderLine");
    assert_eq!(text(&engine, "camel", "order_line"), "orderLine");
    assert_eq!(text(&engine, "snake", "OrderLine"), "order_line");
    assert_eq!(text(&engine, "kebab", "OrderLine"), "order-line");
    assert_eq!(text(&engine, "upper", "aB_c"), "AB_C");
    assert_eq!(text(&engine, "lower", "aB_C"), "ab_c");
    assert_eq!(text(&engine, "plural", "order_line"), "order_lines");
    assert_eq!(text(&engine, "singular", "order_lines"), "order_line");
    assert_eq!(text(&engine, "prefix:I", "x"), "Ix");
    assert_eq!(text(&engine, "suffix:Repo", "x"), "xRepo");
    assert_eq!(run(&engine, "join:-", list(&["a", "b"])).unwrap(), "a-b");
    assert_eq!(text(&engine, "snake|upper", "UserURL"), "USER_URL", "X4");
}

#[test]
fn x3_arguments() {
    let engine = engine(&[("resource", &["singular", "pascal"])], &[]);
    let needs = |name: &str| StepFault::NeedsArgument { name: name.into() };
    for name in ["prefix", "suffix", "join"] {
        assert_eq!(engine.resolve(name, None), Err(needs(name)));
        assert_eq!(engine.resolve(name, Some("")), Err(needs(name)));
        assert_eq!(engine.resolve(name, Some("  ")), Err(needs(name)));
        assert!(matches!(
            engine.resolve(name, Some("{{x}}")),
            Err(StepFault::DynamicArgument { .. })
        ));
    }
    for name in ["pascal", "upper", "plural", "resource"] {
        assert!(matches!(
            engine.resolve(name, Some("x")),
            Err(StepFault::TakesNoArgument { .. })
        ));
    }
    assert_eq!(
        needs("join").to_string(),
        "transform \"join\" needs an argument, as in join:X"
    );
}

#[test]
fn t5_an_argument_is_all_behind_the_first_colon_trimmed() {
    assert_eq!(split_step("join::"), ("join", Some(":")));
    assert_eq!(split_step(" prefix : a:b "), ("prefix", Some("a:b")));
    assert_eq!(split_step("snake"), ("snake", None));
    let engine = Engine::built_ins_only();
    assert_eq!(
        engine.resolve("suffix", Some(" a:b ")),
        Ok(vec![Step::Suffix("a:b".into())].into())
    );
}

#[test]
fn l20_an_unknown_name_gets_its_nearest() {
    let engine = engine(&[("resource", &["singular", "pascal"])], &[]);
    let nearest = |name: &str| match engine.resolve(name, None) {
        Err(StepFault::Unknown { nearest, .. }) => nearest,
        other => panic!("{other:?}"),
    };
    assert_eq!(nearest("ressource").as_deref(), Some("resource"));
    assert_eq!(nearest("snakecase").as_deref(), Some("snake"));
    assert_eq!(nearest("Pascal").as_deref(), Some("pascal"));
    assert_eq!(nearest("no_such_transform"), None);
    assert_eq!(nearest(""), None);
    let unknown = engine.resolve("titlecase", None).unwrap_err();
    assert!(unknown.to_string().contains("\"titlecase\""), "{unknown}");
    assert_eq!(
        unknown.help().as_deref(),
        Some(
            "the built-in ones are pascal camel snake kebab upper lower plural singular prefix:X \
             suffix:X join:X"
        )
    );
    let near = engine.resolve("snakecase", None).unwrap_err();
    assert_eq!(near.help().as_deref(), Some("did you mean \"snake\"?"));
}

#[test]
fn s2_s3_every_bad_pipeline_is_reported_at_its_place() {
    let faults = faults(
        &[
            ("resource", &["singular", "pascal"]),
            ("nested", &["resource", "upper"]),
            ("unknown", &["plural", "titlecase"]),
            ("upper", &["snake"]),
            ("nothing", &[]),
            ("halfdone", &["prefix", "join: ", "snake:x", "suffix:{{x}}"]),
            ("table-name", &["plural"]),
            ("7up", &["upper"]),
            ("", &["upper"]),
        ],
        &[],
    );
    let places: Vec<EngineWhere> = faults.iter().map(|fault| fault.place).collect();
    assert_eq!(
        places,
        [
            EngineWhere::Step(1, 0),
            EngineWhere::Step(2, 1),
            EngineWhere::Pipeline(3),
            EngineWhere::Pipeline(4),
            EngineWhere::Step(5, 0),
            EngineWhere::Step(5, 1),
            EngineWhere::Step(5, 2),
            EngineWhere::Step(5, 3),
            EngineWhere::Pipeline(6),
            EngineWhere::Pipeline(7),
            EngineWhere::Pipeline(8),
        ]
    );
    assert_eq!(
        faults[0].message,
        "pipeline \"nested\", step 1: \"resource\" is a pipeline, and a pipeline is made of \
         built-in operations only"
    );
    assert_eq!(
        faults[2].message,
        "pipeline \"upper\" shadows the built-in operation"
    );
    assert_eq!(faults[3].message, "pipeline \"nothing\" has no steps");
}

#[test]
fn s3_a_pipeline_may_not_contain_itself() {
    let faults = faults(&[("loop", &["loop"])], &[]);
    assert_eq!(faults.len(), 1);
    assert!(faults[0].message.contains("is a pipeline"));
}

#[test]
fn s3_a_name_may_be_a_word_of_some_other_language() {
    let engine = engine(
        &[
            ("true", &["kebab"]),
            ("if", &["plural"]),
            ("_1", &["upper"]),
        ],
        &[],
    );
    assert_eq!(text(&engine, "true", "UserName"), "user-name");
    let names: Vec<&str> = engine.pipeline_names().collect();
    assert_eq!(names, ["true", "if", "_1"]);
}

#[test]
fn s4_only_pascal_and_camel_have_exceptions() {
    let entries: &[(&str, &str)] = &[("id", "ID")];
    let faults = faults(
        &[("short", &["snake"])],
        &[
            ("snake", entries),
            ("shout", entries),
            ("pascal", entries),
            ("short", entries),
        ],
    );
    let places: Vec<EngineWhere> = faults.iter().map(|fault| fault.place).collect();
    assert_eq!(
        places,
        [
            EngineWhere::Exceptions(0),
            EngineWhere::Exceptions(1),
            EngineWhere::Exceptions(3),
        ]
    );
    assert_eq!(
        faults[0].message,
        "op_exceptions has a table for \"snake\", which consults no exceptions; only pascal and \
         camel have one"
    );
}

#[test]
fn s5_keys_match_in_any_letter_case() {
    let engine = engine(
        &[],
        &[("pascal", &[("API", "Api_"), ("dns", "DNS"), ("ÉCOLE", "E")])],
    );
    assert_eq!(text(&engine, "pascal", "myApiKey"), "MyApi_Key");
    assert_eq!(text(&engine, "pascal", "DNS-api"), "DNSApi_");
    assert_eq!(text(&engine, "pascal", "école_École"), "EE");
    assert_eq!(
        text(&engine, "camel", "my_api"),
        "myApi",
        "tables are per operation"
    );
}

#[test]
fn s5_two_spellings_of_one_word_are_a_fault() {
    let faults = faults(&[], &[("camel", &[("id", "ID"), ("x", "X"), ("Id", "Id")])]);
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].place, EngineWhere::Exception(0, 2));
    // The same spelling twice loses nothing.
    engine(&[], &[("camel", &[("id", "ID"), ("ID", "ID")])]);
}

#[test]
fn x18_exception_vectors() {
    let engine = engine(
        &[],
        &[
            ("pascal", &[("url", "URL"), ("id", "ID")]),
            ("camel", &[("id", "ID")]),
        ],
    );
    assert_eq!(text(&engine, "pascal", "ID_token"), "IDToken");
    assert_eq!(text(&engine, "pascal", "user_url"), "UserURL");
    assert_eq!(text(&engine, "camel", "user-id"), "userID");
    assert_eq!(text(&engine, "camel", "ID_token"), "idToken");
    // X10: exceptions do not reach inflection.
    assert_eq!(text(&engine, "plural", "user_id"), "user_ids");
}

#[test]
fn x8_pipelines_chain_from_left_to_right() {
    let engine = engine(
        &[
            ("resource", &["singular", "pascal"]),
            ("getter", &["prefix:get_", "camel", "suffix:()"]),
            ("weird", &["suffix:-{x}", "prefix: $1 ", "suffix:\"q\""]),
            ("alt", &["join:|", "prefix:(", "suffix:)"]),
        ],
        &[("pascal", &[("dns", "DNS"), ("ip", "IP")])],
    );
    assert_eq!(
        text(&engine, "resource|prefix:I|suffix:Repo", "dns_ips"),
        "IDNSIPRepo"
    );
    assert_eq!(text(&engine, "getter", "host_ips"), "getHostIps()");
    assert_eq!(text(&engine, "weird", "host"), "$1host-{x}\"q\"");
    assert_eq!(run(&engine, "alt", list(&["a", "b"])).unwrap(), "(a|b)");
}

#[test]
fn x15_x16_explicit_forms_are_for_the_first_step() {
    let engine = engine(
        &[
            ("table", &["plural", "snake"]),
            ("late", &["snake", "plural"]),
        ],
        &[],
    );
    let both = Forms {
        text: "Octopus",
        singular: Some("Octopus"),
        plural: Some("Octopodes"),
    };
    let of =
        |chain: &str, forms: Forms<'static>| run(&engine, chain, Operand::Forms(forms)).unwrap();
    assert_eq!(of("", both), "Octopus");
    assert_eq!(of("plural", both), "Octopodes");
    assert_eq!(of("table", both), "octopodes");
    assert_eq!(of("late", both), "octopuses");
    assert_eq!(of("upper|plural", both), "OCTOPUSES");
    // A missing form comes from the table over the text.
    let only_plural = Forms {
        text: "users",
        singular: None,
        plural: Some("users"),
    };
    assert_eq!(of("singular", only_plural), "user");
    // After the first step the given forms are gone.
    assert_eq!(of("plural|singular", both), "Octopode");
}

#[test]
fn x17_lists_and_null() {
    let engine = Engine::built_ins_only();
    assert_eq!(
        run(&engine, "", list(&["a"])),
        Err(ApplyFault::ListNeedsJoin { step: None })
    );
    assert_eq!(
        run(&engine, "upper|join:,", list(&["a"])),
        Err(ApplyFault::ListNeedsJoin {
            step: Some(Operation::Upper)
        })
    );
    assert_eq!(
        run(&engine, "join:,", list(&[])),
        Err(ApplyFault::EmptyList)
    );
    assert_eq!(run(&engine, "join:,", list(&["x"])).unwrap(), "x");
    assert_eq!(
        run(&engine, "join:_|upper", list(&["a", "b"])).unwrap(),
        "A_B"
    );
    assert_eq!(
        run(&engine, "join:,|join:,", list(&["a"])),
        Err(ApplyFault::JoinNeedsList)
    );
    for chain in ["", "upper", "join:,"] {
        assert_eq!(run(&engine, chain, Operand::Null), Err(ApplyFault::Null));
    }
    assert_eq!(text(&engine, "suffix:x", "true"), "truex");
    let message = ApplyFault::JoinNeedsList.to_string();
    assert!(message.contains("join") && message.contains("list"));
}

proptest! {
    #[test]
    fn no_operation_panics_on_any_text(value in any::<String>(), argument in "[^{|]{1,8}") {
        let engine = Engine::built_ins_only();
        for operation in Operation::ALL {
            let given = operation.takes_argument().then_some(argument.as_str());
            if let Ok(steps) = engine.resolve(operation.name(), given) {
                let made = engine.apply(&steps, Operand::Text(Cow::Borrowed(&value)));
                prop_assert_eq!(made.is_err(), operation == Operation::Join);
            }
        }
    }

    #[test]
    fn no_declaration_panics(
        name in any::<String>(),
        steps in proptest::collection::vec(any::<String>(), 0..4),
        word in any::<String>(),
    ) {
        let tables = vec![("pascal".to_owned(), vec![(word.clone(), word)])];
        let made = Engine::new(&[(name.clone(), steps)], &tables);
        for fault in made.err().unwrap_or_default() {
            prop_assert!(!fault.message.is_empty() && !fault.message.ends_with('.'));
        }
        let _ = Engine::built_ins_only().resolve(&name, None).map_err(|fault| fault.to_string());
    }

    #[test]
    fn without_steps_text_is_itself(value in any::<String>()) {
        let made = Engine::built_ins_only().apply(&[], Operand::Text(Cow::Borrowed(&value)));
        prop_assert_eq!(made.map(Cow::into_owned), Ok(value.clone()));
    }
}
