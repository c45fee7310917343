import type { Page } from "@playwright/test";

import type { Tag } from "~/contract/registry/tags";

import { connect, address, type Api } from "../api";
import { param } from "../records";
import { allTags, scanLine, table } from "../tags";
import { bench, count, expect, median, milliseconds, report, watchTasks } from "./bench";

/** The repos of the large organization that are compared, by name: an eighth of all tags, and as many as a page shows. */
const [MANY, FEW] = ["many-tags", "few-tags"];
const TURNS = 9;

async function repoOf(api: Api, name: string): Promise<string> {
  const { repos = [] } = await api.get<{ repos?: { uid: string }[] }>(`/registry/v2/repos?name=${name}`);
  if (!repos[0]) throw new Error(`The large organization has no repo ${name}: see set-up.ts`);
  return repos[0].uid;
}

/** Leads somewhere as a link of the console does. */
const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => history.pushState({}, "", to), address(path));

/** From following a link to the first rows of the tags of a repo, in ms; shell and session are there. */
const firstRows = async (page: Page, repo: string): Promise<number> => {
  const timed = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let began = 0;
        const look = () => {
          if (began === 0 && location.search.includes("repo=")) began = performance.now();
          if (document.querySelectorAll("[role=table] [data-row-key]").length > 5)
            resolve(performance.now() - began);
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
  await follow(page, `tags?repo=${param(repo)}`);
  return timed;
};

/** Each turn begins with an empty cache, so that the service is asked. */
async function turns(page: Page, repo: string): Promise<number[]> {
  const took: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    await page.goto(address());
    await page.getByRole("heading", { name: "What you may do here" }).waitFor();
    took.push(await firstRows(page, repo));
  }
  return took;
}

/** Scrolls as a wheel does through everything that is there; the most elements that the document had meanwhile. */
const scrollThrough = (page: Page): Promise<number> =>
  table(page).evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        let most = 0;
        const step = () => {
          most = Math.max(most, document.querySelectorAll("*").length);
          const before = element.scrollTop;
          element.scrollTop += 20_000;
          if (element.scrollTop === before) resolve(most);
          else requestAnimationFrame(step);
        };
        step();
      }),
  );

interface Scan {
  readonly what: string;
  readonly search: string;
  readonly done: RegExp;
}

const SCANS: readonly Scan[] = [
  { what: "deprecated tags", search: "deprecated=yes", done: /^[\d,]+ deprecated of [\d,]+ tags$/ },
  { what: "newest version first", search: "order=version+desc", done: /^[\d,]+ tags, ordered by version$/ },
  { what: "grouped by digest", search: "by=digest", done: /^[\d,]+ tags, grouped by digest$/ },
];

bench("tags of a repo with 120,000", async ({ owner: page }) => {
  const api = await connect(page.context().request);
  const [many, few] = [await repoOf(api, MANY), await repoOf(api, FEW)];
  const rows: string[][] = [];
  const slow = median(await turns(page, many));
  const quick = median(await turns(page, few));
  rows.push(
    ["first rows of a repo with 120,000 tags", milliseconds(slow)],
    ["first rows of a repo with 50 tags", milliseconds(quick)],
    ["ratio", (slow / quick).toFixed(2)],
  );

  const truth = (await allTags(api, many)).filter(({ name }: Tag) => !name.startsWith("sha256-"));
  const pages: number[] = [];
  page.on("response", (response) => {
    if (/\/registry\/v2\/tags\?.*page_size=200/.test(response.url())) pages.push(performance.now());
  });
  for (const { what, search, done } of SCANS) {
    await page.goto(address());
    await page.getByRole("heading", { name: "What you may do here" }).waitFor();
    const longest = await watchTasks(page);
    pages.splice(0);
    await follow(page, `tags?repo=${param(many)}&${search}`);
    await expect(scanLine(page)).toHaveText(done, { timeout: 300_000 });
    const text = await scanLine(page).innerText();
    const numbers = (text.match(/\d[\d,]*/g) ?? []).map((each) => Number(each.replaceAll(",", "")));
    const read = numbers.at(-1) ?? 0;
    // Counted from the first page on.
    const seconds = ((pages.at(-1) ?? 0) - (pages[0] ?? 0)) / 1000;
    const task = await longest();
    rows.push(
      [`${what}: ${text}`, `${seconds.toFixed(1)} s`],
      [`${what}: tags a second`, count((read - 200) / seconds)],
      [`${what}: longest task`, task === 0 ? "below 50 ms" : milliseconds(task)],
    );
    if (search === "deprecated=yes") {
      const found = truth.filter(({ deprecated }) => deprecated).length;
      expect(numbers, "as the API has it").toEqual([found, truth.length]);
      rows.push(["deprecated tags by the API itself", count(found)]);
    }
    rows.push([`${what}: most elements while scrolling through all`, count(await scrollThrough(page))]);
  }
  await report("tags", ["tags of a repo with 120,000", ""], rows);
});
