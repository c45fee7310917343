import { describe, expect, test } from "vitest";

import { filesOf, fill, overBudget, sizeOf, table } from "./sizes.mjs";

const manifest = {
  "index.html": { file: "assets/main.js", imports: ["_shared.js"], css: ["assets/main.css"] },
  "_shared.js": { file: "assets/shared.js", imports: ["index.html"] },
  "src/app/app.tsx": {
    file: "assets/app.js",
    imports: ["_shared.js"],
    css: ["assets/main.css", "assets/app.css"],
  },
  "src/routes/a.tsx?tsr-split=component": {
    file: "assets/a.js",
    imports: ["src/app/app.tsx"],
    assets: ["assets/a.svg"],
  },
  "src/routes/a.tsx?tsr-split=loader": { file: "assets/a-loader.js" },
  "_many.js": { file: "assets/many.js", name: "many" },
  "src/routes/ab.tsx?tsr-split=component": { file: "assets/ab.js" },
};

describe("what a visit loads", () => {
  test("is the closure of static imports, each file once, circles included", () => {
    const visit = {
      name: "first",
      entries: ["index.html", "src/app/app.tsx"],
      files: ["index.html"],
      budget: 0,
    };
    expect(filesOf(manifest, visit)).toEqual([
      "index.html",
      "assets/main.js",
      "assets/main.css",
      "assets/shared.js",
      "assets/app.js",
      "assets/app.css",
    ]);
  });

  test("enters a chunk of many modules by its name", () => {
    expect(filesOf(manifest, { name: "first", entries: ["many"], budget: 0 })).toEqual(["assets/many.js"]);
  });

  test("counts every part of a split route, and no other route", () => {
    const files = filesOf(manifest, { name: "a", entries: ["src/routes/a.tsx"], budget: 0 });
    expect(files).toContain("assets/a.js");
    expect(files).toContain("assets/a-loader.js");
    expect(files).toContain("assets/a.svg");
    expect(files).not.toContain("assets/ab.js");
  });

  test("is never silently less: a module that is gone is an error", () => {
    expect(() => filesOf(manifest, { name: "gone", entries: ["src/gone.tsx"], budget: 0 })).toThrow(
      '"gone" enters src/gone.tsx',
    );
  });
});

test("sizes add up by type", () => {
  const size = sizeOf(
    ["a.js", "b.js", "c.css", "d.woff2"],
    (file) => ({ "a.js": 1000, "b.js": 500, "c.css": 100, "d.woff2": 70_000 })[file],
  );
  expect(size).toEqual({
    files: 4,
    bytes: 1600,
    fonts: 70_000,
    types: { js: 1500, css: 100, woff2: 70_000 },
  });
  expect(table([[{ name: "a visit", budget: 2000 }, size]]).split("\n")).toEqual([
    "| first visit to | requests | css | js | woff2 | without fonts, kB | budget |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    "| a visit | 4 | 0.1 | 1.5 | 70.0 | 1.6 | 2.0 |",
  ]);
  expect(overBudget([[{ name: "a visit", budget: 1600 }, size]])).toEqual([]);
  expect(overBudget([[{ name: "a visit", budget: 1599 }, size]])).toEqual([
    "a visit loads 1600 bytes; the limit is 1599",
  ]);
  expect(
    overBudget([
      [
        { name: "a visit", budget: 1600 },
        { ...size, fonts: 70_001 },
      ],
    ]),
  ).toEqual(["a visit loads 70001 bytes of fonts; the limit is 70000"]);
});

test("a document keeps what stands around the marks", () => {
  const document = "before\n<!-- sizes: begin -->\nold\n<!-- sizes: end -->\nafter\n";
  const filled = fill(document, "sizes", "new");
  expect(filled).toBe("before\n<!-- sizes: begin -->\n\nnew\n\n<!-- sizes: end -->\nafter\n");
  expect(fill(filled, "sizes", "new")).toBe(filled);
  expect(() => fill("nothing", "sizes", "new")).toThrow("no place marked");
});
