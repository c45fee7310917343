import { AxeBuilder } from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";

import { signInToDemo } from "../demo";
import { expect, ownService, test } from "../faulty";

test.use({ serviceVariables: { SEED: "demo" } });

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox();
  if (!box) throw new Error(`Not on the page: ${String(locator)}`);
  const { x, y, width, height } = box;
  return { left: x, top: y, right: x + width, bottom: y + height };
}

const overlap = (one: Box, other: Box): boolean =>
  one.left < other.right - 1 &&
  other.left < one.right - 1 &&
  one.top < other.bottom - 1 &&
  other.top < one.bottom - 1;

const mainOf = (page: Page): Locator => page.getByRole("main");

/** What stands at the right edge of a list, and must end where the page's text does. */
async function expectOneRightEdge(page: Page, list: string): Promise<void> {
  const main = mainOf(page);
  const rowMenu = main.getByRole("row").nth(1).getByRole("button").last();
  await expect(rowMenu).toBeVisible();
  const padding = await main.evaluate((element) =>
    Number.parseFloat(getComputedStyle(element).getPropertyValue("--pc-page-padding")),
  );
  const edge = (await boxOf(main)).right - padding * 16;
  const tools = main.getByRole("button", { name: /^More/ }).first();
  for (const [what, locator] of [
    ["menu of a row", rowMenu],
    ["tools", tools],
  ] as const)
    expect.soft(Math.abs((await boxOf(locator)).right - edge), `${list}, ${what}`).toBeLessThanOrEqual(1.5);
}

/** Nothing in a bar overlaps, is crushed below 24 px or lies outside of the window. */
async function expectWholeControls(bar: Locator, width: number): Promise<void> {
  const controls = await bar.getByRole("button").or(bar.getByRole("link")).all();
  const boxes = [];
  for (const control of controls) if (await control.isVisible()) boxes.push(await boxOf(control));
  for (const [index, box] of boxes.entries()) {
    expect.soft(box.right - box.left, `width of control ${index}`).toBeGreaterThanOrEqual(24);
    expect.soft(box.bottom - box.top, `height of control ${index}`).toBeGreaterThanOrEqual(16);
    expect.soft(box.right, `end of control ${index}`).toBeLessThanOrEqual(width);
    for (const other of boxes.slice(index + 1))
      expect.soft(overlap(box, other), `control ${index}`).toBe(false);
  }
}

