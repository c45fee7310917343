import { createHash, randomBytes } from "node:crypto";

import { now } from "../clock";
import type { Queries } from "../database";

export type LinkPurpose = "reset" | "confirm";

/** Seconds that a link works. */
export const LINK_S: Readonly<Record<LinkPurpose, number>> = { reset: 30 * 60, confirm: 24 * 3600 };

export interface AccountLink {
  readonly subject: string;
  /** The address that it was sent to. */
  readonly email: string;
}

const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** Returns the token of a new link; the database only has its hash. */
export async function makeLink(
  queries: Queries,
  purpose: LinkPurpose,
  { subject, email }: AccountLink,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await queries.query(
    "insert into account_links (hash, subject, purpose, email, expires_at) values ($1, $2, $3, $4, $5)",
    [hashOf(token), subject, purpose, email, new Date(now().getTime() + LINK_S[purpose] * 1000)],
  );
  return token;
}

/** The link of a token; undefined if it was used, has expired, or never existed. */
export async function findLink(
  queries: Queries,
  purpose: LinkPurpose,
  token: string,
): Promise<AccountLink | undefined> {
  const [link] = await queries.query<AccountLink>(
    "select subject, email from account_links where hash = $1 and purpose = $2 and expires_at > $3",
    [hashOf(token), purpose, now()],
  );
  return link;
}

/** The same, and it works no more: of several at the same time, one gets it. */
export async function takeLink(
  queries: Queries,
  purpose: LinkPurpose,
  token: string,
): Promise<AccountLink | undefined> {
  const [link] = await queries.query<AccountLink>(
    "delete from account_links where hash = $1 and purpose = $2 and expires_at > $3 returning subject, email",
    [hashOf(token), purpose, now()],
  );
  return link;
}

/** Ends all links of an account: whoever reads an older mail no longer gets anywhere. */
export const endLinks = (queries: Queries, subject: string): Promise<unknown> =>
  queries.query("delete from account_links where subject = $1", [subject]);

export const sweepLinks = (queries: Queries): Promise<unknown> =>
  queries.query("delete from account_links where expires_at <= $1", [now()]);
