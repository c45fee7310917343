import type { Locator, Page } from "@playwright/test";

import { expect, fault, ownService, test, type Faulty } from "../faulty";
import { unique } from "../fixtures";
import { countDetours, countGrants, duplicate, endSession, freezeWithLock, tokensOf } from "../tabs";

// Tokens short-lived enough to wait for their expiry.
test.use({ serviceVariables: { ACCESS_TOKEN_TTL: "15" } });
// In one worker: starting such a service takes longer than the short tests here.
test.describe.configure({ mode: "default" });

const row = (page: Page, name: string) =>
  page.getByRole("table", { name: "Groups" }).getByRole("link", { name });
const refresh = (page: Page) => page.getByRole("button", { name: "Refresh" }).click();
const ended = (page: Page) => page.getByRole("dialog", { name: "Session ended" });
const accessToken = async (page: Page) => (await tokensOf(page))?.accessToken;

test(
  "five tabs, one a copy and one frozen with the lock in its hands: one request per expiry, and one sign-out",
  {
    ...ownService,
  },
  async ({ faulty }) => {
    test.slow();
    const { page, context, open, organization } = faulty;
    await open("groups");
    const grants = countGrants(context);
    const detours = countDetours(context);
    const tabs = await Promise.all([1, 2, 3].map(() => context.newPage()));
    const [second, third, frozen] = tabs as [Page, Page, Page];
    await Promise.all(tabs.map((tab) => tab.goto(page.url())));
    const awake = [page, second, third, await duplicate(page)];
    for (const tab of [...awake, frozen]) await expect(row(tab, organization.name)).toBeVisible();
    // Each took over the session of the first, without a redirect.
    expect(detours).toEqual([]);

    const { thaw } = await freezeWithLock(frozen);
    for (const round of [1, 2]) {
      const [old, before] = [await accessToken(page), grants.length];
      // Less than a third of its lifetime is left, so the next use renews it.
      const left = async () => ((await tokensOf(page))?.expiresAt ?? 0) - Date.now() / 1000;
      await expect.poll(left, { timeout: 20_000 }).toBeLessThan(4);
      await Promise.all(awake.map(refresh));
      for (const tab of awake) await expect.poll(() => accessToken(tab)).not.toBe(old);
      const held = await Promise.all(awake.map(accessToken));
      expect(new Set(held).size, `round ${round}: one token for all tabs`).toBe(1);
      expect(grants.slice(before), `round ${round}`).toEqual(["refresh_token"]);
    }

    // The tab slept through both, and its refresh token was used long ago.
    const before = grants.length;
    await thaw();
    await refresh(frozen);
    await expect.poll(() => accessToken(frozen)).toBe(await accessToken(page));
    expect(grants.slice(before)).toEqual([]);
    for (const tab of [...awake, frozen]) {
      await expect(row(tab, organization.name)).toBeVisible();
      await expect(ended(tab)).toBeHidden();
    }

    await page.getByRole("button", { name: /^Your account/ }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByRole("heading", { name: "You're signed out" })).toBeVisible();
    for (const tab of [second, third, frozen]) {
      await expect(ended(tab).getByText("You signed out in another tab.")).toBeVisible();
      expect(await tokensOf(tab)).toBeUndefined();
    }
  },
);

test(
  "a renewal whose answer is lost signs nobody out who looks away meanwhile",
  {
    ...ownService,
  },
  async ({ faulty }) => {
    const { page, context, proxy, open, organization } = faulty;
    await open("groups");
    await expect(row(page, organization.name)).toBeVisible();
    const grants = countGrants(context);
    const lost = proxy.rule({ method: "POST", path: /^\/oidc\/token$/ }, fault.htmlAfter(502), { times: 1 });
    const old = await tokensOf(page);
    const left = () => (old?.expiresAt ?? 0) - Date.now() / 1000;
    await expect.poll(left, { timeout: 20_000 }).toBeLessThan(4);
    await refresh(page);
    await lost.met();
    // Longer than the grace period of a used refresh token, with nothing that needs a token meanwhile.
    await page.waitForTimeout(12_000);
    await refresh(page);
    await expect(row(page, organization.name)).toBeVisible();
    await expect(ended(page)).toBeHidden();
    expect(await accessToken(page)).not.toBe(old?.accessToken);
    expect(grants.slice(0, 2)).toEqual(["refresh_token", "refresh_token"]);
  },
);

