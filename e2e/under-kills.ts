import type { BrowserContext } from "@playwright/test";
import { setTimeout as sleep } from "node:timers/promises";

/** True if processes behind BASE_URL are killed during the tests (docs/operate/data.md, "Several processes"). */
export const UNDER_KILLS = process.env["UNDER_KILLS"] === "1";

/** Retries failed work a few times if processes are being killed, otherwise not. */
export async function surely<T>(work: () => Promise<T>): Promise<T> {
  for (let left = UNDER_KILLS ? 5 : 1; ; left--)
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      return await work();
    } catch (error) {
      if (left === 1) throw error;
      // oxlint-disable-next-line no-await-in-loop
      await sleep(1_000);
    }
}

/** The console's message for a write that it lost and that had no effect. */
const LOST_WRITE =
  /(?=.*Nothing was (?:created|saved|deleted))(?=.*(?:can't be reached|a gateway returned HTTP))/s;

/** Presses again, as a user would, when a page says that a write was lost and had no effect. */
export function pressAgainWhereAWriteWasLost(context: BrowserContext): void {
  context.on("page", (page) => {
    const lost = page.getByRole("alert").filter({ hasText: LOST_WRITE });
    const dialog = page.getByRole("dialog").filter({ has: lost }).first();
    const button = page.locator("button[type=submit]").or(page.getByRole("button", { name: /^Delete / }));
    // Fails if the page closes right away.
    page.addLocatorHandler(dialog, () => dialog.locator(button).last().click()).catch(() => undefined);
  });
}
