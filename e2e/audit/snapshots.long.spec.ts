import { readFile } from "node:fs/promises";

import type { Page } from "@playwright/test";

import type { AuditEntry } from "platform-contract/audit/entries";

import { bind } from "../bindings";
import { expect, fault, ownService, test, type Faulty } from "../faulty";
import { param } from "../records";
import { makeRepo } from "../repos";
import { allTags, createTags, digestOf } from "../tags";

const TAGS = { method: "GET", path: /\/registry\/v2\/tags$/ };
const SIGN = { method: "POST", path: /\/snapshots\/v1\/groups\/[0-9a-f]+:sign$/ };

/** An organization with a repo and two tags, at its snapshots. */
async function prepared(person: Faulty) {
  const repo = await makeRepo(person, { name: "nginx" });
  const names = ["1.27.0", "1.27.1"];
  await createTags(
    person.api,
    repo.uid,
    names.map((name, index) => ({ name, digest: digestOf(index) })),
  );
  await person.open(`snapshots?group=${param(person.organization.uid)}`);
  return repo;
}

/** Presses a button that downloads a file; returns its text. */
async function download(page: Page, name: string): Promise<string> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name, exact: true }).click();
  return readFile(await (await downloading).path(), "utf8");
}

const tagNames = (file: string): (string | undefined)[] =>
  (JSON.parse(file) as { tags: { name?: string }[] }).tags.map(({ name }) => name).toSorted();

/** How often the audit log says that a snapshot of the organization was signed. */
async function signings({ api, organization }: Faulty): Promise<number> {
  const { auditEntries = [] } = await api.get<{ auditEntries?: AuditEntry[] }>(
    `/audit/v1/entries?record=${organization.uid}&action=groups.signSnapshot`,
  );
  return auditEntries.length;
}

test("a snapshot waits for a busy service, and has everything @long", ownService, async ({ faulty }) => {
  const { page, api, proxy } = faulty;
  const repo = await prepared(faulty);
  const busy = proxy.rule(TAGS, fault.status(429, { retryAfter: 1 }), { times: 2 });
  const file = await download(page, "Take a snapshot");
  expect(busy.seen).toHaveLength(2);
  expect(JSON.parse(file)).toMatchObject({ complete: true });
  expect(tagNames(file)).toEqual((await allTags(api, repo.uid)).map(({ name }) => name).toSorted());
});

test("a reload in the middle of a reading leaves nothing half done @long", ownService, async ({ faulty }) => {
  const { page, proxy } = faulty;
  await prepared(faulty);
  const held = proxy.rule(TAGS, fault.none, { hold: "answer" });
  await page.getByRole("button", { name: "Take a snapshot" }).click();
  await held.met();
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  let downloads = 0;
  page.on("download", () => (downloads += 1));
  await page.reload();
  held.remove();
  await expect(page.getByRole("button", { name: "Take a snapshot" })).toBeVisible();
  expect(downloads).toBe(0);
  expect(tagNames(await download(page, "Take a snapshot"))).toEqual(["1.27.0", "1.27.1"]);
  expect(proxy.seen.filter(({ method, path }) => method !== "GET" && path.includes("/v2/"))).toEqual([]);
});

for (const [what, effect] of Object.entries({
  "the answer is lost": fault.cutAfter,
  "the request is lost": fault.cutBefore,
}))
  test(`a snapshot is signed once although ${what} @long`, ownService, async ({ faulty }) => {
    const { page, proxy } = faulty;
    await prepared(faulty);
    await download(page, "Take a snapshot");
    proxy.rule(SIGN, effect, { times: 1 });
    expect(await download(page, "Sign snapshot")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(await signings(faulty)).toBe(1);
  });

test(
  "a signature whose answers were all lost says so, and another press signs nothing twice @long",
  ownService,
  async ({ faulty }) => {
    test.setTimeout(180_000);
    const { page, proxy } = faulty;
    await prepared(faulty);
    await download(page, "Take a snapshot");
    const lost = proxy.rule(SIGN, fault.cutAfter);
    await page.getByRole("button", { name: "Sign snapshot" }).click();
    await expect(
      page.getByRole("alert").filter({ hasText: "We couldn't confirm whether the snapshot was signed" }),
    ).toBeVisible({ timeout: 90_000 });
    lost.remove();
    expect(await download(page, "Sign snapshot")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(await signings(faulty)).toBe(1);
  },
);

test(
  "who may list only some kinds gets an incomplete file on request, and no signature @long",
  ownService,
  async ({ faulty, signUpBehind }) => {
    const { api, organization } = faulty;
    await prepared(faulty);
    const reader = await signUpBehind();
    await bind(api, organization, reader, ["CAP_IAM_GROUPS_LIST", "CAP_REPO_LIST"]);
    const { page } = reader;
    await reader.open(`snapshots?group=${param(organization.uid)}`);
    await page.getByRole("button", { name: "Take a snapshot" }).click();
    await expect(page.getByText("This snapshot is incomplete")).toBeVisible();
    await expect(page.getByText(/identities.*You need permission to/)).toBeVisible();
    await expect(page.getByText(/identities unknown, 1 repo, tags unknown/)).toBeVisible();
    const file = JSON.parse(await download(page, "Download incomplete file")) as object;
    expect(file).toMatchObject({ complete: false, counts: { repos: 1, tags: 0 } });
    await expect(page.getByRole("button", { name: "Sign snapshot" })).toBeDisabled();
    expect(await signings(faulty)).toBe(0);
  },
);
