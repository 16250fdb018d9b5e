// Loading results. Every file of the report has a twin that is a script, because a page that was opened from a folder may
// not fetch; the twin carries the file's text, and it is read as JSON here, on a server and from a folder alike.
(function (root) {
  "use strict";

  const waiting = new Map();
  const loaded = new Map();

  /** What a twin calls: the path in the report, its text, or why there is no text. */
  root.sedumData = function (path, text, why) {
    loaded.set(path, Reading.parse(text, why));
    waiting.get(path)?.(loaded.get(path));
  };

  /** A file of the report: a promise of `{ value }` or `{ why }`. Each is loaded once. */
  function load(path) {
    if (loaded.has(path)) return Promise.resolve(loaded.get(path));
    return new Promise((resolve) => {
      waiting.set(path, resolve);
      const script = document.createElement("script");
      script.src = `results/${path.split("/").map(encodeURIComponent).join("/")}.js`;
      script.addEventListener("error", () => resolve({ why: "the file is not there" }));
      script.addEventListener("load", () => resolve(loaded.get(path) ?? { why: "the file says something else" }));
      document.head.append(script);
    });
  }

  root.Data = Object.freeze({ load, report: () => loaded.get("report.json") ?? { why: "report.json is not there" } });
})(globalThis);
