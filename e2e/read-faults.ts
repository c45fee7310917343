import { expect, type Locator, type Page } from "@playwright/test";

import { fault, type Effect } from "./fault";

/** What happens to a read each time, until it is over. */
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

/** Lets the tries pass that the console makes by itself, on the page's clock, until it says that it could not. */
export async function givenUp(page: Page, sign: Locator, what: string): Promise<void> {
  await expect(async () => {
    // No request minds: how long one may take is not counted on this clock.
    await page.clock.fastForward(5_000);
    await expect(sign, what).toBeVisible({ timeout: 50 });
  }).toPass({ intervals: [50], timeout: 20_000 });
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
}

/** What did not load is there after another try, be it the console's own once it has waited as long as it was asked to. */
export async function recovers(again: Locator, found: Locator, what: string): Promise<void> {
  await expect(again.or(found).first(), what).toBeVisible();
  // The console's own try may take the button away before it is pressed. What was found is never pressed: it can be a link.
  await again.click({ timeout: 2_000 }).catch(() => undefined);
  await expect(found, what).toBeVisible();
}

/** What is pressed for another try. */
export const again = (page: Page) =>
  page.getByRole("main").getByRole("button", { name: /^Try (again|now)$/ });
