import { expect, test } from "vitest";

import { jsonWithPauses } from "./answers";

/** An item whose JSON takes longer than others should wait. */
const slow = (name: string) => ({
  toJSON() {
    const end = performance.now() + 10;
    while (performance.now() < end);
    return { name };
  },
});

test("writes what JSON.stringify writes", async () => {
  const values = [
    {},
    [],
    "text",
    { items: [] },
    { items: [1, "zwei \u2026", null, undefined, { deep: [[], {}] }], totalCount: "5", no: undefined },
    { no: undefined, items: [{ a: undefined }], more: [1], at: new Date(0) },
    { items: Array.from({ length: 3 }, () => "\u00e9\u{1f600}".repeat(30_000)), nextPageToken: "x" },
  ];
  for (const value of values) {
    const { body = "", headers } = await jsonWithPauses(value);
    expect(String(body)).toBe(JSON.stringify(value));
    expect(headers["content-type"]).toBe("application/json");
  }
});

test("lets others go first between the items of a long list", async () => {
  let others = 0;
  const other = (): void => {
    others += 1;
    next = setImmediate(other);
  };
  let next = setImmediate(other);
  await jsonWithPauses({ items: ["a", "b", "c", "d"].map(slow) });
  clearImmediate(next);
  expect(others).toBeGreaterThanOrEqual(3);
});
