import { format } from "@cdktn/hcl-tools";
import { parse } from "@cdktn/hcl2json";
import { expect, test } from "vitest";

import { blocksText, comment, quoted, type Block } from "./hcl";
import { localNames } from "./names";
import { textIn } from "./testing/parsed";

const HOSTILE = [
  "plain",
  "",
  'a "quote" and a \\ backslash \\n',
  "lines\r\nand\ttabs",
  "${var.secret}",
  "%{ for x in y }",
  "$${x}",
  "$$$${x}",
  "%%{x}%",
  "$%{x} %${y} $ % { }",
  "\\${x}",
  "\u001b]0;x\u0007 \u202eabc\u2028",
  "Zoë 日本 🙂 e\u0301",
  "# no comment /* nor this */ // <<EOT",
  '"\n}\nresource "x" "y" {',
];

const valuesIn = async (blocks: readonly Block[]) => (await parse("x.tf", blocksText(blocks))) as never;

/** A text of the characters that could end a string or begin something. */
function invented(seed: number): string {
  const parts = ["$", "%", "{", "}", '"', "\\", "\n", "a", "~", "é", "🙂", "u0024", "#"];
  let state = seed;
  return Array.from({ length: 12 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return parts[Math.floor((state / 2 ** 31) * parts.length)];
  }).join("");
}

test("any text comes back as it was, as a value and as a key", async () => {
  const texts = [...new Set([...HOSTILE, ...Array.from({ length: 300 }, (_, index) => invented(index))])];
  const read: { x: { y: { v: string; m: Record<string, string> }[] } } = await valuesIn(
    texts.map((text) => ({
      type: "x",
      labels: ["y"],
      attributes: { v: text, m: { map: { [text]: text } } },
    })),
  );
  expect(read.x.y.map(({ v }) => textIn(v))).toEqual(texts.map((text) => text.normalize("NFC")));
  expect(read.x.y.map(({ m }) => Object.entries(m).flat().map(textIn))).toEqual(
    texts.map((text) => [text.normalize("NFC"), text.normalize("NFC")]),
  );
});

test("a text cannot drive a terminal, and a comment cannot end", async () => {
  for (const text of HOSTILE) {
    // oxlint-disable-next-line no-control-regex
    expect(quoted(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/);
    // oxlint-disable-next-line no-control-regex
    expect(comment(text)).toMatch(/^#[^\u0000-\u001f\u2028\u2029]*$/);
  }
  expect(await valuesIn([{ type: "x", attributes: {}, comments: HOSTILE }])).toEqual({ x: [{}] });
});

test("blocks are written as terraform fmt leaves them", async () => {
  const long = Array.from({ length: 12 }, (_, index) => `capability.number_${index}`);
  const text = blocksText([
    {
      type: "resource",
      labels: ["kind", "name"],
      comments: ["Why"],
      attributes: {
        a: 'x = "y"',
        longer_name: { expression: "kind.other.id" },
        left_out: undefined,
        short: ["a", "b"],
        none: [],
        long,
        after_it: true,
        n: 3,
        claims: { map: { a: "1", "日本 longer": "2", "🙂": ["x"], list: long } },
        last: "z",
      },
      blocks: [{ type: "inner", attributes: { a: 1, bcd: 2 } }, { type: "empty" }],
    },
    { type: "import", attributes: { to: { expression: "kind.name" }, id: "x" } },
    { type: "resource", labels: ["kind", "none"], blocks: [{ type: "inner" }] },
  ]);
  expect(await format(text)).toBe(text);
  expect(text).toContain(
    '  a           = "x = \\"y\\""\n  longer_name = kind.other.id\n  short       = ["a", "b"]',
  );
  expect(text).not.toContain("left_out");
});

const uid = (index: number) => `${"0".repeat(40)}/${String(index).padStart(16, "0")}`;
const named = (...called: string[]) =>
  called.map((one, index) => ({
    uid: uid(index),
    createTime: `2026-01-0${index + 1}T00:00:00Z`,
    called: one,
  }));

test("names are of letters, digits and underscores, and no two are the same", () => {
  const records = named("Web", "web", "1 two", "../é ß", "日本", "web_00000001", "", "x".repeat(200), "${a}");
  const names = localNames(records, "roleBinding");
  expect([...names.values()].toSorted()).toEqual(
    [
      "_1_two",
      "a",
      "e",
      "rolebinding",
      "rolebinding_00000006",
      "web",
      "web_00000001",
      "web_00000001_",
      "x".repeat(60),
    ].toSorted(),
  );
  expect(names.get(uid(0))).toBe("web");
  for (const name of names.values()) expect(name).toMatch(/^[a-z_][a-z0-9_]*$/);
});

test("a record that is made later renames nothing", () => {
  const before = localNames(named("web", "api", "web"), "repo");
  const after = localNames(named("web", "api", "web", "web", "api").toReversed(), "repo");
  for (const [own, name] of before) expect(after.get(own)).toBe(name);
});
