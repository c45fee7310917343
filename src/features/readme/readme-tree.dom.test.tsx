import { render } from "@testing-library/react";
import { expect, test } from "vitest";

import { parseReadme } from "./readme-parse";
import type { Node } from "./readme-tree";
import { ReadmeView } from "./readme-view";

const show = (content: string, imageOrigins: readonly string[] = []) => {
  const tree = parseReadme(content, "p-") as Node;
  return render(<ReadmeView tree={tree} prefix="p-" imageOrigins={imageOrigins} />).container;
};

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

test("markup is text", () => {
  const box = show('<script>alert(1)</script>\n\n<img src=x onerror=alert(2)> and <b style="x">bold</b>');
  expect(box.querySelector("script, img, b")).toBeNull();
  expect(box.textContent).toContain("<script>alert(1)</script>");
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
