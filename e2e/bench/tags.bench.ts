import type { Page } from "@playwright/test";

import type { Tag } from "platform-contract/registry/tags";

import { address, connect, follow, type Api } from "../api";
import { param } from "../records";
import { allTags, scanLine, table } from "../tags";
import { bench, count, expect, median, milliseconds, report, watchTasks } from "./bench";

/** The two repos compared, by name: one with an eighth of all tags, one with as many as fit on a page. */
const [MANY, FEW] = ["many-tags", "few-tags"];
const TURNS = 15;

async function repoOf(api: Api, name: string): Promise<string> {
  const { repos = [] } = await api.get<{ repos?: { uid: string }[] }>(`/registry/v2/repos?name=${name}`);
  if (!repos[0]) throw new Error(`The large organization has no repo ${name}: see set-up.ts`);
  return repos[0].uid;
}

/** ms from following a link to the first rows of a repo's tags, with shell and session loaded. */
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

/**
 * Returns medians for several repos, measured in turn, so that other load affects all of them alike. Each turn starts
 * with an empty cache, so that every request reaches the service; the first turn only warms up.
 */
async function compare(page: Page, repos: readonly string[]): Promise<number[]> {
  const took = repos.map((): number[] => []);
  for (let turn = 0; turn <= TURNS; turn++)
    for (const [index, repo] of repos.entries()) {
      await page.goto(address());
      await page.getByRole("heading", { name: "Your access" }).waitFor();
      const time = await firstRows(page, repo);
      if (turn > 0) took[index]?.push(time);
    }
  return took.map(median);
}

interface Scrolled {
  /** The text of each row's first link: a name, or the digest of a group. */
  readonly rows: readonly string[];
  /** The highest number of elements in the document while scrolling. */
  readonly most: number;
}

/** Scrolls to the end, almost a screen at a time, and only once the rows are drawn, so that every page is fetched. */
const scrollThrough = (page: Page): Promise<Scrolled> =>
  table(page).evaluate(
    (element) =>
      new Promise<Scrolled>((resolve) => {
        const seen = new Set<string>();
        let most = 0;
        const { bottom } = element.getBoundingClientRect();
        const top = element.querySelector("[role=row]")?.getBoundingClientRect().bottom ?? 0;
        const step = () => {
          most = Math.max(most, document.querySelectorAll("*").length);
          const drawn = [...element.querySelectorAll("[data-row-key]")].map((row) => ({
            name: row.querySelector("a")?.textContent ?? "",
            last: row.ariaRowIndex === element.ariaRowCount,
            at: row.getBoundingClientRect(),
          }));
          const end = drawn.find(({ last }) => last);
          const begun = drawn.some(({ at }) => at.top <= top + 1);
          if (begun && (end ?? drawn.find(({ at }) => at.bottom >= bottom - 1))) {
            for (const { name } of drawn) seen.add(name);
            if (end && end.at.bottom <= bottom + 1) return resolve({ rows: [...seen], most });
            element.scrollTop += bottom - top - 40;
          }
          requestAnimationFrame(step);
        };
        step();
      }),
  );

/** Tags that the list hides by default. */
const HIDDEN = { dated: /-20\d{6}$/, epochs: /-r\d+$/, referrers: /^sha256-/ };
const plain = ({ name }: Tag): boolean => !Object.values(HIDDEN).some((kind) => kind.test(name));

interface View {
  readonly what: string;
  readonly search: string;
  /** The status line once a scan has read the whole repo; omitted if the service provides the view itself. */
  readonly done?: RegExp;
  /** The expected rows, computed from the API. */
  readonly truth: (tags: readonly Tag[]) => readonly string[];
}

const namesOf = (tags: readonly Tag[]): readonly string[] => tags.map(({ name }) => name);

const VIEWS: readonly View[] = [
  {
    what: "deprecated tags",
    search: "deprecated=yes",
    done: /^[\d,]+ deprecated of [\d,]+ tags$/,
    truth: (tags) =>
      namesOf(tags.filter(({ name, deprecated }) => deprecated && !HIDDEN.referrers.test(name))),
  },
  {
    what: "newest version first",
    search: "order=version+desc",
    done: /^[\d,]+ tags, ordered by version$/,
    truth: (tags) => namesOf(tags.filter(plain)),
  },
  {
    what: "grouped by digest",
    search: "by=digest",
    done: /^[\d,]+ tags, grouped by digest$/,
    truth: (tags) => tags.filter(plain).map(({ digest = "" }) => digest.slice(0, 19)),
  },
  {
    what: "every tag of every kind, page by page",
    search: "order=name&dates=yes&epochs=yes&referrers=yes",
    truth: namesOf,
  },
];

bench("tags of a repo with 120,000", async ({ owner: page }) => {
  const api = await connect(page.context().request);
  const [many, few] = [await repoOf(api, MANY), await repoOf(api, FEW)];
  const rows: string[][] = [];
  const [slow = 0, quick = 0] = await compare(page, [many, few]);
  rows.push(
    ["first rows of a repo with 120,000 tags", milliseconds(slow)],
    ["first rows of a repo with 50 tags", milliseconds(quick)],
    ["ratio", (slow / quick).toFixed(2)],
  );

  // A tall screen: more rows in view mean more elements, and fewer steps to the end.
  await page.setViewportSize({ width: 1280, height: 1440 });
  const tags = await allTags(api, many);
  const pages: number[] = [];
  page.on("response", (response) => {
    if (/\/registry\/v2\/tags\?.*page_size=200/.test(response.url())) pages.push(performance.now());
  });
  for (const { what, search, done, truth } of VIEWS) {
    await page.goto(address());
    await page.getByRole("heading", { name: "Your access" }).waitFor();
    const longest = await watchTasks(page);
    pages.splice(0);
    await follow(page, `tags?repo=${param(many)}&${search}`);
    if (done !== undefined) {
      await expect(scanLine(page)).toHaveText(done, { timeout: 300_000 });
      const text = await scanLine(page).innerText();
      const read = Number((text.match(/\d[\d,]*/g) ?? []).at(-1)?.replaceAll(",", ""));
      // Measured from the first page.
      const seconds = ((pages.at(-1) ?? 0) - (pages[0] ?? 0)) / 1000;
      const task = await longest();
      rows.push(
        [`${what}: ${text}`, `${seconds.toFixed(1)} s`],
        [`${what}: tags a second`, count((read - 200) / seconds)],
        [`${what}: longest task`, task === 0 ? "below 50 ms" : milliseconds(task)],
      );
    }
    const scrolled = await scrollThrough(page);
    const shown = new Set(scrolled.rows);
    const expected = new Set(truth(tags));
    // Asserting on the sets themselves would print a hundred thousand names.
    expect({
      missing: [...expected].filter((name) => !shown.has(name)).slice(0, 5),
      unknown: [...shown].filter((name) => !expected.has(name)).slice(0, 5),
    }).toEqual({ missing: [], unknown: [] });
    expect(scrolled.most, what).toBeLessThan(3_000);
    rows.push(
      [`${what}: rows, the same as the API's`, count(scrolled.rows.length)],
      [`${what}: most elements while scrolling through all`, count(scrolled.most)],
    );
  }
  await report("tags", ["tags of a repo with 120,000", ""], rows);
});
