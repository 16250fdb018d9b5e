// A report's folder as files of the site: each byte for byte, each with a twin that a page may load from a folder.
//
// It decides which files of a report are copied, what a twin holds, and what the first screen gets. It must not mend a
// result or leave one out: a file that is not JSON is copied like any other, and the page calls it unreadable.

import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The paths of a report's files, sorted: `report.json` and what lies below `runs/` and `samples/`. Links are refused. */
export function paths(folder) {
  const found = [];
  const walk = (below) => {
    for (const name of readdirSync(join(folder, below))) {
      const path = below === "" ? name : `${below}/${name}`;
      const entry = lstatSync(join(folder, path));
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) found.push(path);
      else throw new Error(`${join(folder, path)}: is neither a file nor a folder`);
    }
  };
  walk("");
  return found.filter((path) => path === "report.json" || /^(runs|samples)\//.test(path)).sort();
}

export const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** A script that hands a file's text to the page. The text is a string there, so nothing in it is ever code. */
export function twin(path, bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return `sedumData(${literal(path)}, ${literal(text)});\n`;
  } catch {
    return `sedumData(${literal(path)}, null, "it is not UTF-8");\n`;
  }
}

// What no cell of the first screen shows. The rest of a run or a case is kept as it is.
const LATER = {
  report: ["comparisons"],
  runs: ["actions", "cost", "detail", "faults", "funnel", "label", "planned", "samples", "time"],
  cases: ["constraints", "expect", "intent", "packages", "paths", "wordings"],
};

/**
 * A script with the part of `report.json` that the first screen needs, so that it weighs little however many samples there
 * are. Text that is no JSON object is handed over as it is: the page then says what is wrong with it.
 */
export function firstScreen(bytes) {
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const without = (value, keys) => {
    const kept = isObject(value) && Object.entries(value).filter(([key]) => !keys.includes(key));
    return kept ? Object.fromEntries(kept) : value;
  };
  let report;
  try {
    report = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return twin("first-screen", bytes);
  }
  if (!isObject(report)) return twin("first-screen", bytes);
  const first = without(report, LATER.report);
  for (const key of ["runs", "cases"]) {
    if (Array.isArray(first[key])) first[key] = first[key].map((entry) => without(entry, LATER[key]));
  }
  return twin("first-screen", Buffer.from(JSON.stringify(first)));
}

/** Text as a JavaScript literal in single quotes, because JSON is full of double ones. */
function literal(text) {
  const names = { "\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r" };
  const code = (c) => names[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return `'${text.replace(/[\\'\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/g, code)}'`;
}

/** The manifest of copied files: path, length and digest of each. */
export function manifest(folder, names) {
  const files = names.map((path) => {
    const bytes = readFileSync(join(folder, path));
    return { path, bytes: bytes.length, sha256: digest(bytes) };
  });
  return `${JSON.stringify({ schema: 1, files }, null, 1)}\n`;
}

/** Runs and samples that the index names and the folder lacks. What cannot be read names none. */
export function lost(folder, names) {
  const present = new Set(names);
  const read = (path) => {
    try {
      return JSON.parse(readFileSync(join(folder, path), "utf8"));
    } catch {
      return null;
    }
  };
  const list = (value) => (Array.isArray(value) ? value : []);
  const named = list(read("report.json")?.runs).flatMap((run) => {
    const detail = typeof run?.detail === "string" ? run.detail : null;
    const samples = list(run?.samples ?? (present.has(detail) ? read(detail)?.samples : null));
    return [detail, ...samples.map((sample) => sample?.detail)];
  });
  return named.filter((path) => typeof path === "string" && !present.has(path));
}
