// What views look things up in: runs, cases, models and rungs by name, comparisons with their runs, links that keep the filters.
//
// It decides what a report's entries are called and which of them cannot be read; it must not draw anything.
(function (root) {
  "use strict";

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
    const cases = new Map(
      Reading.list(report.cases)
        .filter(Reading.isObject)
        .map((entry) => [entry.id, entry]),
    );
    const models = new Set(Reading.list(report.models).map((model) => model?.label));
    // A run whose case or model the report does not describe is shown under the names that it has.
    const named = {
      ...report,
      cases: [...cases.values()],
      models: Reading.list(report.models).filter(Reading.isObject),
    };
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

  function context({ report, runs, unreadable, cases }, changed) {
    const byId = new Map(runs.map((run) => [run.id, run]));
    const arms = Reading.list(report.arms);
    const rungs = Reading.list(report.rungs);
    const fixed = new Set(
      Reading.factorChoices(runs)
        .filter((choice) => choice.values.length === 1)
        .map((choice) => choice.key),
    );
    const sides = (ids) => (Array.isArray(ids) ? ids : [ids]).map((id) => byId.get(id));
    const made = {
      report,
      runs,
      unreadable,
      state: null,
      rules: new Map(Reading.list(report.rules).map((rule) => [rule.slug, rule])),
      run: (id) => byId.get(id),
      case: (id) => cases.get(id),
      settings: (run) => Reading.settings(run, fixed),
      armName: (id) => arms.find((arm) => arm.id === id)?.name ?? id,
      armPlace: (id) => arms.findIndex((arm) => arm.id === id),
      rung: () =>
        rungs.find((rung) => rung.id === made.state.params.rung) ??
        rungs.find((rung) => rung.id === "accepted_first") ??
        rungs[0] ?? { id: "", name: "no rung", means: "" },
      rungName: (id) => rungs.find((rung) => rung.id === id)?.name ?? Reading.words(id),
      stageName: (id) => rungs.find((rung) => rung.id === id)?.name ?? id,
      link: (to) => Reading.formatHash({ run: null, sample: null, ...to, params: made.state.params }),
      update(params) {
        made.state = { ...made.state, params: { ...made.state.params, ...params } };
        history.replaceState(null, "", Reading.formatHash(made.state));
        changed();
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

  /** The context of a report. `changed` is told when a view changes the filters. */
  const make = (report, changed) => context(prepare(report), changed);

  root.Context = Object.freeze({ make });
})(globalThis);
