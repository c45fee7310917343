import { createHash } from "node:crypto";

import type { Queries } from "../store/database";
import { LINK_S } from "../store/mail/account-links";
import { take, type Allowance } from "../store/mail/allowances";
import { storeMail, type NewMail } from "../store/mail/outbox";

const HOUR = 3600;

/** What strangers can have sent: `most` at once, then one each `everyS` seconds. */
const ALLOWANCES = {
  /** Mails that somebody asked for, to one address. */
  recipient: { most: 3, everyS: 2 * HOUR },
  /** The same, asked for in a browser in which its owner has signed in. */
  device: { most: 3, everyS: HOUR },
  /** By one network, to any addresses. */
  network: { most: 20, everyS: 3 * 60 },
  /** What we tell an address about its account. */
  notice: { most: 3, everyS: 2 * HOUR },
  /** The same about its second factors, so that neither keeps the other from being told. */
  factors: { most: 5, everyS: HOUR },
  /** Invites to one address, of all organizations. */
  invited: { most: 5, everyS: 4 * HOUR },
  /** Invites of one organization. */
  organization: { most: 100, everyS: 2 * 60 },
} as const;

/** The allowance of an address, a network, or an organization; hashed, since people type anything. */
export const allowance = (kind: keyof typeof ALLOWANCES, whose: string): Allowance => ({
  key: `${kind}:${createHash("sha256").update(whose.toLowerCase()).digest("base64url")}`,
  ...ALLOWANCES[kind],
});

/** Nothing was stored; `full` if too many mails wait, of whomever. */
export class TooManyMails extends Error {
  constructor(
    readonly seconds: number,
    readonly full: boolean,
  ) {
    super(full ? "Too many mails wait to be sent" : "Too many mails were asked for");
  }
}

/** Seconds for which it is worth telling what happened. */
const NOTICE_S = 3 * 24 * HOUR;
/** Seconds after which some of a full outbox is gone. */
const FULL_S = 60;

export interface Post {
  /**
   * Stores a mail, in the transaction of `queries`, and takes it from each allowance. Throws TooManyMails; let it end the
   * transaction. Call `wake()` afterwards.
   */
  store(queries: Queries, mail: NewMail, allowances: readonly Allowance[]): Promise<void>;
  /** Tells an address what happened to its account, unless it was told too much already. */
  tell(queries: Queries, mail: Omit<NewMail, "usefulS">): Promise<void>;
  /** Mails a new account the link that confirms its address, unless that address got too many mails already. */
  askToConfirm(queries: Queries, subject: string, address: string): Promise<void>;
  /** Sends now what has been stored; else it is found a little later. */
  wake(): void;
}

export const createPost = (wake: () => void, now?: () => Date): Post => ({
  async store(queries, mail, allowances) {
    for (const one of allowances) {
      const seconds = await take(queries, one, now?.());
      if (seconds > 0) throw new TooManyMails(seconds, false);
    }
    if (!(await storeMail(queries, mail))) throw new TooManyMails(FULL_S, true);
  },
  async tell(queries, mail) {
    const kind = mail.kind === "factorsChanged" ? "factors" : "notice";
    if ((await take(queries, allowance(kind, mail.address), now?.())) === 0)
      await storeMail(queries, { ...mail, usefulS: NOTICE_S });
  },
  async askToConfirm(queries, subject, address) {
    // Else they can ask for it on their account page.
    if ((await take(queries, allowance("recipient", address), now?.())) === 0)
      await storeMail(queries, { kind: "confirm", address, facts: { subject }, usefulS: LINK_S.confirm });
  },
  wake,
});
