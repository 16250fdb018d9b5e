//! Documents that both schema and reader refuse, and odd ones that both accept.

/// Lines of a `sedum.yaml`, or a whole one, with the rule that it breaks.
pub const BAD_MANIFESTS: &[(&str, &str)] = &[
    ("manifest_malformed", "[]"),
    ("manifest_malformed", "{}"),
    ("manifest_malformed", "name:"),
    ("manifest_malformed", "name: [pkg]"),
    ("package_name_mismatch", "name: .pkg"),
    ("package_name_mismatch", "name: a/pkg"),
    ("package_name_mismatch", "name: ''"),
    ("manifest_malformed", "comment_prefx: '#'"),
    ("manifest_malformed", "Name: pkg"),
    ("manifest_malformed", "model: large"),
    ("manifest_malformed", "extensions: .rb"),
    ("manifest_malformed", "extensions: [null]"),
    ("extension_invalid", "extensions: [rb]"),
    ("extension_invalid", "extensions: ['.']"),
    ("extension_invalid", "extensions: [.rb.]"),
    ("extension_invalid", "extensions: [.a/b]"),
    ("extension_invalid", "extensions: ['.a\\b']"),
    ("extension_invalid", "extensions: ['']"),
    ("extension_invalid", "extensions: [.rb, .rb]"),
    ("extension_invalid", "extensions: [true]"),
    ("extension_invalid", "extensions: [7]"),
    ("manifest_malformed", "comment_prefix: ['#']"),
    ("comment_prefix_invalid", "comment_prefix: \"#\\n\""),
    (
        "comment_prefix_invalid",
        "{name: pkg, comment_prefix: '#', comment_suffix: \"a\\rb\"}",
    ),
    ("comment_suffix_without_prefix", "comment_suffix: '-->'"),
    (
        "comment_suffix_without_prefix",
        "{name: pkg, comment_prefix: ' ', comment_suffix: '-->'}",
    ),
    (
        "comment_suffix_without_prefix",
        "{name: pkg, comment_prefix: null, comment_suffix: '-->'}",
    ),
    ("manifest_malformed", "transforms: [snake]"),
    ("manifest_malformed", "transforms: {shout: upper}"),
    ("manifest_malformed", "transforms: {shout: null}"),
    ("transform_invalid", "transforms: {shout: []}"),
    ("manifest_malformed", "transforms: {shout: [null]}"),
    ("manifest_malformed", "transforms: {path: [prefix: a]}"),
    ("transform_invalid", "transforms: {shout: [uppper]}"),
    ("transform_invalid", "transforms: {shout: [Upper]}"),
    ("transform_invalid", "transforms: {shout: [7]}"),
    ("transform_invalid", "transforms: {shout: ['upper:']}"),
    ("transform_invalid", "transforms: {shout: ['upper:x']}"),
    ("transform_invalid", "transforms: {path: [prefix]}"),
    ("transform_invalid", "transforms: {path: ['prefix:']}"),
    ("transform_invalid", "transforms: {path: ['join: ']}"),
    ("transform_invalid", "transforms: {path: ['suffix:{{a}}']}"),
    ("transform_invalid", "transforms: {snake: [upper]}"),
    ("transform_invalid", "transforms: {2nd: [upper]}"),
    ("transform_invalid", "transforms: {all-caps: [upper]}"),
    (
        "transform_invalid",
        "transforms: {loud: [upper], louder: [loud]}",
    ),
    ("manifest_malformed", "op_exceptions: [id]"),
    ("transform_invalid", "op_exceptions: {snake: {id: ID}}"),
    ("transform_invalid", "op_exceptions: {shout: {id: ID}}"),
    ("manifest_malformed", "op_exceptions: {pascal: null}"),
    ("manifest_malformed", "op_exceptions: {pascal: {id: null}}"),
    ("manifest_malformed", "op_exceptions: {camel: {id: [ID]}}"),
    ("manifest_malformed", "unmanaged: vendor/"),
    ("unmanaged_invalid", "unmanaged: ['']"),
    ("unmanaged_invalid", "unmanaged: ['  ']"),
    ("manifest_malformed", "unmanaged: [null]"),
    ("test_paths_invalid", "test_paths: [\"\\u00a0\"]"),
    ("test_paths_invalid", "test_paths: ['[]']"),
    ("unmanaged_invalid", "unmanaged: ['a[b']"),
    ("manifest_malformed", "test_paths: {spec/: true}"),
    ("manifest_malformed", "variables: [root]"),
    ("manifest_malformed", "variables: {root: app}"),
    ("manifest_malformed", "variables: {root: {defalt: app}}"),
    ("manifest_malformed", "variables: {root: {default: [app]}}"),
    (
        "manifest_malformed",
        "variables: {root: {description: {en: x}}}",
    ),
];

