import { expect, type BrowserContext, type Page } from "@playwright/test";

/** What a tab keeps of its session. */
interface KeptTokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** The tokens of a tab, out of its sessionStorage; undefined when it has none. */
export const tokensOf = (page: Page): Promise<KeptTokens | undefined> =>
  page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((name) => name.endsWith(":tokens"));
    return key === undefined ? undefined : (JSON.parse(sessionStorage.getItem(key) ?? "") as KeptTokens);
  });

/** The requests of every tab to a token endpoint since now, by their grant type. */
export function countGrants(context: BrowserContext): readonly string[] {
  const grants: string[] = [];
  context.on("request", (request) => {
    if (request.method() === "POST" && new URL(request.url()).pathname.endsWith("/token"))
      grants.push(new URLSearchParams(request.postData() ?? "").get("grant_type") ?? "");
  });
  return grants;
}

/** The addresses of an authorization endpoint that any tab was sent to since now. */
export function countDetours(context: BrowserContext): readonly string[] {
  const detours: string[] = [];
  context.on("request", (request) => {
    if (request.isNavigationRequest() && new URL(request.url()).pathname.endsWith("/auth"))
      detours.push(request.url());
  });
  return detours;
}

/** A tab that the browser made as a copy of another one, with what that keeps in sessionStorage. */
export async function duplicate(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent("page");
  await page.evaluate(() => void window.open(location.href));
  const copy = await opened;
  await copy.waitForLoadState();
  return copy;
}

/** Takes the lock under which tabs renew, and stops: a tab that the browser froze at the worst moment. */
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
      // Rejected when somebody steals it, which is what should happen.
      navigator.locks.request(renewal, forever).catch(() => undefined);
    });
  });
  const browser = await page.context().newCDPSession(page);
  await browser.send("Page.setWebLifecycleState", { state: "frozen" });
  return {
    thaw: async () => void (await browser.send("Page.setWebLifecycleState", { state: "active" })),
  };
}

/** Makes the session of a tab end as it does after a long night: its token is old, and nothing renews it. */
export async function endSession(page: Page, issuer: string): Promise<void> {
  const { refreshToken = "", expiresAt } = (await tokensOf(page)) as KeptTokens;
  const answer = await page.context().request.post(`${issuer}/token/revocation`, {
    form: { client_id: "console", token: refreshToken, token_type_hint: "refresh_token" },
  });
  expect(answer.ok()).toBe(true);
  await page.clock.setFixedTime((expiresAt + 60) * 1000);
}
