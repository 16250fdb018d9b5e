// A report that no model made, in the format of `sedum-evals report`, with every oddity that a page has to bear: missing
// and undefined signals, marked runs, failed samples, unreadable entries, and texts that try to become code.
//
// `node synthetic.mjs DIR` writes it. It is for tests only; the words "synthetic" in its titles say so on every screenshot.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/** Texts that a hostile model could answer. Each sets `window.hit` or closes an element if it is ever more than text. */
export const HOSTILE = [
  "<script>window.hit = 1</script>",
  '</script><img src=x onerror="window.hit = 2">',
  "'); window.hit = 3; sedumData('",
  "`${(window.hit = 4)}`",
  '</pre></details><svg onload="window.hit = 5"></svg>',
  "\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u202egnp.exe\u202c \u200b\u2028\u2029\ufeff",
  "javascript:window.hit=6",
  "{{constructor.constructor('window.hit = 7')()}}",
  "Ünïcödé 漢字 🪴👩‍🌾 עברית \u0000 end",
];

export const MODELS = [
  {
    label: "tiny-coder-0.5b/llama.cpp-q4_k_m",
    id: "tiny-coder-0.5b",
    engine: "llama.cpp",
    quant: "q4_k_m",
    reported: null,
  },
  {
    label: "small-coder-1.5b/llama.cpp-q4_k_m",
    id: "small-coder-1.5b",
    engine: "llama.cpp",
    quant: "q4_k_m",
    reported: { n_ctx: 16384 },
  },
];

const RUNGS = [
  ["answered", "answered", "The server gave an answer.", "Nothing about what is in it."],
  ["decoded", "decoded", "The answer was a JSON list of actions.", "The actions may not exist."],
  [
    "accepted_first",
    "accepted at the first call",
    "The first answer broke no rule.",
    "It may select too little, or the wrong thing.",
  ],
  [
    "accepted",
    "accepted",
    "Some answer within the retry budget broke no rule.",
    "The same as the rung before where the budget is zero.",
  ],
  ["nonempty", "not empty", "At least one action was selected.", "One of many may have been enough for this."],
  ["complete", "complete", "Every expected action was selected as often as expected.", "Arguments are not looked at."],
  [
    "equal",
    "strictly equal",
    "The selection is the expected one and nothing else.",
    "Only as good as the expectation.",
  ],
  [
    "bound",
    "bound right",
    "Every keyed argument holds an expected value.",
    "Kwargs that no expectation names are not looked at.",
  ],
  ["anchors", "anchors filled", "Anchors of created files that got at least one region.", "Filled is not right."],
  ["parses", "parses", "Every written file is taken by its language's parser.", "Never correctness: nothing is run."],
  [
    "idempotent",
    "idempotent",
    "Expanding and injecting once more changes no byte.",
    "It is about the tool more than about the model.",
  ],
];

const RULES = {
  unknown_action: "an action is in the catalog",
  unknown_kwarg: "a kwarg is one that the action takes",
  missing_kwarg: "every kwarg that the action needs is there",
  kwarg_type: "a kwarg has the declared type",
  answer_not_json: "an answer is a JSON list",
};

function wilson(k, n) {
  const z = 1.959963984540054;
  const middle = (k / n + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z / (1 + (z * z) / n)) * Math.sqrt(((k / n) * (1 - k / n)) / n + (z * z) / (4 * n * n));
  return { k, n, low: Math.max(0, middle - half), high: Math.min(1, middle + half), unit: "sample" };
}

