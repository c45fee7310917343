import { dirname, posix } from "node:path";
import { beforeAll, expect, it } from "vitest";

import { endpoints } from "../contract/index";
import { docsFiles, siteOf } from "./docs.mjs";

let files = new Map();
let pages = [];
// The document and the explorer's reading of it are loaded with all of their modules.
beforeAll(async () => {
  files = await docsFiles();
  pages = [...files].filter(([path]) => path.endsWith(".html"));
}, 60_000);

const attributes = (html, name) =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map(([, value]) =>
    value.replaceAll("&amp;", "&"),
  );
const idsOf = (path) => new Set(attributes(files.get(path), "id"));

it("leads every link to a page of the site, and to an anchor there", () => {
  expect(pages.length).toBeGreaterThan(50);
  const broken = pages.flatMap(([path, html]) =>
    attributes(html, "href").flatMap((href) => {
      if (/^(?:https?|mailto):/.test(href)) return [];
      const [to, anchor] = href.split("#");
      const target = to === "" ? path : posix.join(dirname(path), to);
      if (!files.has(target)) return [`${path}: ${href} does not exist`];
      return anchor && target.endsWith(".html") && !idsOf(target).has(decodeURIComponent(anchor))
        ? [`${path}: ${href} has no such anchor`]
        : [];
    }),
  );
  expect(broken).toEqual([]);
});

it("shows every image from its own files, and requests nothing from elsewhere", () => {
  for (const [path, html] of pages) {
    const sources = [
      ...attributes(html, "src"),
      ...attributes(html, "srcSet"),
      ...attributes(html, "srcset"),
    ];
    for (const source of sources)
      expect([path, files.has(posix.join(dirname(path), source))]).toEqual([path, true]);
    expect(html, path).not.toMatch(/<(?:script|iframe|style)\b|\sstyle="/);
  }
  expect(files.get("docs.css")).not.toMatch(/url\(|@import/);
});

it("has every operation, at an anchor of its resource, with its fields", () => {
  const ids = new Set(pages.flatMap(([path]) => (path.startsWith("api/") ? [...idsOf(path)] : [])));
  const missing = endpoints.filter(({ id, shares }) => !ids.has(shares ?? id));
  expect(missing.map(({ id }) => id)).toEqual([]);
  expect(files.get("api/identities.html")).toContain("claimMatch.issuer");
  expect(files.get("api/index.html")).toContain("GET /registry/v2/tags");
  expect(JSON.parse(files.get("api/openapi.json")).openapi).toBe("3.1.0");
});

it("has every page once in its sidebar, and one before and behind each", () => {
  const [first] = pages;
  expect(first?.[0]).toBe("index.html");
  for (const [path, html] of pages) {
    const [sidebar = ""] = /<nav[^]*?<\/nav>/.exec(html) ?? [];
    expect([path, attributes(sidebar, "href").length]).toEqual([path, pages.length]);
    expect([path, attributes(sidebar, "aria-current")]).toEqual([path, ["page"]]);
  }
});

it("makes a README the index of its folder", () => {
  expect(siteOf("README.md")).toBe("index.html");
  expect(siteOf("docs/operate/README.md")).toBe("docs/operate/index.html");
  expect(siteOf("docs/tasks.md")).toBe("docs/tasks.html");
});