for (const [width, height, touch] of [
  [1280, 800, false],
  [390, 844, true],
  [320, 640, true],
] as const)
  test(`the frame holds at ${width} px`, ownService, async ({ browser, problems, proxied: { proxy } }) => {
    test.setTimeout(240_000);
    const at = `${proxy.url}/`;
    const context = await browser.newContext({
      viewport: { width, height },
      hasTouch: touch,
      isMobile: touch,
      reducedMotion: "reduce",
    });
    await problems.watch(context);
    const page = await context.newPage();
    const go = (path: string) => page.goto(new URL(path, at).href);
    await signInToDemo(page, at, "owner");

    await expectWholeControls(page.getByRole("banner"), width);
    for (const hint of await page.getByText(/^(Ctrl K|⌘K)$/).all())
      expect.soft(await hint.isVisible(), "hint of keys").toBe(!touch);

    // Figures of one row of tiles, and the words below them, stand on one line each; a zero is a figure.
    const figures = mainOf(page).getByRole("definition");
    await expect(figures.filter({ hasText: /^\d/ }).first()).toBeVisible();
    const lines = new Map<number, Set<number>>();
    for (const figure of await figures.filter({ hasText: /^[\d,]+$/ }).all()) {
      const { top, bottom } = await boxOf(figure);
      lines.set(Math.round(top), (lines.get(Math.round(top)) ?? new Set()).add(Math.round(bottom)));
    }
    for (const [top, bottoms] of lines) expect.soft([...bottoms], `tiles at ${top}`).toHaveLength(1);

    for (const list of ["tags", "group-invites", "people", "roles", "advisories"]) {
      await go(list);
      await expectOneRightEdge(page, list);
    }
    for (const list of ["people", "advisories", "account-associations"]) {
      await go(list);
      await expect(mainOf(page).getByRole("row").nth(1).getByRole("link").first()).toBeVisible();
      const { violations } = await new AxeBuilder({ page }).withRules(["target-size"]).analyze();
      const small = violations.flatMap(({ nodes }) => nodes.map(({ html }) => html));
      expect.soft(small, `targets below 24 px on ${list}`).toEqual([]);
    }

    // The deeds of a record end at one place, whatever its tab and however long its page.
    const ends = new Map<string, number>();
    for (const list of ["repos", "identities", "roles", "terms"]) {
      await go(list);
      await mainOf(page).getByRole("row").nth(1).getByRole("link").first().click();
      const menu = mainOf(page).getByRole("button", { name: "More actions" }).first();
      await expect(menu).toBeVisible();
      ends.set(list, Math.round((await boxOf(menu)).right));
      const tabs = mainOf(page)
        .getByRole("navigation", { name: / pages$/ })
        .getByRole("link");
      for (const tab of await tabs.all()) {
        const before = await boxOf(menu);
        await tab.click();
        await expect(tab).toHaveAttribute("aria-current", "page");
        await expect(menu).toBeVisible();
        expect.soft(await boxOf(menu), `${list}, ${await tab.textContent()}`).toEqual(before);
      }
    }
    if (!touch) expect.soft(new Set(ends.values()).size, JSON.stringify([...ends])).toBe(1);

    // A toast covers neither the title nor the path.
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await go("tags");
    await mainOf(page).getByRole("row").nth(1).getByRole("button").last().click();
    await page.getByRole("menuitem", { name: /^Copy/ }).first().click();
    const toast = page.getByText(/^Copied/).first();
    await expect(toast).toBeVisible();
    const shown = await boxOf(toast);
    expect.soft(overlap(shown, await boxOf(page.getByRole("heading", { level: 1 }))), "title").toBe(false);
    const path = page.getByRole("navigation", { name: "Breadcrumb" });
    if (await path.isVisible()) expect.soft(overlap(shown, await boxOf(path)), "path").toBe(false);

    // Nothing of a form shows through its header while it scrolls.
    await go("role-bindings?drawer=create");
    const form = page.getByRole("dialog");
    const close = form.getByRole("button", { name: "Close" });
    await expect(close).toBeVisible();
    for (const select of await form.getByRole("combobox").all()) {
      await select.evaluate((element) => {
        element.scrollIntoView({ block: "start" });
      });
      const covered = await close.evaluate((element) => {
        const { x, y, width: w, height: h } = element.getBoundingClientRect();
        const top = document.elementFromPoint(x + w / 2, y + h / 2);
        return !(top && (element === top || element.contains(top)));
      });
      expect.soft(covered, "header of the form").toBe(false);
    }
    await context.close();
  });

test("states show in forced colors without any ground", ownService, async ({ page, proxied: { proxy } }) => {
  const at = `${proxy.url}/`;
  await signInToDemo(page, at, "owner");
  await page.emulateMedia({ forcedColors: "active" });
  const differs = (one: Locator, other: Locator) =>
    Promise.all(
      [one, other].map((locator) =>
        locator.evaluate((element) => {
          const { outlineStyle, borderTopColor, borderBottomColor, backgroundColor } =
            getComputedStyle(element);
          return JSON.stringify([outlineStyle, borderTopColor, borderBottomColor, backgroundColor]);
        }),
      ),
    ).then(([a, b]) => a !== b);
  const screens = page.getByRole("navigation", { name: "Main" });
  await page.goto(new URL("roles", at).href);
  expect
    .soft(
      await differs(
        screens.getByRole("link", { name: "Roles" }),
        screens.getByRole("link", { name: "People" }),
      ),
      "current screen",
    )
    .toBe(true);
  const rows = mainOf(page).getByRole("row");
  await rows.nth(1).getByRole("checkbox").check();
  expect.soft(await differs(rows.nth(1), rows.nth(2)), "chosen row").toBe(true);
  await page.goto(new URL("identities?drawer=create", at).href);
  const cards = page.getByRole("radiogroup").first().locator("label");
  await expect(cards.first()).toBeVisible();
  expect.soft(await differs(cards.nth(0), cards.nth(1)), "chosen card").toBe(true);
});
