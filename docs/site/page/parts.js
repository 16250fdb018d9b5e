// Pieces that several views are made of: a rate with its interval, marks, names of runs, links, small tables, filters.
//
// It decides how one such thing looks; it must not decide which runs are shown.
(function (root) {
  "use strict";

  const { h, svg } = Dom;
  const { term } = Terms;

  /** An interval on a scale from 0 to 1, the observed share as a tick. Decoration: the numbers stand beside it. */
  function bar(read) {
    const at = (share) => `${(share * 100).toFixed(2)}%`;
    return svg(
      "svg",
      { class: "bar", "aria-hidden": "true", focusable: "false", width: "100%", height: "14" },
      svg("line", { class: "scale", x1: "0", x2: "100%", y1: "7", y2: "7" }),
      [0, 0.5, 1].map((share) => svg("line", { class: "scale", x1: at(share), x2: at(share), y1: "4", y2: "10" })),
      svg("rect", {
        class: "range",
        x: at(read.low),
        width: at(Math.max(read.high - read.low, 0.005)),
        y: "3.5",
        height: "7",
        rx: "1",
      }),
      svg("rect", {
        class: "point",
        x: `calc(${at(read.k / read.n)} - 1.5px)`,
        y: "1",
        width: "3",
        height: "12",
        rx: "1",
      }),
    );
  }

  /** A signal: bar, fraction and interval; or the reason why there is none. */
  function rate(signal) {
    const read = Reading.rate(signal);
    if (read.kind !== "rate") {
      const [label, why] = Reading.blank(read).split(/: (.*)/s);
      return h("span", { class: "blank" }, h("b", null, label), " ", h("span", null, Dom.quote(why)));
    }
    const unit =
      read.unit === "sample"
        ? null
        : h(
            "span",
            { class: "unit" },
            `${read.unit}s`,
            read.samples === null ? null : ` in ${Reading.count(read.samples, "sample")}`,
          );
    return h(
      "span",
      { class: "rate" },
      bar(read),
      h(
        "span",
        { class: "numbers" },
        h("b", null, Reading.fraction(read)),
        " ",
        h("span", { class: "interval" }, Reading.interval(read)),
        unit,
      ),
    );
  }

  const marks = (run) => Reading.marks(run).map((mark) => h("span", { class: "mark" }, mark.label));

  /** The count of samples that never reached the model; nothing when there is none. */
  const failed = (run) =>
    Reading.isCount(run.failed) && run.failed > 0 ? h("span", { class: "mark" }, `+${run.failed} failed`) : null;

  const shortCommit = (run) => (Reading.isAbsent(run.commit) ? "no commit" : Reading.words(run.commit).slice(0, 7));

  /** Arm and settings of a run, as text. */
  function configuration(context, run) {
    return [context.armName(run.arm), ...context.settings(run)].join(" · ");
  }

  const runLink = (context, run, ...children) =>
    h("a", { href: context.link({ view: "run", run: run.id, sample: null }) }, children);

  const sampleLink = (context, runId, n, text) =>
    h("a", { href: context.link({ view: "sample", run: runId, sample: n }) }, text ?? String(n));

  /** Links to some samples of a run, the first few at once. */
  function sampleLinks(context, runId, numbers) {
    const links = Reading.list(numbers)
      .filter(Reading.isCount)
      .map((n) => [" ", sampleLink(context, runId, n)]);
    if (links.length <= 12) return links;
    return [
      links.slice(0, 10),
      h("details", { class: "inline" }, h("summary", null, `${links.length - 10} more`), links.slice(10)),
    ];
  }

  /** A slug of a rule with its meaning behind it; any other reason as the text that it is. */
  function rule(context, slug) {
    const means = context.rules.get(slug)?.means;
    if (means === undefined && !/^[a-z_]+$/.test(slug)) return Dom.quote(slug);
    const name = h("code", null, Dom.quote(slug));
    return means
      ? [h("a", { class: "term", href: `#term-rule-${encodeURIComponent(slug)}` }, name), ruleAsks(means)]
      : name;
  }

  /** What a broken rule asks for: the report words it as the demand, not as the fault. */
  const ruleAsks = (means) => h("span", { class: "means" }, ` the rule: ${means}`);

  /** A table in a frame that scrolls by itself on narrow screens. `head` and each row are lists of cells. */
  function table(label, head, rows, attributes) {
    return h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
      h(
        "table",
        attributes,
        h("caption", { class: "unseen" }, label),
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            head.map((cell) => h("th", { scope: "col" }, cell)),
          ),
        ),
        h(
          "tbody",
          null,
          rows.map((row) =>
            h(
              "tr",
              null,
              row.map((cell, index) => (index === 0 ? h("th", { scope: "row" }, cell) : h("td", null, cell))),
            ),
          ),
        ),
      ),
    );
  }

  const facts = (pairs) =>
    h(
      "dl",
      { class: "facts" },
      pairs.filter(Boolean).map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))),
    );

  const disclosure = (summary, ...children) => h("details", null, h("summary", null, summary), children);

  /** A labelled choice; the first option asks for everything. */
  function select(label, id, options, value, changed) {
    const known = options.some((option) => option.id === value);
    const all = [
      { id: "", label: "all" },
      ...options,
      ...(value && !known ? [{ id: value, label: `${value} (not here)` }] : []),
    ];
    return h(
      "div",
      { class: "field" },
      h("label", { for: id }, label),
      h(
        "select",
        { id, on: { change: (event) => changed(event.target.value) } },
        all.map((option) => h("option", { value: option.id, selected: option.id === (value ?? "") }, option.label)),
      ),
    );
  }

  root.Parts = Object.freeze({
    bar,
    configuration,
    disclosure,
    facts,
    failed,
    marks,
    rate,
    rule,
    ruleAsks,
    runLink,
    sampleLink,
    sampleLinks,
    select,
    shortCommit,
    table,
    term,
  });
})(globalThis);
