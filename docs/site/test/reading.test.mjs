// The reading rules (O1, O3 to O7, O10; H3, H18, H31, H59): what a report's values may be shown as.

import assert from "node:assert/strict";
import { test } from "node:test";

await import("../page/reading.js");
const { Reading } = globalThis;

const sampled = (k, n, low, high) => ({ k, n, low, high, unit: "sample" });
const run = (more = {}) => ({
  id: "a",
  case: "c",
  model: "m",
  arm: "sedum",
  factors: {},
  resolution: "coarse",
  retries: 0,
  commit: "4f0c2ab",
  clean: true,
  digest: "d",
  current_digest: true,
  n: 5,
  failed: 0,
  signals: {},
  ...more,
});

test("O3: a rate is shown with fraction and interval, or not at all", () => {
  const read = Reading.rate(sampled(3, 5, 0.23072, 0.88237));
  assert.equal(read.kind, "rate");
  assert.equal(Reading.fraction(read), "3/5");
  assert.equal(Reading.interval(read), "23–88 %");
  assert.equal(Reading.sentence(read), "3 of 5 samples, 95 % interval 23–88 %");
  for (const broken of [
    { k: 3, n: 5 },
    sampled(3, 5, null, 0.9),
    sampled(3, 5, 0.9, 0.2),
    sampled(3, 5, -0.1, 0.9),
    sampled(3, 5, 0.2, 1.1),
    sampled(3, 5, 0.7, 0.9),
  ]) {
    const { kind, why } = Reading.rate(broken);
    assert.equal(kind, "unreadable", JSON.stringify(broken));
    assert.match(why, /interval/);
  }
});

test("O1: what is no fraction is unreadable and is not mended", () => {
  for (const broken of [
    sampled(6, 5, 0, 1),
    sampled(-1, 5, 0, 1),
    sampled(1.5, 5, 0, 1),
    sampled("3", 5, 0, 1),
    { n: 5, low: 0, high: 1 },
    0.6,
    "3/5",
    [3, 5],
    true,
  ]) {
    assert.equal(Reading.rate(broken).kind, "unreadable", JSON.stringify(broken));
  }
});

test("O6, H59: not defined, not recorded, nothing to count and zero are four things", () => {
  const kinds = [
    { undefined: "no catalog" },
    { unrecorded: "no usage" },
    null,
    undefined,
    sampled(0, 0, 0, 1),
    sampled(0, 5, 0, 0.43448),
  ].map((signal) => Reading.rate(signal).kind);
  assert.deepEqual(kinds, ["undefined", "unrecorded", "unrecorded", "unrecorded", "empty", "rate"]);
  assert.equal(Reading.blank(Reading.rate({ undefined: "no catalog" })), "not defined: no catalog");
  assert.equal(Reading.blank(Reading.rate({ unrecorded: "no usage" })), "not recorded: no usage");
  assert.equal(Reading.fraction(Reading.rate(sampled(0, 5, 0, 0.43448))), "0/5");
});

test("H59: an absent quantity is a dash, zero is zero", () => {
  assert.equal(Reading.quantity(null), "–");
  assert.equal(Reading.quantity(undefined), "–");
  assert.equal(Reading.quantity(0), "0");
  assert.equal(Reading.quantity(10400), "10,400");
  assert.equal(Reading.duration(null), "–");
  assert.equal(Reading.duration(0), "0 ms");
  assert.equal(Reading.duration(123456), "2 min");
});

test("H35: clustered units say what was counted, over how many samples, and how", () => {
  const read = Reading.rate({ k: 12, n: 20, low: 0.35, high: 0.85, unit: "anchor", samples: 5, method: "bootstrap" });
  assert.equal(Reading.sentence(read), "12 of 20 anchors over 5 samples, 95 % interval 35–85 %");
  assert.equal(read.method, "bootstrap");
});

test("O4, H18: smoke, dirty, unlabelled and digest-less runs are marked and off", () => {
  const marked = (more) => Reading.marks(run(more)).map((mark) => mark.id);
  assert.deepEqual(marked({}), []);
  assert.deepEqual(marked({ resolution: "smoke" }), ["smoke"]);
  assert.deepEqual(marked({ clean: false }), ["dirty"]);
  assert.deepEqual(marked({ resolution: null }), ["unlabelled"]);
  assert.deepEqual(marked({ commit: null }), ["unlabelled"]);
  assert.deepEqual(marked({ clean: null }), ["unlabelled"]);
  assert.deepEqual(marked({ digest: null, current_digest: null }), ["undigested"]);
  for (const more of [{ resolution: "smoke" }, { clean: false }, { resolution: "some" }, { digest: "" }]) {
    const [{ id }] = Reading.marks(run(more));
    assert.equal(Reading.hiddenBy(run(more), {}), `mark:${id}`);
    assert.equal(Reading.hiddenBy(run(more), { marks: [id] }), null);
  }
});