/// Sound ones.
pub const ODD_MANIFESTS: &[&str] = &[
    "name: pkg",
    "{name: pkg, extensions: null, transforms: ~, op_exceptions: , unmanaged: , test_paths: , variables: }",
    "{name: pkg, comment_prefix: null, comment_suffix: null}",
    "{name: pkg, comment_prefix: '', comment_suffix: ' '}",
    "{name: pkg, comment_prefix: 7}",
    "{name: pkg, extensions: [], unmanaged: [], transforms: {}, op_exceptions: {}, variables: {}}",
    // A page of a manual: a number to YAML, and the text `.1` to Sedum.
    "extensions: [.1, .RB, '.a b']",
    "extensions: [.html.erb, ..x, .é]",
    "transforms: {_a1: [' upper ', 'prefix : a:b', 'suffix:{', \"join:,\\n\"]}",
    "transforms: {Snake: [snake, upper]}",
    "op_exceptions: {pascal: {}, camel: {1: 2, 'true': true, '': ''}}",
    "unmanaged: [' vendor/ ', 7, true, '**', '[a-z].rb']",
    "test_paths: ['../outside', /etc]",
    "variables: {'any name': , b: {}, c: {description: , default: }, d: {default: 8080}}",
    "variables: {a: {default: ''}}",
];

