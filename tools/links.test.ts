import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

import { PAPERS, readmeFrom } from "./runtime.mjs";

const root = join(import.meta.dirname, "..");
/** A readme of somebody else, to be shown. */
const FOREIGN = /readme-case\.md$/;

const pages = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((page) => !FOREIGN.test(page) && existsSync(join(root, page)));

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = readFileSync(join(root, page), "utf8").replaceAll(/^```[^]*?^```/gm, "");
  return new Set(
    [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, "")
        .trim()
        .replaceAll(" ", "-"),
    ),
  );
}

function problemOf(page: string, link: string): string | undefined {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(root, target))) return `${page}: ${link} does not exist`;
  if (anchor === undefined || !target.endsWith(".md")) return undefined;
  return anchorsOf(target).has(anchor) ? undefined : `${page}: ${link} has no such heading`;
}

test("every link between pages of this repository leads somewhere", () => {
  expect(pages.length).toBeGreaterThan(20);
  const links = pages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/\]\(([^)\s]+)\)/g)].map(
      ([, link = ""]) => [page, link] as const,
    ),
  );
  const problems = links.flatMap(([page, link]) =>
    /^[a-z]+:/.test(link) ? [] : (problemOf(page, link) ?? []),
  );
  expect(problems).toEqual([]);
});

/** The pages of a release by their place in it, with their text. */
const shipped: readonly (readonly [page: string, text: string])[] = [
  ["README.md", readmeFrom(readFileSync(join(root, "deploy/README.md"), "utf8"))],
  ...pages
    .filter((page) => PAPERS.some((part) => page === part || page.startsWith(`${part}/`)))
    .map((page) => [page, readFileSync(join(root, page), "utf8")] as const),
];
/** True if a release has what a link of one of its pages leads to; its README.md has no headings to lead to. */
function isShipped(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : normalize(join(dirname(page), path));
  if (target === "README.md") return anchor === undefined;
  const isPart = PAPERS.some((part) => target === part || target.startsWith(`${part}/`));
  return isPart && existsSync(join(root, target));
}

test("every link between pages of a release leads to something that it has", () => {
  expect(shipped.length).toBeGreaterThan(15);
  const dead = shipped.flatMap(([page, text]) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = ""]) => link)
      .filter((link) => !/^[a-z]+:/.test(link) && !isShipped(page, link))
      .map((link) => `${page}: ${link}`),
  );
  expect(dead).toEqual([]);
});

/** About the repository, as the README of a release says. */
const OF_REPOSITORY = /^(?:CHANGELOG|SECURITY|docs\/(?:performance|releases|figures\/figures))\.md$/;

test("pages of a release name no script of npm, but where they are about a checkout", () => {
  const named = shipped
    .filter(([page]) => !OF_REPOSITORY.test(page))
    .flatMap(([page, text]) =>
      text
        .split(/\n(?:\n|(?=[-|*] ))/)
        .filter(
          (part) =>
            /\bnpm (?:run|start|test|ci)\b|\bnpx /.test(part) &&
            !/checkout|# needs the packages for development/.test(part),
        )
        .map((part) => `${page}: ${part.slice(0, 200)}`),
    );
  expect(named).toEqual([]);
});
