// Markdown of this repository's documents, rendered to HTML.
//
// It decides how a document's text looks as HTML: headings with the ids that GitHub gives them, paragraphs, lists, tables,
// fenced code, quotes, inline code, emphasis, links. Everything else is text and is escaped; an image is refused, because
// the site carries none. It must not know which pages there are: `link` says where a link leads.
//
// Why not a library: the documents use little of Markdown, a build without `npm ci` is one command on any machine, and
// what is not known here cannot put raw HTML on a page. The tests hold it against `marked`, on every document.

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text as HTML text, fit for an attribute in double quotes too. */
export function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (c) => ESCAPES[c]);
}

/** The fragment that GitHub gives a heading with this text. */
export function slug(text) {
  const kept = [...text.trim().toLowerCase()].filter((c) => /[\p{L}\p{N}\p{M} _-]/u.test(c));
  return kept.join("").replaceAll(" ", "-");
}

/**
 * Renders a document.
 *
 * `link(target)` gives the address that a link's target gets. `name` is the document's name in errors.
 * Gives `{ html, title, headings: [{ level, id, html }] }`; the title is plain text of the first heading.
 */
export function render(text, { link = (target) => target, name = "document" } = {}) {
  const page = { link, name, headings: [], used: new Map(), title: null };
  const lines = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n");
  const html = blocks(lines, 1, page);
  return { html, title: page.title, headings: page.headings };
}

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*(.*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)(.*)$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const DELIMITERS = /^ {0,3}\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/** The blocks of some lines, of which the first is line `first` of the document. */
function blocks(lines, first, page) {
  const out = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    const taken =
      blank(line) ||
      fence(lines, at, first, page, out) ||
      heading(line, first + at, page, out) ||
      horizontal(line, out) ||
      quote(lines, at, first, page, out) ||
      list(lines, at, first, page, out) ||
      table(lines, at, first, page, out) ||
      paragraph(lines, at, first, page, out);
    at += taken;
  }
  return out.join("\n");
}

const blank = (line) => (line.trim() === "" ? 1 : 0);

function fence(lines, at, first, page, out) {
  const opened = FENCE.exec(lines[at]);
  if (!opened) return 0;
  const mark = opened[1];
  const closes = new RegExp(`^ {0,3}\\${mark[0]}{${mark.length},}\\s*$`);
  const end = lines.findIndex((line, index) => index > at && closes.test(line));
  if (end < 0) throw new Error(`${page.name}:${first + at}: a fence is not closed`);
  const language = opened[2].split(/\s+/)[0].toLowerCase();
  const label = language ? ` data-language="${escapeHtml(language)}"` : "";
  const code = lines.slice(at + 1, end).map((line) => `${line}\n`);
  out.push(`<pre tabindex="0"${label}><code>${escapeHtml(code.join(""))}</code></pre>`);
  return end - at + 1;
}

function heading(line, number, page, out) {
  const found = HEADING.exec(line);
  if (!found) return 0;
  const level = found[1].length;
  const html = inline(found[2] ?? "", number, page);
  const plain = textOf(html);
  const id = unused(slug(plain), page.used);
  page.title ??= plain;
  page.headings.push({ level, id, html });
  out.push(`<h${level} id="${escapeHtml(id)}">${html}</h${level}>`);
  return 1;
}

/** The text of rendered inline HTML. */
function textOf(html) {
  const names = { amp: "&", lt: "<", gt: ">", quot: '"' };
  return html.replace(/<[^>]*>/g, "").replace(/&(amp|lt|gt|quot);/g, (_, name) => names[name]);
}

function unused(id, used) {
  const seen = used.get(id) ?? 0;
  used.set(id, seen + 1);
  return seen === 0 ? id : `${id}-${seen}`;
}

function horizontal(line, out) {
  if (!RULE.test(line)) return 0;
  out.push("<hr>");
  return 1;
}

function quote(lines, at, first, page, out) {
  let end = at;
  while (end < lines.length && /^ {0,3}>/.test(lines[end])) end += 1;
  if (end === at) return 0;
  const inner = lines.slice(at, end).map((line) => line.replace(/^ {0,3}> ?/, ""));
  out.push(`<blockquote>\n${blocks(inner, first + at, page)}\n</blockquote>`);
  return end - at;
}

/** What a list item's line starts with, or nothing. */
function itemStart(line) {
  const found = RULE.test(line) ? null : ITEM.exec(line);
  if (!found) return null;
  const ordered = /\d/.test(found[2]);
  const gap = found[3].length > 4 || found[3] === "" ? 1 : found[3].length;
  return {
    kind: ordered ? found[2].at(-1) : found[2],
    ordered,
    start: ordered ? Number.parseInt(found[2], 10) : 1,
    indent: found[1].length + found[2].length + gap,
  };
}

