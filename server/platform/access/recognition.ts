import type { IdentityInput } from "platform-contract/iam/identities";

import type { Queries } from "../store/database";
import { withoutSlash } from "./issuers";
import { patternIssuers } from "./pattern-identities";
import { storeStaticKeys } from "./static-keys";

/** How an identity is recognized; empty for a deleted identity. */
export type Recognised = Pick<IdentityInput, "claimMatch" | "staticKeys">;

/**
 * Stores what tokens are compared with in separate tables, and invalidates what is cached for the affected issuers.
 * `trusted` are the issuers whose tokens can match patterns. Runs in the identity's transaction.
 */
export async function storeRecognition(
  queries: Queries,
  identity: string,
  trusted: readonly string[],
  next: Recognised,
  previous: Recognised,
): Promise<void> {
  const before = await queries.query<{ issuer: string }>(
    "delete from identity_issuers where identity_uid = $1 returning issuer",
    [identity],
  );
  const issuers = new Set(patternIssuers(next.claimMatch, trusted));
  for (const issuer of issuers)
    await queries.query("insert into identity_issuers (issuer, identity_uid) values ($1, $2)", [
      issuer,
      identity,
    ]);
  await storeStaticKeys(queries, identity, next.staticKeys);
  const named = [next, previous].flatMap(({ claimMatch, staticKeys }) => [
    claimMatch?.issuer,
    staticKeys?.issuer,
  ]);
  const changed = [
    ...named.map((issuer = "") => withoutSlash(issuer)),
    ...before.map((row) => row.issuer),
    ...issuers,
  ];
  // Always in the same order, so that two writers cannot deadlock.
  for (const issuer of [...new Set(changed)].filter(Boolean).toSorted())
    await queries.query(
      `insert into pattern_revisions (issuer, revision) values ($1, 1)
       on conflict (issuer) do update set revision = pattern_revisions.revision + 1`,
      [issuer],
    );
}

/** Changes whenever an identity of this issuer changes. */
export async function revisionOf(queries: Queries, issuer: string): Promise<unknown> {
  const [row] = await queries.query("select revision from pattern_revisions where issuer = $1", [
    withoutSlash(issuer),
  ]);
  return row?.["revision"] ?? 0;
}
