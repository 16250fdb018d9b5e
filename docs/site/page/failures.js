// The failure explorer: rule, then action and kwarg, then the runs where it happened, down to the sample.
//
// It decides the grouping. Counts stand beside the run that they were counted in; they are not added up over runs, because
// runs of different fixtures are about different things.
(function (root) {
  "use strict";

  const { h, replace } = Dom;
  const { term } = Parts;

  function mount(place, context) {
    const status = h("p", { class: "status", role: "status", "aria-live": "polite" });
    const results = h("div", { class: "results" });
    const controls = h("div", null);
    const changed = (params) => {
      context.update(params);
      draw();
    };
    const draw = () => {
      const divided = Filters.divide(context);
      const found = faults(context, divided.shown);
      replace(results, rules(context, found));
      replace(
        status,
        `${Reading.count(new Set(found.map(({ fault }) => fault.rule)).size, "rule")} in ${Reading.count(new Set(found.map(({ run }) => run.id)).size, "run")}. ${Filters.summary(divided)}`,
      );
    };
    const all = context.runs.flatMap((run) => Reading.list(run.faults).filter(Reading.isObject));
    const options = (key) =>
      [...new Set(all.map((fault) => fault[key]).filter((value) => typeof value === "string"))]
        .sort()
        .map((value) => ({ id: value, label: value }));
    const select = (label, key) =>
      Parts.select(label, `filter-${key}`, options(key), context.state.params[key], (value) =>
        changed({ [key]: value }),
      );
    replace(
      controls,
      Filters.controls(context, changed, [
        select("Rule", "rule"),
        select("Action", "action"),
        select("Kwarg", "kwarg"),
      ]),
    );
    replace(
      place,
      h("h1", { id: "view-title", tabindex: "-1" }, "Failures"),
      h(
        "p",
        { class: "lede" },
        "Every ",
        term("violation", "violation"),
        " of every answer: by rule, then by action and kwarg, down to the samples. A count belongs to its run and is added to no other.",
      ),
      controls,
      status,
      results,
    );
    draw();
  }

  function faults(context, runs) {
    const { rule, action, kwarg } = context.state.params;
    const wanted = (fault) =>
      (!rule || fault.rule === rule) && (!action || fault.action === action) && (!kwarg || fault.kwarg === kwarg);
    return runs.flatMap((run) =>
      Reading.list(run.faults)
        .filter(Reading.isObject)
        .filter(wanted)
        .map((fault) => ({ run, fault })),
    );
  }

  function rules(context, found) {
    if (found.length === 0) return h("p", { class: "nothing" }, "No fault is left by these filters.");
    const byRule = groupBy(found, ({ fault }) => Reading.words(fault.rule));
    const open = byRule.size === 1;
    const ordered = [...byRule].sort(([a, x], [b, y]) => runsOf(y) - runsOf(x) || a.localeCompare(b));
    return ordered.map(([slug, entries]) =>
      h(
        "details",
        { class: "fault", open },
        h(
          "summary",
          null,
          h("code", null, Dom.quote(slug)),
          context.rules.has(slug) ? Parts.ruleAsks(context.rules.get(slug).means) : null,
          h("span", { class: "count" }, `in ${Reading.count(runsOf(entries), "run")}`),
        ),
        Parts.table(
          `Faults of ${slug}`,
          ["Action", "Kwarg", "Case", "Model", "Arm, settings", "Count", "Samples"],
          rows(context, entries),
        ),
      ),
    );
  }

  const runsOf = (entries) => new Set(entries.map(({ run }) => run.id)).size;

  function rows(context, entries) {
    const key = ({ run, fault }) => [fault.action ?? "", fault.kwarg ?? "", run.case, run.model].join("\n");
    return entries
      .slice()
      .sort((a, b) => key(a).localeCompare(key(b)))
      .map(({ run, fault }) => [
        fault.action ? h("code", null, Dom.quote(Reading.words(fault.action))) : Reading.DASH,
        fault.kwarg ? h("code", null, Dom.quote(Reading.words(fault.kwarg))) : Reading.DASH,
        context.case(run.case)?.title ?? run.case,
        run.model,
        [Parts.runLink(context, run, Parts.configuration(context, run)), " ", Parts.marks(run)],
        Reading.quantity(fault.count),
        Parts.sampleLinks(context, run.id, fault.samples),
      ]);
  }

  function groupBy(entries, key) {
    const groups = new Map();
    for (const entry of entries) groups.set(key(entry), [...(groups.get(key(entry)) ?? []), entry]);
    return groups;
  }

  root.Failures = Object.freeze({ mount });
})(globalThis);
