import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const filesOf = (folder) =>
  readdirSync(at(folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`);

/** Only the gallery has them. */
const MARKS = ["Parts of the console", "/__parts", "a-name-without-any-gap"];

it("the gallery has these words", () => {
  const text = filesOf("src/gallery")
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(at(name), "utf8"))
    .join("\n");
  for (const mark of MARKS) expect(text).toContain(mark);
});

it("no other source mentions the gallery, so that no build can have it", () => {
  const sources = filesOf("src").filter((name) => /\.(?:tsx?|css)$/.test(name) && !/\/gallery\//.test(name));
  const mention = sources.filter((name) => /["'~/]gallery["'/]/.test(readFileSync(at(name), "utf8")));
  expect(mention).toEqual([]);
});

it.runIf(existsSync(at("dist/index.html")))("the build holds nothing of it", () => {
  const built = filesOf("dist").filter((name) => /\.(?:js|css|html|json)$/.test(name));
  expect(built.length).toBeGreaterThan(50);
  const found = built.filter((name) => MARKS.some((mark) => readFileSync(at(name), "utf8").includes(mark)));
  expect(found).toEqual([]);
});
