// One run: where its samples dropped out, every signal, every fault, every sample, and the same case's other runs.
//
// It decides how a run is laid out; all numbers are the report's.
(function (root) {
  "use strict";

  const { h, replace } = Dom;
  const { term } = Parts;

  function mount(place, context) {
    const run = context.run(context.state.run);
    if (!run) {
      replace(
        place,
        h("h1", { id: "view-title", tabindex: "-1" }, "No such run"),
        h(
          "p",
          null,
          "The report has no run ",
          h("code", null, Dom.quote(context.state.run)),
          ". ",
          h("a", { href: context.link({ view: "matrix" }) }, "Back to the matrix"),
        ),
      );
      return;
    }
    const entry = context.case(run.case);
    replace(
      place,
      h(
        "p",
        { class: "crumbs" },
        h("a", { href: context.link({ view: "matrix" }) }, "Matrix"),
        " / ",
        h("code", null, Dom.quote(run.id)),
      ),
      h("h1", { id: "view-title", tabindex: "-1" }, entry?.title ?? run.case),
      h(
        "p",
        { class: "lede" },
        h("b", null, run.model),
        " · ",
        Parts.configuration(context, run),
        " ",
        Parts.failed(run),
        Parts.marks(run),
      ),
      held(run),
      run.lost
        ? h(
            "p",
            { class: "blank" },
            h("b", null, term("unreadable", "unreadable")),
            ` ${run.lost}: `,
            h("code", null, Dom.quote(run.detail)),
          )
        : null,
      about(run),
      h(
        "div",
        { class: "columns" },
        h(
          "section",
          { "aria-labelledby": "funnel-title" },
          h("h2", { id: "funnel-title" }, "Funnel"),
          funnel(context, run),
        ),
        h(
          "section",
          { "aria-labelledby": "others-title" },
          h("h2", { id: "others-title" }, "Same case, other runs"),
          others(context, run),
        ),
      ),
      h("section", null, h("h2", null, "Signals"), signals(context, run)),
      actions(run),
      h("section", null, h("h2", null, "Faults"), faults(context, run)),
      h("section", null, h("h2", null, "Samples"), samples(context, run)),
      compared(context, run),
      entry ? h("section", null, h("h2", null, "The case"), asked(entry)) : null,
    );
  }

  /** What is held against the run, in full sentences. */
  function held(run) {
    const marks = Reading.marks(run);
    return marks.length === 0
      ? null
      : h(
          "ul",
          { class: "held" },
          marks.map((mark) => h("li", null, h("b", null, term(`mark-${mark.id}`, mark.label)), ": ", mark.means)),
        );
  }

  function about(run) {
    const cost = run.cost ?? {};
    const factors = Object.entries(run.factors ?? {}).map(
      ([key, value]) => `${Reading.factorLabel(key).toLowerCase()} ${Reading.factorValue(value)}`,
    );
    return Parts.facts([
      [
        term("sample", "Samples"),
        Reading.isCount(run.planned) ? `${Reading.quantity(run.n)} of ${run.planned} planned` : Reading.quantity(run.n),
      ],
      [term("failed", "Failed, not counted"), Reading.quantity(run.failed)],
      [term("commit", "Commit"), h("code", null, Parts.shortCommit(run))],
      [term("resolution", "Resolution"), Reading.quantity(run.resolution)],
      [term("fixture", "Fixture digest"), h("code", null, Reading.quantity(run.digest))],
      [term("retries", "Retry budget"), Reading.quantity(run.retries)],
      ["Calls", Reading.quantity(cost.calls)],
      [term("tokens", "Prompt tokens"), Reading.quantity(cost.prompt_tokens)],
      [term("tokens", "Answer tokens"), Reading.quantity(cost.completion_tokens)],
      ["Wall time", Reading.duration(cost.wall_ms)],
      run.time ? ["Begun", Reading.words(run.time)] : null,
      factors.length > 0 ? [term("factor", "Factors"), factors.join(", ")] : null,
    ]);
  }

  function funnel(context, run) {
    const stages = Reading.funnel(run);
    if (stages.length === 0) return h("p", { class: "blank" }, "The report holds no funnel for this run.");
    const most = Math.max(1, ...stages.map((stage) => stage.count ?? 0));
    return h(
      "ol",
      { class: "funnel" },
      stages.map((stage) =>
        h(
          "li",
          null,
          h(
            "div",
            { class: "stage" },
            h("span", { class: "name" }, context.stageName(stage.stage)),
            Dom.svg(
              "svg",
              { class: "bar", "aria-hidden": "true", focusable: "false", width: "100%", height: "14" },
              stage.before === null
                ? null
                : Dom.svg("rect", {
                    class: "lost",
                    x: "0",
                    y: "2",
                    height: "10",
                    width: `${(stage.before / most) * 100}%`,
                  }),
              Dom.svg("rect", {
                class: "left",
                x: "0",
                y: "2",
                height: "10",
                width: `${((stage.count ?? 0) / most) * 100}%`,
              }),
            ),
            h("b", { class: "count" }, Reading.quantity(stage.count)),
          ),
          drops(context, run, stage),
        ),
      ),
    );
  }

  function drops(context, run, stage) {
    const lines = stage.dropped.map((drop) =>
      h(
        "li",
        null,
        h("b", null, `−${Reading.quantity(drop.count)}`),
        " ",
        Parts.rule(context, drop.reason),
        h("span", { class: "numbers" }, " sample", Parts.sampleLinks(context, run.id, drop.samples)),
      ),
    );
    if (stage.unexplained !== null && stage.unexplained !== 0)
      lines.push(
        h(
          "li",
          { class: "blank" },
          `${Math.abs(stage.unexplained)} ${stage.unexplained > 0 ? "left without a recorded reason" : "more than before: the stages count different things"}`,
        ),
      );
    return lines.length > 0 ? h("ul", { class: "drops" }, lines) : null;
  }

  /** Runs of the same case with the same model, at the rung that the matrix shows. */
  function others(context, run) {
    const rung = context.rung();
    const shown = Filters.divide({
      ...context,
      state: { ...context.state, params: { show: context.state.params.show } },
    }).shown;
    const near = shown.filter(
      (other) =>
        other.case === run.case &&
        (other.model === run.model || Reading.configuration(other) === Reading.configuration(run)),
    );
    if (!near.includes(run)) near.unshift(run);
    const rows = near.map((other) => {
      const name = [
        h("span", { class: "model" }, other.model === run.model ? null : [other.model, " "]),
        Parts.configuration(context, other),
      ];
      return [
        other.id === run.id ? h("b", null, name, " (this)") : Parts.runLink(context, other, name),
        Parts.rate(other.signals[rung.id]),
        [h("span", { class: "commit" }, Parts.shortCommit(other)), " ", Parts.failed(other), Parts.marks(other)],
      ];
    });
    return [
      h("p", { class: "quiet" }, "At the rung ", term(`rung-${rung.id}`, rung.name), "."),
      Parts.table("Other runs of this case", ["Run", rung.name, "Commit"], rows, { class: "rates" }),
    ];
  }

  function signals(context, run) {
    const rows = Reading.list(context.report.rungs).map((rung) => [
      term(`rung-${rung.id}`, rung.name),
      Parts.rate(run.signals[rung.id]),
      [rung.means, rung.limits ? h("span", { class: "limits" }, " ", h("b", null, "Limits: "), rung.limits) : null],
    ]);
    return Parts.table("Signals of this run", ["Rung", "Rate", "Meaning"], rows, { class: "rates signals" });
  }

  function actions(run) {
    const rows = Reading.list(run.actions)
      .filter(Reading.isObject)
      .map((entry) => [
        h("code", null, Dom.quote(Reading.words(entry.action))),
        Reading.quantity(entry.want),
        Parts.rate(entry.selected),
        Parts.rate(entry.exact),
      ]);
    if (rows.length === 0) return null;
    return h(
      "section",
      null,
      h("h2", null, "Expected actions"),
      Parts.table(
        "Expected actions of this run",
        ["Action", "Wanted", "Selected at all", "Selected exactly as often"],
        rows,
        { class: "rates" },
      ),
    );
  }

  function faults(context, run) {
    const rows = Reading.list(run.faults)
      .filter(Reading.isObject)
      .map((fault) => [
        Parts.rule(context, Reading.words(fault.rule)),
        fault.action ? h("code", null, Dom.quote(fault.action)) : Reading.DASH,
        fault.kwarg ? h("code", null, Dom.quote(fault.kwarg)) : Reading.DASH,
        Reading.quantity(fault.count),
        Parts.sampleLinks(context, run.id, fault.samples),
      ]);
    return rows.length > 0
      ? Parts.table("Faults of this run", ["Rule", "Action", "Kwarg", "Count", "Samples"], rows)
      : h("p", { class: "quiet" }, "No violation is recorded for this run.");
  }

  function samples(context, run) {
    const rungs = Reading.list(context.report.rungs);
    const rows = Reading.list(run.samples)
      .filter(Reading.isObject)
      .map((sample) => [
        Parts.sampleLink(context, run.id, sample.n, `Sample ${sample.n}`),
        h(
          "span",
          { class: `outcome ${["valid", "invalid", "failed"].includes(sample.outcome) ? sample.outcome : ""}` },
          Reading.words(sample.outcome),
        ),
        ...rungs.map((rung) => {
          const read = Reading.reached(sample.rungs?.[rung.id], run.signals[rung.id]);
          return [h("span", { "aria-hidden": "true" }, read.mark), h("span", { class: "unseen" }, read.says)];
        }),
        Reading.list(sample.rules).map((slug) => [h("code", null, Dom.quote(Reading.words(slug))), " "]),
      ]);
    if (rows.length === 0) return h("p", { class: "blank" }, "The report holds no samples for this run.");
    return Parts.table("Samples of this run", ["Sample", "Outcome", ...rungs.map((rung) => rung.name), "Rules"], rows, {
      class: "samples",
    });
  }

  function compared(context, run) {
    const mine = context.comparisons.filter(({ source, a, b }) => source?.case && [...a, ...b].includes(run));
    return mine.length === 0
      ? null
      : h(
          "section",
          null,
          h("h2", null, "Comparisons with this run"),
          Parts.disclosure(Reading.count(mine.length, "comparison"), Comparisons.flat(context, mine)),
        );
  }

  /** What the model was asked to do, and what a right answer holds. */
  function asked(entry) {
    const expected = Object.entries(entry.expect?.actions ?? {}).map(([name, n]) =>
      h("li", null, h("code", null, name), ` × ${Reading.quantity(n)}`),
    );
    const items = (values) =>
      Reading.list(values).length > 0
        ? h(
            "ul",
            null,
            Reading.list(values).map((value) => h("li", null, Dom.quote(Reading.words(value)))),
          )
        : Reading.DASH;
    const codes = (values) =>
      Reading.list(values).length > 0
        ? h(
            "ul",
            null,
            Reading.list(values).map((value) => h("li", null, h("code", null, Dom.quote(Reading.words(value))))),
          )
        : Reading.DASH;
    return [
      Parts.facts([
        [
          "Application",
          entry.application
            ? `${entry.application.name ?? ""} (${entry.application.complexity ?? Reading.DASH})`
            : Reading.DASH,
        ],
        ["Stack", [entry.language, entry.framework].filter(Boolean).join(", ") || Reading.DASH],
        ["Tightness", Reading.quantity(entry.tightness)],
        ["Fixture digest now", h("code", null, Reading.quantity(entry.digest))],
      ]),
      h("h3", null, "Intent"),
      h("p", { class: "prose" }, entry.intent ? Dom.quote(Reading.words(entry.intent)) : Reading.DASH),
      Reading.list(entry.wordings).length > 0
        ? Parts.disclosure(
            `Other wordings (${entry.wordings.length})`,
            h(
              "ol",
              null,
              entry.wordings.map((text) => h("li", null, Dom.quote(Reading.words(text)))),
            ),
          )
        : null,
      h("h3", null, "Constraints"),
      items(entry.constraints),
      h("h3", null, "Paths"),
      codes(entry.paths),
      h("h3", null, "Packages"),
      codes(entry.packages),
      h("h3", null, "Expected actions"),
      expected.length > 0 ? h("ul", null, expected) : h("p", null, "None: a right answer selects nothing."),
      Reading.list(entry.expect?.bindings).length > 0
        ? Parts.disclosure(
            "Expected bindings",
            Dom.block(JSON.stringify(entry.expect.bindings, null, 2), "Expected bindings"),
          )
        : null,
    ];
  }

  root.Run = Object.freeze({ mount });
})(globalThis);
