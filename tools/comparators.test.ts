import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/** Two outcomes for three cases: engines put equal elements in different orders. Use `by` of src/contract/order.ts. */
const TWO_OUTCOMES = /(?<!=)[<>](?!=?\s*0)[^?;]*\?\s*(-?)(\w+)\s*:\s*(?!\1\2)-?\2\b/;

it("recognizes a comparator without an answer for equal elements", () => {
  for (const text of [
    "(a < b ? -1 : 1)",
    "(a > b ? 1 : -1)",
    "a.x < b.x ? -sign : sign",
    "a < b\n  ? 1\n  : -1",
  ])
    expect(text).toMatch(TWO_OUTCOMES);
  for (const text of [
    "a < b ? -1 : a > b ? 1 : 0",
    "const sign = descending ? -1 : 1",
    "a < b ? -1 : Number(a > b)",
  ])
    expect(text).not.toMatch(TWO_OUTCOMES);
});

it("has no comparator without an answer for equal elements", () => {
  const files = ["src", "server", "tools", "e2e"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  );
  const found = files
    .filter((path) => /\.(?:ts|tsx|mjs)$/.test(path) && !/node_modules|\bdist\b|comparators\.test/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
    .filter(({ text }) => /\b(?:sort|toSorted)\(/.test(text))
    .flatMap(({ path, text }) => TWO_OUTCOMES.exec(text)?.[0].replace(/^/, `${path}: `) ?? []);
  expect(found).toEqual([]);
});
