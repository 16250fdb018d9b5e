// One sample: each call with its prompt, the answer as it came, its violations; then the selection, what it bound, and the
// tree that it made. All of it is text that somebody else wrote.
//
// It decides the layout only. What was not recorded is a dash.
(function (root) {
  "use strict";

  const { h, replace } = Dom;
  const { term } = Parts;

  const PURPOSES = {
    write: "asked to write the files",
    select: "asked for a selection",
    correct: "asked again after a rejected answer",
    complete: "asked whether the selection is complete",
  };

  function mount(place, context) {
    const run = context.run(context.state.run);
    const index = Reading.list(run?.samples).findIndex((sample) => sample?.n === context.state.sample);
    const listed = run?.samples?.[index];
    const head = [
      h(
        "p",
        { class: "crumbs" },
        h("a", { href: context.link({ view: "matrix" }) }, "Matrix"),
        " / ",
        run ? Parts.runLink(context, run, context.case(run.case)?.title ?? run.case) : Dom.quote(context.state.run),
      ),
      h("h1", { id: "view-title", tabindex: "-1" }, listed ? `Sample ${listed.n}` : "No such sample"),
    ];
    if (!listed) {
      replace(place, head, h("p", null, "The report has no such sample in this run."));
      return;
    }
    const body = h("div", { "aria-busy": "true" }, h("p", { class: "quiet" }, "Loading the sample …"));
    const status = h("p", { class: "unseen", role: "status" });
    replace(
      place,
      head,
      h(
        "p",
        { class: "lede" },
        h("b", null, run.model),
        " · ",
        Parts.configuration(context, run),
        " ",
        Parts.marks(run),
        " ",
        h("span", { class: `outcome ${listed.outcome}` }, Reading.words(listed.outcome)),
      ),
      neighbours(context, run, index),
      status,
      body,
    );
    const path = Reading.detailPath(listed.detail);
    const loading = path === null ? Promise.resolve({ why: "its path does not lead to a sample" }) : Data.load(path);
    loading.then(({ value, why }) => {
      if (!body.isConnected) return;
      body.removeAttribute("aria-busy");
      if (Reading.isObject(value)) replace(body, sample(context, run, listed, value, path));
      else
        replace(
          body,
          h(
            "p",
            { class: "blank" },
            h("b", null, term("unreadable", "unreadable")),
            ` ${why ?? "it is no sample"}`,
            path ? [": ", h("code", null, path)] : null,
          ),
        );
      status.textContent = "The sample is shown.";
    });
  }

  function neighbours(context, run, index) {
    const link = (to, text) => {
      const other = run.samples[to];
      return other ? Parts.sampleLink(context, run.id, other.n, text) : h("span", { class: "quiet" }, text);
    };
    return h(
      "nav",
      { class: "neighbours", "aria-label": "Samples of this run" },
      link(index - 1, "← Previous"),
      h("span", { class: "quiet" }, `${index + 1} of ${run.samples.length}`),
      link(index + 1, "Next →"),
    );
  }

  function sample(context, run, listed, detail, path) {
    const attempts = Reading.list(detail.attempts).filter(Reading.isObject);
    return [
      detail.error
        ? h(
            "section",
            null,
            h("h2", null, "Transport error"),
            h(
              "p",
              null,
              "This ",
              term("failed", "sample failed"),
              ": it never got an answer and is in no denominator.",
            ),
            Dom.block(Reading.words(detail.error), "Transport error"),
          )
        : null,
      rungs(context, run, listed),
      attempts.map((attempt, index) => call(context, run, attempt, index)),
      attempts.length === 0 ? h("p", { class: "blank" }, "No call is recorded.") : null,
      selection(run, detail),
      bindings(detail),
      tree(detail),
      record(detail, path),
    ];
  }

  function rungs(context, run, listed) {
    const entries = Reading.list(context.report.rungs).map((rung) => {
      const read = Reading.reached(listed.rungs?.[rung.id], run.signals[rung.id]);
      return h(
        "li",
        { title: read.says },
        h("span", { "aria-hidden": "true" }, read.mark),
        " ",
        term(`rung-${rung.id}`, rung.name),
        h("span", { class: "unseen" }, `: ${read.says}`),
      );
    });
    return h("ul", { class: "reached" }, entries);
  }

  function call(context, run, attempt, index) {
    const number = attempt.call ?? index + 1;
    const messages = Reading.list(attempt.messages).filter(Reading.isObject);
    const usage = attempt.usage ?? {};
    return h(
      "section",
      { class: "call" },
      h(
        "h2",
        null,
        `Call ${number}`,
        h("small", null, ` ${PURPOSES[attempt.purpose] ?? Reading.words(attempt.purpose ?? "")}`),
      ),
      Parts.facts([
        ["Finish reason", Reading.quantity(attempt.finish_reason)],
        ["Latency", Reading.duration(attempt.latency_ms)],
        [term("tokens", "Prompt tokens"), Reading.quantity(usage.prompt)],
        [term("tokens", "Answer tokens"), Reading.quantity(usage.completion)],
      ]),
      h(
        "details",
        { class: "prompt" },
        h("summary", null, `Prompt (${Reading.count(messages.length, "message")})`),
        messages.map((message, at) => [
          h("h3", null, Dom.quote(Reading.words(message.role))),
          Dom.block(Reading.words(message.content ?? ""), `Message ${at + 1}, ${message.role}`),
        ]),
      ),
      Reading.isAbsent(attempt.schema)
        ? null
        : Parts.disclosure(
            "Response schema that was sent",
            Dom.block(JSON.stringify(attempt.schema, null, 2), `Response schema of call ${number}`),
          ),
      Reading.isAbsent(attempt.error)
        ? null
        : [h("h3", null, "Error of this call"), Dom.block(Reading.words(attempt.error), `Error of call ${number}`)],
      h("h3", null, "Raw answer"),
      Reading.isAbsent(attempt.answer)
        ? h("p", { class: "blank" }, "No answer is recorded.")
        : h("div", { class: "answer" }, Dom.block(Reading.words(attempt.answer), `Raw answer of call ${number}`)),
      h("h3", null, term("violation", "Violations")),
      violations(context, run, attempt, number),
      Reading.isAbsent(attempt.decoded)
        ? noSelection(run)
          ? null
          : h("p", { class: "quiet" }, "The answer was not decoded to a list.")
        : Parts.disclosure(
            "Decoded list",
            Dom.block(JSON.stringify(attempt.decoded, null, 2), `Decoded list of call ${number}`),
          ),
    );
  }

  function violations(context, run, attempt, number) {
    if (noSelection(run)) return h("p", { class: "blank" }, noSelection(run));
    if (!Array.isArray(attempt.violations)) return h("p", { class: "blank" }, "Not recorded.");
    if (attempt.violations.length === 0) return h("p", { class: "quiet" }, "None.");
    const name = (value) => (Reading.isAbsent(value) ? Reading.DASH : h("code", null, Dom.quote(Reading.words(value))));
    const rows = attempt.violations
      .filter(Reading.isObject)
      .map((one) => [
        Parts.rule(context, Reading.words(one.rule)),
        Reading.quantity(one.index),
        name(one.action),
        name(one.kwarg),
        Dom.quote(Reading.words(one.detail ?? Reading.DASH)),
      ]);
    return Parts.table(`Violations of call ${number}`, ["Rule", "Index", "Action", "Kwarg", "Detail"], rows, {
      class: "violations",
    });
  }

  /** Why there is nothing to select in a run's arm, or null. */
  function noSelection(run) {
    const read = Reading.rate(run.signals.accepted);
    return read.kind === "undefined" ? `${Reading.blank(read)}.` : null;
  }

  function selection(run, detail) {
    if (noSelection(run))
      return h("section", null, h("h2", null, "Selection"), h("p", { class: "blank" }, noSelection(run)));
    const chosen = detail.selection;
    const differs = [
      ["Missing", detail.missing],
      ["Unexpected", detail.unexpected],
    ].map(([label, counts]) => {
      if (!Reading.isObject(counts)) return [label, Reading.DASH];
      const names = Object.entries(counts).map(([name, n], at) => [
        at > 0 ? ", " : "",
        h("code", null, Dom.quote(name)),
        ` × ${Reading.quantity(n)}`,
      ]);
      return [label, names.length > 0 ? names : "nothing"];
    });
    return h(
      "section",
      null,
      h("h2", null, "Selection"),
      Reading.isAbsent(chosen)
        ? h("p", { class: "blank" }, "No selection was accepted.")
        : Reading.list(chosen).length === 0
          ? h("p", null, "The selection is empty: nothing was selected.")
          : Parts.table(
              "Selection",
              ["Action", "Kwargs"],
              Reading.list(chosen)
                .filter(Reading.isObject)
                .map((one) => [
                  h("code", null, Dom.quote(Reading.words(one.action))),
                  h("code", { class: "wrap" }, Dom.quote(JSON.stringify(one.kwargs) ?? Reading.DASH)),
                ]),
            ),
      Reading.isAbsent(detail.missing) && Reading.isAbsent(detail.unexpected) ? null : Parts.facts(differs),
      Reading.isAbsent(detail.expected)
        ? null
        : Parts.disclosure(
            "What was expected",
            Dom.block(JSON.stringify(detail.expected, null, 2), "Expected selection"),
          ),
    );
  }

  function bindings(detail) {
    const rows = Reading.list(detail.bindings)
      .filter(Reading.isObject)
      .map((one) => [
        [
          one.action ? [h("code", null, Dom.quote(Reading.words(one.action))), " "] : null,
          Dom.quote(Reading.words(one.key)),
        ],
        h("code", null, Dom.quote(Reading.words(one.kwarg))),
        Array.isArray(one.want) ? one.want.map((want, at) => [at > 0 ? " or " : "", value(want)]) : value(one.want),
        value(one.got),
        one.right === true ? "✓ right" : one.right === false ? "✗ wrong" : Reading.DASH,
      ]);
    return rows.length === 0
      ? null
      : h(
          "section",
          null,
          h("h2", null, "Bindings"),
          Parts.table("Bindings", ["Action, key", "Kwarg", "Wanted", "Got", "Verdict"], rows),
        );
  }

  const value = (any) =>
    Reading.isAbsent(any) ? Reading.DASH : h("code", { class: "wrap" }, Dom.quote(JSON.stringify(any)));

  function tree(detail) {
    const files = Reading.list(detail.tree).filter(Reading.isObject);
    const syntax = new Map(
      Reading.list(detail.syntax)
        .filter(Reading.isObject)
        .map((one) => [one.path, one]),
    );
    const missed = Reading.list(detail.anchors?.missed);
    const verdict = (path) => {
      const one = syntax.get(path);
      if (!one) return null;
      const text =
        one.ok === true ? "parses" : one.ok === false ? `does not parse: ${one.message ?? ""}` : "no checker here";
      return h("span", { class: one.ok === false ? "mark" : "quiet" }, " ", Dom.quote(text));
    };
    const written = detail.written;
    return h(
      "section",
      null,
      h("h2", null, "The tree that it made"),
      Reading.isAbsent(detail.tree)
        ? h("p", { class: "blank" }, "No tree was made.")
        : files.length === 0
          ? h("p", { class: "quiet" }, "The tree is empty.")
          : null,
      files.map((file) =>
        h(
          "details",
          { class: "file" },
          h("summary", null, h("code", null, Dom.quote(Reading.words(file.path))), verdict(file.path)),
          Dom.block(Reading.words(file.content ?? ""), `File ${file.path}`),
        ),
      ),
      detail.anchors
        ? h(
            "p",
            null,
            `${Reading.count(Reading.list(detail.anchors.filled).length, "anchor")} filled, ${missed.length} missed`,
            missed.length > 0
              ? [": ", missed.map((one, at) => [at > 0 ? ", " : "", h("code", null, Dom.quote(Reading.words(one)))])]
              : null,
            ".",
          )
        : null,
      Reading.isObject(written)
        ? Parts.facts(
            [
              ["missing", "Not written"],
              ["refused", "Written, but not named by the record"],
            ].map(([key, label]) => [
              label,
              Reading.list(written[key]).length > 0
                ? Reading.list(written[key]).map((one, at) => [
                    at > 0 ? ", " : "",
                    h("code", null, Dom.quote(Reading.words(one))),
                  ])
                : "nothing",
            ]),
          )
        : null,
    );
  }

  /** What identifies the sample, and the file that holds it. */
  function record(detail, path) {
    const code = (text) => (Reading.isAbsent(text) ? Reading.DASH : h("code", null, Dom.quote(Reading.words(text))));
    return h(
      "section",
      null,
      h("h2", null, "Stored as"),
      Parts.facts([
        ["Prompt digest", code(detail.prompt_digest)],
        ["Tree digest", code(detail.tree_digest)],
        ["Time", Reading.quantity(detail.time)],
        ["Seed", Reading.quantity(detail.seed)],
        ["Wording", Reading.quantity(detail.paraphrase)],
        ["File", h("a", { href: `results/${path}` }, path)],
      ]),
    );
  }

  root.Sample = Object.freeze({ mount });
})(globalThis);
