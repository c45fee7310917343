import type { Identity } from "platform-contract/iam/identities";

import { expect, fault, ownService, test } from "../faulty";
import { makeFolders, odd, ODDITIES, SHORT_UID, stands, type Row } from "../odd-records";
import { param } from "../records";

test("records that nobody expected stand in a list", ownService, async ({ faulty }) => {
  const { page, proxy, open, organization } = faulty;
  await makeFolders(faulty);
  proxy.rule(
    { method: "GET", path: /^\/iam\/v2\/groups$/, when: ({ query }) => query.get("page_size") !== "1" },
    fault.json((body: { groups?: Row[] }) => {
      const rows = (body.groups ?? []).map(odd);
      return { ...body, groups: rows.length > 1 ? [...rows, ...rows] : rows };
    }),
  );
  await open(`groups?group=${organization.uid}&reach=here`);
  const table = page.getByRole("table", { name: "Groups" });
  await expect(table.getByRole("link", { name: "no-dates" })).toBeVisible();
  // Each row appears once, even where the service sends it twice in one page.
  await expect(table.locator("[data-row-key]")).toHaveCount(Object.keys(ODDITIES).length);
  await expect(table.getByRole("link", { name: "<img src=x onerror=alert(1)>" })).toBeVisible();
  await expect(table.getByRole("link", { name: /^n{4096}$/ })).toBeVisible();
  await expect(table.getByRole("link", { name: SHORT_UID })).toBeVisible();
  await stands(page);
  const tree = page.getByRole("tree", { name: "Groups" });
  await expect(tree.getByRole("treeitem", { name: "nothing-but-nulls", exact: true })).toBeVisible();
});

test("one odd record is shown, opens in its form, and can be asked to go", ownService, async ({ faulty }) => {
  test.slow();
  const { page, proxy, open, organization } = faulty;
  const folders = await makeFolders(faulty);
  proxy.rule(
    { method: "GET", path: /^\/iam\/v2\/groups\/[^.]*$/ },
    fault.json((row) => odd(row as Row)),
  );
  for (const { uid, name } of folders) {
    await open(`groups/${param({ uid })}?group=${organization.uid}`);
    const called = (odd({ uid, name }) as { name?: string }).name ?? SHORT_UID;
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(called);
    await stands(page);
    await page.getByText("JSON", { exact: true }).click();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const form = page.getByRole("dialog", { name: /^Edit/ });
    await expect(form.getByRole("textbox", { name: "Name", exact: true })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(form).toBeHidden();
    await page.getByRole("button", { name: /^More actions for/ }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const ask = page.getByRole("dialog", { name: /^Delete/ });
    await expect(ask.getByRole("button", { name: /^Delete/ })).toBeInViewport();
  }
});

test(
  "what the console does not know of a record is left alone when the rest is saved",
  ownService,
  async ({ faulty }) => {
    const { page, proxy, api, open, organization } = faulty;
    const claimMatch = { issuer: "https://issuer.example", subject: "s", claims: { a: "b" } };
    const made = await api.post<Identity>(`/iam/v2/identities/${organization.uid}`, {
      name: "keeper",
      claimMatch,
    });
    proxy.rule(
      { method: "GET", path: /^\/iam\/v2\/identities\// },
      fault.json((row) => ({
        ...(row as Row),
        later: { a: [1] },
        claimMatch: { ...(row as Identity).claimMatch, eyes: "blue" },
      })),
    );
    await open(`identities/${param(made)}?drawer=edit`);
    const form = page.getByRole("dialog", { name: "Edit identity" });
    await form.getByLabel("Description").fill("kept");
    await form.getByRole("button", { name: "Save changes" }).click();
    await expect(form).toBeHidden();
    const [patch] = proxy.seen.filter(({ method }) => method === "PATCH");
    expect([patch?.query.get("updateMask"), patch?.body]).toEqual(["description", '{"description":"kept"}']);
    expect(await api.get(`/iam/v2/identities/${made.uid}`)).toMatchObject({
      description: "kept",
      claimMatch,
    });
  },
);