interface Typed {
  readonly drawer: Locator;
  readonly name: Locator;
  readonly pattern: Locator;
  readonly place: string;
}

/** Half fills a form, with fields that appear only because of choices in others. */
async function halfTyped({ page, open, organization }: Faulty): Promise<Typed> {
  await open(`identities?group=${organization.uid}&drawer=create`);
  const drawer = page.getByRole("dialog", { name: "Create identity" });
  const name = drawer.getByRole("textbox", { name: "Name", exact: true });
  const pattern = drawer.getByLabel("Subject pattern");
  await drawer.getByRole("radio", { name: /OIDC claims/ }).check();
  await name.fill("half-typed");
  await drawer.getByRole("textbox", { name: "Issuer", exact: true }).fill("https://issuer.example");
  await drawer.getByLabel("Subject matches").selectOption("by pattern");
  await pattern.fill("repo:.*");
  return { drawer, name, pattern, place: page.url() };
}

/** The person saves, but their session at the service is gone. */
async function meetTheEnd({ page, proxy }: Faulty, { drawer }: Typed): Promise<void> {
  await endSession(page, `${proxy.url}/oidc`);
  await drawer.getByRole("button", { name: "Create identity" }).click();
  await expect(ended(page)).toBeVisible();
}

test(
  "a session that ends keeps the form, while the provider is out of reach and after signing in again",
  {
    ...ownService,
  },
  async ({ faulty }) => {
    const { page, proxy } = faulty;
    const typed = await halfTyped(faulty);
    await meetTheEnd(faulty, typed);

    const down = proxy.rule({ path: /^\/oidc\// }, fault.cutBefore);
    await ended(page).getByRole("button", { name: "Sign in again" }).click();
    await expect(ended(page).getByRole("alert")).toContainText("can't be reached");
    await ended(page).getByRole("button", { name: "Stay on this page" }).click();
    // The page stays: closing the form asks first, as before.
    await typed.drawer.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Keep editing" }).click();
    await expect(typed.pattern).toHaveValue("repo:.*");

    down.remove();
    await page.getByRole("button", { name: "Sign in again" }).click();
    await expect(ended(page)).toBeHidden();
    await expect(typed.name).toHaveValue("half-typed");
    await expect(typed.drawer.getByRole("radio", { name: /OIDC claims/ })).toBeChecked();
    await expect(typed.pattern).toHaveValue("repo:.*");
    expect(page.url()).toBe(typed.place);

    // Still unsaved; once discarded, the draft is gone for good.
    await typed.drawer.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Discard changes" }).click();
    await expect(typed.drawer).toBeHidden();
    await page.goto(typed.place);
    await expect(typed.name).toHaveValue("");
  },
);

test(
  "somebody else who signs in at an ended session does not find what was typed",
  {
    ...ownService,
  },
  async ({ faulty }) => {
    const { page, context } = faulty;
    const typed = await halfTyped(faulty);
    await meetTheEnd(faulty, typed);
    // The provider no longer has a session for the first person.
    await context.clearCookies();
    await ended(page).getByRole("button", { name: "Sign in again" }).click();
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByLabel("Email").fill(`${unique("person")}@journeys.example`);
    await page.getByLabel("Password").fill("correct horse battery staple");
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(typed.drawer).toBeVisible();
    expect(page.url()).toBe(typed.place);
    await expect(typed.name).toHaveValue("");
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain("half-typed");
  },
);
