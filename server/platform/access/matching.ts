import type { IdentityInput } from "platform-contract/iam/identities";

export type ClaimMatch = NonNullable<IdentityInput["claimMatch"]>;
export type StaticKeys = NonNullable<IdentityInput["staticKeys"]>;

/** The content of a token with a verified signature. */
export interface VerifiedToken {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Claims converted to sets of strings: they can have thousands of members, and every identity compares them. */
const textsOf = new WeakMap<VerifiedToken, Map<string, ReadonlySet<string>>>();

/** Returns a claim as strings to compare; a list matches if any of its members does. */
function texts(token: VerifiedToken, name: string): ReadonlySet<string> {
  const known = textsOf.get(token) ?? new Map<string, ReadonlySet<string>>();
  textsOf.set(token, known);
  const before = known.get(name);
  if (before) return before;
  const claim = Object.hasOwn(token.claims, name) ? token.claims[name] : undefined;
  const found = new Set(
    (Array.isArray(claim) ? claim : [claim]).flatMap((value: unknown) =>
      ["string", "number", "boolean"].includes(typeof value) ? [String(value)] : [],
    ),
  );
  known.set(name, found);
  return found;
}

/**
 * True if a token matches an identity by claims: all stated conditions hold. Checks literal conditions
 * first, since they are cheap, and yields after each pattern that it tries with `matches`.
 */
export function* fitsClaims(
  match: ClaimMatch,
  token: VerifiedToken,
  publicUrl: string,
  matches: (pattern: string, text: string) => boolean,
): Generator<void, boolean> {
  const { issuer, issuerPattern, subject, subjectPattern, audience, audiencePattern } = match;
  // The token must be meant for us, unless the identity states another audience.
  const own = audience === undefined && audiencePattern === undefined ? publicUrl : audience;
  const audiences = new Set(token.audiences);
  const literally =
    (issuer === undefined ? issuerPattern !== undefined : issuer === token.issuer) &&
    (subject === undefined ? subjectPattern !== undefined : subject === token.subject) &&
    (own === undefined || audiences.has(own)) &&
    Object.entries(match.claims ?? {}).every(([name, value]) => texts(token, name).has(value));
  if (!literally) return false;
  const conditions: [pattern: string, texts: Iterable<string>][] = [];
  if (subject === undefined) conditions.push([subjectPattern ?? "", [token.subject]]);
  if (issuer === undefined) conditions.push([issuerPattern ?? "", [token.issuer]]);
  if (own === undefined) conditions.push([audiencePattern ?? "", audiences]);
  for (const [name, pattern] of Object.entries(match.claimPatterns ?? {}))
    conditions.push([pattern, texts(token, name)]);
  for (const [pattern, values] of conditions) {
    let fits = false;
    for (const value of values) {
      fits = matches(pattern, value);
      yield;
      if (fits) break;
    }
    if (!fits) return false;
  }
  return true;
}

/** True if a token signed by a static key is currently acceptable to the key's identity, by default for one of `own`. */
export const fitsStaticKeys = (
  keys: StaticKeys,
  token: VerifiedToken,
  own: readonly string[],
  at: Date,
): boolean =>
  keys.issuer === token.issuer &&
  keys.subject === token.subject &&
  (keys.expirationTime === undefined || Date.parse(keys.expirationTime) > at.getTime()) &&
  (keys.audiences ?? own).some((audience) => token.audiences.includes(audience));
