// Comparisons of runs that answered the same prompts, pair by pair, as the report gives them.
//
// It decides which pairs may be shown (Reading.incomparable) and never computes a test; it draws no verdict.
(function (root) {
  "use strict";

  const { h, replace, svg } = Dom;
  const { term } = Parts;

  function mount(place, context) {
    replace(place,
      h("h1", { id: "view-title", tabindex: "-1" }, "Comparisons"),
      h("p", { class: "lede" }, "Two sides that were asked the same prompts, sample by sample. Only the ", term("pair", "pairs"), " in which one side passed and the other did not tell them apart; p is from ", term("mcnemar", "McNemar's exact test"), ", two-sided. A large p is not proof that nothing changed: with few pairs little can be seen."),
      table(context, context.comparisons));
  }

  /** The table of some comparisons; those that may not be drawn are listed with the reason. */
  function table(context, comparisons) {
    const fit = comparisons.filter(({ why }) => why === null);
    const unfit = comparisons.filter(({ why }) => why !== null);
    const rows = fit.map(({ source, a, b, read }) => [
      [h("b", null, Dom.quote(Reading.words(source.what ?? ""))), h("span", { class: "sub" }, source.case ? context.case(source.case)?.title ?? source.case : `all cases of these runs, each pair within one`)],
      context.rungName(source.signal),
      sides(context, a, b),
      Reading.quantity(read.n),
      Reading.quantity(read.both),
      h("b", null, Reading.quantity(read.onlyA)),
      h("b", null, Reading.quantity(read.onlyB)),
      Reading.quantity(read.neither),
      split(read),
      read.p,
    ]);
    return [
      rows.length > 0 ? Parts.table("Comparisons", ["What differs", "Rung", "Runs", "Pairs", "Both", "Only A", "Only B", "Neither", "Split", "p"], rows, { class: "comparisons" }) : h("p", { class: "nothing" }, "The report holds no comparison that may be drawn."),
      unfit.length > 0 ? h("details", null, h("summary", null, `${Reading.count(unfit.length, "comparison")} not drawn`), h("ul", null, unfit.map(({ source, why }) => h("li", null, Dom.quote(Reading.words(source?.what ?? "a comparison")), ": ", why)))) : null,
    ];
  }

  /** Both sides; what they share (the model, the commit) is said once. */
  function sides(context, a, b) {
    const shared = (of) => {
      const values = new Set([...a, ...b].map(of));
      return values.size === 1 ? [...values][0] : null;
    };
    const model = shared((run) => run.model);
    const commit = shared(Parts.shortCommit);
    const name = (run) => [model === null ? run.model : null, Parts.configuration(context, run), commit === null ? Parts.shortCommit(run) : null].filter(Boolean).join(", ");
    const common = [model, commit].filter(Boolean).join(", ");
    return [side(context, "A", a, name), side(context, "B", b, name), common ? h("span", { class: "sub" }, `both ${common}`) : null];
  }

  function side(context, letter, runs, name) {
    const names = [...new Set(runs.map(name))].join("; ");
    const links = runs.map((run, at) => [at > 0 ? ", " : "", Parts.runLink(context, run, runs.length === 1 ? names : context.case(run.case)?.title ?? run.case)]);
    const body = runs.length === 1 ? links : h("details", { class: "inline" }, h("summary", null, `${names} (${Reading.count(runs.length, "run")})`), links);
    return h("div", { class: "side" }, h("b", null, `${letter} `), body);
  }

  /** The four counts as one bar: both, only A, only B, neither. */
  function split(read) {
    let from = 0;
    const part = (n, name) => {
      const piece = svg("rect", { class: name, x: `${(from / Math.max(read.n, 1)) * 100}%`, width: `${(n / Math.max(read.n, 1)) * 100}%`, y: "1", height: "12" });
      from += n;
      return n > 0 ? piece : null;
    };
    return svg("svg", { class: "split", "aria-hidden": "true", focusable: "false", width: "100%", height: "14" }, part(read.both, "both"), part(read.onlyA, "only-a"), part(read.onlyB, "only-b"), part(read.neither, "neither"));
  }

  root.Comparisons = Object.freeze({ mount, table });
})(globalThis);