/** A small generator of numbers, so that each report is the same. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 16) % below;
  };
}

function makeCase(id, title, language, actions, extra = {}) {
  return {
    id,
    title: `${title} (synthetic)`,
    application: { name: "library", complexity: "small" },
    language,
    framework: { ruby: "rails-like", go: "chi-like", python: "flask-like" }[language],
    tightness: "tight",
    intent: "Readers may borrow a book. <b>Not bold.</b>",
    constraints: ["A loan ends after 14 days.", "Routes & controllers"],
    paths: ["app/controllers/loans.rb"],
    packages: ["api"],
    expect: { actions, bindings: [{ key: "name", kwarg: "path", want: "/loans" }] },
    digest: `d1ge5t${id.padEnd(6, "0").slice(0, 6)}`,
    ...extra,
  };
}

const CASES = [
  makeCase("ruby-loans", "Loans of a library", "ruby", { addRoute: 2, addAction: 3 }),
  makeCase("go-notices", "Notices of a service", "go", { addHandler: 1, addField: 4 }),
  makeCase("python-report", "A monthly report", "python", { addColumn: 6 }),
  makeCase("ruby-nothing", "A record that should yield nothing", "ruby", {}),
  makeCase("go-existing", "A handler that is there already", "go", { addRoute: 1 }),
  makeCase("python-types", "Kwargs of every type", "python", { addSetting: 5 }),
];

function makeSample(run, n, next, entry) {
  const best = run.model === MODELS[1].label ? 8 : 5;
  const good = next(10) < best + (run.factors.response_schema ? 1 : 0);
  const baseline = run.arm === "baseline";
  const decoded = good || next(3) > 0;
  const rules =
    good || baseline
      ? []
      : decoded
        ? [["unknown_kwarg", "kwarg_type", "unknown_action", "missing_kwarg"][next(4)]]
        : ["answer_not_json"];
  const action = Object.keys(entry.expect.actions)[0] ?? "addRoute";
  const complete = good && next(3) > 0;
  const rungs = baseline
    ? { answered: true, decoded, parses: decoded ? next(4) > 0 : null }
    : {
        answered: true,
        decoded,
        accepted_first: good,
        accepted: good,
        nonempty: good,
        complete,
        equal: complete && next(2) > 0,
        bound: complete,
        anchors: [good ? 3 : 0, 4],
        parses: good,
        idempotent: good ? true : null,
      };
  const answer = `${HOSTILE[(n + next(9)) % HOSTILE.length]}\n[{"action": "${action}", "kwargs": {"path": "/loans", "title": 'x'}}]\n`;
  const violations = rules.map((rule, index) => ({
    rule,
    index,
    action: rule === "answer_not_json" ? null : action,
    kwarg: rule.includes("kwarg") ? "title" : null,
    detail: `takes no "title" <i>here</i>: ${HOSTILE[5]}`,
  }));
  return {
    index: { n, outcome: good ? "valid" : "invalid", rungs, rules, detail: `samples/${run.id}/${n}.json` },
    detail: {
      run: run.id,
      n,
      outcome: good ? "valid" : "invalid",
      paraphrase: null,
      seed: null,
      prompt_digest: "0123456789ab",
      tree_digest: good ? "ba9876543210" : null,
      attempts: [
        {
          call: 1,
          purpose: "select",
          messages: [
            { role: "system", content: "You select actions." },
            { role: "user", content: `Record:\n${entry.intent}\n${HOSTILE.join("\n")}` },
          ],
          answer,
          finish_reason: "stop",
          latency_ms: 1234 + next(9000),
          usage: next(3) === 0 ? null : { prompt: 1100, completion: 90 },
          decoded: decoded ? [{ action, kwargs: { path: "/loans" } }] : null,
          violations: baseline ? null : violations,
        },
      ],
      selection: good && !baseline ? [{ action, kwargs: { path: "/loans", note: HOSTILE[1] } }] : null,
      expected: entry.expect,
      missing: good ? {} : { [action]: 1 },
      unexpected: {},
      bindings: baseline
        ? null
        : [{ key: "name", kwarg: "path", want: "/loans", got: good ? "/loans" : null, right: good }],
      tree: good
        ? [
            { path: "app/controllers/loans.rb", content: `class Loans\n  # ${HOSTILE[0]}\nend\n` },
            { path: "README", content: "" },
          ]
        : null,
      written: baseline ? { files: ["app/controllers/loans.rb"], missing: [], refused: ["../outside.rb"] } : null,
      anchors: baseline ? null : { filled: good ? ["a", "b", "c"] : [], missed: good ? ["app/routes.rb @routes"] : [] },
      syntax: good
        ? [
            { path: "app/controllers/loans.rb", ok: false, message: "1: <unexpected>" },
            { path: "README", ok: null, message: null },
          ]
        : null,
      error: null,
    },
  };
}

function makeRun(id, entry, model, arm, factors, n, next, extra = {}) {
  const run = {
    id,
    case: entry.id,
    model: model.label,
    arm,
    factors,
    resolution: "coarse",
    retries: 0,
    commit: "4f0c2ab19d3e5f60718293a4b5c6d7e8f9012345",
    clean: true,
    digest: entry.digest,
    current_digest: true,
    n,
    failed: 0,
    ...extra,
  };
  const made = Array.from({ length: n }, (_, at) => makeSample(run, at + 1, next, entry));
  const samples = made.map(({ index }) => index);
  const baseline = arm === "baseline";
  run.signals = Object.fromEntries(RUNGS.map(([rung]) => [rung, signal(rung, samples, baseline)]));
  if (!baseline)
    run.actions = Object.entries(entry.expect.actions).map(([action, want]) => ({
      action,
      want,
      selected: wilson(Math.min(3, n), n),
      exact: wilson(1, n),
    }));
  run.cost = {
    calls: n,
    prompt_tokens: model === MODELS[0] ? null : 1100 * n,
    completion_tokens: model === MODELS[0] ? null : 90 * n,
    wall_ms: 6100 * n,
  };
  run.funnel = funnel(samples, baseline);
  const counts = new Map();
  for (const { index, detail } of made) {
    for (const one of detail.attempts[0].violations ?? []) {
      const key = JSON.stringify([one.rule, one.action, one.kwarg]);
      counts.set(key, [...(counts.get(key) ?? []), index.n]);
    }
  }
  run.faults = [...counts].map(([key, numbered]) => {
    const [rule, action, kwarg] = JSON.parse(key);
    return { rule, action, kwarg, count: numbered.length, samples: numbered };
  });
  run.samples = samples;
  return { run, details: made.map(({ detail }) => detail) };
}

function signal(rung, samples, baseline) {
  if (baseline && !["answered", "decoded", "parses"].includes(rung))
    return { undefined: "the baseline arm has no catalog, so it selects nothing" };
  const reached = samples.map(({ rungs }) => rungs[rung]);
  if (rung === "anchors") {
    const [k, n] = reached.reduce(([a, b], [x, y]) => [a + x, b + y], [0, 0]);
    return {
      k,
      n,
      low: Math.max(0, k / n - 0.3),
      high: Math.min(1, k / n + 0.25),
      unit: "anchor",
      samples: samples.length,
      method: "bootstrap",
    };
  }
  const asked = reached.filter((value) => value !== null && value !== undefined);
  return asked.length === 0
    ? { unrecorded: "no sample got that far" }
    : wilson(asked.filter(Boolean).length, asked.length);
}

function funnel(samples, baseline) {
  const stages = [{ stage: "asked", count: samples.length, dropped: [] }];
  let left = samples;
  for (const rung of baseline
    ? ["answered", "decoded", "parses"]
    : ["answered", "decoded", "accepted_first", "complete", "equal"]) {
    const kept = left.filter(({ rungs }) => rungs[rung]);
    const lost = left.filter(({ rungs }) => !rungs[rung]);
    const reasons = [...new Set(lost.map(({ rules }) => rules[0] ?? rung))];
    const dropped = reasons.map((reason) => {
      const those = lost.filter(({ rules }) => (rules[0] ?? rung) === reason);
      return { reason, count: those.length, samples: those.map(({ n }) => n) };
    });
    stages.push({ stage: rung, count: kept.length, dropped });
    left = kept;
  }
  return stages;
}

/** The report as `{ path: text }`; every value is JSON text, so that odd files can be among them. */
export function synthetic() {
  const next = numbers(7);
  const plain = {
    response_schema: false,
    full_catalog: false,
    temperature: 0,
    seed: null,
    paraphrase: null,
    shuffle: null,
  };
  const runs = [];
  const add = (id, ...rest) => {
    runs.push(makeRun(id, ...rest));
    return runs.at(-1).run;
  };
  for (const entry of CASES) {
    for (const [at, model] of MODELS.entries()) {
      add(`${entry.id}-m${at}-plain`, entry, model, "sedum", plain, 5, next);
      add(`${entry.id}-m${at}-schema`, entry, model, "sedum", { ...plain, response_schema: true }, 5, next);
      if (at === 1) add(`${entry.id}-m${at}-full`, entry, model, "sedum", { ...plain, full_catalog: true }, 5, next);
      add(
        `${entry.id}-m${at}-baseline`,
        entry,
        model,
        "baseline",
        { ...plain, response_schema: null, full_catalog: null },
        5,
        next,
      );
    }
  }
  add("odd-smoke", CASES[0], MODELS[0], "sedum", { ...plain, full_catalog: true }, 2, next, { resolution: "smoke" });
  add("odd-dirty", CASES[1], MODELS[0], "sedum", plain, 5, next, { clean: false });
  add("odd-unlabelled", CASES[2], MODELS[0], "sedum", plain, 5, next, { resolution: null, commit: null });
  add("odd-undigested", CASES[3], MODELS[0], "sedum", plain, 5, next, { digest: null, current_digest: null });
  add("odd-fixture", CASES[4], MODELS[0], "sedum", plain, 5, next, { digest: "0000deadbeef", current_digest: false });
  add(
    "odd-retries",
    CASES[5],
    MODELS[0],
    "sedum",
    { ...plain, temperature: 0.7, seed: 11, paraphrase: "each", shuffle: 3 },
    5,
    next,
    { retries: 3 },
  );
  const failing = add("odd-failed", CASES[5], MODELS[1], "sedum", { ...plain, temperature: 0.7 }, 3, next, {
    failed: 2,
  });
  failing.samples.push(
    { n: 4, outcome: "failed", rungs: {}, rules: [], detail: "samples/odd-failed/4.json" },
    { n: 5, outcome: "failed", rungs: {}, rules: [], detail: "samples/odd-failed/5.json" },
  );
  failing.signals.bound = null;
  failing.signals.equal = { k: 1, n: 3, unit: "sample" };
  failing.signals.idempotent = { k: 0, n: 0, low: 0, high: 1, unit: "sample" };
  const silent = add("odd-silent", CASES[3], MODELS[1], "sedum", { ...plain, temperature: 0.7 }, 5, next);
  silent.cost = { calls: 0, prompt_tokens: null, completion_tokens: 0, wall_ms: null };
  silent.funnel = [];

  const files = {};
  for (const { run, details } of runs) {
    for (const detail of details) files[`samples/${run.id}/${detail.n}.json`] = JSON.stringify(detail);
  }
  files["samples/odd-failed/4.json"] = JSON.stringify({
    run: "odd-failed",
    n: 4,
    outcome: "failed",
    attempts: [],
    error: "connection refused \u001b[2J<script>window.hit = 8</script>",
  });
  files["samples/odd-failed/5.json"] = "{ this is not JSON";
  const long = JSON.parse(files["samples/ruby-loans-m0-plain/1.json"]);
  long.attempts[0].answer = `start ${"x".repeat(1 << 20)} 🪴 end`;
  files["samples/ruby-loans-m0-plain/1.json"] = JSON.stringify(long);
  const hostile = JSON.parse(files["samples/ruby-loans-m0-plain/2.json"]);
  hostile.attempts[0].answer = HOSTILE.join("\n");
  hostile.tree = [{ path: HOSTILE[1], content: HOSTILE.join("\n") }];
  hostile.selection = [{ action: HOSTILE[0], kwargs: JSON.parse('{"__proto__": {"polluted": 1}}') }];
  files["samples/ruby-loans-m0-plain/2.json"] = JSON.stringify(hostile);
  runs[0].run.faults.push({ rule: HOSTILE[0], action: HOSTILE[1], kwarg: HOSTILE[5], count: 1, samples: [2] });

  // A long report keeps these keys in files of the runs; here every other run is like that, and one such file is broken.
  for (const [at, { run }] of runs.entries()) {
    run.detail = `runs/${run.id}.json`;
    const { id, actions, funnel, samples } = run;
    files[run.detail] = JSON.stringify({ id, actions, funnel, samples });
    if (at % 2 === 1) for (const key of ["actions", "funnel", "samples"]) delete run[key];
  }
  const broken = runs.find(({ run }) => run.id === "go-existing-m0-schema").run;
  for (const key of ["actions", "funnel", "samples"]) delete broken[key];
  files[broken.detail] = "{ this is not JSON either";

  const pair = (entry, at, a, b, what, more = {}) => ({
    a: [`${entry.id}-m${at}-${a}`],
    b: [`${entry.id}-m${at}-${b}`],
    case: entry.id,
    what,
    signal: "accepted",
    pairs: 5,
    both: 2,
    only_a: 0,
    only_b: 2,
    neither: 1,
    p: 0.5,
    method: "exact McNemar, two-sided",
    ...more,
  });
  const comparisons = [
    {
      ...pair(CASES[0], 1, "plain", "schema", "response schema off / on"),
      a: CASES.map(({ id }) => `${id}-m1-plain`),
      b: CASES.map(({ id }) => `${id}-m1-schema`),
      case: null,
      pairs: 30,
      both: 14,
      only_a: 1,
      only_b: 9,
      neither: 6,
      p: 0.021484375,
    },
    ...CASES.map((entry) => pair(entry, 1, "plain", "schema", "response schema off / on")),
    pair(CASES[0], 1, "plain", "full", "narrowed / full catalog", { both: 5, only_b: 0, neither: 0, p: null }),
    { ...pair(CASES[4], 0, "plain", "plain", "before and after the fixture changed"), b: ["odd-fixture"] },
    { ...pair(CASES[1], 0, "plain", "plain", "with a dirty run"), b: ["odd-dirty"] },
    pair(CASES[2], 1, "plain", "schema", "counts that do not add up", { pairs: 9 }),
    { ...pair(CASES[2], 1, "plain", "schema", "a run that is not here"), b: ["nowhere"] },
  ];
  const report = {
    schema: 1,
    tool: { version: "0.3.0", commit: "4f0c2ab19d3e5f60718293a4b5c6d7e8f9012345" },
    newest: "2026-11-30T16:01:02Z",
    rungs: RUNGS.map(([id, name, means, limits]) => ({
      id,
      name,
      unit: id === "anchors" ? "anchor" : "sample",
      means,
      limits,
    })),
    terms: [{ id: "tightness", name: "tightness", means: "How closely the record says what to do." }],
    arms: [
      {
        id: "sedum",
        name: "sedum",
        means: "The model gets the record and the catalog, and selects actions. The tool writes the files.",
      },
      {
        id: "baseline",
        name: "baseline",
        means: "The model gets intent, constraints and paths, no catalog, and writes the files itself.",
      },
    ],
    rules: Object.entries(RULES).map(([slug, means]) => ({ slug, means })),
    cases: CASES,
    models: MODELS,
    runs: [...runs.map(({ run }) => run), { id: "broken", case: "ruby-loans" }, null],
    unreadable: [
      { file: "evals/results/go-notices.jsonl", line: 12, why: "it is not JSON <script>window.hit = 9</script>" },
    ],
    comparisons,
  };
  files["report.json"] = JSON.stringify(report);
  return files;
}

/** Writes the report into a folder. */
export function write(folder) {
  for (const [path, text] of Object.entries(synthetic())) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  mkdirSync(join(folder, "samples/odd-silent"), { recursive: true });
  writeFileSync(join(folder, "samples/odd-silent/5.json"), Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) write(process.argv[2]);
