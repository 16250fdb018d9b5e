// Loading results. Every file of the report has a twin that is a script, because a page that was opened from a folder may
// not fetch; the twin carries the file's text, and it is read as JSON here, on a server and from a folder alike.
//
// It decides how a file or a script of the site is loaded, once each; it must not know what they say.
(function (root) {
  "use strict";

  const loaded = new Map();
  const asked = new Map();

  /** What a twin calls: the path in the report, its text, or why there is no text. */
  root.sedumData = (path, text, why) => loaded.set(path, Reading.parse(text, why));

  /** Runs a script of the site: a promise of whether it is there. */
  function run(address) {
    if (!asked.has(address)) {
      const promise = new Promise((resolve) => {
        const script = document.createElement("script");
        script.src = address;
        script.addEventListener("load", () => resolve(true));
        script.addEventListener("error", () => resolve(false));
        document.head.append(script);
      });
      asked.set(address, promise);
    }
    return asked.get(address);
  }

  /** What a twin that has run said: `{ value }` or `{ why }`. */
  const at = (path) => loaded.get(path) ?? { why: "the file is not there" };

  /** A file of the report: a promise of `{ value }` or `{ why }`. */
  async function load(path) {
    await run(`results/${path.split("/").map(encodeURIComponent).join("/")}.js`);
    return at(path);
  }

  /** One of the page's own scripts. */
  const script = (name) => run(`js/${name}.js`);

  root.Data = Object.freeze({ at, load, script });
})(globalThis);