/// A declaration, or a whole `actions.yaml`, with the rule that it breaks.
pub const BAD_ACTIONS: &[(&str, &str)] = &[
    ("actions_malformed", "[]"),
    ("actions_malformed", "actions:"),
    ("actions_malformed", "actions: []"),
    ("actions_malformed", "actions: {}\nversion: 1"),
    (
        "action_name_reserved",
        "actions: {anchor: {injects_into: a, anchor: a}}",
    ),
    (
        "action_name_invalid",
        "actions: {add route: {injects_into: a, anchor: a}}",
    ),
    (
        "action_name_invalid",
        "actions: {'': {injects_into: a, anchor: a}}",
    ),
    (
        "action_name_invalid",
        "actions: {größe: {injects_into: a, anchor: a}}",
    ),
    (
        "action_name_invalid",
        "actions: {one: {injects_into: a, anchor: a}, 'a:b': {composes: [one]}}",
    ),
    ("actions_malformed", "text"),
    ("action_incomplete", ""),
    ("action_incomplete", "{}"),
    ("action_incomplete", "{injects_into: a}"),
    ("action_incomplete", "{anchor: a}"),
    ("action_incomplete", "{injects_into: null, anchor: a}"),
    ("action_incomplete", "{injects_into: a, anchor: null}"),
    (
        "action_incomplete",
        "{injects_into: a, anchor: null, composes: null}",
    ),
    ("actions_malformed", "{injects_into: [a], anchor: a}"),
    (
        "actions_malformed",
        "{injects_into: a, anchor: {marker: a}}",
    ),
    ("actions_malformed", "{injects_too: a, anchor: a}"),
    (
        "actions_malformed",
        "{injects_into: a, anchor: a, exposed: yes}",
    ),
    (
        "actions_malformed",
        "{injects_into: a, anchor: a, exposed: 'true'}",
    ),
    (
        "actions_malformed",
        "{injects_into: a, anchor: a, description: [x]}",
    ),
    ("tier_unknown", "{injects_into: a, anchor: a, tier: frozen}"),
    ("tier_unknown", "{injects_into: a, anchor: a, tier: ''}"),
    ("tier_unknown", "{injects_into: a, anchor: a, tier: Owned}"),
    ("tier_unknown", "{injects_into: a, anchor: a, tier: 1}"),
    // Anchors.
    ("anchor_invalid", "{injects_into: a, anchor: marker}"),
    ("anchor_invalid", "{injects_into: a, anchor: end of file}"),
    ("anchor_invalid", "{injects_into: a, anchor: ''}"),
    ("anchor_invalid", "{injects_into: a, anchor: region}"),
    (
        "anchor_invalid",
        "{injects_into: a, anchor: region, anchor_start: a}",
    ),
    (
        "anchor_invalid",
        "{injects_into: a, anchor: region, anchor_end: a}",
    ),
    (
        "anchor_invalid",
        "{injects_into: a, anchor: region, anchor_start: a, anchor_end: null}",
    ),
    (
        "anchor_invalid",
        "{injects_into: a, anchor: region, anchor_start: a, anchor_end: b, anchor_pattern: c}",
    ),
    (
        "anchor_invalid",
        "{injects_into: a, anchor: region, anchor_start: a b, anchor_end: b}",
    ),
    (
        "anchor_invalid",
        "{injects_into: a, anchor: region, anchor_start: a, anchor_end: ''}",
    ),
    ("anchor_invalid", "{injects_into: a, anchor: after_match}"),
    (
        "anchor_invalid",
        "{injects_into: a, anchor: before_match, anchor_pattern: null}",
    ),
    (
        "anchor_invalid",
        "{injects_into: a, anchor: after_match, anchor_pattern: x, anchor_start: a}",
    ),
    (
        "anchor_invalid",
        "{injects_into: a, anchor: before_match, anchor_pattern: x, anchor_end: a}",
    ),
    (
        "anchor_invalid",
        "{injects_into: a, anchor: end_of_file, anchor_pattern: x}",
    ),
    (
        "anchor_invalid",
        "{injects_into: a, anchor: start_of_file, anchor_start: x}",
    ),
    (
        "anchor_invalid",
        "{injects_into: a, anchor: routes, anchor_end: x}",
    ),
    // Kwargs.
    (
        "actions_malformed",
        "{injects_into: a, anchor: a, kwargs: [b]}",
    ),
    (
        "kwarg_type_unknown",
        "{injects_into: a, anchor: a, kwargs: {b: }}",
    ),
    (
        "kwarg_type_unknown",
        "{injects_into: a, anchor: a, kwargs: {b: {}}}",
    ),
    (
        "kwarg_type_unknown",
        "{injects_into: a, anchor: a, kwargs: {b: {type: }}}",
    ),
    (
        "kwarg_type_unknown",
        "{injects_into: a, anchor: a, kwargs: {b: {type: integer}}}",
    ),
    (
        "actions_malformed",
        "{injects_into: a, anchor: a, kwargs: {b: string}}",
    ),
    (
        "actions_malformed",
        "{injects_into: a, anchor: a, kwargs: {b: {type: [int]}}}",
    ),
    (
        "actions_malformed",
        "{injects_into: a, anchor: a, kwargs: {b: {type: int, optional: true}}}",
    ),
    (
        "actions_malformed",
        "{injects_into: a, anchor: a, kwargs: {b: {type: int, required: 'true'}}}",
    ),
    (
        "kwarg_default_on_required",
        "{injects_into: a, anchor: a, kwargs: {b: {type: int, required: true, default: 1}}}",
    ),
    (
        "kwarg_default_on_required",
        "{injects_into: a, anchor: a, kwargs: {b: {type: string, required: true, default: ''}}}",
    ),
    (
        "kwarg_default_type",
        "{injects_into: a, anchor: a, kwargs: {b: {type: string, default: 1}}}",
    ),
    (
        "kwarg_default_type",
        "{injects_into: a, anchor: a, kwargs: {b: {type: string, default: [x]}}}",
    ),
    (
        "kwarg_default_type",
        "{injects_into: a, anchor: a, kwargs: {b: {type: string, default: {}}}}",
    ),
    (
        "kwarg_default_type",
        "{injects_into: a, anchor: a, kwargs: {b: {type: string, default: {text: x}}}}",
    ),
    (
        "kwarg_default_type",
        "{injects_into: a, anchor: a, kwargs: {b: {type: string, default: {plural: ' '}}}}",
    ),
    (
        "kwarg_default_type",
        "{injects_into: a, anchor: a, kwargs: {b: {type: string, default: {plural: x, dual: y}}}}",
    ),
    (
        "kwarg_default_type",
        "{injects_into: a, anchor: a, kwargs: {b: {type: literal, default: {plural: x}}}}",
    ),
    (
        "kwarg_default_type",
        "{injects_into: a, anchor: a, kwargs: {b: {type: literal, default: true}}}",
    ),
    (
        "kwarg_default_type",
        "{injects_into: a, anchor: a, kwargs: {b: {type: int, default: 1.5}}}",
    ),
    (
        "kwarg_default_type",
        "{injects_into: a, anchor: a, kwargs: {b: {type: int, default: '1'}}}",
    ),
    (
        "kwarg_default_type",
        "{injects_into: a, anchor: a, kwargs: {b: {type: bool, default: 'true'}}}",
    ),
    (
        "kwarg_default_type",
        "{injects_into: a, anchor: a, kwargs: {b: {type: bool, default: 0}}}",
    ),
    (
        "kwarg_default_type",
        "{injects_into: a, anchor: a, kwargs: {b: {type: list, default: x}}}",
    ),
    (
        "kwarg_default_type",
        "{injects_into: a, anchor: a, kwargs: {b: {type: list, default: [[x]]}}}",
    ),
    (
        "kwarg_default_type",
        "{injects_into: a, anchor: a, kwargs: {b: {type: list, default: [null]}}}",
    ),
    // Discriminators and identities.
    (
        "action_incomplete",
        "{injects_into: a, anchor: a, variants: [x]}",
    ),
    (
        "action_incomplete",
        "{injects_into: a, anchor: a, variants: []}",
    ),
    (
        "discriminator_unknown_kwarg",
        "{injects_into: a, anchor: a, discriminator: b}",
    ),
    (
        "discriminator_unknown_kwarg",
        "{injects_into: a, anchor: a, kwargs: {}, discriminator: b}",
    ),
    (
        "discriminator_type",
        "{injects_into: a, anchor: a, kwargs: {b: {type: int}}, discriminator: b}",
    ),
    (
        "variant_name_invalid",
        "{injects_into: a, anchor: a, kwargs: {b: {type: string}}, discriminator: b, variants: [a b]}",
    ),
    (
        "variant_name_invalid",
        "{injects_into: a, anchor: a, kwargs: {b: {type: string}}, discriminator: b, variants: [a/b]}",
    ),
    (
        "variant_name_invalid",
        "{injects_into: a, anchor: a, kwargs: {b: {type: string}}, discriminator: b, variants: ['']}",
    ),
    (
        "variant_name_invalid",
        "{injects_into: a, anchor: a, kwargs: {b: {type: string}}, discriminator: b, variants: [x, x]}",
    ),
    (
        "variant_name_invalid",
        "{injects_into: a, anchor: a, kwargs: {b: {type: string}}, discriminator: b, variants: [\"a\\u2003b\"]}",
    ),
    (
        "actions_malformed",
        "{injects_into: a, anchor: a, kwargs: {b: {type: string}}, discriminator: b, variants: x}",
    ),
    (
        "actions_malformed",
        "{injects_into: a, anchor: a, kwargs: {b: {type: string}}, discriminator: b, variants: [null]}",
    ),
    (
        "identity_empty",
        "{injects_into: a, anchor: a, kwargs: {b: {type: int, required: true}}, identity: []}",
    ),
    (
        "identity_unknown_kwarg",
        "{injects_into: a, anchor: a, identity: [b]}",
    ),
    (
        "identity_optional_kwarg",
        "{injects_into: a, anchor: a, kwargs: {b: {type: int}}, identity: [b]}",
    ),
    (
        "actions_malformed",
        "{injects_into: a, anchor: a, kwargs: {b: {type: int, required: true}}, identity: b}",
    ),
    // Composites.
    ("composite_malformed", "{composes: []}"),
    ("composite_malformed", "{composes: [one, one]}"),
    ("actions_malformed", "{composes: one}"),
    ("actions_malformed", "{composes: [null]}"),
    ("composite_unknown_child", "{composes: [o ne]}"),
    ("composite_malformed", "{composes: [one], kwargs: {}}"),
    ("composite_malformed", "{composes: [one], injects_into: a}"),
    ("composite_malformed", "{composes: [one], anchor: a}"),
    ("composite_malformed", "{composes: [one], anchor_start: a}"),
    ("composite_malformed", "{composes: [one], anchor_end: a}"),
    (
        "composite_malformed",
        "{composes: [one], anchor_pattern: a}",
    ),
    ("composite_malformed", "{composes: [one], discriminator: a}"),
    ("composite_malformed", "{composes: [one], variants: []}"),
    ("composite_malformed", "{composes: [one], identity: [a]}"),
    ("composite_malformed", "{composes: [one], tier: owned}"),
];

