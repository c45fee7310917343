import { expect, test } from "vitest";

import { isTame } from "./readme-limits";

test("what people write is formatted: long, with many links, lists in lists and a table of a hundred rows", () => {
  const section = (index: number) =>
    `## Part ${index}\n\nSee [this](https://docs.example/${index}) and \`that\`.\n`;
  const long = Array.from({ length: 2_000 }, (_, index) => section(index)).join("\n");
  const table = `| a | b | c |\n|---|---|---|\n${"| 1 | 2 | 3 |\n".repeat(100)}`;
  const links = Array.from({ length: 1_000 }, (_, index) => `- [a](https://docs.example/${index})`).join(
    "\n",
  );
  const lists = Array.from({ length: 8 }, (_, depth) => `${"  ".repeat(depth)}- ${depth}`).join("\n");
  expect(isTame([long, table, links, lists, "> > > quoted", "- - -"].join("\n\n"))).toBe(true);
  expect(isTame("")).toBe(true);
});

test.each(
  Object.entries({
    quotes: ">".repeat(60_000),
    "lists in one line": `${"- ".repeat(40)}a`,
    "numbered lists in one line": `${"1. ".repeat(40)}a`,
    "lists in lists": Array.from({ length: 300 }, (_, depth) => `${" ".repeat(depth)}- a`).join("\n"),
    "many quotes in quotes": `${">".repeat(29)} x\n\n`.repeat(1_000),
    brackets: "[".repeat(20_000),
    links: "[a](".repeat(10_000),
    notes: `${"[^a]".repeat(10_000)}\n\n[^a]: x`,
    backticks: Array.from({ length: 300 }, (_, index) => "`".repeat(index)).join(" a "),
    "rows of a wide table": `${"|a".repeat(500)}|\n${"|-".repeat(500)}|\n${"b\n".repeat(10_000)}`,
    "many paragraphs of brackets": `${"[".repeat(3_000)}\n \n`.repeat(20),
  }),
)("what keeps a browser busy is not: %s", (_what, content) => {
  expect(isTame(content)).toBe(false);
});
