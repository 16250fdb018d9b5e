// The filters that the matrix and the failures share: case, arm, model, commit, factors, and whether marked runs are let in.
//
// It decides which controls there are and what a state of the address asks for; it must not draw results.
(function (root) {
  "use strict";

  const { h } = Dom;

  /** What the address asks for, as `Reading.hiddenBy` wants it. */
  function wanted(params) {
    const factors = {};
    for (const [key, value] of Object.entries(params)) {
      if (key.startsWith("f.")) factors[key.slice(2)] = value;
    }
    return {
      marks: (params.show ?? "").split(",").filter(Boolean),
      arm: params.arm,
      model: params.model,
      case: params.case,
      commit: params.commit,
      factors,
    };
  }

  /** The runs that are shown, and the others by what keeps them away. */
  function divide(context) {
    const want = wanted(context.state.params);
    const shown = [];
    const hidden = [];
    for (const run of context.runs) {
      const why = Reading.hiddenBy(run, want);
      if (why === null) shown.push(run);
      else hidden.push({ run, why });
    }
    return { shown, hidden };
  }

  /** What is shown and what is not, in one sentence. */
  function summary({ shown, hidden }) {
    const total = shown.length + hidden.length;
    if (hidden.length === 0) return `All ${Reading.count(total, "run")} shown.`;
    const reasons = new Map();
    for (const { why } of hidden) {
      const name = why === "filter" ? "by a filter" : Reading.MARKS.find((mark) => `mark:${mark.id}` === why).label;
      reasons.set(name, (reasons.get(name) ?? 0) + 1);
    }
    const parts = [...reasons].map(([name, n]) => `${n} ${name}`);
    return `${shown.length} of ${Reading.count(total, "run")} shown. Left out: ${parts.join(", ")}.`;
  }

  /** The controls. `changed(params)` gets what is to change in the address. */
  function controls(context, changed, more = []) {
    const { params } = context.state;
    const choices = Reading.factorChoices(context.runs);
    const varied = choices.filter((choice) => choice.values.length > 1);
    const fixed = choices.filter((choice) => choice.values.length === 1);
    const used = (key, all) => all.filter((entry) => context.runs.some((run) => run[key] === entry.id));
    const arms = used(
      "arm",
      Reading.list(context.report.arms).map((arm) => ({ id: arm.id, label: arm.name ?? arm.id })),
    );
    const models = used(
      "model",
      Reading.list(context.report.models).map((model) => ({ id: model.label, label: model.label })),
    );
    const cases = used(
      "case",
      Reading.list(context.report.cases).map((entry) => ({ id: entry.id, label: entry.title ?? entry.id })),
    );
    // The newest commit first: it is what most people want.
    const begun = [...context.runs].sort((a, b) => String(b.time).localeCompare(String(a.time)));
    const commits = [...new Set(begun.map((run) => run.commit))]
      .filter((commit) => typeof commit === "string" && commit !== "")
      .map((commit) => ({ id: commit, label: commit.slice(0, 7) }));
    const select = (label, key, options) =>
      Parts.select(label, `filter-${key}`, options, params[key], (value) => changed({ [key]: value }));
    const active =
      ["case", "arm", "model", "commit", "rule", "action", "kwarg", "show"].some((key) => params[key]) ||
      Object.keys(params).some((key) => key.startsWith("f."));
    // On a narrow screen the results come first: the controls are folded unless one of them is in use.
    const open = active || matchMedia("(min-width: 46rem)").matches;
    return h(
      "form",
      { class: "filters", "aria-label": "Filters", on: { submit: (event) => event.preventDefault() } },
      h(
        "details",
        { open },
        h("summary", null, "Filters"),
        h(
          "div",
          { class: "fields" },
          more,
          select("Case", "case", cases),
          select("Arm", "arm", arms),
          select("Model", "model", models),
          commits.length > 1 ? select("Commit", "commit", commits) : null,
          varied.map((choice) => factor(choice, params, changed)),
        ),
        admit(context, changed),
        fixed.length > 0
          ? h(
              "p",
              { class: "quiet" },
              "The same in every run: ",
              fixed.map((choice) => `${choice.label.toLowerCase()} ${choice.values[0]}`).join(", "),
              ".",
            )
          : null,
      ),
    );
  }

  function factor({ key, label, values }, params, changed) {
    const id = `f.${key}`;
    return Parts.select(
      label,
      `filter-${id}`,
      values.map((value) => ({ id: value, label: value })),
      params[id],
      (value) => changed({ [id]: value }),
    );
  }

  /** A box for each mark that keeps runs away and that some run has. */
  function admit(context, changed) {
    const off = Reading.MARKS.filter((mark) => mark.off && context.runs.some(mark.holds));
    if (off.length === 0) return null;
    const asked = () => wanted(context.state.params).marks;
    return h(
      "fieldset",
      { class: "admit" },
      h("legend", null, "Also show runs marked"),
      off.map((mark) => {
        const toggle = (event) => {
          const next = event.target.checked ? [...asked(), mark.id] : asked().filter((id) => id !== mark.id);
          changed({ show: next.join(",") });
        };
        const number = context.runs.filter(mark.holds).length;
        return h(
          "label",
          null,
          h("input", {
            type: "checkbox",
            name: `show-${mark.id}`,
            checked: asked().includes(mark.id),
            on: { change: toggle },
          }),
          ` ${mark.label} (${number})`,
        );
      }),
    );
  }

  root.Filters = Object.freeze({ controls, divide, summary });
})(globalThis);
