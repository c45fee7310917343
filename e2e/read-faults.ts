import { expect, type Locator, type Page } from "@playwright/test";

import { fault, type Effect } from "./fault";

/** Faults that affect a read on every attempt, until the rule is removed. */
export const FAULTS: Readonly<Record<string, Effect>> = {
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

/** Advances the page's clock through the console's automatic retries, until the screen says that it gave up. */
export async function givenUp(page: Page, sign: Locator, what: string): Promise<void> {
  await expect(async () => {
    // Request timeouts do not run on this clock.
    await page.clock.fastForward(5_000);
    await expect(sign, what).toBeVisible({ timeout: 50 });
  }).toPass({ intervals: [50], timeout: 20_000 });
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
}

/** Waits until the data is there after a retry, either by the button or by the console once Retry-After has passed. */
export async function recovers(again: Locator, found: Locator, what: string): Promise<void> {
  await expect(again.or(found).first(), what).toBeVisible();
  // An automatic retry may remove the button before it is pressed. `found` is never pressed: it can be a link.
  await again.click({ timeout: 2_000 }).catch(() => undefined);
  await expect(found, what).toBeVisible();
}

/** The retry button. */
export const again = (page: Page) =>
  page.getByRole("main").getByRole("button", { name: /^Try (again|now)$/ });
