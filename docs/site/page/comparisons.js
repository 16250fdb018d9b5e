// Comparisons of runs that answered the same prompts, pair by pair, as the report gives them.
//
// It decides which pairs may be shown (Reading.incomparable) and never computes a test; it draws no verdict.
(function (root) {
  "use strict";

  const { h, replace, svg } = Dom;
  const { term } = Parts;

  const NUMBERS = ["Pairs", "Both", "Only A", "Only B", "Neither", "Split", "p"];

  function mount(place, context) {
    const fit = context.comparisons.filter(({ why }) => why === null);
    const groups = new Map();
    for (const one of fit) {
      const what = Reading.words(one.source.what ?? "");
      groups.set(what, [...(groups.get(what) ?? []), one]);
    }
    replace(
      place,
      h("h1", { id: "view-title", tabindex: "-1" }, "Comparisons"),
      h(
        "p",
        { class: "lede" },
        "Two sides that were asked the same prompts, sample by sample. Only the ",
        term("pair", "pairs"),
        " in which one side passed and the other did not tell them apart; p is from ",
        term("mcnemar", "McNemar's exact test"),
        ", two-sided. A large p is not proof that nothing changed: with few pairs little can be seen.",
      ),
      fit.length > 1
        ? h(
            "p",
            { class: "quiet" },
            `${fit.length} comparisons are listed. Where nothing differs, up to one in twenty still has p at 0.05 or below.`,
          )
        : null,
      h(
        "p",
        { class: "legend" },
        "Split: ",
        [
          ["both", "both"],
          ["only-a", "only A"],
          ["only-b", "only B"],
          ["neither", "neither"],
        ].map(([name, label]) => [key(name), ` ${label} `]),
      ),
      groups.size === 0 ? h("p", { class: "nothing" }, "The report holds no comparison that may be drawn.") : null,
      [...groups].map(([what, members]) => group(context, what, members)),
      refused(context, context.comparisons),
    );
  }

  /** What differs in one way: all cases together first, then each case. */
  function group(context, what, members) {
    const pooled = members.filter(({ source }) => !source.case);
    const single = members.filter(({ source }) => source.case);
    const rows = pooled.map((one) => [context.rungName(one.source.signal), ...numbers(one.read)]);
    const each = flat(context, single, false);
    return h(
      "section",
      null,
      h("h2", null, Dom.quote(what)),
      pooled.length > 0
        ? [
            sides(context, pooled[0].a, pooled[0].b),
            Parts.table(`${what}: all cases, each pair within one`, ["Rung, all cases", ...NUMBERS], rows, {
              class: "comparisons",
            }),
          ]
        : null,
      single.length > 0
        ? pooled.length > 0
          ? Parts.disclosure(`Each case (${Reading.count(single.length, "comparison")})`, each)
          : each
        : null,
    );
  }

  /** A line for each comparison with its runs. */
  function flat(context, comparisons, named = true) {
    const fit = comparisons.filter(({ why }) => why === null);
    const rows = fit.map(({ source, a, b, read }) => {
      const place = source.case ? (context.case(source.case)?.title ?? source.case) : "all cases";
      const head = named ? [Dom.quote(Reading.words(source.what ?? "")), h("span", { class: "sub" }, place)] : place;
      return [head, context.rungName(source.signal), sides(context, a, b), ...numbers(read)];
    });
    return [
      rows.length > 0
        ? Parts.table(
            "Comparisons of single cases",
            [named ? "What differs" : "Case", "Rung", "Runs", ...NUMBERS],
            rows,
            { class: "comparisons" },
          )
        : null,
      named ? refused(context, comparisons) : null,
    ];
  }

  const numbers = (read) => [
    Reading.quantity(read.n),
    Reading.quantity(read.both),
    h("b", null, Reading.quantity(read.onlyA)),
    h("b", null, Reading.quantity(read.onlyB)),
    Reading.quantity(read.neither),
    split(read),
    read.p,
  ];

  /** Comparisons that may not be drawn, with the reason. */
  function refused(context, comparisons) {
    const named = ({ what, case: id, signal }) =>
      [what ?? "a comparison", id ? (context.case(id)?.title ?? id) : "all cases", context.rungName(signal)].map(
        Reading.words,
      );
    const unfit = comparisons.filter(({ why }) => why !== null);
    if (unfit.length === 0) return null;
    return Parts.disclosure(
      `${Reading.count(unfit.length, "comparison")} not drawn`,
      h(
        "ul",
        null,
        unfit.map(({ source, why }) => h("li", null, Dom.quote(named(source ?? {}).join(", ")), ": ", why)),
      ),
    );
  }

  const key = (name) =>
    svg(
      "svg",
      { class: "split key", "aria-hidden": "true", focusable: "false", width: "14", height: "14" },
      svg("rect", { class: name, x: "0", y: "1", width: "14", height: "12" }),
    );

  /** Both sides; what they share (the model, the commit) is said once. */
  function sides(context, a, b) {
    const shared = (of) => {
      const values = new Set([...a, ...b].map(of));
      return values.size === 1 ? [...values][0] : null;
    };
    const model = shared((run) => run.model);
    const commit = shared(Parts.shortCommit);
    const name = (run) =>
      [
        model === null ? run.model : null,
        Parts.configuration(context, run),
        commit === null ? Parts.shortCommit(run) : null,
      ]
        .filter(Boolean)
        .join(", ");
    const common = [model, commit].filter(Boolean).join(", ");
    return [
      side(context, "A", a, name),
      side(context, "B", b, name),
      common ? h("span", { class: "sub" }, `both ${common}`) : null,
    ];
  }

  function side(context, letter, runs, name) {
    const names = [...new Set(runs.map(name))].join("; ");
    const links = runs.map((run, at) => [
      at > 0 ? ", " : "",
      Parts.runLink(context, run, runs.length === 1 ? names : (context.case(run.case)?.title ?? run.case)),
    ]);
    const body =
      runs.length === 1
        ? links
        : h(
            "details",
            { class: "inline" },
            h("summary", null, `${names} (${Reading.count(runs.length, "run")})`),
            links,
          );
    return h("div", { class: "side" }, h("b", null, `${letter} `), h("div", null, body));
  }

  /** The four counts as one bar: both, only A, only B, neither. */
  function split(read) {
    let from = 0;
    const part = (n, name) => {
      const piece = svg("rect", {
        class: name,
        x: `${(from / Math.max(read.n, 1)) * 100}%`,
        width: `${(n / Math.max(read.n, 1)) * 100}%`,
        y: "1",
        height: "12",
      });
      from += n;
      return n > 0 ? piece : null;
    };
    return svg(
      "svg",
      { class: "split", "aria-hidden": "true", focusable: "false", width: "100%", height: "14" },
      part(read.both, "both"),
      part(read.onlyA, "only-a"),
      part(read.onlyB, "only-b"),
      part(read.neither, "neither"),
    );
  }

  root.Comparisons = Object.freeze({ flat, mount });
})(globalThis);
