//! Cases are strict: what is not right is said, all of it.

use super::*;

const SOUND: &str = "\
id: x
title: A title
application: { name: shop, complexity: small }
language: ruby
framework: none
tightness: tight
arm: [sedum, baseline]
generators: ruby/generators
records: ruby/records
only: eval-x
variables: { module: a.example/b }
wordings: [Another way to say it]
models:
  - { id: m, engine: e, quant: q }
check: { \".rb\": [ruby, -c] }
per_sample: 20
expect:
  actions: { add: 2 }
  bindings:
    - action: add
      because: the intent names it
      key: name
      rows: [{ name: a, size: 3 }]
";

fn faults(text: &str) -> Vec<String> {
    let faults = parse(text, "x").err().unwrap_or_default();
    faults.into_iter().map(|fault| fault.message).collect()
}

#[test]
fn h9_a_sound_case_is_read() {
    let case = parse(SOUND, "x").unwrap();
    assert_eq!(case.arms, Arm::ALL);
    assert_eq!(case.models.first().unwrap().label(), "m/e-q");
    assert_eq!(case.wording_count(), 2);
    assert_eq!(case.per_sample, 20);
    assert_eq!(case.expect.actions.get("add"), Some(&2));
}

#[test]
fn h9_an_unknown_key_is_refused() {
    let found = faults(&format!("{SOUND}behaviour: {{}}\n"));
    assert_eq!(found, ["unknown key \"behaviour\" in a case"]);
}

#[test]
fn h15_an_unknown_arm_is_refused() {
    let found = faults(&SOUND.replace("sedum, baseline", "sedum, intent"));
    assert_eq!(
        found,
        ["an arm is one of sedum, baseline, each once, not \"intent\""]
    );
}

#[test]
fn h11_the_engine_is_mandatory() {
    let found = faults(&SOUND.replace(" engine: e,", ""));
    assert_eq!(found, ["the key engine is missing or blank"]);
}

#[test]
fn h25_a_binding_says_why_and_names_a_key_that_tells_rows_apart() {
    for (from, to, said) in [
        (
            "      because: the intent names it\n",
            "",
            "the key because is missing or blank",
        ),
        (
            "[{ name: a, size: 3 }]",
            "[{ name: a }, { name: a, size: 4 }]",
            "two rows have one key, so no invocation can be told from another (H25)",
        ),
        (
            "[{ name: a, size: 3 }]",
            "[{ name: [a, b] }]",
            "expected one literal, since it is the key, found a list",
        ),
        (
            "- action: add",
            "- action: take",
            "a binding is about the action \"take\", which is not expected",
        ),
    ] {
        assert_eq!(faults(&SOUND.replace(from, to)), [said], "{to}");
    }
}

#[test]
fn the_name_of_a_case_is_that_of_its_file() {
    let found = faults(&SOUND.replace("id: x", "id: y"));
    assert_eq!(found, ["the case is called \"y\", and its file \"x\""]);
}