/// Sound ones.
pub const ODD_ACTIONS: &[&str] = &[
    "actions: {}",
    "actions: {_.-9: {injects_into: a, anchor: a}, anchors: {injects_into: a, anchor: a}, 7: {injects_into: a, anchor: a}}",
    "{composes: [one], kwargs: null, anchor: , tier: ~, identity: null}",
    "{composes: [one], description: all, exposed: false}",
    "{composes: null, injects_into: a, anchor: end_of_file}",
    "{injects_into: '{{file}}', anchor: after_match, anchor_pattern: '(?m)^x$', kwargs: {file: {type: string, required: true}}}",
    "{injects_into: a, anchor: after_match, anchor_pattern: 7, anchor_start: null}",
    "{injects_into: a, anchor: region, anchor_start: a.b, anchor_end: 7, anchor_pattern: null}",
    "{injects_into: 7, anchor: 7}",
    "{injects_into: a, anchor: end_of_files}",
    "{injects_into: a, anchor: a, tier: seeded, description: 7, exposed: null}",
    "{injects_into: a, anchor: a, variants: null, discriminator: null, identity: null, kwargs: null, tier: null}",
    "{injects_into: a, anchor: a, kwargs: {b: {type: string}}, discriminator: b}",
    "{injects_into: a, anchor: a, kwargs: {b: {type: string}, 'any name': {type: int}}, discriminator: b, variants: [get, 'a:b', _default]}",
    "{injects_into: a, anchor: a, kwargs: {b: {type: int, required: true}, c: {type: int}}, identity: [b, b]}",
    "{injects_into: a, anchor: a, kwargs: {b: {type: int, required: true, default: null}}}",
    "{injects_into: a, anchor: a, kwargs: {b: {type: int, required: false, default: 3.0}, c: {type: int, default: 0x1F}, d: {type: int, default: 3e0}}}",
    "{injects_into: a, anchor: a, kwargs: {b: {type: string, required: null, default: ''}, c: {type: literal, default: ''}}}",
    "{injects_into: a, anchor: a, kwargs: {b: {type: string, default: {plural: data}}, c: {type: string, default: {singular: a, plural: b, text: c}}}}",
    "{injects_into: a, anchor: a, kwargs: {b: {type: list, default: []}, c: {type: list, default: [a, 1.5, true]}, d: {type: bool, default: false}}}",
];

