import type { Page } from "@playwright/test";

import { bind } from "../bindings";
import { expect, fault, ownService, test, type Faulty } from "../faulty";
import { countRefused, exhaust } from "../rate-limit";
import { folder, param } from "../records";
import { makeRepo } from "../repos";
import { allTags, createTags, digestOf } from "../tags";

// Without rules on the service: as with one that has nothing beyond the published API.
test.use({ serviceVariables: { RETENTION_RUNS: "0" } });

const TAG = /\/registry\/v2\/tags\/.+/;
const DELETE = { method: "DELETE", path: TAG };
const versions = (count: number) => Array.from({ length: count }, (_, index) => `1.0.${index}`);

async function makeTagged(person: Faulty, name: string, count: number, parent?: string) {
  const repo = await makeRepo(person, { name }, parent);
  const bodies = versions(count).map((version, index) => ({ name: version, digest: digestOf(index) }));
  await createTags(person.api, repo.uid, bodies);
  return repo;
}

/** Keeps the newest of each line, up to the button that asks. */
async function previewed(page: Page, count: number): Promise<void> {
  await page.getByRole("textbox", { name: "Keep the newest" }).fill("1");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByText(`${count} tags would be deleted`)).toBeVisible({ timeout: 30_000 });
}

async function confirm(page: Page, count: number): Promise<void> {
  await page.getByRole("button", { name: `Delete ${count} tags` }).click();
  const dialog = page.getByRole("dialog", { name: `Delete ${count} tags?` });
  if (count > 10) await dialog.getByRole("textbox").fill(String(count));
  await dialog.getByRole("button", { name: `Delete ${count} tags` }).click();
}

const left = async ({ api }: Faulty, repo: { readonly uid: string }) =>
  (await allTags(api, repo.uid)).map(({ name }) => name);
const done = (page: Page, title: string) =>
  expect(page.getByRole("heading", { name: title })).toBeVisible({ timeout: 60_000 });

test(
  "rules are previewed and downloaded where the service runs none @long",
  ownService,
  async ({ faulty }) => {
    const { page, open } = faulty;
    const repo = await makeTagged(faulty, "web", 6);
    await open(`retention?repo=${param(repo)}`);
    await expect(page.getByText("This service runs no retention rules")).toBeVisible();
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(
      page.getByText("Set at least one rule. Without any, every tag would be deleted."),
    ).toBeVisible();
    await previewed(page, 5);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download rules" }).click();
    const file = await (await download).path();
    // No browser keeps them.
    await page.reload();
    await expect(page.getByRole("textbox", { name: "Keep the newest" })).toHaveValue("");
    await page.getByLabel("Open rules from a file").setInputFiles(file);
    await expect(page.getByRole("textbox", { name: "Keep the newest" })).toHaveValue("1");
  },
);

for (const [what, effect] of Object.entries({
  "answers are lost": fault.cutAfter,
  "requests are lost": fault.cutBefore,
}))
  test(`old tags are deleted once each although ${what} @long`, ownService, async ({ faulty }) => {
    const { page, open, proxy } = faulty;
    const repo = await makeTagged(faulty, "web", 6);
    await open(`retention?repo=${param(repo)}`);
    await previewed(page, 5);
    const lost = proxy.rule(DELETE, effect, { times: 2 });
    await confirm(page, 5);
    await lost.met(2);
    const resume = page.getByRole("button", { name: "Resume" });
    const retry = page.getByRole("button", { name: /^Retry \d failed$/ });
    await expect(async () => {
      if (await resume.isVisible()) await resume.click();
      if (await retry.isVisible()) await retry.click();
      await expect(page.getByRole("heading", { name: "Deleted 5 tags" })).toBeVisible({ timeout: 1_000 });
    }).toPass({ timeout: 60_000 });
    expect(await left(faulty, repo)).toEqual(["1.0.5"]);
  });

