import { readFileSync } from "node:fs";
import { render } from "@testing-library/react";
import { expect, test } from "vitest";

import { parseReadme } from "./readme-parse";
import type { Node } from "./readme-tree";
import { ReadmeView } from "./readme-view";

const show = (content: string, imageOrigins: readonly string[] = []) => {
  const tree = parseReadme(content, "p-") as Node;
  return render(<ReadmeView tree={tree} prefix="p-" imageOrigins={imageOrigins} />).container;
};

const CASE = readFileSync("src/domains/registry/readme/readme-case.md", "utf8");

test("links lead to the web, to a mailbox or into the document, and nowhere else", () => {
  const links = show(
    [
      "[web](https://example.com/a?b=1)",
      "[mail](mailto:a@b.example)",
      "[down](#there)",
      "[script](javascript:alert(1))",
      "[disguised](JaVaScRiPt&#58;alert(1))",
      "[tabbed](<java\tscript:alert(1)>)",
      "[data](data:text/html,<script>alert(1)</script>)",
      "[file](docs/other.md)",
      "[root](/admin)",
      "[same](//evil.example)",
      "<javascript:alert(1)>",
    ].join("\n\n"),
  ).querySelectorAll("a");
  expect([...links].map((link) => link.getAttribute("href"))).toEqual([
    "https://example.com/a?b=1",
    "mailto:a@b.example",
    "#there",
  ]);
  expect(links[0]?.rel).toBe("noopener noreferrer");
  expect(links[0]?.dataset["tip"]).toBe("https://example.com/a?b=1");
});

