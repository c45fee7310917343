import { expect, it } from "vitest";

import { parseReadme } from "./readme-parse";

const table = (columns: number, rows: number): string =>
  `${"|a".repeat(columns)}|\n${"|-".repeat(columns)}|\n${"|\n".repeat(rows)}`;

it.each([
  ["an ordinary one", "# Title\n\n> a quote\n\n- an item\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", true],
  ["a long table", table(8, 400), true],
  ["a table of more cells than letters", table(300, 300), false],
  ["items in one another", `${"- ".repeat(80)}a`, false],
  ["quotes in one another", `${"> ".repeat(120)}a`, false],
  ["HTML in one another", `${"<div>".repeat(120)}a`, false],
  ["more HTML than a page can render", `<div>${"<i>a</i> ".repeat(7_000)}`, false],
])("of %s", (_what, content, drawn) => {
  expect(parseReadme(content, "p-") !== undefined).toBe(drawn);
});

it("keeps nothing of the parser's own, so that little is sent to the page", () => {
  expect(parseReadme("<b>*a*</b>", "p-")).toEqual({
    type: "root",
    children: [
      {
        type: "element",
        tagName: "p",
        properties: {},
        children: [
          {
            type: "element",
            tagName: "b",
            properties: {},
            children: [
              { type: "element", tagName: "em", properties: {}, children: [{ type: "text", value: "a" }] },
            ],
          },
        ],
      },
    ],
  });
});
