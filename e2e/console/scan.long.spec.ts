import type { Page } from "@playwright/test";

import type { Identity } from "platform-contract/iam/identities";

import { deleteLeaf } from "../deletions";
import type { Api } from "../api";
import { fault, ownService, test as throughProxy } from "../faulty";
import { expect, test } from "../fixtures";
import { param } from "../records";

const machine = (name: string, description = "") => ({
  name,
  description,
  claimMatch: { issuer: "https://issuer.example", subject: name },
});

/** Creates `m-000` and so on, some with a needle in their name, one in its description. */
async function createMachines(api: Api, organization: string, count: number, needles: readonly number[]) {
  const bodies = Array.from({ length: count }, (_, index) => {
    const number = String(index).padStart(3, "0");
    if (index === needles.at(-1)) return machine(`m-${number}`, "A Needle in its description");
    return machine(needles.includes(index) ? `m-${number}-needle` : `m-${number}`);
  });
  const create = async (): Promise<void> => {
    for (let body = bodies.pop(); body; body = bodies.pop())
      await api.post(`/iam/v2/identities/${organization}`, body);
  };
  await Promise.all(Array.from({ length: 8 }, create));
}

const line = (page: Page) => page.getByRole("group", { name: /^Search of/ });
const contains = (page: Page) => page.getByRole("searchbox", { name: "Search identities" });
const names = (page: Page) =>
  page.getByRole("table", { name: "Identities" }).getByRole("link").allTextContents();

test("a part of a name is found on pages that no list has loaded, and stays found", async ({ person }) => {
  // The setup alone sends hundreds of requests.
  test.slow();
  const { page, api, organization, open } = person;
  await createMachines(api, organization.uid, 410, [5, 250, 405, 320]);
  const scans: string[] = [];
  page.on("request", (request) => {
    const url = request.url();
    // Requests sorted by time are those of a create that checks for duplicates.
    if (
      request.method() === "GET" &&
      /\/identities\?.*page_size=200/.test(url) &&
      !url.includes("created_at")
    )
      scans.push(url);
  });
  await open(`identities?group=${organization.uid}`);
  await contains(page).fill("NEEDLE");
  await contains(page).press("Enter");
  await expect(line(page)).toHaveText("4 of 410 identities");
  expect(await names(page)).toEqual(["m-005-needle", "m-250-needle", "m-320", "m-405-needle"]);
  await expect(page.getByText("1–4 of 4", { exact: true })).toBeVisible();
  expect(scans).toHaveLength(3);

  await page.reload();
  await expect(line(page)).toHaveText("4 of 410 identities");
  await page.getByRole("button", { name: "Name", exact: true }).click();
  await expect(page).toHaveURL(/order=name(?:\+|%20)desc/);
  await expect(line(page)).toHaveText("4 of 410 identities");
  expect(await names(page)).toEqual(["m-405-needle", "m-320", "m-250-needle", "m-005-needle"]);

  // The results are there immediately when the user returns.
  scans.splice(0);
  await page.goBack();
  await expect(page.getByRole("table", { name: "Identities" }).getByRole("link").first()).toHaveText(
    "m-005-needle",
  );
  await page.goForward();
  await page.getByRole("link", { name: "m-250-needle" }).click();
  await expect(page.getByRole("heading", { name: "m-250-needle" })).toBeVisible();
  await page.goBack();
  await expect(line(page)).toHaveText("4 of 410 identities");

  // Writes update the results.
  await deleteLeaf(page, "identity", "m-405-needle");
  await expect(line(page)).toHaveText("3 of 409 identities");
  await page.getByRole("button", { name: "Create identity" }).click();
  const drawer = page.getByRole("dialog", { name: "Create identity" });
  await drawer.getByRole("radio", { name: /OIDC claims/ }).check();
  await drawer.getByRole("textbox", { name: "Name", exact: true }).fill("m-300-new-needle");
  await drawer.getByRole("textbox", { name: "Issuer", exact: true }).fill("https://issuer.example");
  await drawer.getByRole("textbox", { name: "Subject", exact: true }).fill("new");
  await drawer.getByRole("button", { name: "Create identity" }).click();
  await expect(drawer).toBeHidden();
  await expect(line(page)).toHaveText("4 of 410 identities");
  expect(await names(page)).toEqual(["m-320", "m-300-new-needle", "m-250-needle", "m-005-needle"]);
  expect(scans).toEqual([]);

  await page.getByRole("button", { name: "Refresh" }).click();
  await expect.poll(() => scans.length).toBe(3);
  await expect(line(page)).toHaveText("4 of 410 identities");
  await contains(page).fill("nothing has this");
  await contains(page).press("Enter");
  await expect(page.getByRole("heading", { name: "No identities match" })).toBeVisible();
  await expect(line(page)).toHaveText("0 of 410 identities");
  await page.getByRole("button", { name: "Clear filter", exact: true }).click();
  await expect(line(page)).toBeHidden();
  await expect(page.getByRole("link", { name: "m-409" })).toBeVisible();
});

