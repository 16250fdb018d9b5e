// The build: fidelity of what is copied (O2), the check that must be able to fail, and what the page's scripts may not do.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { build, check } from "../build.mjs";
import { digest, firstScreen, paths, twin } from "../lib/results.mjs";
import { HOSTILE, write } from "./synthetic.mjs";

const SITE = fileURLToPath(new URL("../", import.meta.url));
const DOCS = join(SITE, "..");
const scratch = mkdtempSync(join(tmpdir(), "sedum-site-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const report = join(scratch, "report");
write(report);

function site(name) {
  const places = { report, docs: DOCS, out: join(scratch, name) };
  build(places);
  return places;
}

test("O2: every result is copied byte for byte, and the manifest has its digest", () => {
  const { out } = site("copied");
  const names = paths(report);
  const listed = JSON.parse(readFileSync(join(out, "results/manifest.json"), "utf8")).files;
  assert.deepEqual(
    listed.map(({ path }) => path),
    names,
  );
  for (const { path, bytes, sha256 } of listed) {
    const copy = readFileSync(join(out, "results", path));
    assert.ok(copy.equals(readFileSync(join(report, path))), path);
    assert.equal(copy.length, bytes);
    assert.equal(digest(copy), sha256);
  }
  assert.ok(names.includes("samples/odd-failed/5.json"), "a file that is not JSON is copied too");
});

test("a built site passes the check, and each kind of damage fails it", () => {
  const append = (path) => [path, (bytes) => Buffer.concat([bytes, Buffer.from(" ")])];
  const remove = (path) => [path, () => null];
  const damage = [
    ["results/report.json: differs", append("results/report.json")],
    ["results/report.json: its digest", append("results/report.json")],
    ["results/report.json.js: differs", append("results/report.json.js")],
    ["results/samples/odd-silent/5.json: is not in the site", remove("results/samples/odd-silent/5.json")],
    ["docs/rules.html: differs", ["docs/rules.html", () => Buffer.from("x")]],
    ["results/samples/extra.json: no build writes it", ["results/samples/extra.json", () => Buffer.from("{}")]],
    ["js/main.js: is not in the site", remove("js/main.js")],
    ["results/manifest.json: is not JSON", ["results/manifest.json", () => Buffer.from("{")]],
  ];
  const places = site("damaged");
  const put = (file, bytes) => (bytes === null ? rmSync(file, { force: true }) : writeFileSync(file, bytes));
  for (const [expected, [path, harm]] of damage) {
    const file = join(places.out, path);
    const before = existsSync(file) ? readFileSync(file) : null;
    put(file, harm(before));
    assert.ok(
      check(places).some((fault) => fault.startsWith(expected)),
      expected,
    );
    put(file, before);
  }
  assert.deepEqual(check(places), []);
});

test("a sample that the index names and the report lacks is a fault, and so is a required document", () => {
  const poor = join(scratch, "poor");
  cpSync(report, poor, { recursive: true });
  rmSync(join(poor, "samples/odd-smoke/1.json"));
  rmSync(join(poor, "runs/odd-dirty.json"));
  const docs = join(scratch, "docs");
  mkdirSync(docs);
  for (const name of readdirSync(DOCS).filter((file) => file.endsWith(".md") && file !== "security.md"))
    cpSync(join(DOCS, name), join(docs, name));
  const places = { report: poor, docs, out: join(scratch, "poor-site") };
  build(places);
  assert.deepEqual(check(places), [
    "docs/security.md: is not there, and the site needs it",
    "samples/odd-smoke/1.json: the index names it, and the report lacks it",
    "runs/odd-dirty.json: the index names it, and the report lacks it",
  ]);
});

test("a folder that is no site is left alone, and a link in a report is refused", () => {
  const mine = join(scratch, "mine");
  mkdirSync(mine);
  writeFileSync(join(mine, "thesis.txt"), "x");
  assert.throws(() => build({ report, docs: DOCS, out: mine }), /holds something that is no site/);
  assert.ok(existsSync(join(mine, "thesis.txt")));
  const linked = join(scratch, "linked");
  mkdirSync(join(linked, "samples/a"), { recursive: true });
  writeFileSync(join(linked, "report.json"), "{}");
  symlinkSync("/etc/passwd", join(linked, "samples/a/1.json"));
  assert.throws(
    () => build({ report: linked, docs: DOCS, out: join(scratch, "linked-site") }),
    /neither a file nor a folder/,
  );
});

test("a twin hands over exactly the text of its file, and nothing in it runs", () => {
  const run = (script) => {
    const seen = [];
    vm.runInNewContext(script, { sedumData: (...given) => seen.push(given), window: {} });
    return seen;
  };
  for (const text of [...HOSTILE, "{}", "", "\\u0041 \\' '\r\n", '{"__proto__": {"x": 1}}']) {
    assert.deepEqual(run(twin("samples/a/1.json", Buffer.from(text))), [["samples/a/1.json", text]]);
  }
  assert.deepEqual(run(twin("x.json", Buffer.from([0x7b, 0xff]))), [["x.json", null, "it is not UTF-8"]]);
});

test("the first screen gets every run with its signals, and no sample", () => {
  const whole = JSON.parse(readFileSync(join(report, "report.json"), "utf8"));
  let first;
  vm.runInNewContext(firstScreen(readFileSync(join(report, "report.json"))), {
    sedumData: (path, text) => (first = JSON.parse(text)),
  });
  assert.equal(first.runs.length, whole.runs.length);
  for (const [at, run] of whole.runs.entries()) {
    for (const key of [
      "id",
      "case",
      "model",
      "arm",
      "factors",
      "resolution",
      "retries",
      "commit",
      "clean",
      "digest",
      "current_digest",
      "n",
      "failed",
      "signals",
    ]) {
      assert.deepEqual(first.runs[at]?.[key], run?.[key], key);
    }
    assert.equal(first.runs[at]?.samples, undefined);
  }
  assert.deepEqual(first.rungs, whole.rungs);
  assert.equal(firstScreen(Buffer.from("{ no")), "sedumData('first-screen', '{ no');\n");
  assert.equal(firstScreen(Buffer.from("[1]")), "sedumData('first-screen', '[1]');\n");
});

test("the command says what is wrong and how to mend it", () => {
  const command = (...words) => spawnSync(process.execPath, [join(SITE, "build.mjs"), ...words], { encoding: "utf8" });
  const none = command("--report", join(scratch, "nowhere"));
  assert.equal(none.status, 1);
  assert.match(none.stderr, /holds no report\.json: make it with `cargo run .*sedum-evals -- report/);
  assert.equal(command("--unknown").status, 2);
  assert.equal(command("--help").status, 0);
  const out = join(scratch, "by-command");
  assert.equal(command("--report", report, "--out", out).status, 0);
  assert.equal(command("--report", report, "--out", out, "--check").status, 0);
  appendFileSync(join(out, "site.css"), "/* */");
  const damaged = command("--report", report, "--out", out, "--check");
  assert.equal(damaged.status, 1);
  assert.match(damaged.stderr, /^site: site\.css: differs/m);
});

test("no script of the page can set HTML, run text or leave the site", () => {
  const page = join(SITE, "page");
  const forbidden =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|\bFunction\(|setTimeout\(["'`]|srcdoc|DOMParser|createContextualFragment|\bfetch\(|XMLHttpRequest|https?:\/\/(?!www\.w3\.org\/2000\/svg)/;
  for (const name of readdirSync(page)) {
    if (/\.(js|html|css)$/.test(name)) assert.doesNotMatch(readFileSync(join(page, name), "utf8"), forbidden, name);
  }
  for (const name of ["index.html", "doc.html"]) {
    const text = readFileSync(join(page, name), "utf8");
    assert.match(text, /Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self'/);
    assert.doesNotMatch(text, /<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=/);
  }
});
