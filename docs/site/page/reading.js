// How a scored report is read: what counts as a rate, what is missing and in which way, which runs may be set side by side.
//
// It decides words and numbers only, and touches no page. It computes no rate, no interval and no test: they are shown as
// the report gives them, or not at all. It must not repair anything: what cannot be read is named unreadable.
// A classic script, so that it works from file:// too; the tests load the same file in node.
(function (root) {
  "use strict";

  const DASH = "–";

  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const isAbsent = (value) => value === null || value === undefined;
  const isCount = (value) => Number.isInteger(value) && value >= 0;
  const list = (value) => (Array.isArray(value) ? value : []);
  const words = (value) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

  /**
   * A signal of the report as one of five kinds: `rate` (k, n, low, high, unit, samples, method), `undefined` (it has no
   * meaning there), `unrecorded` (it has, and nobody wrote it down), `empty` (a denominator of zero) and `unreadable`.
   * All but the first have `why`.
   */
  function rate(signal) {
    if (isAbsent(signal)) return { kind: "unrecorded", why: "the report holds no value" };
    if (!isObject(signal)) return { kind: "unreadable", why: "this is no rate" };
    if ("undefined" in signal) return { kind: "undefined", why: words(signal.undefined) };
    if ("unrecorded" in signal) return { kind: "unrecorded", why: words(signal.unrecorded) };
    const { k, n, low, high } = signal;
    if (!isCount(k) || !isCount(n) || k > n) return { kind: "unreadable", why: "k of n is no fraction" };
    const unit = typeof signal.unit === "string" ? signal.unit : "sample";
    if (n === 0)
      return {
        kind: "empty",
        why: unit === "sample" ? "no sample reached the model" : `there was no ${unit} to count`,
      };
    const bounds = [low, high].every((bound) => typeof bound === "number" && bound >= 0 && bound <= 1) && low <= high;
    if (!bounds) return { kind: "unreadable", why: `${k}/${n} comes without its interval` };
    const clustered = typeof signal.method === "string";
    const around = low <= k / n + 1e-9 && high >= k / n - 1e-9;
    if (!clustered && !around) return { kind: "unreadable", why: `the interval does not hold ${k}/${n}` };
    return {
      kind: "rate",
      k,
      n,
      low,
      high,
      unit,
      samples: isCount(signal.samples) ? signal.samples : null,
      method: clustered ? signal.method : "Wilson",
    };
  }

  const percent = (share) => String(Math.round(share * 100));

  /** A rate in words that can stand alone: the fraction, its interval, and what was counted. */
  function sentence(read) {
    if (read.kind !== "rate") return blank(read);
    const units = read.n === 1 ? read.unit : `${read.unit}s`;
    const over = read.unit !== "sample" && read.samples !== null ? ` over ${count(read.samples, "sample")}` : "";
    return `${read.k} of ${read.n} ${units}${over}, 95 % interval ${interval(read)}`;
  }

  const fraction = (read) => `${read.k}/${read.n}`;
  const interval = (read) => `${percent(read.low)}–${percent(read.high)} %`;

  /** What stands in the place of a rate that is not there. */
  function blank(read) {
    const label = {
      undefined: "not defined",
      unrecorded: "not recorded",
      empty: "nothing to count",
      unreadable: "unreadable",
    }[read.kind];
    return `${label}: ${read.why}`;
  }

  const count = (n, thing) => `${n} ${thing}${n === 1 ? "" : "s"}`;

  /** A quantity of the report: absent is a dash, zero is zero. */
  function quantity(value) {
    if (isAbsent(value)) return DASH;
    return typeof value === "number" && Number.isFinite(value) ? value.toLocaleString("en-US") : words(value);
  }

  /** Milliseconds for people. */
  function duration(ms) {
    if (isAbsent(ms)) return DASH;
    if (typeof ms !== "number" || ms < 0) return words(ms);
    if (ms < 1000) return `${Math.round(ms)} ms`;
    if (ms < 120000) return `${(ms / 1000).toFixed(1)} s`;
    return `${Math.round(ms / 60000)} min`;
  }

  /** What can be held against a run. `off`: such a run is left out until somebody asks for it. */
  const MARKS = [
    {
      id: "smoke",
      label: "smoke",
      off: true,
      holds: (run) => run.resolution === "smoke",
      means: "A run of two samples that shows that everything works. It is never a measurement.",
    },
    {
      id: "dirty",
      label: "dirty",
      off: true,
      holds: (run) => run.clean === false,
      means: "The tool was built from files that no commit holds, so nobody can repeat the run.",
    },
    {
      id: "unlabelled",
      label: "unlabelled",
      off: true,
      holds: (run) =>
        !["smoke", "coarse", "fine"].includes(run.resolution) || isAbsent(run.commit) || isAbsent(run.clean),
      means: "The run does not say at which resolution, at which commit or on how clean a tree it was made.",
    },
    {
      id: "undigested",
      label: "no digest",
      off: true,
      holds: (run) => isAbsent(run.digest) || run.digest === "",
      means: "The run does not say which fixture it saw, so nothing can be set beside it.",
    },
    {
      id: "fixture",
      label: "other fixture",
      off: false,
      holds: (run) => !isAbsent(run.digest) && run.current_digest === false,
      means:
        "The case's packages, records, variables or expectations have changed since. The run stands for itself and is never added to others.",
    },
    {
      id: "retries",
      label: "retries",
      off: false,
      holds: (run) => isCount(run.retries) && run.retries > 0,
      means: "The run could ask again after a rejected answer. Runs with different budgets are not compared.",
    },
  ];

  /** The marks of a run, in a fixed order. */
  const marks = (run) => MARKS.filter((mark) => mark.holds(run));

  /** Why the index's entry cannot be shown as a run, or null. */
  function unreadableRun(run) {
    if (!isObject(run)) return "this is no run";
    for (const key of ["id", "case", "model", "arm"]) {
      if (typeof run[key] !== "string" || run[key] === "") return `it has no ${key}`;
    }
    if (!isObject(run.signals)) return "it has no signals";
    return null;
  }

  const FACTORS = {
    response_schema: { label: "Response schema", on: "schema", off: null },
    full_catalog: { label: "Full catalog", on: "full catalog", off: null },
    temperature: { label: "Temperature", short: "t", rest: 0 },
    seed: { label: "Seed", short: "seed", rest: null },
    paraphrase: { label: "Wording", short: "wording", rest: null },
    shuffle: { label: "Shuffled catalog", short: "shuffled", rest: null },
  };

  function factorLabel(key) {
    return FACTORS[key]?.label ?? key.replaceAll("_", " ").replace(/^./, (c) => c.toUpperCase());
  }

  function factorValue(value) {
    if (isAbsent(value)) return "none";
    if (value === true) return "on";
    if (value === false) return "off";
    return words(value);
  }

  /** The factors of a run that differ from a plain run, in few words each; `fixed` holds those that are the same in all runs. */
  function settings(run, fixed = new Set()) {
    const out = [];
    for (const [key, value] of Object.entries(isObject(run.factors) ? run.factors : {})) {
      const known = FACTORS[key];
      if (fixed.has(key) || isAbsent(value) || value === false || (known && "rest" in known && value === known.rest))
        continue;
      if (value === true) out.push(known?.on ?? factorLabel(key).toLowerCase());
      else out.push(`${known?.short ?? factorLabel(key).toLowerCase()} ${words(value)}`);
    }
    if (isCount(run.retries) && run.retries > 0) out.push(count(run.retries, "retry").replace("retrys", "retries"));
    return out;
  }

  /** Arm and settings: runs of one configuration share a row. */
  function configuration(run) {
    const factors = Object.entries(isObject(run.factors) ? run.factors : {}).sort(([a], [b]) => (a < b ? -1 : 1));
    return JSON.stringify([run.arm, factors, run.retries ?? 0]);
  }

  /** The values of each factor over some runs: `[{ key, label, values: [{ id, label }] }]`; one value alone is no choice. */
  function factorChoices(runs) {
    const found = new Map();
    for (const run of runs) {
      for (const [key, value] of Object.entries(isObject(run.factors) ? run.factors : {})) {
        if (!found.has(key)) found.set(key, new Set());
        found.get(key).add(factorValue(value));
      }
    }
    const known = Object.keys(FACTORS);
    const place = (key) => (known.includes(key) ? known.indexOf(key) : known.length);
    return [...found]
      .sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1))
      .map(([key, values]) => ({ key, label: factorLabel(key), values: [...values].sort() }));
  }

  /**
   * Whether a run is shown: `wanted` has `marks` (ids that are asked for), `arm`, `model`, `case`, and `factors` by key.
   * Gives null, or what keeps the run away (`mark:ID` or `filter`).
   */
  function hiddenBy(run, wanted) {
    for (const [key, value] of Object.entries(wanted.factors ?? {})) {
      if (value && factorValue(run.factors?.[key]) !== value) return "filter";
    }
    for (const key of ["arm", "model", "case", "commit"]) {
      if (wanted[key] && run[key] !== wanted[key]) return "filter";
    }
    const against = marks(run).find((mark) => mark.off && !(wanted.marks ?? []).includes(mark.id));
    return against ? `mark:${against.id}` : null;
  }

  /**
   * Why the runs of two sides may not be compared, or null. Each pair of samples needs one case, one fixture and one budget,
   * and nothing held against its runs. `null` in a side stands for a run that the report does not hold.
   */
  function incomparable(a, b) {
    const runs = [...a, ...b];
    if (a.length === 0 || b.length === 0 || runs.some((run) => !run)) return "a run of the pair is not in this report";
    for (const run of runs) {
      const against = marks(run).find((mark) => mark.off);
      if (against) return `a run of the pair is ${against.id === "undigested" ? "without digest" : against.label}`;
    }
    const cases = (side) => [...new Set(side.map((run) => run.case))].sort().join("\n");
    if (cases(a) !== cases(b)) return "the cases differ";
    const other = (run) => runs.some((next) => next.case === run.case && next.digest !== run.digest);
    if (runs.some(other)) return "the fixtures differ";
    if (new Set(runs.map((run) => run.retries ?? 0)).size > 1) return "the retry budgets differ";
    return null;
  }

  /** A comparison as given: `{ kind: "pairs", ... }`, `{ kind: "unreadable", why }`. `p` is text, a dash when there is none. */
  function pairs(comparison) {
    const { pairs: n, both, only_a: onlyA, only_b: onlyB, neither, p } = comparison ?? {};
    if (![n, both, onlyA, onlyB, neither].every(isCount)) return { kind: "unreadable", why: "a count is missing" };
    if (both + onlyA + onlyB + neither !== n)
      return { kind: "unreadable", why: "the four counts are not the number of pairs" };
    if (!isAbsent(p) && !(typeof p === "number" && p >= 0 && p <= 1))
      return { kind: "unreadable", why: "p is no probability" };
    return { kind: "pairs", n, both, onlyA, onlyB, neither, p: probability(p), discordant: onlyA + onlyB };
  }

  function probability(p) {
    if (isAbsent(p)) return DASH;
    if (p < 0.001) return "< 0.001";
    return p >= 0.995 ? "1.00" : p.toFixed(p < 0.01 ? 3 : 2);
  }

  /**
   * The stages of a run's funnel: `[{ stage, count, before, dropped: [{ reason, count, samples }], unexplained }]`.
   * `unexplained` is what left without a reason; null where a count is missing.
   */
  function funnel(run) {
    let before = null;
    return list(run.funnel)
      .filter(isObject)
      .map((entry) => {
        const dropped = list(entry.dropped)
          .filter(isObject)
          .map((drop) => ({ reason: words(drop.reason), count: drop.count, samples: list(drop.samples) }));
        const counted = isCount(entry.count) ? entry.count : null;
        const named = dropped.reduce((sum, drop) => sum + (isCount(drop.count) ? drop.count : 0), 0);
        const stage = {
          stage: words(entry.stage),
          count: counted,
          before,
          dropped,
          unexplained: before === null || counted === null ? null : before - counted - named,
        };
        if (counted !== null) before = counted;
        return stage;
      });
  }

  /** What a sample shows at a rung: a tick, a cross, a fraction of units, or a dash. `signal` is its run's, which may say why. */
  function reached(value, signal) {
    if (value === true) return { mark: "✓", says: "yes" };
    if (value === false) return { mark: "✗", says: "no" };
    if (Array.isArray(value) && value.length === 2 && value.every(isCount))
      return { mark: `${value[0]}/${value[1]}`, says: `${value[0]} of ${value[1]}` };
    const read = rate(signal);
    return {
      mark: DASH,
      says:
        isAbsent(value) && read.kind === "undefined" ? blank(read) : isAbsent(value) ? "not recorded" : "unreadable",
    };
  }

  /** Where the file of a run or a sample may lie: below `runs/` or `samples/`, nowhere else. */
  function detailPath(path) {
    return typeof path === "string" &&
      /^(runs|samples\/[\w.@+~-]+)\/[\w.@+~-]+\.json$/.test(path) &&
      !path.includes("..")
      ? path
      : null;
  }

  // Controls, characters that turn text around or have no width, and halves of characters.
  const UNSEEN =
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}\p{Cs}]/u;

  /** Text in pieces for showing: `[{ text, escaped }]`. What a reader could not see is written as its code. */
  function visible(text) {
    const pieces = [];
    for (const [part] of String(text).matchAll(
      new RegExp(`${UNSEEN.source}+|(?:(?!${UNSEEN.source})[\\s\\S])+`, "gu"),
    )) {
      if (UNSEEN.test(part)) {
        const codes = [...part].map((c) => `\\u{${c.codePointAt(0).toString(16)}}`);
        pieces.push({ text: codes.join(""), escaped: true });
      } else {
        pieces.push({ text: part, escaped: false });
      }
    }
    return pieces;
  }

  /** The first `most` characters of a text, never half a character: `{ text, rest }`. */
  function beginning(text, most) {
    if (text.length <= most) return { text, rest: 0 };
    const end = /[\ud800-\udbff]/.test(text[most - 1]) ? most - 1 : most;
    return { text: text.slice(0, end), rest: text.length - end };
  }

  /** The state that a fragment names: `{ view, run, sample, params }`. */
  function parseHash(hash) {
    const text = hash.replace(/^#/, "");
    if (!text.startsWith("/")) return null;
    const [path, query] = text.split("?", 2);
    const parts = path.split("/").filter(Boolean).map(decode);
    const params = Object.fromEntries(new URLSearchParams(query ?? ""));
    if (parts[0] === "run" && parts[1]) {
      const sample = parts[2] === "sample" && /^\d{1,9}$/.test(parts[3] ?? "") ? Number(parts[3]) : null;
      return { view: sample === null ? "run" : "sample", run: parts[1], sample, params };
    }
    const view = ["failures", "comparisons"].includes(parts[0]) ? parts[0] : "matrix";
    return { view, run: null, sample: null, params };
  }

  function decode(part) {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  }

  /** The fragment that names a state; what is empty is left out, so that equal states have equal links. */
  function formatHash({ view, run, sample, params }) {
    let path = "/";
    if (view === "run" || view === "sample") path += `run/${encodeURIComponent(run)}`;
    else if (view !== "matrix") path += view;
    if (view === "sample") path += `/sample/${sample}`;
    const query = new URLSearchParams();
    for (const key of Object.keys(params).sort()) {
      if (params[key]) query.set(key, params[key]);
    }
    const text = query.toString();
    return `#${path}${text ? `?${text}` : ""}`;
  }

  /** The text of a results file as JSON: `{ value }` or `{ why }`. */
  function parse(text, why) {
    if (typeof text !== "string") return { why: why || "it is not there" };
    try {
      return { value: JSON.parse(text) };
    } catch {
      return { why: "it is not JSON" };
    }
  }

  root.Reading = Object.freeze({
    DASH,
    MARKS,
    beginning,
    blank,
    configuration,
    count,
    detailPath,
    duration,
    factorChoices,
    factorLabel,
    factorValue,
    formatHash,
    fraction,
    funnel,
    hiddenBy,
    incomparable,
    interval,
    isAbsent,
    isCount,
    isObject,
    list,
    marks,
    pairs,
    parse,
    parseHash,
    quantity,
    rate,
    reached,
    sentence,
    settings,
    unreadableRun,
    visible,
    words,
  });
})(globalThis);