test("identities that were never used are found, people and machines", async ({ person }) => {
  const { page, api, organization, open } = person;
  await api.post(`/iam/v2/identities/${organization.uid}`, machine("idle"));
  await open(`identities?group=${organization.uid}`);
  const filters = page.getByRole("search");
  await filters.getByRole("combobox", { name: "Last seen" }).selectOption("never");
  await expect(line(page)).toHaveText("1 of 1 identity");
  await expect(page.getByRole("link", { name: "idle" })).toBeVisible();
  // Just created, so it cannot be long unused.
  await filters.getByRole("combobox", { name: "Last seen" }).selectOption("not in 90 days");
  await expect(page.getByText("last seen not in 90 days")).toBeVisible();

  const { issuer } = api.who;
  const found = await api.get<Identity>(
    `/iam/v2/identities:lookupIdentity?${new URLSearchParams({ issuer, subject: "bound-before-signing-in" }).toString()}`,
  );
  const { roles } = await api.get<{ roles: { uid: string }[] }>("/iam/v2/roles?name=viewer");
  await api.post(`/iam/v2/roleBindings/${organization.uid}`, {
    identityUid: found.uid,
    roleUid: roles[0]?.uid,
  });
  await open("people?seen=never");
  await expect(line(page)).toHaveText("1 of 2 people");
  await expect(
    page.getByRole("table", { name: "People" }).getByRole("link", { name: "bound-before-signing-in" }),
  ).toBeVisible();
});

test("groups are found by their descriptions, within the scope", async ({ person }) => {
  const { page, api, organization, open } = person;
  const inside = await api.post<{ uid: string }>(`/iam/v2/groups/${organization.uid}`, { name: "platform" });
  await api.post(`/iam/v2/groups/${inside.uid}`, { name: "runtime", description: "On call: Ada" });
  await api.post(`/iam/v2/groups/${organization.uid}`, { name: "outside", description: "On call: Ada" });
  await open(`groups?group=${organization.uid}&contains=on+call`);
  await expect(line(page)).toHaveText("2 of 3 groups");
  await open(`groups?group=${param(inside)}&contains=on+call`);
  await expect(line(page)).toHaveText("1 of 1 group");
  await expect(
    page.getByRole("table", { name: "Groups" }).getByRole("link", { name: "runtime" }),
  ).toBeVisible();
});

throughProxy(
  "a scan is stopped and resumed, and goes on from a page that failed",
  ownService,
  async ({ faulty }) => {
    const { page, api, organization, open, proxy } = faulty;
    await createMachines(api, organization.uid, 250, [5, 230]);
    const second = {
      path: /\/identities$/,
      when: ({ query }: { query: URLSearchParams }) => query.has("page_token"),
    };
    const slow = proxy.rule(second, fault.none, { hold: "answer" });
    await open(`identities?group=${organization.uid}&contains=needle`);
    await expect(page.getByRole("link", { name: "m-005-needle" })).toBeVisible();
    await expect(line(page)).toContainText("1 found in 200 of 250 read");
    await expect(page.getByRole("progressbar")).toHaveAttribute("value", "200");
    await page.getByRole("button", { name: "Stop" }).click();
    await expect(line(page)).toContainText("Stopped: 1 found in 200 of 250 read");
    await expect(page.getByText("50 identities weren't searched.")).toBeVisible();
    await expect(page.getByText("1–1 of 1+", { exact: true })).toBeVisible();
    slow.remove();
    await page.getByRole("button", { name: "Resume" }).click();
    await expect(line(page)).toHaveText("2 of 250 identities");

    // A transient fault: the scan recovers by itself.
    const cut = proxy.rule(second, fault.cutBefore, { times: 1 });
    await page.getByRole("button", { name: "Refresh" }).click();
    await cut.met();
    await expect(line(page)).toHaveText("2 of 250 identities");

    const refused = proxy.rule(second, fault.status(403), { times: 1 });
    await page.getByRole("button", { name: "Refresh" }).click();
    await refused.met();
    await expect(line(page)).toContainText("Stopped: 1 found in 200 of 250 read. The fault proxy says 403.");
    const seen = proxy.seen.length;
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(line(page)).toHaveText("2 of 250 identities");
    const after = proxy.seen.slice(seen).filter(({ path }) => second.path.test(path));
    expect(after.map(({ query }) => query.has("page_token"))).toEqual([true]);
  },
);
