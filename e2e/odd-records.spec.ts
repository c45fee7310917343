import type { Identity } from "~/contract/iam/identities";

import { expect, fault, ownService, test } from "./faulty";
import {
  collectionOf,
  makeRecords,
  makeTags,
  odd,
  ODDITIES,
  SHORT_UID,
  stands,
  UNREADABLE,
  type Row,
} from "./odd-records";
import { param } from "./records";

test(
  "records that nobody expected stand in every list, and those that cannot are counted @long",
  ownService,
  async ({ faulty }) => {
    const { page, proxy, open, organization } = faulty;
    await makeRecords(faulty);
    proxy.rule(
      {
        method: "GET",
        path: /^\/(iam\/v2\/(groups|identities)|registry\/v2\/repos)$/,
        when: ({ query }) => query.get("page_size") !== "1",
      },
      fault.json((body, { path }) => {
        const rows = ((body as Record<string, Row[]>)[collectionOf(path)] ?? []).map(odd);
        return {
          ...(body as object),
          [collectionOf(path)]: rows.length > 1 ? [...UNREADABLE, ...rows, ...rows] : rows,
        };
      }),
    );
    const total = Object.keys(ODDITIES).length;
    for (const [label, path] of [
      ["Groups", `groups?group=${organization.uid}&reach=here`],
      ["Identities", `identities?group=${organization.uid}`],
      ["Repos", `repos?group=${organization.uid}`],
    ] as const) {
      await open(path);
      const table = page.getByRole("table", { name: label });
      await expect(table.getByRole("link", { name: "no-dates" })).toBeVisible();
      // Each row once, also where the service sends it twice in one page.
      await expect(table.locator("[data-row-key]")).toHaveCount(total);
      await expect(table.getByRole("link", { name: "<img src=x onerror=alert(1)>" })).toBeVisible();
      await expect(table.getByRole("link", { name: /^n{4096}$/ })).toBeVisible();
      await expect(table.getByRole("link", { name: SHORT_UID })).toBeVisible();
      await expect(
        page.getByRole("note").filter({ hasText: "The service sent 4 rows that this console cannot read" }),
      ).toBeVisible();
      await stands(page);
    }
    const tree = page.getByRole("tree", { name: "Groups" });
    await expect(tree.getByRole("treeitem", { name: "nothing-but-nulls", exact: true })).toBeVisible();
    await open("");
    await expect(page.getByRole("heading", { name: organization.name, level: 1 })).toBeVisible();
    await stands(page);
  },
);

test(
  "tags that nobody expected stand in their list, in groups, on their page and beside another @long",
  ownService,
  async ({ faulty }) => {
    const { page, proxy, open } = faulty;
    const { repo, tags } = await makeTags(faulty);
    proxy.rule(
      { method: "GET", path: /^\/registry\/v2\/tags$/, when: ({ query }) => query.get("page_size") !== "1" },
      fault.json((body: { tags?: Row[] }) => {
        const rows = (body.tags ?? []).map(odd);
        return { ...body, tags: rows.length > 1 ? [...UNREADABLE, ...rows, ...rows] : rows };
      }),
    );
    proxy.rule(
      { method: "GET", path: /^\/registry\/v2\/tags\/[^.]*$/ },
      fault.json((row) => odd(row as Row)),
    );
    const table = page.getByRole("table", { name: "Tags" });
    for (const view of ["", "&by=digest"]) {
      await open(`tags?repo=${param(repo)}${view}`);
      for (const name of [SHORT_UID, /^n{4096}$/, "no-dates"])
        await expect(table.getByRole("link", { name }).last()).toBeVisible();
      await expect(table.getByRole("link", { name: /^$/ })).toHaveCount(0);
      await expect(table.getByRole("button", { name: /^Actions for ?$/ })).toHaveCount(0);
      await stands(page);
    }
    const of = (oddity: string) => tags[Object.keys(ODDITIES).indexOf(oddity)] as Row;
    for (const [oddity, called] of [
      ["nameless", SHORT_UID],
      ["nothing-but-nulls", "nothing-but-nulls"],
      ["markup-and-controls", /^<img src=x onerror=alert\(1\)>/],
    ] as const) {
      await open(`tags/${param(of(oddity))}`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(called);
      await stands(page);
      await page.getByRole("button", { name: /^More actions for ./ }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await expect(
        page.getByRole("dialog", { name: /^Delete tag .+\?/ }).getByRole("button", { name: /^Delete/ }),
      ).toBeInViewport();
    }
    await open(`tags/compare?a=${param(of("nameless"))}&b=${param(of("no-dates"))}`);
    await expect(page.getByRole("columnheader", { name: SHORT_UID })).toBeVisible();
    await expect(page.getByRole("row", { name: /^Updated/ })).toContainText("not known");
    await stands(page);
  },
);

test("one odd record is shown, opens in its form, and can be asked to go", ownService, async ({ faulty }) => {
  test.slow();
  const { page, proxy, open, organization } = faulty;
  const records = await makeRecords(faulty);
  proxy.rule(
    { method: "GET", path: /^\/(iam\/v2\/(groups|identities)|registry\/v2\/repos)\/[^.]*$/ },
    fault.json((row) => odd(row as Row)),
  );
  for (const [index, { name, folder, identity, repo }] of records.entries()) {
    // In turns: what the screens are made of is the same.
    const turns = [
      ["identities", identity],
      ["groups", folder],
      ["repos", repo],
    ] as const;
    const [collection, { uid }] = turns[index % turns.length] ?? turns[0];
    await open(`${collection}/${param(uid)}?group=${organization.uid}`);
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
  "what the console does not know of a record is left alone when the rest is saved @long",
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