/// Records that are refused.
pub const BAD_RECORDS: &[&str] = &[
    "[]",
    "{}",
    "id:",
    "id: '  '",
    "id: [a]",
    "ID: a",
    "{id: a, intent: }",
    "{id: a, intent: [b]}",
    "{id: a, constraints: b}",
    "{id: a, constraints: [null]}",
    "{id: a, constraints: [{b: c}]}",
    "{id: a, affected_scope: b.rb}",
    "{id: a, affected_scope: {b.rb: c}}",
    "{id: a, affected_scope: [[b.rb]]}",
    "{id: a, affected_scope: [/b.rb]}",
    "{id: a, affected_scope: [' /b.rb']}",
    "{id: a, affected_scope: [//share/b.rb]}",
    "{id: a, affected_scope: ['c:/b.rb']}",
    "{id: a, affected_scope: [../b.rb]}",
    "{id: a, affected_scope: [././../b/]}",
    "{id: a, affected_scope: [..]}",
    "{id: a, affected_scope: ['b\\c.rb']}",
    "{id: a, affected_scope: ['b\\*.rb']}",
    "{id: a, affected_scope: [\"b\\tc.rb\"]}",
    "{id: a, affected_scope: [b/.git/config]}",
    "{id: a, affected_scope: [.GIT]}",
    "{id: a, affected_scope: ['.git/**']}",
    "{id: a, affected_scope: [b/aux.rb]}",
    "{id: a, affected_scope: [nul]}",
    "{id: a, affected_scope: [LPT¹.txt/b]}",
    "{id: a, affected_scope: [b./c.rb]}",
    "{id: a, affected_scope: [c.rb.]}",
    "{id: a, affected_scope: ['b /c.rb']}",
    "{id: a, forbidden_scope: vendor/}",
    "{id: a, forbidden_scope: [{b: c}]}",
    "{id: a, forbidden_scope: ['[a-]']}",
    "{id: a, affected_scope: ['b[^]/c']}",
];

