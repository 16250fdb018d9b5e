// Start: reads the report, keeps the state in the address, and hands each view what it needs.
//
// It decides which view is shown and where the focus goes; it must not draw results.
(function () {
  "use strict";

  const { h, replace } = Dom;
  const VIEWS = { matrix: Matrix, run: Run, sample: Sample, failures: Failures, comparisons: Comparisons };
  const place = document.getElementById("view");

  /** Everything that views look things up in, made once. */
  function prepare(report) {
    const unreadable = [];
    const runs = [];
    Reading.list(report.runs).forEach((run, at) => {
      const why = Reading.unreadableRun(run);
      if (why === null) runs.push(run);
      else unreadable.push({ where: `report.json, run ${at + 1}${run?.id ? ` (${run.id})` : ""}`, why });
    });
    for (const entry of Reading.list(report.unreadable)) {
      const where = [entry?.file, entry?.line].filter((part) => !Reading.isAbsent(part)).join(":");
      unreadable.push({ where: where || "the results", why: Reading.words(entry?.why ?? entry) });
    }
    const cases = new Map(Reading.list(report.cases).filter(Reading.isObject).map((entry) => [entry.id, entry]));
    const models = new Set(Reading.list(report.models).map((model) => model?.label));
    // A run whose case or model the report does not describe is shown under the names that it has.
    const named = { ...report, cases: [...cases.values()], models: Reading.list(report.models).filter(Reading.isObject) };
    for (const run of runs) {
      if (!cases.has(run.case)) {
        cases.set(run.case, { id: run.case });
        named.cases.push({ id: run.case });
      }
      if (!models.has(run.model)) {
        models.add(run.model);
        named.models.push({ label: run.model });
      }
    }
    return { report: named, runs, unreadable, cases };
  }

  function context({ report, runs, unreadable, cases }) {
    const byId = new Map(runs.map((run) => [run.id, run]));
    const arms = Reading.list(report.arms);
    const rungs = Reading.list(report.rungs);
    const fixed = new Set(Reading.factorChoices(runs).filter((choice) => choice.values.length === 1).map((choice) => choice.key));
    const sides = (ids) => (Array.isArray(ids) ? ids : [ids]).map((id) => byId.get(id));
    const made = {
      report, runs, unreadable, state: null,
      rules: new Map(Reading.list(report.rules).map((rule) => [rule.slug, rule])),
      run: (id) => byId.get(id),
      case: (id) => cases.get(id),
      settings: (run) => Reading.settings(run, fixed),
      armName: (id) => arms.find((arm) => arm.id === id)?.name ?? id,
      armPlace: (id) => arms.findIndex((arm) => arm.id === id),
      rung: () => rungs.find((rung) => rung.id === made.state.params.rung) ?? rungs.find((rung) => rung.id === "accepted_first") ?? rungs[0] ?? { id: "", name: "no rung", means: "" },
      rungName: (id) => rungs.find((rung) => rung.id === id)?.name ?? Reading.words(id),
      stageName: (id) => rungs.find((rung) => rung.id === id)?.name ?? id,
      link: (to) => Reading.formatHash({ run: null, sample: null, ...to, params: made.state.params }),
      update(params) {
        made.state = { ...made.state, params: { ...made.state.params, ...params } };
        history.replaceState(null, "", Reading.formatHash(made.state));
        navigation(made);
      },
    };
    made.comparisons = Reading.list(report.comparisons).map((source) => {
      const [a, b] = [sides(source?.a), sides(source?.b)];
      const read = Reading.pairs(source);
      const why = Reading.incomparable(a, b) ?? (read.kind === "pairs" ? null : read.why);
      return { source, a: a.filter(Boolean), b: b.filter(Boolean), read, why };
    });
    return made;
  }

  /** The links above: they keep the filters, and say which one is shown. */
  function navigation(made) {
    for (const link of document.querySelectorAll("nav [data-view]")) {
      const { view } = link.dataset;
      link.setAttribute("href", made.link({ view }));
      const current = view === made.state.view || (view === "matrix" && ["run", "sample"].includes(made.state.view));
      if (current) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  function show(made, state, focus) {
    made.state = state;
    navigation(made);
    VIEWS[state.view].mount(place, made);
    const title = document.getElementById("view-title");
    document.title = `${title.textContent} · Sedum`;
    if (focus) {
      scrollTo(0, 0);
      title.focus({ preventScroll: true });
    }
  }

  function start() {
    const { value: report, why } = Data.report();
    const readable = Reading.isObject(report) && report.schema === 1;
    if (!readable) {
      const reason = why ?? (Reading.isObject(report) ? `it has schema ${Reading.words(report.schema)}, and this page reads schema 1` : "it is no report");
      replace(place, h("h1", { id: "view-title", tabindex: "-1" }, "The results cannot be read"), h("p", null, reason, "."));
      return;
    }
    const made = context(prepare(report));
    const first = { view: "matrix", run: null, sample: null, params: {} };
    show(made, Reading.parseHash(location.hash) ?? first, false);
    replace(document.getElementById("terms"), Terms.glossary(made.report));
    addEventListener("hashchange", () => {
      // A fragment of the page itself, such as a term, changes nothing; nor does the way back from it.
      const state = location.hash === "" ? first : Reading.parseHash(location.hash);
      if (state !== null && Reading.formatHash(state) !== Reading.formatHash(made.state)) show(made, state, true);
    });
    document.querySelector(".skip").addEventListener("click", (event) => {
      event.preventDefault();
      document.getElementById("view-title").focus();
    });
    if (location.hash && Reading.parseHash(location.hash) === null) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }

  start();
})();
