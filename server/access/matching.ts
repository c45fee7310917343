import type { IdentityInput } from "~/contract/iam/identities";

import { matchesPattern } from "./patterns";

export type ClaimMatch = NonNullable<IdentityInput["claimMatch"]>;
export type StaticKeys = NonNullable<IdentityInput["staticKeys"]>;

/** What a token says once its signature has been verified. */
export interface VerifiedToken {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
}

const either = (exact: string | undefined, pattern: string | undefined, value: string): boolean =>
  exact === undefined ? pattern !== undefined && matchesPattern(pattern, value) : exact === value;

/** A claim as texts to compare: a list fits when one of its members does. */
const texts = (claim: unknown): string[] =>
  (Array.isArray(claim) ? claim : [claim]).flatMap((value: unknown) =>
    ["string", "number", "boolean"].includes(typeof value) ? [String(value)] : [],
  );

/** Whether a token fits an identity that is recognised by claims: every stated condition holds (contract 1.2). */
export function fitsClaims(match: ClaimMatch, token: VerifiedToken, publicUrl: string): boolean {
  const { audience, audiencePattern } = match;
  // Meant for us, unless the identity says whom its tokens are meant for.
  const own = audience === undefined && audiencePattern === undefined ? publicUrl : audience;
  return (
    either(match.issuer, match.issuerPattern, token.issuer) &&
    either(match.subject, match.subjectPattern, token.subject) &&
    token.audiences.some((value) => either(own, audiencePattern, value)) &&
    Object.entries(match.claims ?? {}).every(([name, value]) => texts(token.claims[name]).includes(value)) &&
    Object.entries(match.claimPatterns ?? {}).every(([name, pattern]) =>
      texts(token.claims[name]).some((value) => matchesPattern(pattern, value)),
    )
  );
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
