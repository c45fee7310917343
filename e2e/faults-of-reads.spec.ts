import type { Locator, Page } from "@playwright/test";

import type { Group } from "~/contract/iam/groups";

import type { Effect } from "./fault";
import { expect, fault, ownService, test, type Faulty } from "./faulty";

/** What happens to a read each time, until it is over. */
const FAULTS: Readonly<Record<string, Effect>> = {
  "cut before the service had it": fault.cutBefore,
  "cut after the service had answered": fault.cutAfter,
  "cut in the middle of the answer": fault.cutInBody,
  "429 with Retry-After": fault.status(429, { retryAfter: 3 }),
  "503 with Retry-After": fault.status(503, { retryAfter: 30 }),
  "500 in the API's form": fault.status(500),
  "500 without a body": fault.bare(500),
  "a page with 200": fault.html(200),
  "a page with 502": fault.html(502),
  "truncated JSON": fault.truncated,
  "204 without a body": fault.edit(() => ({ status: 204, body: "" })),
};

/** Lets the tries pass that the console makes by itself, on the page's clock, until it says that it could not. */
async function givenUp(page: Page, sign: Locator, what: string): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(1_000);
    await expect(sign, what).toBeVisible({ timeout: 50 });
  }).toPass({ intervals: [50], timeout: 20_000 });
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
}

/** What did not load is there after another try, be it the console's own once it has waited as long as it was asked to. */
async function recovers(again: Locator, found: Locator, what: string): Promise<void> {
  await again.or(found).first().click();
  await expect(found, what).toBeVisible();
}

const again = (page: Page) => page.getByRole("main").getByRole("button", { name: /^Try (again|now)$/ });

async function folder(api: Faulty["api"], parent: Group, name: string): Promise<Group> {
  return api.post<Group>(`/iam/v2/groups/${parent.uid}`, { name });
}

test(
  "whatever happens to a read, tree, list and detail say so and come back",
  ownService,
  async ({ faulty }) => {
    test.slow();
    const { page, proxy, api, organization, open } = faulty;
    const folders = await Promise.all(
      Object.keys(FAULTS).map(async (_what, index) => {
        const outer = await folder(api, organization, `outer-${index}`);
        return { outer, inner: await folder(api, outer, `inner-${index}`) };
      }),
    );
    await page.clock.install();
    await open(`groups?group=${organization.uid}`);
    const tree = page.getByRole("tree", { name: "Groups" });
    const node = (name: string) => tree.getByRole("treeitem", { name, exact: true });
    for (const [index, [what, effect]] of Object.entries(FAULTS).entries()) {
      const { outer, inner } = folders[index] as (typeof folders)[number];
      const asks = (parameter: string) => ({
        method: "GET",
        path: /^\/iam\/v2\/groups$/,
        when: ({ query }: { query: URLSearchParams }) => query.get(parameter) === outer.uid,
      });

      const level = proxy.rule(asks("uidp.children_of"), effect);
      await node(outer.name).focus();
      await page.keyboard.press("ArrowRight");
      const failed = tree.getByRole("treeitem", {
        name: `Could not load the folders in ${outer.name}. Try again`,
      });
      await givenUp(page, failed, `tree, ${what}`);
      level.remove();
      await recovers(failed, node(inner.name), `tree, ${what}`);

      const rows = proxy.rule(asks("uidp.descendants_of"), effect);
      await node(outer.name).click();
      await givenUp(page, page.getByRole("heading", { name: "Groups could not be loaded" }), `list, ${what}`);
      rows.remove();
      const row = page.getByRole("table", { name: "Groups" }).getByRole("link", { name: inner.name });
      await recovers(again(page), row, `list, ${what}`);

      const record = proxy.rule({ method: "GET", path: new RegExp(`^/iam/v2/groups/${inner.uid}$`) }, effect);
      await row.click();
      await givenUp(page, again(page), `detail, ${what}`);
      record.remove();
      const heading = page.getByRole("heading", { name: inner.name, level: 1 });
      await recovers(again(page), heading, `detail, ${what}`);
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Groups" }).click();
    }
  },
);

test(
  "whatever happens to what the overview begins with, it says so and comes back",
  ownService,
  async ({ faulty }) => {
    const { page, proxy, organization, open } = faulty;
    await page.clock.install();
    for (const [what, effect] of Object.entries(FAULTS)) {
      const rule = proxy.rule({ method: "GET", path: /^\/iam\/v2\/groups$/ }, effect);
      await open("");
      await givenUp(page, again(page), what);
      rule.remove();
      const heading = page.getByRole("heading", { name: organization.name, level: 1 });
      await recovers(again(page), heading, what);
    }
  },
);

test(
  "a slow service is waited for, row by row, and what is there stays while it is",
  ownService,
  async ({ faulty }) => {
    const { page, proxy, api, organization, open } = faulty;
    await folder(api, organization, "in-the-list");
    const slow = proxy.rule(
      { method: "GET", path: /^\/iam\/v2\/groups$/, when: ({ query }) => query.has("uidp.descendants_of") },
      fault.none,
      { hold: "answer" },
    );
    await open(`groups?group=${organization.uid}`);
    await slow.met();
    await expect(page.getByRole("table", { name: "Groups" })).toHaveAttribute("aria-busy", "true");
    slow.release();
    const row = page.getByRole("table", { name: "Groups" }).getByRole("link", { name: "in-the-list" });
    await expect(row).toBeVisible();

    slow.remove();
    const lost = proxy.rule({ method: "GET", path: /^\/iam\/v2\/groups$/ }, fault.html(200));
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(page.getByText("Could not refresh")).toBeVisible();
    await expect(row).toBeVisible();
    lost.remove();
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(page.getByText("Could not refresh")).toBeHidden();
  },
);
