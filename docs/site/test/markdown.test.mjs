// The renderer of documents: what it makes of each construct, and that it agrees with `marked` on every document.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Marked } from "marked";
import { render, slug } from "../lib/markdown.mjs";
import { PAGES, address, missing, order } from "../lib/pages.mjs";

const html = (text) => render(text).html;

test("headings get the ids that GitHub gives them, and no two the same", () => {
  const { headings, title } = render(
    "# The `sedum.yaml` file\n\n## Actions, again!\n\n## Actions, again!\n\n## *A* [link](x.html) --json",
  );
  assert.equal(title, "The sedum.yaml file");
  assert.deepEqual(
    headings.map(({ id }) => id),
    ["the-sedumyaml-file", "actions-again", "actions-again-1", "a-link---json"],
  );
  assert.equal(slug("Ünïcode & `grow --json`"), "ünïcode--grow---json");
});

test("everything that is not Markdown is escaped", () => {
  assert.equal(
    html('<script>alert(1)</script> & "x"'),
    "<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot;</p>",
  );
  assert.equal(html("`<b>` and ``a ` b``"), "<p><code>&lt;b&gt;</code> and <code>a ` b</code></p>");
  assert.match(
    html("```html\n</code></pre><script>\n```"),
    /<code>&lt;\/code&gt;&lt;\/pre&gt;&lt;script&gt;\n<\/code>/,
  );
  assert.match(html("# <img onerror=x>"), /<h1 id="img-onerrorx">&lt;img onerror=x&gt;<\/h1>/);
});

test("links to scripts are refused, and so are images and open fences", () => {
  assert.throws(() => html("[x](javascript:alert(1))"), /document:1: a link leads to/);
  assert.throws(() => html("a\n\n![x](y.png)"), /document:3: the site carries no images/);
  assert.throws(() => html("```\nx"), /document:1: a fence is not closed/);
});

test("emphasis, links and code within each other", () => {
  assert.equal(
    html("**bold *both* `a*b`** _it_ snake_case_name 2 * 3 * 4"),
    "<p><strong>bold <em>both</em> <code>a*b</code></strong> <em>it</em> snake_case_name 2 * 3 * 4</p>",
  );
  assert.equal(
    html('[a `]` **b**](c.html "t") \\[x\\](y)'),
    '<p><a href="c.html" title="t">a <code>]</code> <strong>b</strong></a> [x](y)</p>',
  );
  assert.equal(
    html("<https://example.org/?a=1&b=2>"),
    '<p><a href="https://example.org/?a=1&amp;b=2">https://example.org/?a=1&amp;b=2</a></p>',
  );
});

test("lists nest, hold blocks, and count on", () => {
  assert.equal(
    html("- a\n  more\n- b\n  1. c\n  2. d"),
    "<ul>\n<li>a\nmore</li>\n<li>b\n<ol>\n<li>c</li>\n<li>d</li>\n</ol></li>\n</ul>",
  );
  assert.equal(html("3. a\n4. b"), '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>');
  assert.match(
    html("- a\n\n  ```sh\n  x\n  ```\n\n- b"),
    /<li><p>a<\/p>\n<pre[^>]*><code>x\n<\/code><\/pre><\/li>\n<li><p>b<\/p><\/li>/,
  );
});

test("tables keep bars in code and the side of their columns", () => {
  const made = html("| a | b |\n|---|--:|\n| `x \\| y` | 2 |\n| one |");
  assert.match(made, /<th scope="col">a<\/th><th scope="col" class="right">b<\/th>/);
  assert.match(made, /<td><code>x \| y<\/code><\/td><td class="right">2<\/td>/);
  assert.match(made, /<td>one<\/td><td class="right"><\/td>/);
});

test("links lead to pages of the site, else into the repository", () => {
  const to = (target) => address(target, ["rules", "json"], "https://example.org/r");
  assert.equal(to("rules.md#violations"), "rules.html#violations");
  assert.equal(to("#here"), "#here");
  assert.equal(to("https://example.org/"), "https://example.org/");
  assert.equal(to("../SECURITY.md"), "https://example.org/r/blob/main/SECURITY.md");
  assert.equal(to("schemas/record.json"), "https://example.org/r/blob/main/docs/schemas/record.json");
  assert.equal(to("absent.md"), "https://example.org/r/blob/main/docs/absent.md");
});

test("the named pages come first, others behind them, and required ones may not lack", () => {
  assert.deepEqual(
    order(["zebra", "rules", "authoring"]).map(({ name }) => name),
    ["authoring", "rules", "zebra"],
  );
  assert.equal(order(["my-page"])[0].label, "My page");
  const required = PAGES.filter((page) => page.required).map(({ name }) => name);
  assert.deepEqual(
    missing(["rules"]),
    required.filter((name) => name !== "rules"),
  );
});

/** HTML without what the renderers spell in different ways: attributes of our own, quotes as entities, blanks between tags. */
function normal(text) {
  return text
    .replace(/<div class="scroll"[^>]*>|<\/div>/g, "")
    .replace(/<(h\d|pre|th|td|code)\b[^>]*>/g, "<$1>")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replace(/\s*(<\/?(?:ul|ol|li|p|table|thead|tbody|tr|th|td|h\d|blockquote|pre|hr)\b[^>]*>)\s*/g, "\n$1")
    .trim();
}

const DOCS = fileURLToPath(new URL("../../", import.meta.url));
for (const name of readdirSync(DOCS).filter((file) => file.endsWith(".md"))) {
  test(`${name} is rendered as a well-kept library renders it`, () => {
    const text = readFileSync(`${DOCS}${name}`, "utf8");
    // `marked` would pass HTML through; here it is text, so it is text for the oracle too.
    const oracle = new Marked({ gfm: true, tokenizer: { html: () => undefined, tag: () => undefined } });
    assert.equal(normal(html(text)), normal(oracle.parse(text)));
  });
}
