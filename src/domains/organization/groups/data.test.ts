import { expect, it } from "vitest";

import type { ListView } from "~/frame/define";
import { EVERYWHERE } from "~/frame/scope/scope";

import { groupScreens } from "./data";

const { readList, readPage, resolve } = groupScreens;
const describe = (view: ListView) => resolve(EVERYWHERE, view).words;

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
  expect(readList(search)).toEqual(search);
});

it("leaves out what no list can mean", () => {
  expect(
    readList({
      order: "size",
      name: "",
      contains: " ",
      drawer: "explode",
      item: "acme",
      more: "x",
    }),
  ).toEqual({});
  expect(readList({ order: ["name"], name: ["a", "b"], item: 7 })).toEqual({});
  expect(readList({ at: "-1", item: uid })).toEqual({});
});

it("opens of one group what is done with one group", () => {
  expect(readPage({ drawer: "edit", order: "name" })).toEqual({ drawer: "edit" });
  expect(readPage({ drawer: "create" })).toEqual({ drawer: "create" });
  expect(readPage({ drawer: "create-organization" })).toEqual({});
  expect(readList({ drawer: "create-organization" })).toEqual({ drawer: "create-organization" });
});

it("normalizes other spellings of an order", () => {
  expect(readList({ order: "createTime desc" })).toEqual({ order: "created_at desc" });
  expect(readList({ order: "name asc" })).toEqual({ order: "name" });
});

it("says its filters", () => {
  expect(describe({ name: "runtime", contains: "run" })).toEqual([
    'name is exactly "runtime"',
    'name or description contains "run"',
  ]);
  expect(describe({ order: "name" })).toEqual([]);
});
