import type { Tag } from "platform-contract/registry/tags";

import { expect, fault, ownService, test } from "../faulty";
import { hasNoFinding } from "../lists";
import { param } from "../records";
import { makeRepo } from "../repos";
import { createTags, digestOf, NO_IMAGE } from "../tags";

test(
  "a read is found, sent as the person, and answers with the rows that the API has; a write is only shown",
  ownService,
  async ({ faulty, problems }) => {
    problems.allow(NO_IMAGE);
    const { page, proxy, api, open, organization } = faulty;
    const repo = await makeRepo(faulty, { name: "explored" }, organization.uid);
    await createTags(api, repo.uid, [
      { name: "1.0", digest: digestOf(10) },
      { name: "1.1", digest: digestOf(11) },
    ]);
    await open(`api?group=${param(organization)}`);
    await expect(page.getByRole("heading", { level: 1, name: "API explorer" })).toBeVisible();
    const list = page.getByRole("navigation", { name: "Operations" });
    await expect(list.getByRole("heading").first()).toHaveText("Groups");
    await page.getByRole("searchbox", { name: "Search operations" }).fill("list tags");
    await expect(list.getByRole("link")).toHaveCount(2);
    await list.getByRole("link", { name: /^GET List tags/ }).click();
    await expect(page).toHaveURL(/op=tags\.list/);
    await expect(page.getByRole("heading", { level: 2, name: "List tags" })).toBeFocused();

    const scope = page.getByRole("textbox", { name: "uidp.descendants_of" });
    await expect(scope).toHaveValue(organization.uid);
    await page.getByText("Show request", { exact: true }).click();
    const command = page.getByLabel("command: List tags", { exact: true });
    await expect(command).toContainText(`--data-urlencode 'uidp.descendants_of=${organization.uid}'`);
    await page.getByText(/^More parameters/).click();
    await page.getByRole("textbox", { name: "page_size" }).fill("0x");
    await expect(command).toContainText("page_size=0x");
    await page.getByRole("button", { name: "Send as me" }).click();
    const answer = page.getByRole("region", { name: "Answer" });
    await expect(answer.getByText("400")).toBeVisible();
    const size = page.getByRole("textbox", { name: "page_size" });
    await expect(size).toHaveAccessibleDescription(/whole number|integer|number/i);
    await expect(size).toBeFocused();

    await size.fill("1");
    await page.getByRole("button", { name: "Send as me" }).click();
    await expect(answer.getByText("200")).toBeVisible();
    await expect(answer.getByText(/^\d+ ms$/)).toBeVisible();
    await expect(answer.getByText(/^Request /)).toBeVisible();
    await size.fill("");
    await page.getByRole("button", { name: "Send as me" }).click();
    await expect(answer.getByLabel("response", { exact: true })).toContainText('"1.1"');
    const shown = JSON.parse((await answer.getByLabel("response", { exact: true }).textContent()) ?? "") as {
      tags: Tag[];
    };
    const path = `/registry/v2/tags?uidp.descendants_of=${organization.uid}`;
    expect(shown).toEqual(await api.get(path));
    expect(shown.tags.map(({ name }) => name).toSorted()).toEqual(["1.0", "1.1"]);
    await hasNoFinding(page, "main");

    await page.getByRole("searchbox", { name: "Search operations" }).fill("create an identity");
    const writes = () =>
      proxy.seen.filter(({ method, path }) => method !== "GET" && path.startsWith("/iam/"));
    const before = writes().length;
    await list.getByRole("link", { name: /^POST Create an identity under/ }).click();
    await page.getByText("Show request", { exact: true }).click();
    const write = page.getByLabel("command: Create an identity under a parent", { exact: true });
    await expect(write).toContainText(`curl -sS -X POST`);
    await expect(write).toContainText(`/iam/v2/identities/${organization.uid}`);
    await expect(write).toContainText('"claimMatch"');
    await expect(page.getByRole("button", { name: "Send as me" })).toHaveCount(0);
    const fields = page.getByRole("region", { name: "Fields of the request body" });
    await expect(fields.getByRole("rowheader", { name: "claimMatch.issuer", exact: true })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Response: any error" })).toBeVisible();
    expect(writes()).toHaveLength(before);
    await hasNoFinding(page, "main");
  },
);

test("an address opens an operation, an unknown one says so, and in a narrow window there is a way back", async ({
  person,
}) => {
  const { page, open } = person;
  // Described along with another one.
  await open("api?op=termsAcceptances.list");
  await expect(page.getByRole("heading", { level: 2, name: /^Get one terms document/ })).toBeVisible();
  await page.getByRole("button", { name: "Send as me" }).click();
  await expect(page.getByRole("textbox", { name: "uid", exact: true })).toHaveAccessibleDescription(
    "Required",
  );
  await open("api?op=tokens.exchangeByGet");
  await expect(page.getByText(/^The console doesn't send this: it would get a token/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Send as me" })).toHaveCount(0);
  await open("api?op=groups.offered");
  await expect(page.getByText("Extension", { exact: true })).toBeVisible();
  await open("api?op=nothing.at.all");
  await expect(page.getByText("Unknown operation")).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await open("api?op=advisories.list");
  await expect(page.getByRole("heading", { level: 2, name: "List advisories" })).toBeVisible();
  await hasNoFinding(page, "main");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.getByRole("link", { name: "All operations" }).click();
  await expect(page.getByRole("navigation", { name: "Operations" })).toBeVisible();
});

test("the requests of a screen, the account and the palette lead to the explorer", async ({ person }) => {
  const { page, open } = person;
  await open("roles");
  await page.getByRole("button", { name: "Show requests" }).click();
  const sheet = page.getByRole("dialog", { name: "API requests" });
  await sheet.getByRole("link", { name: "In the API explorer" }).first().click();
  await expect(page.getByRole("heading", { level: 2, name: "List roles" })).toBeVisible();
  await expect(sheet).toHaveCount(0);
  await open("");
  await page.getByRole("button", { name: /^Your account/ }).click();
  await page.getByRole("link", { name: "API explorer" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "API explorer" })).toBeVisible();
  await open("");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("dialog", { name: "Search" }).getByRole("combobox").fill("swagger");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/api(?:\?|$)/);
});

test(
  "with a service that doesn't describe itself, the operations are unknown",
  ownService,
  async ({ faulty }) => {
    const { page, proxy, open } = faulty;
    proxy.rule(
      { path: /^\/openapi\.json$/ },
      fault.answer(404, { code: 5, message: "Not Found", details: [] }),
    );
    await open("api");
    await expect(page.getByText("The operations of this API are unknown")).toBeVisible();
    await hasNoFinding(page, "main");
  },
);
