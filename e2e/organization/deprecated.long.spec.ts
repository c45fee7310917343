import type { Page } from "@playwright/test";

import type { Tag } from "platform-contract/registry/tags";

import type { Api } from "../api";
import { expect, fault, ownService, test, type Faulty } from "../faulty";
import { openFilters } from "../lists";
import { param } from "../records";
import { allTags, createRepo, createTags, digestOf, names, NO_IMAGE, scanLine, type TagBody } from "../tags";

/** 240 tags by name: every ninth is deprecated, some of those are build tags and dated tags; plus a few referrers. */
const BODIES: readonly TagBody[] = Array.from({ length: 240 }, (_, index) => {
  const number = String(index).padStart(3, "0");
  const suffix = ["", "-r1", "-20260811"][Math.floor(index / 9) % 3] ?? "";
  const referrer = index >= 235;
  return {
    name: referrer ? `sha256-${number}` : `t-${number}${suffix}`,
    digest: digestOf(index % 3),
    deprecated: referrer || index % 9 === 0,
  };
});

const state = (page: Page) => page.getByRole("combobox", { name: "State" });
const deprecatedNames = (tags: readonly Tag[], referrers = false): string[] =>
  tags
    .filter(({ name, deprecated }) => deprecated && (referrers || !name.startsWith("sha256-")))
    .map(({ name }) => name)
    .toSorted();

/** Compares what the list shows with the API. */
async function agrees(page: Page, api: Api, repo: string, referrers = false): Promise<void> {
  const all = await allTags(api, repo);
  const looked = referrers ? all.length : all.filter(({ name }) => !name.startsWith("sha256-")).length;
  const truth = deprecatedNames(all, referrers);
  await expect(scanLine(page)).toHaveText(`${truth.length} deprecated of ${looked} tags`);
  expect((await names(page)).toSorted()).toEqual(truth);
}

/** Any page of a scan but the first. */
const furtherPage = {
  method: "GET",
  path: /^\/registry\/v2\/tags$/,
  when: ({ query }: { query: URLSearchParams }) =>
    query.get("page_size") === "200" && query.has("page_token"),
};

async function openRepo(faulty: Faulty) {
  const { page, api, organization, open } = faulty;
  const repo = await createRepo(api, organization.uid);
  await createTags(api, repo.uid, BODIES);
  // Tall enough to draw all rows found.
  await page.setViewportSize({ width: 1280, height: 2_000 });
  await open(`tags?repo=${param(repo)}&order=name&dates=yes&epochs=yes`);
  await expect(page.getByRole("link", { name: "t-001", exact: true })).toBeVisible();
  return repo;
}

test(
  "deprecated tags are those that the service has, while tags change and the search is stopped and resumed",
  ownService,
  async ({ faulty, problems }) => {
    test.slow();
    problems.allow(NO_IMAGE);
    const { page, proxy, api } = faulty;
    const repo = await openRepo(faulty);
    const slow = proxy.rule(furtherPage, fault.none, { hold: "answer" });
    await state(page).selectOption("deprecated");
    await expect(scanLine(page)).toContainText("23 deprecated in 200 of 235 read");
    await expect(page).toHaveURL(/deprecated=yes/);
    expect(await names(page)).toHaveLength(23);
    await page.getByRole("button", { name: "Stop" }).click();
    await expect(scanLine(page)).toContainText("Stopped: 23 deprecated in 200 of 235 read");
    await expect(page.getByText("35 tags weren't searched.")).toBeVisible();
    slow.remove();

    // Among the unread tags, one is added, one deleted, one becomes deprecated, and one is maintained again.
    const all = new Map((await allTags(api, repo.uid)).map((tag) => [tag.name, tag]));
    const at = (index: number) => BODIES[index] as TagBody;
    await createTags(api, repo.uid, [
      { name: "t-210-more-r9", digest: digestOf(9), deprecated: true },
      { ...at(211), deprecated: true },
      { ...at(216), deprecated: false },
    ]);
    await api.delete(`/registry/v2/tags/${all.get(at(225).name)?.uid}`);
    await page.getByRole("button", { name: "Resume" }).click();
    await agrees(page, api, repo.uid);

    // Active tags are all the others; no tag is in both sets or in neither.
    await state(page).selectOption("active");
    const ended = deprecatedNames(await allTags(api, repo.uid)).length;
    await expect(scanLine(page)).toHaveText(`${235 - ended} active of 235 tags`);

    await page.goBack();
    await agrees(page, api, repo.uid);
    await (await openFilters(page)).getByRole("checkbox", { name: "Signatures" }).check();
    await page.keyboard.press("Escape");
    await agrees(page, api, repo.uid, true);
  },
);

test(
  "a page that fails leaves what was found, and the search goes on from it",
  ownService,
  async ({ faulty, problems }) => {
    test.slow();
    problems.allow(NO_IMAGE);
    const { page, proxy, api } = faulty;
    const repo = await openRepo(faulty);
    const refused = proxy.rule(furtherPage, fault.status(403), { times: 1 });
    await state(page).selectOption("deprecated");
    await refused.met();
    await expect(scanLine(page)).toContainText(
      "Stopped: 23 deprecated in 200 of 235 read. The fault proxy says 403.",
    );
    expect(await names(page)).toHaveLength(23);
    await page.getByRole("button", { name: "Continue" }).click();
    await agrees(page, api, repo.uid);
  },
);

test(
  "a reload in the middle begins anew, and the address shows the same in a fresh tab",
  ownService,
  async ({ faulty, problems }) => {
    test.slow();
    problems.allow(NO_IMAGE);
    const { page, proxy, api, context } = faulty;
    const repo = await openRepo(faulty);
    const slow = proxy.rule(furtherPage, fault.none, { hold: "answer" });
    await state(page).selectOption("deprecated");
    await expect(scanLine(page)).toContainText("23 deprecated in 200 of 235 read");
    await page.reload();
    slow.remove();
    await agrees(page, api, repo.uid);

    const url = page.url();
    const tab = await context.newPage();
    await tab.setViewportSize({ width: 1280, height: 2_000 });
    await tab.goto(url);
    await agrees(tab, api, repo.uid);
    await tab.close();
  },
);