test("O4: a run of another fixture and one with retries are marked, shown, and stand alone", () => {
  const other = run({ digest: "e", current_digest: false });
  assert.deepEqual(
    Reading.marks(other).map((mark) => mark.id),
    ["fixture"],
  );
  assert.equal(Reading.hiddenBy(other, {}), null);
  assert.equal(Reading.incomparable([run()], [other]), "the fixtures differ");
  assert.deepEqual(
    Reading.marks(run({ retries: 3 })).map((mark) => mark.id),
    ["retries"],
  );
});

test("runs of another commit are out when one is asked for", () => {
  assert.equal(Reading.hiddenBy(run({ commit: "abc" }), { commit: "abc" }), null);
  assert.equal(Reading.hiddenBy(run({ commit: "abc" }), { commit: "abd" }), "filter");
  assert.equal(Reading.hiddenBy(run({ commit: "abc" }), { commit: undefined }), null);
});

test("a run with two marks stays hidden until both are asked for", () => {
  const twice = run({ resolution: "smoke", clean: false });
  assert.equal(Reading.hiddenBy(twice, { marks: ["smoke"] }), "mark:dirty");
  assert.equal(Reading.hiddenBy(twice, { marks: ["smoke", "dirty"] }), null);
});

test("H20, H62: pairs need one case, one fixture, one budget and nothing held against either run", () => {
  assert.equal(Reading.incomparable([run()], [run({ arm: "baseline", commit: "other" })]), null);
  assert.match(Reading.incomparable([run()], [undefined]), /not in this report/);
  assert.match(Reading.incomparable([], [run()]), /not in this report/);
  assert.match(Reading.incomparable([run()], [run({ case: "d" })]), /cases/);
  assert.match(Reading.incomparable([run()], [run({ retries: 1 })]), /budgets/);
  assert.match(Reading.incomparable([run({ clean: false })], [run()]), /dirty/);
  assert.match(Reading.incomparable([run()], [run({ resolution: "smoke" })]), /smoke/);
  const two = (digest) => [run(), run({ case: "d", digest })];
  assert.equal(Reading.incomparable(two("x"), two("x")), null);
  assert.equal(Reading.incomparable(two("x"), two("y")), "the fixtures differ");
});

test("McNemar is shown as given and never computed", () => {
  const given = { pairs: 5, both: 2, only_a: 0, only_b: 3, neither: 0, p: 0.25 };
  assert.equal(Reading.pairs(given).p, "0.25");
  assert.equal(Reading.pairs({ ...given, p: 0.9 }).p, "0.90", "a p that the counts do not give is shown as it is");
  assert.equal(Reading.pairs({ ...given, p: null }).p, "–");
  assert.equal(Reading.pairs({ ...given, p: 0.00005 }).p, "< 0.001");
  assert.equal(Reading.pairs({ ...given, p: 0.0042 }).p, "0.004");
  assert.equal(Reading.pairs({ ...given, p: 1 }).p, "1.00");
  assert.equal(Reading.pairs({ ...given, p: 2 }).kind, "unreadable");
  assert.equal(Reading.pairs({ ...given, pairs: 6 }).kind, "unreadable");
  assert.equal(Reading.pairs({ ...given, neither: null }).kind, "unreadable");
  assert.equal(Reading.pairs(null).kind, "unreadable");
});

test("configurations tell settings apart, whatever the order of the factors", () => {
  const a = run({ factors: { response_schema: true, seed: null } });
  const b = run({ factors: { seed: null, response_schema: true } });
  assert.equal(Reading.configuration(a), Reading.configuration(b));
  assert.notEqual(
    Reading.configuration(a),
    Reading.configuration(run({ factors: { response_schema: false, seed: null } })),
  );
  assert.notEqual(Reading.configuration(a), Reading.configuration({ ...a, retries: 3 }));
  assert.deepEqual(
    Reading.settings(
      run({
        factors: {
          response_schema: true,
          full_catalog: false,
          temperature: 0,
          seed: null,
          paraphrase: "each",
          shuffle: 2,
        },
        retries: 2,
      }),
    ),
    ["schema", "wording each", "shuffled 2", "2 retries"],
  );
  assert.deepEqual(
    Reading.settings(run({ factors: { response_schema: true, paraphrase: "each" } }), new Set(["paraphrase"])),
    ["schema"],
    "what all runs share goes without saying",
  );
  assert.deepEqual(Reading.settings(run({ factors: { temperature: 0.7, prompt: "v2" } })), ["t 0.7", "prompt v2"]);
});

test("filters offer the values that occur, and keep other runs away", () => {
  const runs = [
    run({ factors: { response_schema: true, temperature: 0 } }),
    run({ factors: { response_schema: false, temperature: 0 } }),
    run({ factors: { temperature: null } }),
  ];
  assert.deepEqual(Reading.factorChoices(runs), [
    { key: "response_schema", label: "Response schema", values: ["off", "on"] },
    { key: "temperature", label: "Temperature", values: ["0", "none"] },
  ]);
  assert.equal(Reading.hiddenBy(runs[0], { factors: { response_schema: "on" } }), null);
  assert.equal(Reading.hiddenBy(runs[1], { factors: { response_schema: "on" } }), "filter");
  assert.equal(Reading.hiddenBy(runs[2], { factors: { temperature: "none" } }), null);
  assert.equal(Reading.hiddenBy(run(), { arm: "baseline" }), "filter");
});