test("harmless HTML is rendered, other tags are dropped, and none is shown as source", () => {
  const box = show(CASE);
  expect(box.textContent).not.toMatch(/[<>]|generated file|\[!WARNING\]/);
  expect(box.querySelector("p[align=center] a")?.textContent).toBe("logo");
  expect([...box.querySelectorAll("kbd")].map((one) => one.textContent)).toEqual(["Ctrl", "C"]);
  expect(box.querySelector("sub")?.textContent).toBe("2");
  expect(box.querySelector("br")).not.toBeNull();
  expect(box.querySelector("details > summary")?.textContent).toBe("More");
  expect(box.querySelectorAll("details [role=img]")).toHaveLength(2);
  expect(box.querySelector("[role=note]")?.textContent?.trim()).toBe("WarningPort 8080 moves to 9090.");
  expect(box.textContent).toContain(":warning: emoji");
  const ids = [...box.querySelectorAll("[id]")].map(({ id }) => id);
  for (const id of ["shop", "top", "usage", "usage-1"])
    expect(ids.filter((one) => one.endsWith(`-${id}`))).toHaveLength(1);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each([
  ["<script>alert(1)</script>", ""],
  ["<plaintext>a <script>alert(1)</script>", "a <script>alert(1)</script>"],
  ["a <script>alert(1)</script> b", "a  b"],
  ["<style>p { color: red }</style>\n\ntext", "text"],
  ["<img src=x onerror=alert(2)> and <b style='x' onclick='y'>bold</b>", "image and bold"],
  ["<svg onload=alert(1)><circle/></svg>after", "after"],
  [
    "<iframe src='https://a.example'></iframe><form action='/x'><input name=a><button>go</button></form>",
    "go",
  ],
  ["<!-- unfinished <b>comment", ""],
  ["<p unfinished='", ""],
  ["1 < 2 and <x-y>custom</x-y> &lt;b&gt;", "1 < 2 and custom <b>"],
  ["<a href='javascript:alert(1)' id=root>link</a>", "link"],
  ["<meta http-equiv=refresh content=0><base href='//evil'><link rel=stylesheet href='//evil'>x", "x"],
])("%j leaves nothing that acts", (content, words) => {
  const box = show(content);
  expect(box.textContent?.trim()).toBe(words);
  expect(
    box.querySelector("script, style, svg, iframe, form, input, button, img, meta, base, link, a"),
  ).toBeNull();
  for (const element of box.querySelectorAll("*"))
    for (const { name } of element.attributes) expect(name).not.toMatch(/^on|^style$|action/);
});

test.each([
  ["<b>a<i>b</b>c</i>", "<p><b>a<i>b</i></b><i>c</i></p>"],
  ["<ul><li>one<li>two</ul>", "<ul><li>one</li><li>two</li></ul>"],
  ["<p>one<p>two", "<p>one</p><p>two</p>"],
  [
    "<div align=right>\n\n**a** &hellip; &CounterClockwiseContourIntegral;\n\n</div>",
    "<strong>a</strong> \u2026 \u2233",
  ],
  ["<center>a</center>", '<div align="center">a</div>'],
  ["<tt>a</tt>", "<p><code>a</code></p>"],
  ["<xmp><b>a</b></xmp>", ""],
  ['<p tabindex=5 role=alert class="sr-only overlay" style="position: fixed">a</p>', "<p>a</p>"],
  [
    "<input type=checkbox checked>a <input type=password>",
    '<p><span role="img" aria-label="done">\u2611</span>a </p>',
  ],
  ["<picture><source srcset='https://img.example/a.png'>a</picture>", "<p>a</p>"],
])("%j is read as a browser reads it, without what it could claim", (content, inside) => {
  expect(show(content).querySelector("div")?.innerHTML).toContain(inside);
});

test("a tag that our rules forget is dropped by the library beneath", () => {
  const forged: Node = {
    type: "root",
    children: [
      { type: "element", tagName: "iframe", properties: { src: "https://a.example" }, children: [] },
      {
        type: "element",
        tagName: "p",
        properties: { onClick: "alert(1)", style: "color: red" },
        children: [{ type: "text", value: "a" }],
      },
    ],
  };
  const { container } = render(<ReadmeView tree={forged} prefix="p-" imageOrigins={[]} />);
  expect(container.querySelector(".readme, div")?.innerHTML).toBe("<p>a</p>");
});

test("an image is a link to it, unless its origin is allowed", () => {
  const content = [
    "![logo](https://img.example/a.png)",
    "![](https://other.example/b.png)",
    "![inline](data:image/png;base64,AAAA)",
    "[![badge](https://img.example/c.svg)](https://ci.example/)",
  ].join("\n\n");
  const none = show(content);
  expect(none.querySelector("img")).toBeNull();
  expect([...none.querySelectorAll("a")].map(({ href, textContent }) => [textContent, href])).toEqual([
    ["logo", "https://img.example/a.png"],
    ["https://other.example/b.png", "https://other.example/b.png"],
    ["badge", "https://ci.example/"],
  ]);
  const some = show(content, ["https://img.example"]).querySelectorAll("img");
  expect([...some].map((image) => [image.src, image.alt, image.getAttribute("referrerpolicy")])).toEqual([
    ["https://img.example/a.png", "logo", "no-referrer"],
    ["https://img.example/c.svg", "badge", "no-referrer"],
  ]);
});

test("headings stand below those of the page, and can be linked to by their words", () => {
  const box = show("# Top\n\n## What's new?\n\n## What's new?\n\n[down](#whats-new-1)");
  expect(
    [...box.querySelectorAll("h3, h4")].map(({ tagName, id }) => [tagName, id.replace(/^.*?-/, "")]),
  ).toEqual([
    ["H3", "top"],
    ["H4", "whats-new"],
    ["H4", "whats-new-1"],
  ]);
  // jsdom cannot scroll.
  Element.prototype.scrollIntoView = () => undefined;
  box.querySelector<HTMLElement>("a")?.click();
  expect(document.activeElement).toBe(box.querySelectorAll("h4")[1]);
});

test("tables, tasks and notes of GitHub's Markdown", () => {
  const box = show("| a | b |\n|---|--:|\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n\nText[^1]\n\n[^1]: A note.");
  expect(box.querySelectorAll("td")).toHaveLength(2);
  expect(
    [...box.querySelectorAll("[role=img]")].map((task) => task.ariaLabel ?? task.getAttribute("aria-label")),
  ).toEqual(["done", "not done"]);
  expect(box.querySelector("input")).toBeNull();
  const back = box.querySelector<HTMLAnchorElement>("a[href*=fnref]");
  expect(box.querySelector(`[id="${back?.getAttribute("href")?.slice(1)}"]`)).not.toBeNull();
});
