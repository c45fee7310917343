import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";

import type { Database, Queries } from "../store/database";
import { withoutSlash } from "./issuers";
import { fitsClaims, type ClaimMatch, type VerifiedToken } from "./matching";
import { matchesPattern } from "./patterns";

export interface Candidate {
  readonly uid: string;
  readonly definition: ClaimMatch;
}

/**
 * The issuers whose tokens are tried against an identity by pattern: decided when the identity is written, among the
 * issuers that are trusted then, so that a token meets only the patterns of its issuer. Empty for an exact match.
 */
export function patternIssuers(match: ClaimMatch | undefined, trusted: readonly string[]): string[] {
  if (!match || (match.issuer !== undefined && match.subject !== undefined)) return [];
  if (match.issuer !== undefined) return [withoutSlash(match.issuer)];
  const { issuerPattern = "" } = match;
  return trusted.filter((issuer) => matchesPattern(issuerPattern, issuer)).map(withoutSlash);
}

/** Records the issuers of an identity, and that what was kept of them before is stale. Within the identity's transaction. */
export async function storePatternIssuers(
  queries: Queries,
  identity: string,
  issuers: readonly string[],
): Promise<void> {
  const before = await queries.query<{ issuer: string }>(
    "delete from identity_issuers where identity_uid = $1 returning issuer",
    [identity],
  );
  for (const issuer of new Set(issuers))
    await queries.query("insert into identity_issuers (issuer, identity_uid) values ($1, $2)", [
      issuer,
      identity,
    ]);
  // In one order everywhere, so that two writers cannot wait for each other.
  for (const issuer of [...new Set([...before.map((row) => row.issuer), ...issuers])].toSorted())
    await queries.query(
      `insert into pattern_revisions (issuer, revision) values ($1, 1)
       on conflict (issuer) do update set revision = pattern_revisions.revision + 1`,
      [issuer],
    );
}

const KEPT_TOKENS = 2_000;
/** Milliseconds of matching after which other requests get their turn: anybody may write patterns, as large and as many as they like. */
const TURN = 10;

/** uids of those that a token fits, in turns with whatever else the process has to do. */
export async function fittingOf(
  candidates: readonly Candidate[],
  token: VerifiedToken,
  publicUrl: string,
): Promise<string[]> {
  const uids: string[] = [];
  let since = performance.now();
  for (const { uid, definition } of candidates) {
    if (fitsClaims(definition, token, publicUrl)) uids.push(uid);
    if (performance.now() - since < TURN) continue;
    await setImmediate();
    since = performance.now();
  }
  return uids;
}

/** Finds the identities that a token fits by pattern; keeps results until an identity of that issuer changes. */
export function patternMatcher(
  database: Database,
  publicUrl: string,
): (bearer: string, token: VerifiedToken) => Promise<readonly string[]> {
  const candidates = new Map<string, { revision: unknown; list: readonly Candidate[] }>();
  const results = new Map<string, { revision: unknown; uids: Promise<readonly string[]> }>();

  async function candidatesOf(issuer: string, revision: unknown): Promise<readonly Candidate[]> {
    const known = candidates.get(issuer);
    if (known && known.revision === revision) return known.list;
    const list = await database.query<Candidate>(
      "select i.uid, i.definition from identity_issuers n join identities i on i.uid = n.identity_uid where n.issuer = $1",
      [issuer],
    );
    candidates.set(issuer, { revision, list });
    return list;
  }

  return async (bearer, token) => {
    const issuer = withoutSlash(token.issuer);
    // The count is read before the identities: a change in between makes the next reader read again.
    const [row] = await database.query("select revision from pattern_revisions where issuer = $1", [issuer]);
    if (!row) return [];
    const { revision } = row;
    const key = createHash("sha256").update(bearer).digest("base64");
    const known = results.get(key);
    if (known && known.revision === revision) return known.uids;
    const list = await candidatesOf(issuer, revision);
    if (results.size >= KEPT_TOKENS) results.clear();
    // Requests that come with the same token meanwhile wait for the same answer.
    const uids = fittingOf(list, token, publicUrl);
    results.set(key, { revision, uids });
    return uids;
  };
}
