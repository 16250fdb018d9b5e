// Start: keeps the state in the address, loads what a view needs, and shows it.
//
// It decides which view is shown, when what is loaded, and where the focus goes; it must not draw results. The first screen
// comes with a part of the report (`results/first-screen.js`, made by the build); the whole follows when a view asks for it.
(function () {
  "use strict";

  const { h, replace } = Dom;
  const FIRST = { view: "matrix", run: null, sample: null, params: {} };
  /** What each view needs beyond the first screen: scripts, and the name of the global that has `mount`. */
  const VIEWS = {
    matrix: { name: "Matrix", scripts: [] },
    run: { name: "Run", scripts: ["comparisons", "run"] },
    sample: { name: "Sample", scripts: ["sample"] },
    failures: { name: "Failures", scripts: ["failures"] },
    comparisons: { name: "Comparisons", scripts: ["comparisons"] },
  };
  const place = document.getElementById("view");
  let made = null;
  let turn = 0;

  /** The links above: they keep the filters, and say which one is shown. */
  function navigation() {
    for (const link of document.querySelectorAll("nav [data-view]")) {
      const { view } = link.dataset;
      link.setAttribute("href", made.link({ view }));
      const current = view === made.state.view || (view === "matrix" && ["run", "sample"].includes(made.state.view));
      if (current) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  function take(report, state) {
    made = Context.make(report, navigation);
    made.state = state;
  }

  /** Why a loaded report cannot be shown, or null. */
  function unfit({ value, why }) {
    if (why) return why;
    if (!Reading.isObject(value)) return "it is no report";
    return value.schema === 1 ? null : `it has schema ${Reading.words(value.schema)}, and this page reads schema 1`;
  }

  function refuse(why) {
    replace(place, h("h1", { id: "view-title", tabindex: "-1" }, "The results cannot be read"), h("p", null, why, "."));
  }

  /** A long report keeps samples and funnel of a run in a file of the run's own: puts them where a short report has them. */
  async function fill(run) {
    if (!run || run.samples !== undefined || Reading.isAbsent(run.detail)) return;
    const path = Reading.detailPath(run.detail);
    const { value, why } = path === null ? { why: "its path does not lead to a run" } : await Data.load(path);
    if (!Reading.isObject(value)) {
      run.lost = why ?? "it is no run";
      return;
    }
    for (const key of ["actions", "funnel", "samples"]) {
      if (run[key] === undefined) run[key] = value[key];
    }
  }

  async function show(state, focus) {
    const mine = (turn += 1);
    const { name, scripts } = VIEWS[state.view];
    made.state = state;
    navigation();
    if (state.view !== "matrix") {
      place.setAttribute("aria-busy", "true");
      const [whole] = await Promise.all([Data.load("report.json"), ...scripts.map(Data.script)]);
      if (unfit(whole) === null && made.whole !== whole.value) {
        take(whole.value, made.state);
        made.whole = whole.value;
      }
      if (unfit(whole) === null && state.run) await fill(made.run(state.run));
      // Another view was asked for meanwhile.
      if (mine !== turn) return;
      place.removeAttribute("aria-busy");
      if (unfit(whole) !== null) return void refuse(unfit(whole));
    }
    globalThis[name].mount(place, made);
    const title = document.getElementById("view-title");
    document.title = `${title.textContent} · Sedum`;
    if (focus) {
      scrollTo(0, 0);
      title.focus({ preventScroll: true });
    }
  }

  function start() {
    const first = Data.at("first-screen");
    const why = unfit(first);
    if (why !== null) return void refuse(why);
    take(first.value, FIRST);
    replace(document.getElementById("terms"), Terms.glossary(made.report));
    const fragment = Reading.parseHash(location.hash) === null ? location.hash.slice(1) : "";
    show(Reading.parseHash(location.hash) ?? FIRST, false).then(() => {
      if (fragment) document.getElementById(decodeURIComponent(fragment))?.scrollIntoView();
    });
    addEventListener("hashchange", () => {
      // A fragment of the page itself, such as a term, changes nothing; nor does the way back from it.
      const state = location.hash === "" ? FIRST : Reading.parseHash(location.hash);
      if (state !== null && Reading.formatHash(state) !== Reading.formatHash(made.state)) show(state, true);
    });
    document.querySelector(".skip").addEventListener("click", (event) => {
      event.preventDefault();
      document.getElementById("view-title").focus();
    });
  }

  start();
})();
