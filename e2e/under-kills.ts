import type { BrowserContext } from "@playwright/test";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether processes behind BASE_URL are killed meanwhile (docs/operating.md, "Several processes"). */
export const UNDER_KILLS = process.env["UNDER_KILLS"] === "1";

/** Longer than a restart. */
const TRIES = 10;

export interface Sent {
  readonly ok: boolean;
  readonly http: number;
  readonly json: unknown;
}

/** An answer that broke off. */
const LOST: Sent = { ok: false, http: 599, json: undefined };

type Send = (method: string, path: string, body?: unknown) => Promise<Sent>;

/** What a create without an answer has made, if it came to pass. */
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
 * A journey's own request: where a process that died took the answer along, it is found out what became of a write before
 * it is sent again. What the console does about that is the console's, and untouched.
 */
export async function sendSurely(send: Send, method: string, path: string, body?: unknown): Promise<Sent> {
  for (let tried = 1; ; tried++) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const answer = await send(method, path, body).catch(() => LOST);
    if (tried > 1 && method === "DELETE" && answer.http === 404) return { ...answer, ok: true };
    // What was sent first may have been written after it was looked for.
    const repeated = tried > 1 && answer.http === 409;
    if ((answer.http < 500 && !repeated) || tried === TRIES) return answer;
    // oxlint-disable-next-line no-await-in-loop
    await sleep(1_000);
    // oxlint-disable-next-line no-await-in-loop
    const made = method === "POST" ? await find(send, path, body) : undefined;
    if (made !== undefined) return { ok: true, http: 200, json: made };
  }
}

/** Begins anew what failed, a few times; once where nothing is killed. */
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

/** The console on a write that a process took along, where it has seen that nothing came of it. */
const LOST_WRITE =
  /(?=.*Nothing was (?:created|saved|deleted))(?=.*(?:cannot be reached|a gateway returned HTTP))/s;

/** Presses again, as a person does, wherever a page says that a write was lost and nothing came of it. */
export function pressAgainWhereAWriteWasLost(context: BrowserContext): void {
  context.on("page", (page) => {
    const lost = page.getByRole("alert").filter({ hasText: LOST_WRITE });
    const dialog = page.getByRole("dialog").filter({ has: lost }).first();
    const button = page.locator("button[type=submit]").or(page.getByRole("button", { name: /^Delete / }));
    // Fails where the page is closed at once.
    page.addLocatorHandler(dialog, () => dialog.locator(button).last().click()).catch(() => undefined);
  });
}
