import { expect, test } from "vitest";

import { fill } from "./fill.mjs";

test("a document keeps what stands around the marks", () => {
  const document = "before\n<!-- sizes: begin -->\nold\n<!-- sizes: end -->\nafter\n";
  const filled = fill(document, "sizes", "new");
  expect(filled).toBe("before\n<!-- sizes: begin -->\n\nnew\n\n<!-- sizes: end -->\nafter\n");
  expect(fill(filled, "sizes", "new")).toBe(filled);
  expect(() => fill("nothing", "sizes", "new")).toThrow("no place marked");
});
