// The words of the page and what they mean. What the report itself defines (rungs, arms, rules, further terms) is added to
// these; where both define a word, the report's meaning counts.
(function (root) {
  "use strict";

  const { h } = Dom;

  const OWN = [
    [
      "case",
      "case",
      "One task: a record, the packages that serve it, run variables, and what a right answer holds. Cases are never added up: a rate belongs to one model on one case.",
    ],
    [
      "model",
      "model",
      "A model as it was served: its name, the engine that ran it and the quantisation of its weights. The same weights in two engines are two models.",
    ],
    [
      "arm",
      "arm",
      "What a model is given and asked for. The arms form a ladder: each gives the model more to hold on to than the one before.",
    ],
    [
      "run",
      "run",
      "One case, one model, one arm and one set of factors, asked a number of times that was fixed beforehand.",
    ],
    ["sample", "sample", "One time that a case was asked, from the first call to the last answer."],
    [
      "rung",
      "rung",
      "A question with a yes or no (or a number of parts) that every sample is asked, such as: was the first answer accepted? Later rungs mostly ask for more, so that the numbers fall from one to the next.",
    ],
    ["fraction", "k/n", "k of n units reached the rung. A rate is never shown without it."],
    [
      "interval",
      "interval",
      "The 95 % Wilson interval: a range that a procedure makes which covers the true rate in 95 of 100 repetitions. With five samples it is wide, and that is the news. Where parts of a sample are counted (anchors, files), samples are drawn again and again instead (bootstrap), because parts of one sample resemble each other.",
    ],
    [
      "factor",
      "factor",
      "Something varied on purpose: whether a response schema was sent, whether the whole catalog was shown, the temperature, the seed, the wording of the record, the order of the catalog.",
    ],
    ["resolution", "resolution", "How many samples a run set out to take: smoke 2, coarse 5 or more, fine 30 or more."],
    ["funnel", "funnel", "How many samples are left after each stage, and why the others dropped out."],
    ["violation", "violation", "A fault of a selection that a rule names by a slug. One answer may have several."],
    [
      "failed",
      "failed sample",
      "A sample that never reached the model, because of the server or the network. It says nothing about the model, so it is in no denominator. Its number is shown.",
    ],
    [
      "undefined",
      "not defined",
      "The signal has no meaning there. The baseline arm has no catalog, so it selects nothing, and nothing can be right or wrong about that.",
    ],
    [
      "unrecorded",
      "not recorded",
      "The signal has a meaning, but nobody wrote the value down: a server may report no usage. It is not zero.",
    ],
    [
      "unreadable",
      "unreadable",
      "An entry of the results that does not say what it should. It is neither mended nor counted.",
    ],
    [
      "fixture",
      "fixture digest",
      "A short fingerprint of all that a run was made from: packages, records, variables and expectations. Runs with different digests are about different things and are never put together.",
    ],
    [
      "retries",
      "retry budget",
      "How often a rejected answer may be asked for again. Zero here, unless a run says otherwise.",
    ],
    [
      "mcnemar",
      "McNemar's test",
      "For two runs that answered the same prompts. Only pairs in which one side passed and the other did not tell them apart; p is how likely a split at least so uneven would be if both were alike. With n such pairs, p cannot fall below 2 to the power 1-n. The report computes it; this page only shows it.",
    ],
    ["pair", "pair", "The samples of two runs that were asked the same prompt."],
    ["commit", "commit", "The state of the tool's source that made the run."],
    ["tokens", "tokens", "What the server says that it read and wrote. Never estimated."],
  ];

  /** All terms of a report in groups: `[{ title, entries: [{ id, name, means, limits }] }]`. */
  function groups(report) {
    const entry = (source) => ({
      id: source.id,
      name: source.name ?? source.id,
      means: source.means ?? "",
      limits: source.limits ?? null,
    });
    const rungs = Reading.list(report.rungs).map((rung) => ({ ...entry(rung), id: `rung-${rung.id}` }));
    const arms = Reading.list(report.arms).map((arm) => ({ ...entry(arm), id: `arm-${arm.id}` }));
    const rules = Reading.list(report.rules).map((rule) => ({
      id: `rule-${rule.slug}`,
      name: rule.slug,
      means: rule.means ?? "",
      slug: true,
      limits: null,
    }));
    const marks = Reading.MARKS.map((mark) => ({
      id: `mark-${mark.id}`,
      name: mark.label,
      means: mark.means,
      limits: null,
    }));
    const given = new Map(Reading.list(report.terms).map((term) => [term.id, entry(term)]));
    const taken = new Set([...rungs, ...arms].map((known) => known.name));
    const own = OWN.map(([id, name, means]) => given.get(id) ?? { id, name, means, limits: null });
    const rest = [...given.values()].filter((term) => !OWN.some(([id]) => id === term.id) && !taken.has(term.name));
    return [
      { title: "Arms", entries: arms },
      { title: "Rungs", entries: rungs },
      { title: "Words", entries: [...own, ...rest] },
      { title: "Marks", entries: marks },
      { title: "Rules, and what each asks for", entries: rules },
    ];
  }

  /** The glossary, to be put on the page once. */
  function glossary(report) {
    const sections = groups(report)
      .filter((group) => group.entries.length > 0)
      .map((group) =>
        h(
          "section",
          { class: "glossary-group" },
          h("h3", null, group.title),
          h(
            "dl",
            null,
            group.entries.map((entry) =>
              h(
                "div",
                { id: `term-${entry.id}`, tabindex: "-1" },
                h("dt", null, entry.slug ? h("code", null, entry.name) : entry.name),
                h("dd", null, entry.means),
                entry.limits ? h("dd", { class: "limits" }, h("b", null, "Limits: "), entry.limits) : null,
              ),
            ),
          ),
        ),
      );
    return [h("h2", { id: "terms-title" }, "Terms"), sections];
  }

  /** A word as a link to its meaning. */
  const term = (id, text) => h("a", { class: "term", href: `#term-${id}` }, text);

  root.Terms = Object.freeze({ glossary, groups, term });
})(globalThis);
