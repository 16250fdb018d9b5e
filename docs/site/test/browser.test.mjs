// The site in a real browser: Chromium, headless, from a server and from a folder. It holds what is on the page against the
// files of the report; axe looks at every view in both themes.
//
// Two reports: the synthetic one, and the committed one where there is one (`SEDUM_REPORT`, or where the build looks for one).
// `SEDUM_SHOTS=DIR` keeps screenshots.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { build, standing } from "../build.mjs";
import { write } from "./synthetic.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = join(HERE, "../../..");
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const KINDS = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".json": "application/json" };
const SHOTS = process.env.SEDUM_SHOTS;

const scratch = mkdtempSync(join(tmpdir(), "sedum-browser-"));
const synthetic = join(scratch, "synthetic");
write(synthetic);
const committed = process.env.SEDUM_REPORT ?? standing();
const reports = [
  ["synthetic", synthetic],
  ...(existsSync(join(committed, "report.json")) ? [["committed", committed]] : []),
];

let browser;
before(async () => {
  browser = await chromium.launchPersistentContext(join(scratch, "profile"), {
    executablePath: BROWSER,
    args: FLAGS,
    viewport: { width: 1280, height: 900 },
  });
});
after(async () => {
  await browser?.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** Serves a folder on the loopback interface: `{ base, sent, close }`; `sent` counts the bytes of bodies. */
async function serve(folder) {
  const server = createServer((request, response) => {
    const path = join(folder, decodeURIComponent(new URL(request.url, "http://x").pathname));
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, "index.html") : path;
    if (!file.startsWith(folder) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    const bytes = readFileSync(file);
    served.sent += bytes.length;
    response.writeHead(200, { "content-type": `${KINDS[extname(file)] ?? "text/plain"}; charset=utf-8` }).end(bytes);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const served = {
    base: `http://127.0.0.1:${server.address().port}/`,
    sent: 0,
    close: () => new Promise((done) => server.close(done)),
  };
  return served;
}

/** A page that remembers what went wrong on it. */
async function open(address) {
  const page = await browser.newPage();
  page.faults = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.faults.push(message.text()));
  page.on("pageerror", (error) => page.faults.push(error.message));
  page.on("dialog", (dialog) => {
    page.faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(address);
  await page.waitForSelector("#view-title, #content h1");
  return page;
}

async function leave(page) {
  assert.deepEqual(page.faults, []);
  assert.equal(await page.evaluate("window.hit"), undefined, "text of a model was run");
  assert.equal(await page.evaluate("({}).polluted"), undefined);
  await page.close();
}

async function axe(page, view) {
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(readFileSync(AXE, "utf8"));
  const { violations } = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
  const grave = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  assert.deepEqual(
    grave.map(({ id, nodes }) => `${view}: ${id}: ${nodes[0].html} ${nodes[0].failureSummary}`),
    [],
  );
}

async function shot(page, name) {
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

/** Both themes of a view, each seen by axe. */
async function themes(page, name) {
  await page.evaluate("localStorage.clear(); delete document.documentElement.dataset.theme");
  const papers = new Set();
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    papers.add(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
    await axe(page, `${name}, ${scheme}`);
    await shot(page, `${name}-${scheme}`);
  }
  assert.equal(papers.size, 2, "the themes differ");
}

/** Text as the page shows it: what could not be seen is written as its code. */
async function shown(page, text) {
  return page.evaluate(
    (given) =>
      Reading.visible(given)
        .map((piece) => piece.text)
        .join(""),
    text,
  );
}

/** Whether a run is left out until it is asked for (O4). */
const marked = (run) =>
  run.resolution === "smoke" ||
  run.clean !== true ||
  !["coarse", "fine"].includes(run.resolution) ||
  !run.commit ||
  !run.digest;

for (const [name, folder] of reports) {
  describe(`the ${name} report`, () => {
    const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8"));
    // A long report keeps a run's samples in a file of its own.
    const filled = (run) => {
      if (run.samples) return run;
      try {
        return { ...run, ...JSON.parse(readFileSync(join(folder, run.detail), "utf8")) };
      } catch {
        return { ...run, samples: [], funnel: [] };
      }
    };
    const runs = report.runs.filter((run) => run?.signals).map(filled);
    const out = join(scratch, `${name}-site`);
    // Results of which every run is marked are looked at with the marks let in, so that the pages are tried all the same.
    const letIn = runs.every(marked) ? "show=dirty,smoke,undigested,unlabelled" : "";
    const off = letIn ? () => false : marked;
    let served;
    const at = (hash) => `${served.base}${letIn ? `${hash}${hash.includes("?") ? "&" : "?"}${letIn}` : hash}`;
    before(async () => {
      build({ report: folder, docs: join(ROOT, "docs"), out });
      served = await serve(out);
    });
    after(() => served?.close());

    test("the first screen weighs less than 300 kB", async () => {
      served.sent = 0;
      const page = await open(at("#/"));
      await page.waitForSelector("table.matrix");
      assert.ok(served.sent < 300000, `${served.sent} bytes`);
      await leave(page);
    });

    test("the matrix shows each run of the report with its fraction, interval and commit", async () => {
      const page = await open(at("#/"));
      for (const rung of report.rungs) {
        await page.locator(`input[name=rung][value="${rung.id}"]`).check({ force: true });
        const cells = await page
          .locator("a.cell")
          .evaluateAll((links) =>
            links.map((link) => [
              decodeURIComponent(link.hash.split("?")[0].replace("#/run/", "")),
              link.innerText.replace(/\s+/g, " ").trim(),
            ]),
          );
        assert.deepEqual(
          cells.map(([id]) => id).sort(),
          runs
            .filter((run) => !off(run))
            .map(({ id }) => id)
            .sort(),
        );
        for (const [id, text] of cells) {
          const run = runs.find((one) => one.id === id);
          const signal = run.signals[rung.id];
          if (signal?.n > 0 && typeof signal.low === "number") {
            assert.ok(text.startsWith(`${signal.k}/${signal.n} `), `${id}: ${text}`);
            assert.ok(
              text.includes(`${Math.round(signal.low * 100)}–${Math.round(signal.high * 100)} %`),
              `${id}: ${text}`,
            );
            assert.ok(text.endsWith(run.commit?.slice(0, 7) ?? "no commit"), `${id}: ${text}`);
          } else {
            assert.match(text, /^(not defined|not recorded|nothing to count|unreadable) \S/, id);
            assert.doesNotMatch(text, /\d+\/\d+ \d+–/, id);
          }
          if (run.failed > 0) assert.ok(text.includes(`+${run.failed} failed`));
        }
        assert.match(await page.locator("[role=status]").first().innerText(), new RegExp(`${cells.length}`));
      }
      await leave(page);
    });

    test("a cell opens its funnel, a sample shows its answer, and both have addresses", async () => {
      const page = await open(at("#/"));
      const run = runs.find(
        (one) => !off(one) && one.samples.length > 0 && one.funnel.length > 0 && one.arm === "sedum",
      );
      await page.locator(`a.cell[href^="#/run/${run.id}"]`).first().click();
      await page.waitForSelector("ol.funnel");
      assert.equal(await page.evaluate("document.activeElement.id"), "view-title", "the focus follows to the new view");
      const counts = await page.locator("ol.funnel .count").allInnerTexts();
      assert.deepEqual(
        counts,
        run.funnel.map(({ count }) => String(count)),
      );
      const drops = run.funnel.flatMap(({ dropped }) => dropped ?? []);
      const text = await page.locator("ol.funnel").innerText();
      for (const { reason, count } of drops) assert.ok(text.includes(`−${count}`) && text.includes(reason));
      const sample = run.samples.at(-1);
      await page.locator(`table.samples a[href^="#/run/${run.id}/sample/${sample.n}"]`).first().click();
      await page.waitForSelector(".answer pre");
      const stored = JSON.parse(readFileSync(join(folder, sample.detail), "utf8"));
      const answers = stored.attempts.map(({ answer }) => answer).filter((answer) => answer !== null);
      for (const [at, answer] of answers.entries()) {
        const begins = (await shown(page, answer)).slice(0, 5000);
        assert.ok((await page.locator(".answer pre").nth(at).textContent()).startsWith(begins));
      }
      const violations = stored.attempts.flatMap((attempt) => attempt.violations ?? []);
      assert.equal(await page.locator("table.violations tbody tr").count(), violations.length);
      for (const file of stored.tree ?? [])
        assert.ok((await page.locator("details.file").allTextContents()).some((shown) => shown.includes(file.path)));
      const address = page.url();
      await page.goBack();
      await page.waitForSelector("ol.funnel");
      await page.goto("about:blank");
      await page.goto(address);
      await page.waitForSelector(".answer pre");
      await leave(page);
    });

    test("filters narrow the matrix, are said aloud, and are kept in the address", async () => {
      const page = await open(at("#/"));
      const model = report.models[0].label;
      await page.getByLabel("Model", { exact: true }).selectOption(model);
      const expected = runs.filter((run) => run.model === model && !off(run)).length;
      assert.equal(await page.locator("a.cell").count(), expected);
      assert.match(
        await page.locator("[role=status]").first().innerText(),
        new RegExp(`${expected} of ${runs.length} runs shown`),
      );
      await page.reload();
      await page.waitForSelector("table.matrix");
      assert.equal(await page.locator("a.cell").count(), expected);
      const commits = [...new Set(runs.map((run) => run.commit).filter(Boolean))];
      if (commits.length > 1) {
        await page.getByLabel("Commit", { exact: true }).selectOption(commits[0]);
        const both = runs.filter((run) => run.model === model && run.commit === commits[0] && !off(run));
        assert.equal(await page.locator("a.cell").count(), both.length);
      }
      await leave(page);
    });

    test("failures lead to the samples, comparisons show what the report says", async () => {
      const fault = runs
        .filter((run) => !off(run))
        .flatMap((run) => (run.faults ?? []).map((one) => ({ ...one, run })))
        .find(({ action, samples }) => action && samples?.length > 0);
      const page = await open(at("#/failures"));
      if (fault) {
        await page.getByLabel("Rule", { exact: true }).selectOption(fault.rule);
        const rows = page.locator("details.fault[open] tbody tr");
        const expected = runs
          .filter((run) => !off(run))
          .flatMap((run) => run.faults ?? [])
          .filter(({ rule }) => rule === fault.rule);
        assert.equal(await rows.count(), expected.length);
        await page.locator(`details.fault a[href^="#/run/${fault.run.id}/sample/${fault.samples[0]}"]`).first().click();
        await page.waitForSelector(".call");
        assert.ok((await page.locator("main").innerText()).includes(fault.rule));
      }
      await page.goto(at("#/comparisons"));
      await page.waitForSelector("h1:text('Comparisons')");
      await page.locator("details").evaluateAll((all) => all.forEach((one) => (one.open = true)));
      const drawn = await page.locator("table.comparisons tbody tr").count();
      const refused = await page.locator("details:has(summary:text('not drawn')) li").count();
      assert.equal(drawn + refused, report.comparisons.length);
      await leave(page);
    });

    test("every link of the page to a term leads to one, and each rung, arm and rule has its meaning", async () => {
      const page = await open(at("#/"));
      for (const view of ["#/", `#/run/${runs[0].id}`, "#/failures", "#/comparisons"]) {
        await page.goto(at(view));
        await page.waitForTimeout(50);
        const lost = await page
          .locator('a[href^="#"]:not([href^="#/"])')
          .evaluateAll((links) =>
            links
              .map((link) => link.getAttribute("href"))
              .filter((to) => !document.getElementById(decodeURIComponent(to.slice(1)))),
          );
        assert.deepEqual(lost, [], view);
      }
      const glossary = await page.locator("#terms").innerText();
      for (const { name, means, limits } of [...report.rungs, ...report.arms]) {
        for (const text of [name, means, limits]) assert.ok(!text || glossary.includes(text), text);
      }
      for (const { slug, means } of report.rules) assert.ok(glossary.includes(slug) && glossary.includes(means));
      await page.goto(at("#/"));
      await page.waitForSelector("table.matrix");
      await page.locator(".lede a.term").first().click();
      assert.equal(await page.locator(":target").count(), 1);
      await page.goBack();
      assert.equal(await page.locator("table.matrix").count(), 1);
      await leave(page);
    });

    test("axe finds nothing serious in any view, light or dark", async () => {
      const run = runs.find((one) => !off(one) && one.samples.length > 0);
      const views = {
        matrix: "#/",
        run: `#/run/${run.id}`,
        sample: `#/run/${run.id}/sample/${run.samples[0].n}`,
        failures: `#/failures?rule=${runs.flatMap(({ faults }) => faults ?? [])[0]?.rule ?? ""}`,
        comparisons: "#/comparisons",
      };
      const page = await open(at("#/"));
      for (const [view, hash] of Object.entries(views)) {
        await page.goto(at(hash));
        await page.waitForTimeout(300);
        await page.locator("details").evaluateAll((all) => all.forEach((one) => (one.open = true)));
        await themes(page, `${name}-${view}`);
      }
      await leave(page);
    });

    test("a narrow screen scrolls down, not sideways", async () => {
      const page = await open(at("#/"));
      await page.setViewportSize({ width: 390, height: 844 });
      const run = runs.find((one) => !off(one) && one.samples.length > 0);
      for (const view of [
        "#/",
        `#/run/${run.id}`,
        `#/run/${run.id}/sample/${run.samples[0].n}`,
        "#/failures",
        "#/comparisons",
      ]) {
        await page.goto(at(view));
        await page.waitForTimeout(200);
        const [wide, screen] = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]");
        assert.ok(wide <= screen, `${view}: ${wide} > ${screen}`);
        await shot(page, `${name}-narrow-${view.replace(/\W+/g, "-")}`);
      }
      await leave(page);
    });

    test("opened from a folder it does the same", async () => {
      const page = await open(`${pathToFileURL(join(out, "index.html")).href}${letIn ? `#/?${letIn}` : ""}`);
      await page.locator("a.cell").first().click();
      await page.waitForSelector("table.samples");
      await page.locator("table.samples a").first().click();
      await page.waitForSelector(".call, .blank");
      assert.doesNotMatch(await page.locator("main").innerText(), /Loading/);
      await leave(page);
    });
  });
}

describe("what only the synthetic report has", () => {
  const out = join(scratch, "synthetic-site");
  let served;
  before(async () => {
    served = await serve(out);
  });
  after(() => served?.close());

  test("marked runs are off, are named, and come when asked for", async () => {
    const page = await open(served.base);
    const ids = () =>
      page.locator("a.cell").evaluateAll((links) => links.map((link) => link.hash.split("?")[0].split("/").at(-1)));
    assert.ok(!(await ids()).some((id) => ["odd-smoke", "odd-dirty", "odd-unlabelled", "odd-undigested"].includes(id)));
    assert.ok((await ids()).includes("odd-fixture"));
    assert.match(
      await page.locator("[role=status]").first().innerText(),
      /46 of 50 runs shown\. Left out: 1 smoke, 1 dirty, 1 unlabelled, 1 no digest\./,
    );
    await page.getByLabel("smoke (1)").check();
    assert.ok((await ids()).includes("odd-smoke"));
    assert.match(await page.locator('a.cell[href^="#/run/odd-smoke"]').innerText(), /smoke/);
    assert.match(page.url(), /show=smoke/);
    await leave(page);
  });

  test("a run whose own file is broken says so, and shows its signals", async () => {
    const page = await open(`${served.base}#/run/go-existing-m0-schema`);
    await page.waitForSelector("table.signals");
    const text = await page.locator("#view").innerText();
    assert.match(text, /unreadable it is not JSON: runs\/go-existing-m0-schema\.json/);
    assert.match(text, /The report holds no samples for this run\./);
    await leave(page);
  });

  test("unreadable entries and files are shown as such", async () => {
    const page = await open(served.base);
    const text = await page.locator("main").innerText();
    assert.match(text, /Unreadable entries/);
    assert.match(text, /run 51 \(broken\)\s+it has no model/);
    assert.match(text, /go-notices\.jsonl:12\s+it is not JSON <script>/);
    for (const [view, why] of [
      ["odd-failed/sample/5", "it is not JSON"],
      ["odd-silent/sample/5", "it is not UTF-8"],
    ]) {
      await page.goto(`${served.base}#/run/${view}`);
      await page.waitForSelector("#view .blank");
      assert.match(await page.locator("#view .blank").innerText(), new RegExp(`unreadable ${why}`));
    }
    await leave(page);
  });

  test("a failed sample shows its error, and its run counts it apart", async () => {
    const page = await open(`${served.base}#/run/odd-failed/sample/4`);
    await page.waitForSelector("h2:text('Transport error')");
    assert.match(await page.locator("main").innerText(), /connection refused \\u\{1b\}\[2J<script>/);
    await page.goto(`${served.base}#/run/odd-failed`);
    await page.waitForSelector("ol.funnel");
    assert.match(await page.locator(".facts").first().innerText(), /Failed, not counted\s+2/);
    const signals = await page.locator("table.signals").innerText();
    assert.match(signals, /unreadable 1\/3 comes without its interval/);
    assert.match(signals, /nothing to count no sample reached the model/);
    await leave(page);
  });

  test("a hostile sample is text, and a very long one is cut until asked for", async () => {
    const page = await open(`${served.base}#/run/ruby-loans-m0-plain/sample/2`);
    await page.waitForSelector(".answer pre");
    await page.locator("details").evaluateAll((all) => all.forEach((one) => (one.open = true)));
    const answer = await page.locator(".answer pre").textContent();
    assert.ok(
      answer.includes("</script><img src=x onerror=") && answer.includes("\\u{1b}") && answer.includes("\\u{202e}"),
    );
    assert.equal(await page.locator("main img, main script").count(), 0);
    await shot(page, "synthetic-hostile");
    await page.goto(`${served.base}#/run/ruby-loans-m0-plain/sample/1`);
    await page.waitForSelector("button:text('Show the other')");
    assert.equal((await page.locator(".answer pre").textContent()).length, 20000);
    await page.locator("button:text('Show the other')").click();
    assert.ok((await page.locator(".answer pre").textContent()).endsWith("🪴 end"));
    await leave(page);
  });

  test("comparisons that may not be drawn say why", async () => {
    const page = await open(`${served.base}#/comparisons`);
    await page.locator("summary:text('not drawn')").click();
    const text = await page.locator("details:has(summary:text('not drawn'))").innerText();
    for (const why of [
      "the fixtures differ",
      "a run of the pair is dirty",
      "the four counts are not the number of pairs",
      "a run of the pair is not in this report",
    ])
      assert.ok(text.includes(why), why);
    assert.equal(await page.locator("table.comparisons tbody tr").count(), 8);
    await leave(page);
  });

  test("keys alone lead from the first link to a sample", async () => {
    const page = await open(served.base);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate("document.activeElement.className"), "skip");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate("document.activeElement.id"), "view-title");
    const until = async (selector, most) => {
      for (let presses = 0; presses < most; presses += 1) {
        await page.keyboard.press("Tab");
        if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
      }
      assert.fail(`${selector} is not reached`);
    };
    await until("input[name=rung]", 20);
    await page.keyboard.press("ArrowRight");
    assert.match(page.url(), /rung=accepted(&|$)/);
    await until("a.cell", 60);
    await page.keyboard.press("Enter");
    await page.waitForSelector("ol.funnel");
    await until("table.samples a", 120);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".call");
    await leave(page);
  });

  test("the switch changes the theme, and documents keep it", async () => {
    const page = await open(served.base);
    await page.emulateMedia({ colorScheme: "light" });
    const paper = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await paper();
    const button = page.getByRole("button", { name: "Dark" });
    await button.click();
    assert.equal(await button.getAttribute("aria-pressed"), "true");
    const dark = await paper();
    assert.notEqual(dark, light);
    await page.goto(`${served.base}docs/rules.html`);
    assert.equal(await paper(), dark);
    await page.getByRole("button", { name: "Dark" }).click();
    assert.equal(await paper(), light);
    await leave(page);
  });

  test("a report of another schema, and none, are said to be unreadable", async () => {
    for (const [twin, why] of [
      ["sedumData('first-screen', '{\"schema\": 9}');", /schema 9, and this page reads schema 1/],
      ["sedumData('first-screen', '{');", /it is not JSON/],
    ]) {
      const page = await browser.newPage();
      await page.route("**/results/first-screen.js", (route) =>
        route.fulfill({ body: twin, contentType: "text/javascript" }),
      );
      await page.goto(served.base);
      await page.waitForSelector("h1:text('The results cannot be read')");
      assert.match(await page.locator("main").innerText(), why);
      await page.close();
    }
  });

  test("documents: links lead somewhere, headings can be linked to, axe is content", async () => {
    const page = await open(`${served.base}docs/authoring.html`);
    const pages = await page
      .locator("nav.pages a")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    for (const name of ["authoring", "rules", "json", "security"]) assert.ok(pages.includes(`${name}.html`));
    for (const path of pages) {
      await page.goto(`${served.base}docs/${path}`);
      const links = await page.locator("main a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
      for (const link of links.filter((to) => !/^[a-z]+:/.test(to))) {
        const [file, fragment] = link.split("#");
        const text = readFileSync(join(out, "docs", file || path), "utf8");
        assert.ok(!fragment || text.includes(`id="${fragment}"`), `${path}: ${link}`);
      }
    }
    for (const path of ["authoring.html", "rules.html"]) {
      await page.goto(`${served.base}docs/${path}`);
      await themes(page, `docs-${path.replace(".html", "")}`);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of pages) {
      await page.goto(`${served.base}docs/${path}`);
      const [wide, screen] = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]");
      assert.ok(wide <= screen, `${path}: ${wide} > ${screen}`);
    }
    await leave(page);
  });
});
