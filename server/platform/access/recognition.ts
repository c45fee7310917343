import type { IdentityInput } from "platform-contract/iam/identities";

import type { Queries } from "../store/database";
import { withoutSlash } from "./issuers";
import { patternIssuers } from "./pattern-identities";
import { moveRevision, replaceIssuers } from "./recognition.table";
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
  const issuers = new Set(patternIssuers(next.claimMatch, trusted));
  const before = await replaceIssuers(queries, identity, issuers);
  await storeStaticKeys(queries, identity, next.staticKeys);
  const named = [next, previous].flatMap(({ claimMatch, staticKeys }) => [
    claimMatch?.issuer,
    staticKeys?.issuer,
  ]);
  const changed = [...named.map((issuer = "") => withoutSlash(issuer)), ...before, ...issuers];
  // Always in the same order, so that two writers cannot deadlock.
  for (const issuer of [...new Set(changed)].filter(Boolean).toSorted()) await moveRevision(queries, issuer);
}