function list(lines, at, first, page, out) {
  const opening = itemStart(lines[at]);
  if (!opening) return 0;
  const items = [];
  let here = at;
  let loose = false;
  while (here < lines.length) {
    const start = itemStart(lines[here]);
    if (!start || start.kind !== opening.kind) break;
    const end = itemEnd(lines, here, start.indent);
    let body = lines
      .slice(here, end)
      .map((line, index) => (index === 0 ? line.slice(start.indent) : outdent(line, start.indent)));
    let trailing = 0;
    while (body.length > 1 && body.at(-1).trim() === "") {
      body = body.slice(0, -1);
      trailing += 1;
    }
    const next = end < lines.length ? itemStart(lines[end]) : null;
    loose ||= separated(body) || (trailing > 0 && next?.kind === opening.kind);
    items.push({ body, line: first + here });
    here = end;
  }
  const tag = opening.ordered ? "ol" : "ul";
  const from = opening.ordered && opening.start !== 1 ? ` start="${opening.start}"` : "";
  const html = items.map(({ body, line }) => {
    const inner = blocks(body, line, page);
    return `<li>${loose ? inner : tight(inner)}</li>`;
  });
  out.push(`<${tag}${from}>\n${html.join("\n")}\n</${tag}>`);
  return here - at;
}

/** Whether a blank line stands between two blocks of an item, outside fences and deeper items. */
function separated(body) {
  let fenced = null;
  for (let at = 0; at < body.length; at += 1) {
    const found = FENCE.exec(body[at]);
    if (found && (fenced === null || found[1].startsWith(fenced))) fenced = fenced === null ? found[1] : null;
    const deeper = /^\s{2,}/.test(body.slice(at).find((line) => line.trim() !== "") ?? "");
    if (fenced === null && at > 0 && body[at].trim() === "" && !deeper) return true;
  }
  return false;
}

/** Where an item ends: before the next item, or before text behind a blank line that is not indented. */
function itemEnd(lines, at, indent) {
  let end = at + 1;
  let sawBlank = false;
  while (end < lines.length) {
    const line = lines[end];
    const inside = line.search(/\S/) >= indent;
    if (line.trim() === "") {
      sawBlank = true;
    } else if (!inside && (sawBlank || itemStart(line) || HEADING.test(line) || FENCE.test(line) || RULE.test(line))) {
      break;
    } else {
      sawBlank = false;
    }
    end += 1;
  }
  return end;
}

function outdent(line, indent) {
  const blanks = line.search(/\S/);
  return blanks < 0 ? "" : line.slice(Math.min(blanks, indent));
}

/** The paragraphs of a tight item without their tags. */
function tight(html) {
  return html.replace(/^<p>([\s\S]*?)<\/p>/, "$1").replace(/\n<p>([\s\S]*?)<\/p>/g, "\n$1");
}

function table(lines, at, first, page, out) {
  const head = lines[at];
  if (!head.includes("|") || !DELIMITERS.test(lines[at + 1] ?? "") || !lines[at + 1].includes("-")) return 0;
  const names = cells(head);
  const sides = cells(lines[at + 1]);
  if (names.length !== sides.length) return 0;
  const align = sides.map((side) => {
    const [left, right] = [side.startsWith(":"), side.endsWith(":")];
    return right ? ` class="${left ? "center" : "right"}"` : "";
  });
  let end = at + 2;
  while (end < lines.length && lines[end].trim() !== "" && lines[end].includes("|")) end += 1;
  const row = (texts, tag, number, scope) => {
    const html = names.map((_, column) => {
      const text = texts[column] ?? "";
      return `<${tag}${scope}${align[column]}>${inline(text, number, page)}</${tag}>`;
    });
    return `<tr>${html.join("")}</tr>`;
  };
  const header = row(names, "th", first + at, ' scope="col"');
  const body = lines.slice(at + 2, end).map((line, index) => row(cells(line), "td", first + at + 2 + index, ""));
  const rows = body.length > 0 ? `<tbody>\n${body.join("\n")}\n</tbody>\n` : "";
  out.push(
    `<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>\n<thead>\n${header}\n</thead>\n${rows}</table></div>`,
  );
  return end - at;
}

