// The first screen: for a rung, every case with every model, one run a line.
//
// It decides where a run stands in the table and what an empty cell says. Runs are never added up.
(function (root) {
  "use strict";

  const { h, replace } = Dom;
  const { term } = Parts;

  function mount(place, context) {
    const results = h("div", { class: "results" });
    const status = h("p", { class: "status", role: "status", "aria-live": "polite" });
    const about = h("div", { class: "about-rung" });
    const draw = () => {
      const divided = Filters.divide(context);
      const rung = context.rung();
      replace(about, aboutRung(rung));
      replace(results, matrix(context, divided, rung));
      replace(status, `${rung.name}. ${Filters.summary(divided)}`);
    };
    const changed = (params) => {
      context.update(params);
      draw();
    };
    replace(
      place,
      intro(context),
      rungs(context, changed),
      about,
      Filters.controls(context, changed),
      status,
      results,
      legend(context),
      unreadable(context),
      ladder(context),
    );
    draw();
  }

  function intro(context) {
    const { tool, newest } = context.report;
    const made = [
      tool?.version ? `sedum-evals ${tool.version}` : null,
      newest ? `newest sample ${Reading.words(newest).slice(0, 10)}` : null,
    ].filter(Boolean);
    return [
      h("h1", { id: "view-title", tabindex: "-1" }, "What models select"),
      h(
        "p",
        { class: "lede" },
        "Each line is one ",
        term("run", "run"),
        ": how many of its ",
        term("sample", "samples"),
        " reached a ",
        term("rung", "rung"),
        ", as ",
        term("fraction", "k/n"),
        " with its 95 % ",
        term("interval", "interval"),
        ". The numbers are small and the intervals wide. Read the interval first. ",
        "A line opens the run: its ",
        term("funnel", "funnel"),
        ", its faults, its samples.",
      ),
      made.length > 0 ? h("p", { class: "quiet" }, made.join(" · ")) : null,
    ];
  }

  /** The rungs as one group of radio buttons, in the order of the ladder. */
  function rungs(context, changed) {
    const current = context.rung().id;
    return h(
      "fieldset",
      { class: "rungs" },
      h("legend", null, "Rung"),
      h(
        "div",
        null,
        Reading.list(context.report.rungs).map((rung) =>
          h(
            "label",
            null,
            h("input", {
              type: "radio",
              name: "rung",
              value: rung.id,
              checked: rung.id === current,
              on: { change: () => changed({ rung: rung.id }) },
            }),
            h("span", null, rung.name),
          ),
        ),
      ),
    );
  }

  function aboutRung(rung) {
    return h(
      "p",
      null,
      h("b", null, term(`rung-${rung.id}`, rung.name)),
      ": ",
      rung.means,
      rung.limits ? [" ", h("span", { class: "limits" }, h("b", null, "Limits: "), rung.limits)] : null,
    );
  }

  function matrix(context, divided, rung) {
    const models = Reading.list(context.report.models).filter((model) =>
      divided.shown.some((run) => run.model === model.label),
    );
    if (divided.shown.length === 0) return nothing(divided.hidden);
    const cases = Reading.list(context.report.cases).filter(
      (entry) => !context.state.params.case || entry.id === context.state.params.case,
    );
    return h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Matrix of cases and models" },
      h(
        "table",
        { class: "matrix" },
        h("caption", { class: "unseen" }, `${rung.name}: k/n with 95 % interval, by case, arm and model`),
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("th", { scope: "col" }, term("case", "Case"), ", ", term("arm", "arm"), ", ", term("factor", "settings")),
            models.map((model) => h("th", { scope: "col" }, modelName(model))),
          ),
        ),
        cases.map((entry) => group(context, divided, rung, models, entry)),
      ),
    );
  }

  /** What stands in the place of a matrix without a run. */
  function nothing(hidden) {
    const marked = hidden.length > 0 && hidden.every(({ why }) => why !== "filter");
    const text = marked
      ? "Every run has a mark that keeps it out. The boxes under Filters let marked runs in."
      : "No run is left by these filters.";
    return h("p", { class: "nothing" }, text);
  }

  function modelName(model) {
    const served = [model.engine, model.quant].filter(Boolean).join(" · ");
    return [h("span", { class: "model" }, model.id ?? model.label), served ? h("small", null, served) : null];
  }

  function group(context, divided, rung, models, entry) {
    const shown = divided.shown.filter((run) => run.case === entry.id);
    const about = [entry.application?.name, entry.language, entry.framework, entry.tightness]
      .filter(Boolean)
      .join(" · ");
    const head = h(
      "tr",
      { class: "case" },
      h(
        "th",
        { scope: "rowgroup", colspan: String(models.length + 1) },
        h("span", { class: "title" }, entry.title ?? entry.id),
        about ? h("small", null, about) : null,
      ),
    );
    const rows = new Map(shown.map((run) => [Reading.configuration(run), run]));
    const ordered = [...rows].sort(
      ([, a], [, b]) =>
        context.armPlace(a.arm) - context.armPlace(b.arm) || compare(context.settings(a), context.settings(b)),
    );
    const lines = ordered.map(([key, run]) =>
      h(
        "tr",
        null,
        h(
          "th",
          { scope: "row" },
          h("span", { class: "arm" }, context.armName(run.arm)),
          context.settings(run).map((setting) => h("span", { class: "setting" }, setting)),
        ),
        models.map((model) => h("td", null, cell(context, divided, rung, entry, key, model))),
      ),
    );
    const none = h(
      "tr",
      null,
      h(
        "td",
        { colspan: String(models.length + 1), class: "blank" },
        absent(divided.hidden.filter(({ run }) => run.case === entry.id)),
      ),
    );
    return h("tbody", null, head, lines.length > 0 ? lines : none);
  }

  const compare = (a, b) => a.length - b.length || a.join().localeCompare(b.join());

  function cell(context, divided, rung, entry, key, model) {
    const here = (run) => run.case === entry.id && run.model === model.label && Reading.configuration(run) === key;
    const runs = divided.shown.filter(here);
    if (runs.length === 0) return h("span", { class: "blank" }, absent(divided.hidden.filter(({ run }) => here(run))));
    return runs.map((run) => {
      const signal = run.signals[rung.id];
      const commit =
        Reading.rate(signal).kind === "rate" ? h("span", { class: "commit" }, Parts.shortCommit(run)) : null;
      return h(
        "a",
        { class: "cell", href: context.link({ view: "run", run: run.id, sample: null }) },
        Parts.rate(signal),
        h("span", { class: "notes" }, Parts.failed(run), Parts.marks(run), commit),
      );
    });
  }

  /** Why a cell is empty. */
  function absent(hidden) {
    if (hidden.length === 0) return "not run";
    const names = hidden.map(({ why }) =>
      why === "filter" ? "by a filter" : Reading.MARKS.find((mark) => `mark:${mark.id}` === why).label,
    );
    return `left out: ${[...new Set(names)].join(", ")}`;
  }

  /** Marks and kinds of blanks that occur, with links to what they mean. */
  function legend(context) {
    const used = Reading.MARKS.filter((mark) => context.runs.some(mark.holds));
    return h(
      "p",
      { class: "legend" },
      "The bar runs from 0 to 1: the band is the ",
      term("interval", "interval"),
      ", the tick is k/n. Behind the numbers stands the ",
      term("commit", "commit"),
      ". Empty cells say whether a signal is ",
      term("undefined", "not defined"),
      " or ",
      term("unrecorded", "not recorded"),
      "; ",
      term("failed", "failed samples"),
      " are counted apart.",
      used.length > 0
        ? [" Marks: ", used.map((mark, index) => [index > 0 ? ", " : "", term(`mark-${mark.id}`, mark.label)]), "."]
        : null,
    );
  }

  /** Entries of the results that could not be read: shown, never mended. */
  function unreadable(context) {
    if (context.unreadable.length === 0) return null;
    return h(
      "section",
      null,
      h("h2", null, "Unreadable entries"),
      h(
        "p",
        null,
        "These entries are in the results and are not in the table, because they could not be ",
        term("unreadable", "read"),
        ".",
      ),
      Parts.table(
        "Unreadable entries",
        ["Where", "Why"],
        context.unreadable.map(({ where, why }) => [Dom.quote(where), Dom.quote(why)]),
      ),
    );
  }

  function ladder(context) {
    return h(
      "section",
      null,
      h("h2", null, "The arms"),
      h(
        "p",
        null,
        "The arms are a ladder. What a higher arm adds is seen by setting it beside the one below on the same case, with the same facts of the run.",
      ),
      h(
        "ol",
        { class: "ladder" },
        Reading.list(context.report.arms)
          .slice()
          .reverse()
          .map((arm) => h("li", null, h("b", null, arm.name ?? arm.id), ": ", arm.means)),
      ),
    );
  }

  root.Matrix = Object.freeze({ mount });
})(globalThis);
