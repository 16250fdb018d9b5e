// Which documents become pages, in which order, and where their links lead.
//
// The list below is the only one. A document of `docs/` that it does not name is a page too, behind those it names.

/** Documents of `docs/` by name. `required`: without it the site is not whole, and `--check` says so. */
export const PAGES = [
  { name: "authoring", label: "Writing packages", required: true },
  { name: "rules", label: "Rules and violations", required: true },
  { name: "json", label: "JSON output", required: true },
  { name: "security", label: "Security", required: true },
  { name: "performance", label: "Performance", required: true },
  { name: "records", label: "Records" },
  { name: "models", label: "Models" },
  { name: "recordings", label: "Recordings" },
  { name: "markers", label: "Markers" },
  { name: "ci", label: "Continuous integration" },
];

/** The pages for the documents that are there, in the order of the site: `[{ name, label }]`. */
export function order(present) {
  const named = PAGES.filter((page) => present.includes(page.name));
  const rest = present.filter((name) => !PAGES.some((page) => page.name === name)).sort();
  return [
    ...named,
    ...rest.map((name) => ({ name, label: name[0].toUpperCase() + name.slice(1).replaceAll("-", " ") })),
  ];
}

/** Required documents that are not there. */
export function missing(present) {
  return PAGES.filter((page) => page.required && !present.includes(page.name)).map((page) => page.name);
}

/**
 * The address of a link in `docs/NAME.md`, seen from the page `docs/NAME.html`: a page of the site where there is one,
 * else the file in the repository.
 */
export function address(target, present, repository) {
  if (/^([a-z][a-z0-9+.-]*:|#)/i.test(target)) return target;
  const [path, fragment] = target.split("#", 2);
  const suffix = fragment === undefined ? "" : `#${fragment}`;
  const page = /^(?:\.\/)?([\w-]+)\.md$/.exec(path)?.[1];
  if (page && present.includes(page)) return `${page}.html${suffix}`;
  const parts = ["docs"];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return `${repository}/blob/main/${parts.join("/")}${suffix}`;
}
