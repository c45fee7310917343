import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

import { expect, ownService, test } from "../fixtures";
import { makeDataDirectory, removeDataDirectory, startBuiltService, type RunningService } from "../service";
import { startSmallIssuer, type SmallIssuer } from "../small-issuer";
import { startStaticHost, strictPolicy, type StaticHost } from "../static-host";
import { countDetours, countGrants, tokensOf } from "../tabs";

// One service and one issuer for all tests.
test.describe.configure({ mode: "default" });

let directory: string;
let service: RunningService;
let issuer: SmallIssuer;
let strict: StaticHost;
let framing: StaticHost;

test.beforeAll(async () => {
  if (process.env["OWN_SERVICE"] === undefined) return;
  directory = await makeDataDirectory();
  [strict, framing] = await Promise.all([startStaticHost(), startStaticHost({ basePath: "/console/" })]);
  const consoles = [strict.url, framing.url];
  issuer = await startSmallIssuer({ audience: () => service.url, consoles });
  service = await startBuiltService(directory, {
    CONSOLE_URLS: consoles.join(","),
    TRUSTED_ISSUERS: issuer.url,
  });
  const config = {
    apiBaseUrl: service.url,
    oidc: { authority: issuer.url, clientId: "console", scope: "openid profile" },
  };
  const policy = strictPolicy(service.url, issuer.url);
  await strict.configure({ config, policy });
  // What src/auth/README.md requires of a host for silent renewal.
  const allowed = policy.replace(
    "frame-ancestors 'none'",
    `frame-ancestors 'self'; frame-src 'self' ${issuer.url}`,
  );
  await framing.configure({ config, policy: allowed });
});
test.afterAll(async () => {
  if (process.env["OWN_SERVICE"] === undefined) return;
  await Promise.all([service.stop(), issuer.stop(), strict.stop(), framing.stop()]);
  await removeDataDirectory(directory);
});

const notice = (page: Page) => page.getByRole("region", { name: "Session ending" });
/** Eight of the token's ten minutes, on the browser's clock. */
const ALMOST = 8 * 60_000 + 5_000;

test(
  "under a policy without frames a session that nothing renews says so in time, and goes on with what was typed",
  {
    ...ownService,
  },
  async ({ page, problems }) => {
    // Chromium's messages about the frame that the policy blocks, which the console tries once.
    problems.allow(/policy violation: frame-src|violates the following Content Security Policy directive/);
    await page.clock.install();
    await page.goto(new URL("groups?drawer=create", strict.url).href);
    const drawer = page.getByRole("dialog", { name: "Create organization" });
    const name = drawer.getByRole("textbox", { name: "Name" });
    await name.fill("half-typed");
    const grants = countGrants(page.context());
    await page.clock.fastForward(ALMOST);
    await expect(notice(page).getByRole("timer")).toHaveText(/^1:[45]\d$/);
    await expect(
      page.getByRole("status").getByText(/^Your session ends in 1 minute 5\d seconds/),
    ).toHaveCount(1);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
    // Leave the form, which traps the Tab key.
    await name.press("F8");
    await expect(notice(page).getByRole("button", { name: "Sign in again now" })).toBeFocused();
    expect(grants).toEqual([]);

    await page.keyboard.press("Enter");
    await expect.poll(() => grants).toEqual(["authorization_code"]);
    await expect(name).toHaveValue("half-typed");
    await expect(notice(page)).toBeHidden();

    await drawer.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Discard changes" }).click();
    await page.getByRole("button", { name: /^Your account/ }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    // The issuer has no end-session endpoint, so the console warns that the session there may still exist.
    await expect(
      page.getByText("You might still be signed in at the sign-in service", { exact: false }),
    ).toBeVisible();
  },
);

test(
  "under a policy with frames it is renewed silently, once for two tabs",
  {
    ...ownService,
  },
  async ({ page, context }) => {
    await context.clock.install();
    await page.goto(new URL("groups", framing.url).href);
    await expect(page.getByRole("heading", { name: "Groups", level: 1 })).toBeVisible();
    const detours = countDetours(context);
    const other = await context.newPage();
    await other.goto(page.url());
    await expect(other.getByRole("heading", { name: "Groups", level: 1 })).toBeVisible();
    expect(detours).toEqual([]);
    const old = await tokensOf(page);
    const grants = countGrants(context);
    await context.clock.fastForward(ALMOST);
    await expect.poll(async () => (await tokensOf(page))?.accessToken).not.toBe(old?.accessToken);
    await expect
      .poll(async () => (await tokensOf(other))?.accessToken)
      .toBe((await tokensOf(page))?.accessToken);
    expect(grants).toEqual(["authorization_code"]);
    expect(detours.map((address) => new URL(address).searchParams.get("prompt"))).toEqual(["none"]);
    for (const tab of [page, other]) {
      await expect(notice(tab)).toBeHidden();
      await expect(tab.locator("iframe")).toHaveCount(0);
    }
  },
);
