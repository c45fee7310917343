import { expect, test } from "vitest";
import { parse } from "yaml";

import { columnsOf, isField } from "../records/columns";
import { KINDS } from "../records/kinds";
import { formatOf, formatted } from "./format";
import { printable } from "./printable";
import { tableOf } from "./table";

const HOSTILE = "\u001b]0;x\u0007 \u009b31m \u202eabc \u2066\u007f\r\n\u2028";
// oxlint-disable-next-line no-control-regex
const UNSHOWN = /[\0-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

test.each(["json", "yaml", "table"] as const)("as %s, nothing drives the terminal", (format) => {
  const record = { [HOSTILE]: HOSTILE, name: HOSTILE, list: [HOSTILE], part: { name: HOSTILE } };
  const text = formatted(record, format, ["name", "list", "part"]);
  expect(text).not.toMatch(UNSHOWN);
  if (format === "json") expect(JSON.parse(text)).toEqual(record);
  if (format === "yaml") expect(parse(text)).toEqual(record);
  if (format === "table") expect(text.split("\n")).toHaveLength(2);
});

test("a plain text stays as it is", () => {
  expect(printable("Zoë 日本 🙂 it's")).toBe("Zoë 日本 🙂 it's");
  expect(formatted({ name: "Zoë: x" }, "yaml", [])).toBe('name: "Zoë: x"');
});

test("a table has one line for each record, and the names of what a record repeats", () => {
  const rows = [
    { name: "a", role: { uid: "r", name: "viewer" }, tags: ["x", "y"], count: 0 },
    { name: "longer", role: { uid: "r" } },
  ];
  expect(tableOf(rows, ["name", "role", "tags", "count", "role.uid"])).toBe(
    [
      "NAME    ROLE    TAGS  COUNT  ROLE.UID",
      "a       viewer  x,y   0      r",
      "longer  r                    r",
    ].join("\n"),
  );
  expect(tableOf([], ["name", "createTime"])).toBe("NAME  CREATE TIME");
});

test("wide characters keep the columns in line", () => {
  const rows = [{ name: "日本🙂" }, { name: "e\u0301" }, { name: "abcdef" }].map((row) => ({
    ...row,
    uid: "u",
  }));
  expect(tableOf(rows, ["name", "uid"]).split("\n")).toEqual([
    "NAME    UID",
    "日本🙂  u",
    "e\u0301       u",
    "abcdef  u",
  ]);
});

test("YAML is the same for readers of YAML 1.1", () => {
  const record = {
    name: "yes",
    a: "2026-11-30T21:44:43Z",
    b: "010",
    c: "1:30",
    d: "null",
    e: "0o7",
    f: "=",
    g: "no",
  };
  const text = formatted(record, "yaml", []);
  expect(parse(text, { version: "1.1" })).toEqual(record);
  expect(parse(text)).toEqual(record);
});

test("every kind has columns by the contract, its uid last", () => {
  for (const kind of KINDS) {
    const columns = columnsOf(kind);
    expect(columns.at(-1), kind.collection).toBe("uid");
    expect(columns.length, kind.collection).toBeLessThanOrEqual(7);
    expect(columns.length, kind.collection).toBeGreaterThan(1);
    expect(new Set(columns).size).toBe(columns.length);
    expect(columns.filter((column) => !isField(kind, column))).toEqual([]);
    // An object or a list of many would take the whole line.
    for (const large of ["claimMatch", "staticKeys", "capabilities", "activeTags"])
      expect(columns, kind.collection).not.toContain(large);
  }
});

test("a terminal gets a table, a pipe JSON, and either what was asked for", () => {
  expect([formatOf(undefined, true), formatOf(undefined, false), formatOf("yaml", true)]).toEqual([
    "table",
    "json",
    "yaml",
  ]);
  expect(() => formatOf("xml", true)).toThrow("--output takes");
});
