import { expect, it } from "vitest";

import { filterWords, readGroupDetailSearch, readGroupListSearch } from "./-group-search";

const uid = "a".repeat(40);

it("reads what the list can show", () => {
  const search = {
    order: "created_at desc",
    name: "1e5",
    contains: "run",
    at: "4200",
    drawer: "edit",
    item: `${uid}_${"b".repeat(16)}`,
  };
  expect(readGroupListSearch(search)).toEqual(search);
});

it("leaves out what no list can mean", () => {
  expect(
    readGroupListSearch({
      order: "size",
      name: "",
      contains: " ",
      drawer: "explode",
      item: "acme",
      more: "x",
    }),
  ).toEqual({});
  expect(readGroupListSearch({ order: ["name"], name: ["a", "b"], item: 7 })).toEqual({});
  expect(readGroupListSearch({ at: "-1", item: uid })).toEqual({});
});

it("opens of one group what is done with one group", () => {
  expect(readGroupDetailSearch({ drawer: "edit", order: "name" })).toEqual({ drawer: "edit" });
  expect(readGroupDetailSearch({ drawer: "create-organization" })).toEqual({});
});

it("reads other spellings of an order as the one it writes", () => {
  expect(readGroupListSearch({ order: "createTime desc" })).toEqual({ order: "created_at desc" });
  expect(readGroupListSearch({ order: "name asc" })).toEqual({ order: "name" });
});

it("says its filters", () => {
  expect(filterWords({ name: "runtime", contains: "run" })).toEqual([
    'name is exactly "runtime"',
    'name or description contains "run"',
  ]);
  expect(filterWords({ order: "name" })).toEqual([]);
});
