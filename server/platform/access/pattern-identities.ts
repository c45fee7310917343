import type { Database } from "../store/database";
import { withoutSlash } from "./issuers";
import { fitsClaims, type ClaimMatch, type VerifiedToken } from "./matching";
import { matchesPattern, type Budget } from "./patterns";
import { candidatesByPattern, exactCandidates, type Candidate } from "./recognition.table";
import { rememberByToken } from "./remembered";
import { inTurns } from "./turns";

/**
 * Returns the issuers whose tokens are matched against an identity by pattern. Resolved when the identity is written,
 * among the issuers trusted then, so that a token only meets the patterns of its issuer. Empty for an exact match.
 */
export function patternIssuers(match: ClaimMatch | undefined, trusted: readonly string[]): string[] {
  if (!match || (match.issuer !== undefined && match.subject !== undefined)) return [];
  if (match.issuer !== undefined) return [withoutSlash(match.issuer)];
  const { issuerPattern = "" } = match;
  return trusted.filter((issuer) => matchesPattern(issuerPattern, issuer)).map(withoutSlash);
}

/** Maximum matching steps (see Budget) per token, about 0.6 s, and per organization. */
const TOKEN_STEPS = 10_000_000;
const ORGANIZATION_STEPS = 2_000_000;

/** Maximum identities that one token can match. */
const FITTING = 200;

const organizationOf = (uid: string): string => uid.split("/", 1)[0] ?? "";

/**
 * Returns the uids of the candidates that a token matches, yielding to other work in the process. Skips identities that
 * exceed the remaining budget of their organization or of the token.
 */
export function fittingOf(
  candidates: readonly Candidate[],
  token: VerifiedToken,
  publicUrl: string,
): Promise<string[]> {
  return inTurns(fitting(candidates, token, publicUrl));
}

function* fitting(
  candidates: readonly Candidate[],
  token: VerifiedToken,
  publicUrl: string,
): Generator<void, string[]> {
  const uids: string[] = [];
  const whole: Budget = { left: TOKEN_STEPS };
  const parts = new Map<string, Budget>();
  for (const { uid, definition } of candidates) {
    const organization = organizationOf(uid);
    const part = parts.get(organization) ?? { left: ORGANIZATION_STEPS };
    parts.set(organization, part);
    const matches = (pattern: string, text: string): boolean => {
      const before = Math.min(part.left, whole.left);
      const budget = { left: before };
      const fits = matchesPattern(pattern, text, budget);
      part.left -= before - budget.left;
      whole.left -= before - budget.left;
      return fits;
    };
    if (yield* fitsClaims(definition, token, publicUrl, matches)) uids.push(uid);
    if (uids.length === FITTING) break;
    yield;
  }
  return uids;
}

/** Finds identities whose claim match fits a token, by pattern or exactly. Caches results until `revision` changes. */
export function claimMatcher(
  database: Database,
  publicUrl: string,
): (bearer: string, token: VerifiedToken, revision: unknown) => Promise<readonly string[]> {
  const kept = new Map<string, { revision: unknown; list: readonly Candidate[] }>();
  const remembered = rememberByToken<readonly string[]>();

  async function byPattern(issuer: string, revision: unknown): Promise<readonly Candidate[]> {
    const known = kept.get(issuer);
    if (known && known.revision === revision) return known.list;
    const list = await candidatesByPattern(database, issuer);
    kept.set(issuer, { revision, list });
    return list;
  }

  return (bearer, token, revision) =>
    remembered(bearer, revision, async () => {
      const [exact, patterns] = await Promise.all([
        exactCandidates(database, token.issuer, token.subject),
        byPattern(withoutSlash(token.issuer), revision),
      ]);
      return [...new Set(await fittingOf([...exact, ...patterns], token, publicUrl))];
    });
}
