import type { Group } from "platform-contract/iam/groups";

import { expect, ownService, test } from "../faulty";

// A page token lives for one second; each expired one that the list sends returns the first page (AIP-158).
test.use({ serviceVariables: { PAGE_TOKEN_TTL: "1" } });

const COUNT = 130;

test(
  "a list read to its end with page tokens that have expired has no gap and repeats nothing",
  ownService,
  async ({ faulty }) => {
    // It waits a second before every page.
    test.slow();
    const { page, proxy, api, organization, open } = faulty;
    const names = Array.from({ length: COUNT }, (_, index) => `folder-${String(index).padStart(3, "0")}`);
    for (let start = 0; start < COUNT; start += 23)
      await Promise.all(
        names
          .slice(start, start + 23)
          .map((name) => api.post<Group>(`/iam/v2/groups/${organization.uid}`, { name })),
      );
    await open(`groups?group=${organization.uid}&reach=here`);
    const table = page.getByRole("table", { name: "Groups" });
    const shown = table.locator("[data-row-key]").getByRole("link");
    await expect(shown.first()).toHaveText("folder-000");

    const order: string[] = [];
    const collect = async () => {
      await expect(table).toHaveAttribute("aria-busy", "false");
      await expect(table.getByText("Loading rows")).toBeHidden();
      for (const name of await shown.allInnerTexts()) if (!order.includes(name)) order.push(name);
    };
    await expect(async () => {
      // Wait until the current token is over a second old, by the service's clock, before requesting the next page.
      const expired = Date.now() + 1_100;
      await expect.poll(() => Date.now() > expired, { intervals: [200] }).toBe(true);
      for (let screens = 0; screens < 2; screens += 1) {
        await collect();
        await table.evaluate((list) => list.scrollBy({ top: list.clientHeight / 2, behavior: "instant" }));
      }
      await collect();
      expect(order.at(-1)).toBe(names.at(-1));
    }).toPass({ timeout: 150_000, intervals: [0] });
    expect(order).toEqual(names);
    const asked = (by: string) =>
      proxy.seen.filter(({ query }) => query.has(by) && query.has("uidp.children_of")).length;
    expect(asked("page_token"), "requests with a page token").toBeGreaterThan(1);
    expect(asked("skip"), "rows by their number, as a token was answered with row one").toBeGreaterThan(0);
  },
);
