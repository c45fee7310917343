import type { Page } from "@playwright/test";

import { kinds, listPath } from "platform-contract/kinds";

import { signInToDemo } from "../demo";
import { expect, ownService, test } from "../faulty";

test.use({ serviceVariables: { SEED: "demo" } });
// Run in one worker, so that the demo is seeded once.
test.describe.configure({ mode: "default", timeout: 300_000 });

/** What is true for nobody, or not said in this way. */
const UNTRUE = [
  /Nothing to see/,
  /Either there's nothing/,
  /Role \(built-in\)/,
  /group invites|view apks|libraries artifacts|permission to create groups/,
  /in this group/,
  /No repos you can see/,
];
/** A shortened uid. */
const UID = /[0-9a-f]{8}…/;

/** Opens every screen of the navigation, and calls `look` there. */
async function walk(page: Page, base: string, look: (path: string, text: string) => void | Promise<void>) {
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByRole("button", { name: "Organization" }).click();
  const paths = await main
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname));
  expect(paths.length).toBeGreaterThan(12);
  for (const path of [...paths, "/affected", "/access-review", "/snapshots", "/roles/compare"]) {
    // oxlint-disable no-await-in-loop -- one screen after the other
    await page.goto(new URL(path.slice(1), base).href);
    await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("[aria-busy=true], [data-pending]")).toHaveCount(0);
    await look(path, await page.getByRole("main").innerText());
    // oxlint-enable no-await-in-loop
  }
}

for (const user of ["owner", "editor", "viewer", "folders", "auditor"] as const)
  test(`every screen says what is true for ${user}@demo.example`, ownService, async ({ page, proxied }) => {
    const base = `${proxied.proxy.url}/`;
    await signInToDemo(page, base, user);
    await walk(page, base, async (path, text) => {
      for (const untrue of UNTRUE) expect(text, path).not.toMatch(untrue);
      expect(await page.title(), path).not.toMatch(UID);
      await expect(page.getByRole("button", { name: UID })).toHaveCount(0);
      if (user === "owner") expect(text, path).not.toMatch(/Ask an owner|Hidden by your role/);
    });
  });

test("what a role lacks is disabled with the reason, in menus too", ownService, async ({ page, proxied }) => {
  const base = `${proxied.proxy.url}/`;
  await signInToDemo(page, base, "editor");
  await page.goto(`${base}tags`);
  await expect(page.getByRole("button", { name: "Create tag" })).toHaveAccessibleDescription(
    /You need permission to create tags/,
  );
  await page.goto(`${base}groups`);
  await page.getByRole("table").getByRole("link", { name: "Meridian Freight" }).first().click();
  await page.getByRole("button", { name: /^More actions for/ }).click();
  const invite = page.getByRole("menuitem", { name: "Invite people" });
  await expect(invite).toBeDisabled();
  await expect(invite).toContainText("You need permission to create invites (group_invites.create)");
});

test("a report says what the role lacks, like every screen", ownService, async ({ page, proxied }) => {
  const base = `${proxied.proxy.url}/`;
  await signInToDemo(page, base, "auditor");
  await page.goto(`${base}reports`);
  await expect(page.getByRole("heading", { name: "Hidden by your role" })).toBeVisible();
  await expect(
    page.getByText("view APK packages (apk.list), view repos (repo.list), view manifest metadata"),
  ).toBeVisible();
  await expect(page.getByRole("searchbox", { name: "Add image" })).toBeHidden();
});

test(
  "a person with two folders reads their names, and nothing of what is above",
  ownService,
  async ({ page, proxied }) => {
    const base = `${proxied.proxy.url}/`;
    await signInToDemo(page, base, "folders");
    await page.goto(`${base}repos`);
    await page.getByRole("table").getByRole("link", { name: "tracking-api" }).click();
    await expect(page.getByRole("heading", { name: "tracking-api", level: 1 })).toBeVisible();
    await expect(page).toHaveTitle("tracking-api - logistics - Platform Console");
    await expect(page.getByRole("button", { name: "Organization: logistics" })).toBeVisible();
  },
);

/** The demo has neither subscriptions nor advisories of its own. */
const KINDS_WITH_PAGES = kinds
  .filter(({ collection, screens }) => screens && !["subscriptions", "advisories"].includes(collection))
  .map(({ collection }) => listPath(collection).slice(1));

test("every record of the demo says that a command imported it", ownService, async ({ page, proxied }) => {
  const base = `${proxied.proxy.url}/`;
  await signInToDemo(page, base, "owner");
  for (const kind of KINDS_WITH_PAGES) {
    // oxlint-disable no-await-in-loop -- one screen after the other
    await page.goto(`${base}${kind}?order=created_at`);
    const row = page.locator("[data-row-key]").first();
    await page.goto(new URL((await row.getByRole("link").first().getAttribute("href")) ?? "", base).href);
    const updated = page
      .getByRole("definition")
      .filter({ hasText: /imported (?:.* ago|just now)|says by whom/ });
    await expect(updated.first(), kind).toContainText(/imported .* ago|imported just now/);
    await expect(page.getByRole("table", { name: "History" }), kind).toContainText(/Imported .+A command/);
    // oxlint-enable no-await-in-loop
  }
});