/// Sound ones.
pub const ODD_RECORDS: &[&str] = &[
    "id: a",
    "id: 7",
    "{id: a, status: [what, ever], Affected_scope: 3, intent: ''}",
    "{id: a, intent: 7, constraints: [8, true, '']}",
    "{id: a, constraints: null, affected_scope: null, forbidden_scope: null}",
    "{id: a, affected_scope: ['', null, ' b.rb ', 7, lib/, '**/*.rb', '[a-z].rb']}",
    "{id: a, affected_scope: ['app/\\[id\\].ts', a/../b.rb, ./b//c.rb, b/., .gitignore, a.git/b, .git/../c]}",
    "{id: a, affected_scope: [console.rb, com10, lpt, b/..c/d]}",
    "{id: a, affected_scope: [b.rb], forbidden_scope: ['', null, /abs, ../x, 'c:\\x', .git/]}",
];

/// Recordings that no replay takes.
pub const BAD_RECORDINGS: &[&str] = &[
    "[]",
    "{}",
    r#"{"records": null}"#,
    r#"{"records": {}}"#,
    r#"{"Records": []}"#,
    r#"{"records": [null]}"#,
    r#"{"records": [], "sedum_version": 1}"#,
    r#"{"records": [], "packages": ["web"]}"#,
    r#"{"records": [], "packages": {"web": null}}"#,
    r#"{"records": [], "packages": {"web": {"extensions": ".rb"}}}"#,
    r#"{"records": [], "packages": {"web": {"extensions": [1]}}}"#,
    r#"{"records": [], "variables": {"a": 1}}"#,
    r#"{"records": [], "variables": {"a": null}}"#,
    r#"{"records": [], "variables": []}"#,
    r#"{"records": [{"record_id": 1}]}"#,
    r#"{"records": [{"files": {}}]}"#,
    r#"{"records": [{"files": [{}]}]}"#,
    r#"{"records": [{"files": [{"path": "a"}]}]}"#,
    r#"{"records": [{"files": [{"package": "web"}]}]}"#,
    r#"{"records": [{"files": [{"path": null, "package": "web"}]}]}"#,
    r#"{"records": [{"files": [{"path": " ", "package": "web"}]}]}"#,
    r#"{"records": [{"files": [{"path": "a", "package": ""}]}]}"#,
    r#"{"records": [{"files": [{"path": "a", "package": "web", "template": 1}]}]}"#,
    r#"{"records": [{"files": [{"path": "a", "package": "web", "captures": {"b": true}}]}]}"#,
    r#"{"records": [{"files": [{"path": "/a", "package": "web"}]}]}"#,
    r#"{"records": [{"files": [{"path": "../a", "package": "web"}]}]}"#,
    r#"{"records": [{"files": [{"path": "a\\b", "package": "web"}]}]}"#,
    r#"{"records": [{"files": [{"path": "a/", "package": "web"}]}]}"#,
    r#"{"records": [{"files": [{"path": "a\n", "package": "web"}]}]}"#,
    r#"{"records": [{"files": [{"path": "a/.git/b", "package": "web"}]}]}"#,
    r#"{"records": [{"phases": {}}]}"#,
    r#"{"records": [{"phases": [{"name": 1}]}]}"#,
    r#"{"records": [{"phases": [{"invocations": {}}]}]}"#,
    r#"{"records": [{"phases": [{"invocations": [{}]}]}]}"#,
    r#"{"records": [{"phases": [{"invocations": [{"action": " "}]}]}]}"#,
    r#"{"records": [{"phases": [{"invocations": [{"action": "a", "kwargs": []}]}]}]}"#,
    r#"{"records": [{"phases": [{"invocations": [{"action": "a", "kwargs": {"b": null}}]}]}]}"#,
    r#"{"records": [{"phases": [{"invocations": [{"action": "a", "kwargs": {"b": 1.5}}]}]}]}"#,
    r#"{"records": [{"phases": [{"invocations": [{"action": "a", "kwargs": {"b": {"text": "c"}}}]}]}]}"#,
    r#"{"records": [{"phases": [{"invocations": [{"action": "a", "kwargs": {"b": [["c"]]}}]}]}]}"#,
];

