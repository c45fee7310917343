import type { IdentityInput } from "~/contract/iam/identities";

export type ClaimMatch = NonNullable<IdentityInput["claimMatch"]>;
export type StaticKeys = NonNullable<IdentityInput["staticKeys"]>;

/** What a token says once its signature has been verified. */
export interface VerifiedToken {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
}

/** What has been made of the claims of a token: they may be lists of thousands, and are asked for by each identity. */
const textsOf = new WeakMap<VerifiedToken, Map<string, ReadonlySet<string>>>();

/** A claim as texts to compare: a list fits when one of its members does. */
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
 * Whether a token fits an identity that is recognised by claims: every stated condition holds (contract 1.2). It yields
 * after each attempt at a pattern, which `matches` makes; what is compared literally decides first, since it costs nothing.
 */
export function* fitsClaims(
  match: ClaimMatch,
  token: VerifiedToken,
  publicUrl: string,
  matches: (pattern: string, text: string) => boolean,
): Generator<void, boolean> {
  const { issuer, issuerPattern, subject, subjectPattern, audience, audiencePattern } = match;
  // Meant for us, unless the identity says whom its tokens are meant for.
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

/** Whether a token whose signature a static key made is one that its identity takes at this moment. */
export const fitsStaticKeys = (
  keys: StaticKeys,
  token: VerifiedToken,
  publicUrl: string,
  at: Date,
): boolean =>
  keys.issuer === token.issuer &&
  keys.subject === token.subject &&
  (keys.expirationTime === undefined || Date.parse(keys.expirationTime) > at.getTime()) &&
  (keys.audiences ?? [publicUrl]).some((audience) => token.audiences.includes(audience));
