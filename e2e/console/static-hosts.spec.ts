import type { Page } from "@playwright/test";

import { expect, FOREIGN, NO_SERVICE, ownService, test, unique } from "../fixtures";
import { makeDataDirectory, removeDataDirectory, startBuiltService, type RunningService } from "../service";
import { deploymentFor, startStaticHost, type StaticHost } from "../static-host";

// One service and its consoles for all tests.
test.describe.configure({ mode: "default" });

const PATHS = ["/", "/x/", "/a/b/c/"] as const;
const PASSWORD = "correct horse battery staple";

let directory: string;
let service: RunningService;
const hosts = new Map<string, StaticHost>();
const hostAt = (path: string): StaticHost => hosts.get(path) as StaticHost;

// Without this, `beforeAll` would start a service even if all tests are skipped.
test.skip(FOREIGN, NO_SERVICE);
test.beforeAll(async () => {
  if (process.env["OWN_SERVICE"] === undefined) return;
  directory = await makeDataDirectory();
  for (const path of [...PATHS, "/unknown/"]) hosts.set(path, await startStaticHost({ basePath: path }));
  const consoles = PATHS.map((path) => hostAt(path).url).join(",");
  service = await startBuiltService(directory, { CONSOLE_URLS: consoles });
  for (const host of hosts.values()) await host.configure(deploymentFor(service.url));
});
test.afterAll(async () => {
  if (process.env["OWN_SERVICE"] === undefined) return;
  await Promise.all([service.stop(), ...[...hosts.values()].map((host) => host.stop())]);
  await removeDataDirectory(directory);
});

/** Creates an account, returns to the console, and creates an organization. */
async function settle(page: Page, console: string): Promise<{ email: string; organization: string }> {
  const email = `${unique("person")}@journeys.example`;
  const organization = unique("org");
  await page.goto(console);
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("link", { name: "Create an organization" }).click();
  const drawer = page.getByRole("dialog", { name: "Create organization" });
  await drawer.getByRole("textbox", { name: "Name" }).fill(organization);
  await drawer.getByRole("button", { name: "Create organization" }).click();
  await expect(drawer).toBeHidden();
  return { email, organization };
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

for (const path of PATHS)
  test(
    `dist/ alone on a static host at ${path} signs in, lists, keeps its addresses, signs out${path === "/x/" ? "" : " @long"}`,
    ownService,
    async ({ page, problems }) => {
      const { url } = hostAt(path);
      const { email, organization } = await settle(page, url);
      const row = page.getByRole("table", { name: "Groups" }).getByRole("link", { name: organization });
      await expect(row).toBeVisible();
      await row.click();
      const heading = page.getByRole("heading", { name: organization, level: 1 });
      await expect(heading).toBeVisible();
      const deep = page.url();
      expect(deep).toMatch(new RegExp(`^${url}groups/[0-9a-f]{40}(\\?|$)`));
      await page.reload();
      await expect(heading).toBeVisible();

      // The API rejects the token, cross-origin: one renewal, and the list loads.
      problems.allow(/status of 401 .*\/v2\//);
      await page.evaluate(() => {
        const key = Object.keys(sessionStorage).find((name) => name.endsWith(":tokens")) ?? "";
        const tokens = JSON.parse(sessionStorage.getItem(key) ?? "{}") as { accessToken: string };
        sessionStorage.setItem(key, JSON.stringify({ ...tokens, accessToken: `${tokens.accessToken}x` }));
      });
      const refused = page.waitForResponse((answer) => answer.status() === 401);
      await page.reload();
      expect((await refused).headers()["access-control-allow-origin"]).toBe(new URL(url).origin);
      await expect(heading).toBeVisible();

      await page.getByRole("button", { name: /^Your account/ }).click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await expect(page.getByRole("heading", { name: "You're signed out" })).toBeVisible();
      expect(page.url()).toBe(url);

      // A signed-out user opens the link, signs in, and lands where it points.
      await page.goto(deep);
      await page.getByRole("button", { name: "Sign in" }).click();
      await signIn(page, email);
      await expect(heading).toBeVisible();
      expect(page.url()).toBe(deep);
    },
  );

test(
  "without the extension in config.json, nothing shows or requests the audit log",
  ownService,
  async ({ page, problems }) => {
    // Of the group that is not there.
    problems.allow(/status of 403 .*\/iam\/v2\/groups\/0+$/);
    const { url } = hostAt("/");
    const asked: string[] = [];
    page.on("request", (request) => {
      if (/\/audit\//.test(request.url())) asked.push(request.url());
    });
    const { organization } = await settle(page, url);
    await page.getByRole("table", { name: "Groups" }).getByRole("link", { name: organization }).click();
    await expect(page.getByRole("heading", { name: "Contents" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "History" })).toHaveCount(0);
    const main = page.getByRole("navigation", { name: "Main" });
    await expect(main.getByRole("link", { name: "Resolved vulnerabilities" })).toBeVisible();
    await expect(main.getByRole("link", { name: "Audit log" })).toHaveCount(0);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("audit");
    await expect(page.getByRole("option", { name: /Audit log/ })).toHaveCount(0);
    await page.goto(`${url}?group=`);
    await page.getByRole("link", { name: "Create folder" }).click();
    const drawer = page.getByRole("dialog", { name: "Create folder" });
    await drawer.getByLabel("Name").fill("team");
    await drawer.getByRole("button", { name: "Create folder" }).click();
    await expect(drawer).toBeHidden();
    await page.goto(`${url}?group=`);
    await expect(
      page.getByRole("region", { name: "Recently updated" }).getByRole("listitem"),
    ).not.toHaveCount(0);
    await page.goto(`${url}groups/${"0".repeat(40)}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.goto(`${url}audit-log`);
    await expect(page.getByRole("heading", { name: "No audit log" })).toBeVisible();
    expect(asked).toEqual([]);
  },
);

test(
  "a console whose address the service does not know is told so, with the address @long",
  ownService,
  async ({ page, problems }) => {
    problems.allow(/status of 400 .*\/oidc\/auth/);
    const { url } = hostAt("/unknown/");
    await page.goto(url);
    await expect(page.getByRole("heading", { name: "Unknown console" })).toBeVisible();
    await expect(page.getByText(url, { exact: true })).toBeVisible();
  },
);

test(
  "under another name of the machine the service's own console moves to the public one @long",
  ownService,
  async ({ page }) => {
    await page.goto(`${service.url.replace("127.0.0.1", "localhost")}/groups?order=name`);
    await expect(page.getByLabel("Password")).toBeVisible();
    const { organization } = await settle(page, `${service.url.replace("127.0.0.1", "localhost")}/`);
    await expect(page.getByRole("link", { name: organization }).first()).toBeVisible();
    expect(page.url().startsWith(`${service.url}/`)).toBe(true);
  },
);
