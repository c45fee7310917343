import { expect, it } from "vitest";

import { filterWords, isScanned, readIdentityDetailSearch, readIdentityListSearch } from "./search";

const item = `${"a".repeat(40)}_${"b".repeat(16)}`;

it("reads what the list can show", () => {
  const machines = {
    order: "last_seen_time desc",
    name: "1e5",
    kind: "aws",
    contains: "rel",
    seen: "90",
    at: "120",
    drawer: "edit",
    item,
  };
  expect(readIdentityListSearch(machines)).toEqual(machines);
  expect(readIdentityListSearch({ tab: "people", name: "ada" })).toEqual({ tab: "people", name: "ada" });
});

it("leaves out what no list can mean", () => {
  const nonsense = {
    tab: "robots",
    order: "email",
    name: "",
    kind: "magic",
    contains: "  ",
    seen: "yesterday",
    at: "-1",
    drawer: "explode",
    item: "acme",
  };
  expect(readIdentityListSearch(nonsense)).toEqual({});
  expect(readIdentityListSearch({ order: ["name"], name: 7, at: 12, item })).toEqual({});
});

it("asks people for no kind, since they have but one", () => {
  expect(readIdentityListSearch({ tab: "people", kind: "aws" })).toEqual({ tab: "people" });
});

it("of one identity reads only what is done with it", () => {
  expect(readIdentityDetailSearch({ drawer: "delete", name: "ci", item })).toEqual({ drawer: "delete" });
  expect(readIdentityDetailSearch({ drawer: "create" })).toEqual({});
});

it("says its filters", () => {
  expect(filterWords({ name: "ci", kind: "keys" })).toEqual(['name is exactly "ci"', "kind is Static keys"]);
  expect(filterWords({ contains: "rel", seen: "never" })).toEqual([
    'name or description contains "rel"',
    "last seen never",
  ]);
  expect(filterWords({ tab: "people", contains: "ada" })).toEqual(['name or email contains "ada"']);
  expect(filterWords({ order: "name" })).toEqual([]);
});

it("knows which filters the API lacks", () => {
  expect(
    [{}, { name: "ci", kind: "aws" }, { contains: "ci" }, { seen: "never" }].map((each) =>
      isScanned(each as object),
    ),
  ).toEqual([false, false, true, true]);
});
