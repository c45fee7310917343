import { expect, type BrowserContext, type Page } from "@playwright/test";

/** The session as a tab stores it. */
interface KeptTokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** Returns the tokens in a tab's sessionStorage; undefined if it has none. */
export const tokensOf = (page: Page): Promise<KeptTokens | undefined> =>
  page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((name) => name.endsWith(":tokens"));
    return key === undefined ? undefined : (JSON.parse(sessionStorage.getItem(key) ?? "") as KeptTokens);
  });

/** Records the grant types of all tabs' token requests from now on. */
export function countGrants(context: BrowserContext): readonly string[] {
  const grants: string[] = [];
  context.on("request", (request) => {
    if (request.method() === "POST" && new URL(request.url()).pathname.endsWith("/token"))
      grants.push(new URLSearchParams(request.postData() ?? "").get("grant_type") ?? "");
  });
  return grants;
}

/** Records all tabs' redirects to the authorization endpoint from now on. */
export function countDetours(context: BrowserContext): readonly string[] {
  const detours: string[] = [];
  context.on("request", (request) => {
    if (request.isNavigationRequest() && new URL(request.url()).pathname.endsWith("/auth"))
      detours.push(request.url());
  });
  return detours;
}

/** Opens a copy of a tab, with the original's sessionStorage. */
export async function duplicate(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent("page");
  await page.evaluate(() => void window.open(location.href));
  const copy = await opened;
  await copy.waitForLoadState();
  return copy;
}

/** Takes the lock that tabs renew under, then freezes: the worst moment for the browser to freeze a tab. */
export async function freezeWithLock(page: Page): Promise<{ thaw(): Promise<void> }> {
  await page.evaluate(async () => {
    const { held = [] } = await navigator.locks.query();
    const name = held.map((lock) => lock.name ?? "").find((each) => each.includes(":tab:"));
    const renewal = `${name?.split(":tab:")[0]}:renewal`;
    await new Promise<void>((taken) => {
      const forever = () => {
        taken();
        return new Promise<never>(() => undefined);
      };
      // Rejected when another tab steals the lock, as it should.
      navigator.locks.request(renewal, forever).catch(() => undefined);
    });
  });
  const browser = await page.context().newCDPSession(page);
  await browser.send("Page.setWebLifecycleState", { state: "frozen" });
  return {
    thaw: async () => void (await browser.send("Page.setWebLifecycleState", { state: "active" })),
  };
}

/** Ends the session of a tab as after a long night: its token has expired, and nothing can renew it. */
export async function endSession(page: Page, issuer: string): Promise<void> {
  const { refreshToken = "", expiresAt } = (await tokensOf(page)) as KeptTokens;
  const answer = await page.context().request.post(`${issuer}/token/revocation`, {
    form: { client_id: "console", token: refreshToken, token_type_hint: "refresh_token" },
  });
  expect(answer.ok()).toBe(true);
  await page.clock.setFixedTime((expiresAt + 60) * 1000);
}
