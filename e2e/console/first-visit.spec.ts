import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, LONG, ownService, test } from "../fixtures";
import { oneOfEach } from "../one-of-each";
import { folder, param } from "../records";
import { NO_IMAGE } from "../tags";

/**
 * Maximum bytes of a first visit to any screen, as served, including the sign-in and what loads by itself; and of fonts. A
 * guard with air: a new screen must not have to count bytes.
 */
const BUDGET = 312_000;
const FONT_BUDGET = 70_000;
/** How long a page must send no request to count as loaded, in ms. In less, less may be counted. */
const QUIET = LONG ? 1_500 : 500;

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
/** Every route as in the address: `identities/$uid`. Files that begin with `-` are no routes. */
const all = readdirSync(at("src/routes"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".tsx") && !/(?:^|\/)(?:-|__root)/.test(file))
  .map((file) => file.replace(/\.tsx$/, "").replace(/(?:^|\/)index$/, ""))
  .toSorted();
/** The API cannot create advisories or libraries. */
const READ_ONLY = /^(?:advisories|audit-log|libraries)(?:\/\$uid)?$/;
/** Screens that are not a list, or whose list is empty here. */
const LISTLESS = new Set([
  "",
  "access-review",
  "affected",
  "api",
  "import",
  "invite",
  "leaked-token",
  "manifests",
  "migrate",
  "plan",
  "reports",
  "retention",
  "snapshots",
  "status",
]);
/** Without `npm run test:long`, one resource stands for all lists and records, and every other screen for itself. */
const isAlone = (route: string): boolean => LISTLESS.has(route) || /\/\w+$/.test(route);
const screens = all.filter((route) =>
  LONG ? !READ_ONLY.test(route) : isAlone(route) || route.startsWith("repos"),
);

// Wide enough for every column.
test.use({ viewport: { width: 1800, height: 1000 } });

test(
  "a first visit to any screen stays within the budget until nothing more loads by itself",
  ownService,
  async ({ person, problems }) => {
    // Up to forty screens, each until the network is quiet.
    test.setTimeout(300_000);
    problems.allow(NO_IMAGE);
    const { page, organization, open } = person;
    const group = organization.uid;
    const uids: Record<string, string> = { ...(await oneOfEach(person)), ask: group };

    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Network.enable");
    const loaded = new Map<string, number>();
    let last = 0;
    page.on("request", () => (last = Date.now()));
    page.on("response", (response) => {
      const path = new URL(response.url()).pathname.slice(1);
      // API responses are the customer's data, and the provider's pages are not part of the console.
      if (
        /^(?:iam|access|registry(?:-\w+)?|events|vulnerabilities|advisory|libraries|audit|notices|ping|oidc)\/|^openapi\.json$/.test(
          path,
        )
      )
        return;
      const file = response.request().isNavigationRequest() ? "index.html" : path;
      loaded.set(file, Number(response.headers()["content-length"] ?? Number.NaN));
    });
    const quiet = () =>
      expect.poll(() => Date.now() - last, { timeout: 30_000, intervals: [100] }).toBeGreaterThan(QUIET);
    // Otherwise requests still in flight here would count toward the next page.
    await open("");
    await quiet();

    for (const route of screens) {
      const [resource = ""] = route.split("/");
      await test.step(`/${route}`, async () => {
        // Clear the cache like a first-time visitor's; the provider still has the session.
        await cdp.send("Network.clearBrowserCache");
        await page.evaluate(() => {
          sessionStorage.clear();
          localStorage.clear();
        });
        loaded.clear();
        if (route.includes("$uid")) expect(uids, "a record of each resource").toHaveProperty(resource);
        await open(`${route.replace("$uid", param(uids[resource] ?? ""))}?group=${param(group)}`);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        // Load last, from chunks of their own.
        if (route === "") {
          // Nobody knows the packages of these images.
          const resolved = page.getByRole("region", { name: "Resolved vulnerabilities" });
          await expect(resolved.getByRole("link", { name: "Unknown" })).toBeVisible();
          await expect(page.getByText("checked just now").first()).toBeVisible();
        }
        await quiet();
        if (route === resource && !LISTLESS.has(route))
          await expect(page.getByRole("table").locator("[data-row-key]").first()).toBeVisible();
        // A headless browser does not request the icon by itself.
        await Promise.all([
          page.waitForResponse(/favicon/),
          page.evaluate(() => fetch(document.querySelector<HTMLLinkElement>("link[rel=icon]")?.href ?? "")),
        ]);
        const files = [...loaded];
        expect(files.filter(([file]) => file.includes("latin-ext"))).toEqual([]);
        const total = (some: typeof files) => some.reduce((sum, [, length]) => sum + length, 0);
        const fonts = files.filter(([file]) => file.endsWith(".woff2"));
        const listed = files.map(([file, length]) => `${file} ${length}`).join("\n");
        expect(files.length, listed).toBeGreaterThan(8);
        // Every screen over the limit is told in one run.
        expect.soft(total(files) - total(fonts), listed).toBeLessThanOrEqual(BUDGET);
        expect.soft(total(fonts), listed).toBeLessThanOrEqual(FONT_BUDGET);
      });
    }
  },
);

test("the first pointer on a page gets its hint and the first key its menu, whose code was not there @long", async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  await folder(api, organization, "team");
  const button = page.getByRole("button", { name: "Actions for team", exact: true });
  await open(`groups?group=${param(organization)}`);
  await page.getByRole("button", { name: "Show requests" }).hover();
  await expect(page.getByRole("tooltip")).toHaveText(/^Show requests/);

  await page.reload();
  await button.press("Enter");
  await expect(page.getByRole("menu").getByRole("menuitem").first()).toBeFocused();

  await page.reload();
  await button.click();
  await expect(page.getByRole("menu")).toBeVisible();
});

test("the first paint is the frame of the shell, before any script has arrived", async ({ person }) => {
  const { page, open } = person;
  await open("repos");
  const main = page.getByRole("main");
  const sheet = await main.boundingBox();
  const color = await main.evaluate((element) => getComputedStyle(element).backgroundColor);
  await page.route("**/*.js", () => undefined);
  await page.reload({ waitUntil: "commit" });
  await expect(page.getByText("Loading Platform Console")).toBeVisible();
  const frame = await page.getByText("Loading Platform Console").evaluate((splash) => {
    const { left, top, width, height, backgroundColor } = getComputedStyle(splash, "::before");
    const [x, y] = [Number.parseFloat(left), Number.parseFloat(top)];
    return {
      backgroundColor,
      box: { x, y, width: Number.parseFloat(width), height: Number.parseFloat(height) },
    };
  });
  // The width without the border that a box includes.
  expect(frame.box.x).toBe(sheet?.x);
  expect(frame.box.y).toBe(sheet?.y);
  expect(Math.abs(frame.box.width - (sheet?.width ?? 0))).toBeLessThanOrEqual(2);
  expect(Math.abs(frame.box.height - (sheet?.height ?? 0))).toBeLessThanOrEqual(2);
  expect(frame.backgroundColor).toBe(color);
});
