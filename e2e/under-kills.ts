import type { BrowserContext } from "@playwright/test";
import { setTimeout as sleep } from "node:timers/promises";

/** True if processes behind BASE_URL are killed during the tests (docs/operate/data.md, "Several processes"). */
export const UNDER_KILLS = process.env["UNDER_KILLS"] === "1";

/** Longer than a restart. */
const TRIES = 10;

export interface Sent {
  readonly ok: boolean;
  readonly http: number;
  readonly json: unknown;
}

/** A response that was cut off. */
const LOST: Sent = { ok: false, http: 599, json: undefined };

type Send = (method: string, path: string, body?: unknown) => Promise<Sent>;

/** Returns the record that a create without a response made, if it was carried out. */
async function find(send: Send, path: string, body: unknown): Promise<unknown> {
  const [, collectionPath = "", collection = "", parent] =
    /^(\/\w+\/v2\/(\w+))(?:\/([^?]+))?$/.exec(path) ?? [];
  const within = parent === undefined ? "uidp.in_root=true" : `uidp.children_of=${parent}`;
  const { ok, json } = await send("GET", `${collectionPath}?${within}&page_size=200`);
  const records = ok ? (json as Record<string, unknown[]>)[collection] : undefined;
  const plain = Object.entries(Object(body) as object).filter(([, value]) => typeof value !== "object");
  return records?.find((record) => plain.every(([key, value]) => (Object(record)[key] ?? "") === value));
}

/**
 * Sends a test's own request. If a process died before responding, checks what became of the write before sending it
 * again. This does not touch how the console handles it.
 */
export async function sendSurely(send: Send, method: string, path: string, body?: unknown): Promise<Sent> {
  for (let tried = 1; ; tried++) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const answer = await send(method, path, body).catch(() => LOST);
    if (tried > 1 && method === "DELETE" && answer.http === 404) return { ...answer, ok: true };
    // The first request may have been carried out after `find` looked.
    const repeated = tried > 1 && answer.http === 409;
    if ((answer.http < 500 && !repeated) || tried === TRIES) return answer;
    // oxlint-disable-next-line no-await-in-loop
    await sleep(1_000);
    // oxlint-disable-next-line no-await-in-loop
    const made = method === "POST" ? await find(send, path, body) : undefined;
    if (made !== undefined) return { ok: true, http: 200, json: made };
  }
}

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
