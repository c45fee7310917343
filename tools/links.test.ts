import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

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