/** The cells of a table row. A bar behind a backslash is text, inside code too. */
function cells(line) {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function paragraph(lines, at, first, page, out) {
  let end = at + 1;
  const stops = (line) =>
    line.trim() === "" ||
    FENCE.test(line) ||
    HEADING.test(line) ||
    RULE.test(line) ||
    /^ {0,3}>/.test(line) ||
    interrupts(line);
  while (end < lines.length && !stops(lines[end])) end += 1;
  const text = lines.slice(at, end).map((line) => line.trim());
  out.push(`<p>${inline(text.join("\n"), first + at, page)}</p>`);
  return end - at;
}

/** A list may stand directly behind a paragraph; an ordered one only when it starts with 1. */
function interrupts(line) {
  const start = itemStart(line);
  return start !== null && start.start === 1 && line.trim().length > 1;
}

/** Inline text as HTML. */
function inline(text, number, page) {
  let out = "";
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at);
    const found =
      escaped(rest) ||
      code(rest) ||
      image(rest, number, page) ||
      anchor(rest, number, page) ||
      address(rest) ||
      emphasis(text, at, number, page);
    if (found) {
      out += found.html;
      at += found.length;
    } else {
      const plain = /^[^\\`!\[<*_&]+/.exec(rest)?.[0] ?? rest[0];
      out += escapeHtml(plain);
      at += plain.length;
    }
  }
  return out;
}

function escaped(rest) {
  const found = /^\\([!-/:-@[-`{-~])/.exec(rest);
  return found && { html: escapeHtml(found[1]), length: 2 };
}

function code(rest) {
  const open = /^`+/.exec(rest)?.[0];
  if (!open) return null;
  const close = new RegExp(`(?<!\`)${open}(?!\`)`, "g");
  close.lastIndex = open.length;
  const end = close.exec(rest);
  if (!end) return { html: open, length: open.length };
  let inner = rest.slice(open.length, end.index).replaceAll("\n", " ");
  if (/^ .*[^ ].* $|^ `.*` $/.test(inner) && inner.trim() !== "") inner = inner.slice(1, -1);
  return { html: `<code>${escapeHtml(inner)}</code>`, length: end.index + open.length };
}

function image(rest, number, page) {
  if (/^!\[[^\]]*\]\(/.test(rest))
    throw new Error(`${page.name}:${number}: the site carries no images: say it in words`);
  return null;
}

function anchor(rest, number, page) {
  if (rest[0] !== "[") return null;
  const end = closing(rest);
  const found =
    end > 0 ? /^\(<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s+"([^"]*)")?\)/.exec(rest.slice(end + 1)) : null;
  if (!found) return null;
  const target = page.link(found[1], number);
  if (!safe(target))
    throw new Error(`${page.name}:${number}: a link leads to ${found[1]}, not to a page or to the web`);
  const title = found[2] === undefined ? "" : ` title="${escapeHtml(found[2])}"`;
  const text = inline(rest.slice(1, end), number, page);
  return { html: `<a href="${escapeHtml(target)}"${title}>${text}</a>`, length: end + 1 + found[0].length };
}

/** Where the bracket at the beginning closes, with brackets and code within it. */
function closing(text) {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "`") at += (code(text.slice(at))?.length ?? 1) - 1;
    else if (text[at] === "[") depth += 1;
    else if (text[at] === "]" && (depth -= 1) === 0) return at;
  }
  return -1;
}

/** Only the web, mail and pages of the site are linked to. */
const safe = (target) => /^(https?:|mailto:)/i.test(target) || !/^[a-z][a-z0-9+.-]*:/i.test(target);

function address(rest) {
  const found = /^<(https?:\/\/[^\s<>]+)>/.exec(rest);
  return found && { html: `<a href="${escapeHtml(found[1])}">${escapeHtml(found[1])}</a>`, length: found[0].length };
}

function emphasis(text, at, number, page) {
  const mark = /^(\*\*|__|\*|_)(?=\S)/.exec(text.slice(at))?.[1];
  if (!mark) return null;
  const inWord = (index) => /[\p{L}\p{N}]/u.test(text[index] ?? "");
  if (mark[0] === "_" && inWord(at - 1)) return null;
  let from = at + mark.length;
  while (from < text.length) {
    if (text[from] === "`") {
      from += code(text.slice(from))?.length ?? 1;
      continue;
    }
    if (text[from] === "\\") {
      from += 2;
      continue;
    }
    const double = text[from] === text[from + 1];
    const closes = text.startsWith(mark, from) && /\S/.test(text[from - 1]) && (mark.length === 2 || !double);
    if (closes && !(mark[0] === "_" && inWord(from + mark.length)) && from > at + mark.length) {
      const tag = mark.length === 2 ? "strong" : "em";
      const inner = inline(text.slice(at + mark.length, from), number, page);
      return { html: `<${tag}>${inner}</${tag}>`, length: from + mark.length - at };
    }
    from += mark.length === 1 && double && text[from] === mark ? 2 : 1;
  }
  return null;
}
