import { describe, expect, it } from "vitest";

import { BYTE_ORDER_MARK, csvLine } from "~/ui/display/csv";

import { bodyOf, guess, headersOf, KINDS, rowsOf, toldOf, unused } from "./kinds";
import { MOST_ROWS, parseTable } from "./parse";

const read = (text: string, kind: keyof typeof KINDS = "identities", fixed?: object) => {
  const table = parseTable(text, headersOf(KINDS[kind]));
  return rowsOf(KINDS[kind], table, guess(KINDS[kind], table), fixed);
};

const CI = {
  name: "ci",
  description: '=says "hi"',
  claimMatch: {
    issuer: "https://token.example",
    subject: "repo:acme/app",
    claims: { "https://example.com/team": "build", repository_id: "7" },
  },
};

it("reads the console's own files back", () => {
  const exported = `[\n${JSON.stringify({ ...CI, uid: "a".repeat(40), createTime: "2026-01-01T00:00:00.000Z" })}\n]\n`;
  expect(read(exported)).toEqual([{ number: 1, name: "ci", body: CI, violations: [] }]);
  const csv =
    BYTE_ORDER_MARK +
    csvLine(["Name", "Description", "Issuer", "Subject"]) +
    csvLine(["ci", CI.description, CI.claimMatch.issuer, CI.claimMatch.subject]);
  const { claims: _claims, ...claimMatch } = CI.claimMatch;
  expect(read(csv)[0]).toMatchObject({ body: { ...CI, claimMatch }, violations: [] });
});

const named = headersOf(KINDS.identities);

describe("parseTable", () => {
  it.each([";", "\t", ","])("finds the delimiter %j", (delimiter) => {
    expect(parseTable(`name${delimiter}issuer\r\n"a\nb"${delimiter}c\r\n`, named)).toEqual({
      columns: ["name", "issuer"],
      rows: [{ name: "a\nb", issuer: "c" }],
    });
  });

  it("takes a plain list without a header", () => {
    expect(read("ada@example.com\n\nben@example.com\n", "group-invites").map(({ name }) => name)).toEqual([
      "ada@example.com",
      "ben@example.com",
    ]);
    expect(read("runtime\nservices", "groups").map(({ name }) => name)).toEqual(["runtime", "services"]);
    expect(read("name\nruntime", "groups").map(({ name }) => name)).toEqual(["runtime"]);
    expect(read('["ada@example.com"]', "group-invites").map(({ name }) => name)).toEqual(["ada@example.com"]);
  });

  it.each([
    ["", "There are no rows"],
    ["name,issuer\n", "There are no rows"],
    ["{", "isn't valid JSON"],
    ['{"name":"ci"}', "isn't a list of records"],
    ["[1]", "Entry 1 isn't a record"],
    ['name,issuer\n"a,b', "isn't valid CSV"],
    ["name,name\na,b", "Two columns are called name"],
    ["name,issuer\na,b,c", "Row 1 has more cells"],
    [`name,issuer\n${"a,b\n".repeat(MOST_ROWS + 1)}`, "more than 1,000 rows"],
    ['[{"a":{"b":{"c":{"d":{"e":{"f":1}}}}}}]', "nested too deeply"],
  ])("refuses text %#", (text, sentence) => {
    expect(() => parseTable(text, named)).toThrow(sentence);
  });
});

it("says every violation of a row, in the sentences of the form", () => {
  const [bad, twin, good] = read(
    "name,issuer,subject\nCI!,ftp://x,\nok,https://a.example,s\nok,https://a.example,t",
  );
  expect(bad?.violations.map(({ field }) => field)).toEqual([
    "name",
    "claimMatch.issuer",
    "claimMatch.subject",
  ]);
  expect(twin?.violations).toEqual([]);
  expect(good?.violations).toEqual([{ field: "name", description: "is the same as in row 2" }]);
  const [invite] = read("not an address", "group-invites", { ttl: "3600s" });
  expect(invite?.violations.map(({ field }) => field)).toEqual(["roleUid", "email"]);
});

it("maps another column, and names those that nothing uses", () => {
  const table = parseTable("wer,issuer,sub,note\nci,https://a.example,s,x", named);
  const mapping = { ...guess(KINDS.identities, table), name: "wer" };
  expect(bodyOf(KINDS.identities, table.rows[0] ?? {}, mapping)).toEqual({
    name: "ci",
    claimMatch: { issuer: "https://a.example", subject: "s" },
  });
  expect(unused(KINDS.identities, table, mapping)).toEqual(["note"]);
});

it("tells issuer and subject of an identity, whatever kind of sign-in rule has them", () => {
  const told = (body: object) => toldOf(KINDS.identities, body);
  expect(told({ name: "a", claimMatch: { issuer: "https://a.example", subjectPattern: "s.*" } })).toEqual({
    issuer: "https://a.example",
    subject: "s.*",
  });
  expect(told({ staticKeys: { issuer: "https://b.example" } })).toEqual({
    issuer: "https://b.example",
    subject: "",
  });
  expect(told({ name: "c", awsIdentity: { arn: "arn" } })).toEqual({ issuer: "", subject: "" });
  expect(toldOf(KINDS.groups, { name: "runtime" })).toEqual({});
});

it("does nothing to prototypes", () => {
  const rows = read(
    '[{"name":"ci","claimMatch":{"claims":{"__proto__":"x","a":"b"}},"__proto__":{"polluted":"y"}}]',
  );
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  const { claims } = Object(rows[0]?.body["claimMatch"]) as { claims: object };
  expect(Object.keys(claims)).toEqual(["__proto__", "a"]);
  const csv = read("name,claimMatch.claims.__proto__.polluted\nci,yes");
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect(csv).toHaveLength(1);
});

it("has at most 200 columns: there are as many cells as rows times columns", () => {
  const names = Array.from({ length: 201 }, (_, column) => `c${column}`);
  const read = (columns: readonly string[]) => parseTable(`${columns.join(",")}\na\n`, []);
  expect(read(names.slice(1)).columns.length).toBe(200);
  expect(() => read(names)).toThrow("There are more than 200 columns.");
  const record = Object.fromEntries(names.map((name) => [name, "a"]));
  expect(() => parseTable(JSON.stringify([record]), [])).toThrow("There are more than 200 columns.");
});
