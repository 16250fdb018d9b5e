#!/usr/bin/env node
// Builds the site: `node docs/site/build.mjs [--report DIR] [--out DIR] [--docs DIR] [--check]`.
//
// It decides which files the finished folder has and what each holds, as one list. A build writes that list; a check holds
// an existing folder against it. Node's own modules are all that it needs.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { escapeHtml, render } from "./lib/markdown.mjs";
import { address, missing, order } from "./lib/pages.mjs";
import { digest, firstScreen, lost, manifest, paths, twin } from "./lib/results.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, "../..");

const USAGE = `node docs/site/build.mjs [--report DIR] [--out DIR] [--docs DIR] [--check]

  --report DIR  the folder that \`sedum-evals report\` wrote (evals/report if it is there, else target/evals-report)
  --out DIR     the finished site (target/site); its former content is removed
  --docs DIR    the documents (docs)
  --check       writes nothing: says what of an existing site differs from what a build would write`;

const MAKE = "cargo run --features evals --bin sedum-evals -- report --output target/evals-report";

/** Where a report is looked for when none is named. */
export function standing() {
  const committed = join(ROOT, "evals/report");
  return existsSync(join(committed, "report.json")) ? committed : join(ROOT, "target/evals-report");
}

/** Every file of the finished site, one after the other: `{ path, bytes }`. */
export function* files({ report, docs }) {
  const page = join(HERE, "page");
  yield { path: "index.html", bytes: readFileSync(join(page, "index.html")) };
  yield { path: "site.css", bytes: readFileSync(join(page, "site.css")) };
  for (const name of readdirSync(page)
    .filter((name) => name.endsWith(".js"))
    .sort()) {
    yield { path: `js/${name}`, bytes: readFileSync(join(page, name)) };
  }
  yield* documents(docs, readFileSync(join(page, "doc.html"), "utf8"));
  const names = paths(report);
  for (const name of names) {
    const bytes = readFileSync(join(report, name));
    yield { path: `results/${name}`, bytes };
    yield { path: `results/${name}.js`, bytes: Buffer.from(twin(name, bytes)) };
  }
  yield { path: "results/first-screen.js", bytes: Buffer.from(firstScreen(readFileSync(join(report, "report.json")))) };
  yield { path: "results/manifest.json", bytes: Buffer.from(manifest(report, names)) };
}

const present = (docs) =>
  readdirSync(docs)
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.slice(0, -3));

function* documents(docs, template) {
  const names = present(docs);
  const repository = /^repository = "([^"]+)"/m.exec(readFileSync(join(ROOT, "Cargo.toml"), "utf8"))[1];
  const pages = order(names);
  for (const { name } of pages) {
    const file = join(docs, `${name}.md`);
    const link = (target) => address(target, names, repository);
    const { html, title, headings } = render(readFileSync(file, "utf8"), { link, name: relative(ROOT, file) });
    const links = pages.map(
      (page) =>
        `<li><a href="${page.name}.html"${page.name === name ? ' aria-current="page"' : ""}>${escapeHtml(page.label)}</a></li>`,
    );
    const parts = {
      title: escapeHtml(title ?? name),
      pages: links.join("\n"),
      content: html.replace(/<\/h1>|$/, (end) => `${end}${contents(headings)}`),
    };
    yield {
      path: `docs/${name}.html`,
      bytes: Buffer.from(template.replace(/\{\{(\w+)\}\}/g, (_, part) => parts[part])),
    };
  }
}

/** The headings below the title as a list of links, folded. */
function contents(headings) {
  const listed = headings.slice(1).filter(({ level }) => level <= 3);
  if (listed.length < 3) return "";
  const plain = (html) => html.replace(/<\/?a\b[^>]*>/g, "");
  const items = listed.map(
    ({ level, id, html }) => `<li class="level-${level}"><a href="#${escapeHtml(id)}">${plain(html)}</a></li>`,
  );
  return `<details class="toc"><summary>On this page</summary>\n<ul>\n${items.join("\n")}\n</ul></details>`;
}

/** Writes the site. A folder that is not a former site is left alone. */
export function build({ report, docs, out }) {
  const former = existsSync(out) && readdirSync(out).length > 0;
  if (former && !existsSync(join(out, "results/manifest.json"))) {
    throw new Error(`${out}: holds something that is no site: name an empty folder, or remove it`);
  }
  rmSync(out, { recursive: true, force: true });
  let count = 0;
  for (const { path, bytes } of files({ report, docs })) {
    const target = join(out, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
    count += 1;
  }
  return count;
}

/**
 * What is wrong with a finished site, a line each: files that differ, lack or are too many, digests that the manifest has
 * otherwise, samples that the index names and nobody has, documents that have to be there.
 */
export function check({ report, docs, out }) {
  const faults = missing(present(docs)).map((name) => `docs/${name}.md: is not there, and the site needs it`);
  faults.push(...lost(report, paths(report)).map((path) => `${path}: the index names it, and the report lacks it`));
  const foreseen = new Set();
  for (const { path, bytes } of files({ report, docs })) {
    foreseen.add(path);
    const target = join(out, path);
    if (!existsSync(target)) faults.push(`${path}: is not in the site`);
    else if (!readFileSync(target).equals(bytes)) faults.push(`${path}: differs from what a build writes`);
  }
  faults.push(...strangers(out, foreseen), ...digests(out));
  return faults;
}

function strangers(out, foreseen) {
  const all = existsSync(out) ? readdirSync(out, { recursive: true }).map((path) => path.replaceAll("\\", "/")) : [];
  return all
    .filter((path) => !statSync(join(out, path)).isDirectory() && !foreseen.has(path))
    .map((path) => `${path}: no build writes it`);
}

function digests(out) {
  const file = join(out, "results/manifest.json");
  if (!existsSync(file)) return [];
  let listed;
  try {
    listed = JSON.parse(readFileSync(file, "utf8")).files;
  } catch {
    return ["results/manifest.json: is not JSON"];
  }
  const wrong = ({ path, sha256 }) => {
    const copy = join(out, "results", path);
    return !existsSync(copy) || digest(readFileSync(copy)) !== sha256;
  };
  return listed.filter(wrong).map(({ path }) => `results/${path}: its digest is not the manifest's`);
}

function main() {
  let values;
  try {
    const text = { type: "string" };
    const flag = { type: "boolean", default: false };
    ({ values } = parseArgs({
      options: { report: text, out: text, docs: text, check: flag, help: { ...flag, short: "h" } },
    }));
  } catch (error) {
    console.error(`site: ${error.message}\n\n${USAGE}`);
    return 2;
  }
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const places = {
    report: resolve(values.report ?? standing()),
    out: resolve(values.out ?? join(ROOT, "target/site")),
    docs: resolve(values.docs ?? join(ROOT, "docs")),
  };
  if (!existsSync(join(places.report, "report.json"))) {
    console.error(
      `site: ${places.report}: holds no report.json: make it with \`${MAKE}\`, or name its folder with --report`,
    );
    return 1;
  }
  try {
    if (!values.check) {
      console.log(`${build(places)} files in ${places.out}`);
      return 0;
    }
    const faults = check(places);
    for (const fault of faults) console.error(`site: ${fault}`);
    if (faults.length === 0) console.log(`${places.out} is what a build writes`);
    return faults.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(`site: ${error.message}`);
    return 1;
  }
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) process.exitCode = main();
