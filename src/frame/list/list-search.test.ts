import { expect, it } from "vitest";

import { readListSearch } from "./list-search";

const item = `${"a".repeat(40)}_${"b".repeat(16)}`;
const read = (address: Record<string, unknown>) =>
  readListSearch(address, ["name", "created_at"], ["create", "edit"]);

it("reads what any list can show", () => {
  const search = { order: "created_at desc", at: "4200", drawer: "edit", item };
  expect(read(search)).toEqual(search);
});

it("drops invalid parameters, and a record without an open drawer", () => {
  expect(read({ order: "size", at: "-1", drawer: "explode", item })).toEqual({});
  expect(read({ order: ["name"], at: 7, drawer: "create", item: "acme", more: "x" })).toEqual({
    drawer: "create",
  });
});

it("normalizes other spellings of an order", () => {
  expect(read({ order: "createTime desc" })).toEqual({ order: "created_at desc" });
  expect(read({ order: "name asc" })).toEqual({ order: "name" });
});

it("reads the columns that a link brings, up to 31 of them", () => {
  const many = Array.from({ length: 32 }, (_, index) => `c${index}`);
  const columns = many.slice(1).join(".");
  expect(read({ columns })).toEqual({ columns });
  for (const wrong of [many.join("."), "name,type", "", ".name", 7])
    expect(read({ columns: wrong })).toEqual({});
});