/// Sound ones.
pub const ODD_RECORDINGS: &[&str] = &[
    r#"{"records": []}"#,
    r#"{"$schema": "x", "records": [{}], "packages": null, "variables": null, "sedum_version": null, "more": {}}"#,
    r#"{"records": [{"record_id": null, "files": null, "phases": null, "more": 1}]}"#,
    r#"{"records": [{"files": [{"path": " a", "package": "web", "template": null, "captures": null, "more": 1}]}]}"#,
    r#"{"records": [{"files": [{"path": "a", "package": "web", "template": "", "captures": {"": ""}}]}]}"#,
    r#"{"records": [], "packages": {"web": {"extensions": null, "more": 1}, "x": {}}, "variables": {"a": ""}}"#,
    r#"{"records": [{"phases": [{"name": null, "invocations": null}, {"name": ""}, {"more": 1}]}]}"#,
    r#"{"records": [{"phases": [{"invocations": [{"action": "a"}, {"action": "a", "kwargs": null, "more": 1}]}]}]}"#,
    r#"{"records": [{"phases": [{"invocations": [{"action": "a", "kwargs": {"b": {"singular": "x", "plural": "y"}, "c": ["x", 1.5, true], "d": 3.0, "e": false, "f": ""}}]}]}]}"#,
];