test("the funnel says what left, and what left without a reason", () => {
  const stages = Reading.funnel({
    funnel: [
      { stage: "asked", count: 5, dropped: [] },
      { stage: "decoded", count: 3, dropped: [{ reason: "answer_not_json", count: 1, samples: [3] }] },
      { stage: "accepted", count: null },
      { stage: "equal", count: 2, dropped: [{ reason: "other", count: 1 }] },
    ],
  });
  assert.deepEqual(
    stages.map(({ count, before, unexplained }) => [count, before, unexplained]),
    [
      [5, null, null],
      [3, 5, 1],
      [null, 3, null],
      [2, 3, 0],
    ],
  );
  assert.deepEqual(stages[1].dropped, [{ reason: "answer_not_json", count: 1, samples: [3] }]);
  assert.deepEqual(Reading.funnel({}), []);
});

test("a sample's rung is yes, no, a fraction, or a dash that says why", () => {
  assert.deepEqual(
    [true, false, [2, 3], null, undefined].map((value) => Reading.reached(value).mark),
    ["✓", "✗", "2/3", "–", "–"],
  );
  assert.equal(Reading.reached(undefined, { undefined: "no catalog" }).says, "not defined: no catalog");
  assert.equal(Reading.reached(null, sampled(1, 2, 0.1, 0.9)).says, "not recorded");
  assert.equal(Reading.reached("yes").says, "unreadable");
});

test("O1: entries that are no runs are named unreadable", () => {
  assert.equal(Reading.unreadableRun(run()), null);
  for (const broken of [null, 3, [], {}, { ...run(), model: "" }, { ...run(), signals: null }])
    assert.equal(typeof Reading.unreadableRun(broken), "string");
  assert.deepEqual(Reading.parse("{ not"), { why: "it is not JSON" });
  assert.deepEqual(Reading.parse(null, "it is not UTF-8"), { why: "it is not UTF-8" });
  assert.deepEqual(Reading.parse("[1]"), { value: [1] });
});

test("the path of a run or a sample leads below runs/ or samples/ only", () => {
  for (const path of ["samples/run-1/3.json", "runs/go-grow.b39c6713.json"])
    assert.equal(Reading.detailPath(path), path);
  for (const path of [
    "../x.json",
    "samples/../report.json",
    "/samples/a/1.json",
    "samples/a/1.json.js",
    "https://example.org/samples/a/1.json",
    "samples/a/b/1.json",
    "samples/a b/1.json",
    "runs/a/1.json",
    null,
    3,
  ])
    assert.equal(Reading.detailPath(path), null, String(path));
});

test("what a reader could not see is written as its code", () => {
  const shown = (text) =>
    Reading.visible(text)
      .map((piece) => (piece.escaped ? `[${piece.text}]` : piece.text))
      .join("");
  assert.equal(shown("\u001b[31mred\u001b[0m"), "[\\u{1b}][31mred[\\u{1b}][0m");
  assert.equal(shown("a\u202eb\u200bc\u2028d\ufeff\r\n"), "a[\\u{202e}]b[\\u{200b}]c[\\u{2028}]d[\\u{feff}\\u{d}]\n");
  assert.equal(shown("tab\there, 漢字 👩‍🌾 עברית\n"), "tab\there, 漢字 👩‍🌾 עברית\n");
  assert.equal(shown("\ud800 half"), "[\\u{d800}] half");
  assert.equal(shown("\u{e0041}"), "[\\u{e0041}]");
  assert.deepEqual(Reading.visible(""), []);
});

test("a cut never halves a character", () => {
  assert.deepEqual(Reading.beginning("ab🪴cd", 3), { text: "ab", rest: 4 });
  assert.deepEqual(Reading.beginning("ab🪴cd", 4), { text: "ab🪴", rest: 2 });
  assert.deepEqual(Reading.beginning("ab", 4), { text: "ab", rest: 0 });
});

test("a state and its address name each other", () => {
  const states = [
    { view: "matrix", run: null, sample: null, params: {} },
    {
      view: "matrix",
      run: null,
      sample: null,
      params: { rung: "accepted", "f.response_schema": "on", show: "dirty,smoke" },
    },
    { view: "run", run: "a/b c", sample: null, params: {} },
    { view: "sample", run: "a", sample: 3, params: { rung: "equal" } },
    { view: "failures", run: null, sample: null, params: { rule: "unknown_kwarg", action: "<b>&?#" } },
    { view: "comparisons", run: null, sample: null, params: {} },
  ];
  for (const state of states) assert.deepEqual(Reading.parseHash(Reading.formatHash(state)), state);
  assert.equal(Reading.formatHash({ view: "matrix", params: { rung: "", arm: null } }), "#/");
  assert.equal(Reading.parseHash("#term-run"), null);
  assert.equal(Reading.parseHash("#/run/%E0%A4%A").run, "%E0%A4%A", "a broken escape is text");
  assert.equal(Reading.parseHash("#/nowhere").view, "matrix");
  assert.equal({}.polluted, Reading.parseHash("#/?__proto__=polluted").params.polluted);
});
