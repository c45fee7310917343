import { expect, it } from "vitest";

import { capitalsNote } from "./capitals";

const columns = [{ sortField: "name" }, { sortField: "created_at" }];

const note = (order: string | undefined, rows: readonly string[]) =>
  capitalsNote({ order, columns, rows, nameOf: (name) => name });

it("says where capitals are, only where that matters", () => {
  expect(note("name", ["Zebra", "apple"])).toBe("capitals first");
  expect(note("name desc", ["apple", "Zebra"])).toBe("capitals last");
  expect(note("name", ["Äpfel", "1", "öl"])).toBe("capitals first");
  expect(note("name", ["apple", "bear", "7", ""])).toBeUndefined();
  expect(note("name", ["Apple", "Bear"])).toBeUndefined();
  expect(note("created_at", ["Zebra", "apple"])).toBeUndefined();
  expect(note(undefined, ["Zebra", "apple"])).toBeUndefined();
});