test("after a reload in the middle, what changed meanwhile is kept @long", ownService, async ({ faulty }) => {
  const { page, api, open, proxy } = faulty;
  const repo = await makeTagged(faulty, "web", 9);
  await open(`retention?repo=${param(repo)}`);
  await previewed(page, 8);
  const held = proxy.rule(DELETE, fault.none, { hold: "answer" });
  await confirm(page, 8);
  await held.met(4);
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  held.remove();
  await expect(page.getByText("The page was reloaded. Resume to continue.")).toBeVisible();
  const [first = "", second = ""] = (await left(faulty, repo)).toSorted();
  expect(second).not.toBe("");
  await api.post(`/registry/v2/tags/${repo.uid}`, { name: first, digest: digestOf(99) });
  await page.getByRole("button", { name: "Resume" }).click();
  await done(page, "Deleted 7 of 8 tags");
  await page.getByRole("button", { name: "Show items" }).click();
  await expect(page.getByText("It was changed since the preview, so it was kept.").first()).toBeVisible();
  expect((await left(faulty, repo)).toSorted()).toEqual([first, "1.0.8"].toSorted());
});

test(
  "who may delete the tags of one repo only deletes those @long",
  ownService,
  async ({ faulty, signUpBehind }) => {
    const { api, organization } = faulty;
    const own = await folder(api, organization, "own");
    const mine = await makeTagged(faulty, "mine", 3, own.uid);
    const theirs = await makeTagged(faulty, "theirs", 3);
    const reads = ["CAP_IAM_GROUPS_LIST", "CAP_REPO_LIST", "CAP_TAG_LIST"];
    const keeper = await signUpBehind();
    await bind(api, organization, keeper, reads);
    await bind(api, own, keeper, [...reads, "CAP_TAG_DELETE"]);
    const { page } = keeper;
    await keeper.open(`retention?repo=${param(theirs)}`);
    await previewed(page, 2);
    const refused = page.getByRole("button", { name: "Delete 2 tags" });
    await expect(refused).toHaveAttribute("aria-disabled", "true");
    await expect(refused).toHaveAccessibleDescription(/tag\.delete/);

    const hidden = await makeTagged(faulty, "hidden", 1, (await folder(api, organization, "hidden")).uid);
    await api.delete(`/registry/v2/repos/${hidden.uid}`);
    await keeper.open(`retention?repo=${param(hidden)}`);
    await expect(page.getByRole("heading", { name: "This repo wasn't found" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Preview" })).toBeHidden();

    await keeper.open(`retention?group=${organization.uid}`);
    await previewed(page, 4);
    await page.getByRole("button", { name: "Delete 4 tags" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete 2 tags?" });
    await expect(dialog.getByText("2 selected tags can't be deleted")).toBeVisible();
    await dialog.getByRole("button", { name: "Delete 2 tags" }).click();
    await done(page, "Deleted 2 tags");
    expect(await left(faulty, mine)).toEqual(["1.0.2"]);
    expect((await left(faulty, theirs)).toSorted()).toEqual(versions(3));
    const [tag] = await allTags(api, theirs.uid);
    expect((await keeper.api.refusal("DELETE", `/registry/v2/tags/${tag?.uid}`)).http).toBe(403);
  },
);

test.describe("with a limit of requests", () => {
  test.use({ serviceVariables: { RATE_LIMIT: "10", RETENTION_RUNS: "0" } });

  test(
    "more deletions than the service allows at once all happen, each once @long",
    ownService,
    async ({ faulty }) => {
      test.setTimeout(180_000);
      const { page, api, open, proxy } = faulty;
      const repo = await makeTagged(faulty, "web", 60);
      await open(`retention?repo=${param(repo)}`);
      await previewed(page, 59);
      const refused = countRefused(proxy, TAG);
      const { stop } = await exhaust(api);
      await confirm(page, 59);
      await expect.poll(refused.count, { timeout: 60_000 }).toBeGreaterThan(0);
      await stop();
      await expect(page.getByRole("heading", { name: "Deleted 59 tags" })).toBeVisible({ timeout: 120_000 });
      await expect
        .poll(async () => (await allTags(api, repo.uid).catch(() => [])).map(({ name }) => name))
        .toEqual(["1.0.59"]);
    },
  );
});
