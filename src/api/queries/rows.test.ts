import { expect, it } from "vitest";

import { rowsOf } from "./queries";

const pages = (...lists: { uid?: string; name?: string }[][]) => ({
  pages: lists.map((items) => ({ items, nextPageToken: "", totalCount: "3" })),
  pageParams: lists.map(() => undefined),
});

it("keeps a row of two pages once, where it was first", () => {
  const [a, b, c] = ["a", "b", "c"].map((uid) => ({ uid }));
  expect(rowsOf(pages([a!, b!], [a!, c!])).rows).toEqual([a, b, c]);
});

it("keeps rows without a uid", () => {
  expect(rowsOf(pages([{ name: "x" }], [{ name: "x" }])).rows).toHaveLength(2);
});
