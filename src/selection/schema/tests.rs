use serde_json::{Value as Json, json};

use super::response_schema;
use crate::selection::Catalog;
use crate::selection::converse::fixture::Fixture;

fn schema(fixture: &Fixture) -> Json {
    serde_json::from_str(response_schema(&fixture.catalog()).get()).unwrap()
}

/// Each branch as action, discriminator and what it requires.
fn branches(schema: &Json) -> Vec<(String, Json, Json)> {
    let list = &schema["properties"]["invocations"]["items"]["oneOf"];
    let each = list.as_array().unwrap().iter().map(|branch| {
        let kwargs = &branch["properties"]["kwargs"];
        assert_eq!(branch["required"], json!(["action", "kwargs"]));
        assert_eq!(branch["additionalProperties"], json!(false));
        assert_eq!(kwargs["additionalProperties"], json!(false));
        let action = branch["properties"]["action"]["const"].as_str().unwrap();
        (
            action.to_owned(),
            kwargs["properties"]["kind"].clone(),
            kwargs["required"].clone(),
        )
    });
    each.collect()
}

#[test]
fn one_branch_an_action_and_variant_in_catalog_order_the_fallback_last_n24_n25() {
    let fixture = Fixture::new(&[&["cloths/rug.weft"]]);
    let text = json!({"$ref": "#/$defs/text"});
    let branch = |action: &str, kind: Json, required: Json| (action.to_owned(), kind, required);
    let expected = [
        branch(
            "addEdge",
            json!({"const": "plain"}),
            json!(["cloth", "kind"]),
        ),
        branch(
            "addEdge",
            json!({"const": "corded"}),
            json!(["cloth", "cord", "kind"]),
        ),
        branch(
            "addEdge",
            json!({"type": "string"}),
            json!(["cloth", "kind", "loops"]),
        ),
        branch("addNote", Json::Null, json!(["file", "text"])),
        // beats is rendered and has a default.
        branch("addPick", Json::Null, json!(["cloth", "shed"])),
        // A composite has one branch; which variant its child takes is open.
        branch("edgeAndLog", text, json!(["cloth", "day", "kind"])),
        branch("logUse", Json::Null, json!(["day"])),
    ];
    assert_eq!(branches(&schema(&fixture)), expected);
}

#[test]
fn kwargs_are_the_declared_ones_each_with_its_type_n24() {
    let fixture = Fixture::new(&[&["cloths/rug.weft"]]);
    let schema = schema(&fixture);
    let kwargs = |n: usize| {
        schema["properties"]["invocations"]["items"]["oneOf"][n]["properties"]["kwargs"]["properties"].clone()
    };
    let text = json!({"$ref": "#/$defs/text"});
    let list = json!({"type": "array", "items": {"$ref": "#/$defs/scalar"}});
    let edge = json!({"cloth": text, "cord": text, "kind": {"const": "plain"}, "loops": list});
    assert_eq!(kwargs(0), edge);
    assert_eq!(kwargs(3), json!({"file": text, "text": {"type": "string"}}));
    let pick = json!({"beats": {"type": "integer"}, "cloth": text, "shed": {"type": "integer"}});
    assert_eq!(kwargs(4), pick);
    assert_eq!(kwargs(6), json!({"day": text, "wet": {"type": "boolean"}}));
}

#[test]
fn a_string_may_have_forms_and_a_list_holds_scalars_x15_d16() {
    let schema = schema(&Fixture::new(&[&["cloths/rug.weft"]]));
    let keys = json!({"singular": {"type": "string"}, "plural": {"type": "string"}, "text": {"type": "string"}});
    let forms = |needed: &str| json!({"type": "object", "properties": keys, "required": [needed], "additionalProperties": false});
    let text = json!({"anyOf": [{"type": "string"}, forms("singular"), forms("plural")]});
    assert_eq!(schema["$defs"]["text"], text);
    let scalar = json!({"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}]});
    assert_eq!(schema["$defs"]["scalar"], scalar);
}

#[test]
fn the_root_has_one_property_and_no_min_items_and_the_bytes_never_change_n24_k27() {
    let fixture = Fixture::new(&[&["cloths/rug.weft"]]);
    let schema = schema(&fixture);
    assert_eq!(schema["type"], json!("object"));
    assert_eq!(schema["required"], json!(["invocations"]));
    assert_eq!(schema["additionalProperties"], json!(false));
    assert_eq!(schema["properties"].as_object().unwrap().len(), 1);
    assert_eq!(schema["properties"]["invocations"]["type"], json!("array"));
    let bytes = response_schema(&fixture.catalog());
    assert!(!bytes.get().contains("minItems"));
    let again = Fixture::new(&[&["cloths/rug.weft"]]);
    assert_eq!(bytes.get(), response_schema(&again.catalog()).get());
    assert_eq!(
        response_schema(&Catalog::of(&[], false))
            .get()
            .matches("oneOf")
            .count(),
        1
    );
}
