import { expect, test } from "vitest";

import { choice, contains, date, exact, flag } from "./filters";

interface Row {
  readonly name: string;
  readonly size?: string;
}

test("trims text, and ignores empty text", () => {
  const name = exact("name", "Name");
  expect(name.parse(" web ")).toBe("web");
  expect(name.parse("  ")).toBeUndefined();
  expect(name.query?.("web")).toEqual({ name: "web" });
  expect(name.matches).toBeUndefined();
  expect(name.describe?.("web")).toBe('name is exactly "web"');
});

test("a part of a text is found in any of the texts, whatever its case", () => {
  const search = contains<Row>("Name or size", ({ name, size }) => [name, size]);
  const finds = search.matches?.("LAR");
  expect(finds?.({ name: "a", size: "large" })).toBe(true);
  expect(finds?.({ name: "a" })).toBe(false);
  expect(search.query).toBeUndefined();
  expect(search.describe?.("LAR")).toBe('name or size contains "LAR"');
});

test("a choice means one of its values and is described by its label", () => {
  const sizes = [
    { value: "s", label: "small" },
    { value: "l", label: "large" },
  ];
  const size = choice<Row>("Size", sizes, { any: "any size", query: (value) => ({ sizes: [value] }) });
  expect(size.control).toEqual([{ value: "", label: "any size" }, ...sizes]);
  expect(size.parse("l")).toBe("l");
  expect(size.parse("L")).toBeUndefined();
  expect(size.query?.("l")).toEqual({ sizes: ["l"] });
  expect(size.describe?.("l")).toBe("size is large");
});

test("a flag is on with one word, and a date is a day that exists", () => {
  const large = flag<Row>("Large ones", { matches: () => (row) => row.size === "large" });
  expect([large.parse("yes"), large.parse("true")]).toEqual(["yes", undefined]);
  expect(large.describe?.("yes")).toBe("large ones");
  const since = date("Updated since", { query: (day) => ({ since: `${day}T00:00:00Z` }) });
  expect(since.parse("2026-08-11")).toBe("2026-08-11");
  for (const text of ["2026-13-01", "11.8.2026", "2026-08-11T00:00:00Z", ""])
    expect(since.parse(text), text).toBeUndefined();
  expect(since.query?.("2026-08-11")).toEqual({ since: "2026-08-11T00:00:00Z" });
});
