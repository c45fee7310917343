import type { Identity } from "platform-contract/iam/identities";

import { latestExpiry } from "../problems";
import { differenceOf, similarity } from "./difference";
import { tryPattern } from "./pattern";
import type { Token } from "./read-token";

/** One claim of a token, compared with what an identity expects. */
export interface TokenCheck {
  /** Name in the token: "iss". */
  readonly claim: string;
  readonly by: "exact" | "pattern";
  readonly wanted: string;
  /** The most similar value; undefined if the token has none. */
  readonly found: string | undefined;
  readonly fits: boolean;
  readonly near: boolean;
  /** How they differ, and what would have to change; "" if they match. */
  readonly why: string;
  readonly change: string;
}

export interface Comparison {
  readonly identity: Identity;
  readonly checks: readonly TokenCheck[];
  readonly fits: boolean;
  /** True if it doesn't match, but almost does. */
  readonly near: boolean;
  /** Sort key: smaller is nearer. */
  readonly distance: number;
}

/** Names of claims in an identity. */
const NAMES: Readonly<Record<string, string>> = { iss: "issuer", sub: "subject", aud: "audience" };
const nameOf = (claim: string): string => NAMES[claim] ?? `claim ${claim}`;

/** Returns the values of a claim as texts. A list matches if one of its members does. Skips nested values. */
function textsOf({ claims }: Token, name: string): string[] {
  const claim = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return (Array.isArray(claim) ? claim : [claim]).flatMap((value: unknown) =>
    ["string", "number", "boolean"].includes(typeof value) ? [String(value)] : [],
  );
}

const nearest = (wanted: string, found: readonly string[]): string | undefined =>
  found.toSorted((a, b) => similarity(wanted, b) - similarity(wanted, a))[0];

/** Claims without which the platform takes no token, and that an identity always has. */
const REQUIRED: readonly string[] = ["iss", "sub"];

/** Why a claim has no value to compare, and what to do about it. `wanted`: the audience to request, in words. */
function missing(token: Token, claim: string, wanted: string): Pick<TokenCheck, "why" | "change"> {
  const name = nameOf(claim);
  const remove = REQUIRED.includes(claim) ? "" : `, or remove the ${name} from the identity`;
  const other = Object.keys(token.claims).find(
    (each) => each !== claim && each.toLowerCase() === claim.toLowerCase(),
  );
  if (other !== undefined)
    return {
      why: `The token has the claim ${other}, which is spelled differently.`,
      change: Object.hasOwn(NAMES, claim)
        ? `Have the issuer call the claim ${claim}.`
        : `Have the issuer call the claim ${claim}, or change the identity's ${name} to ${other}.`,
    };
  // Without an audience of its own, an identity takes tokens for the platform alone: removing it helps nothing.
  if (claim === "aud")
    return { why: "The token has no aud claim.", change: `Request the token for ${wanted}.` };
  if (Object.hasOwn(token.claims, claim))
    return {
      why: "The token's claim isn't a string, so it can't be compared.",
      change: `Have the issuer send the claim as a string${remove}.`,
    };
  return { why: `The token has no ${claim} claim.`, change: `Have the issuer add the claim${remove}.` };
}

/** Suggests a change if two values differ. */
function changeOf(claim: string, found: string, wanted: string, kind?: string): string {
  const name = nameOf(claim);
  if (kind === "names")
    return "Opt in to ids in the repository's OIDC settings. Names can be taken over by someone else; ids can't.";
  if (kind === "ids")
    return "Change the identity's subject to the token's. Ids can't be taken over by someone else.";
  if (kind === "wildcard") return `Change the identity's ${name} to a pattern, with .* in place of *.`;
  if (claim === "aud")
    return `Request the token for the audience ${wanted}, or change the identity's audience to ${found}.`;
  if (claim === "iss") return `Change the identity's issuer to ${found}, if you trust it.`;
  return `Change the identity's ${name} to ${found}, if these tokens are meant to sign in.`;
}

function exactly(token: Token, claim: string, wanted: string, values: readonly string[]): TokenCheck {
  const fits = values.includes(wanted);
  const found = fits ? wanted : nearest(wanted, values);
  const check = { claim, by: "exact", wanted, found, fits } as const;
  if (fits) return { ...check, near: false, why: "", change: "" };
  if (found === undefined)
    return { ...check, near: false, ...missing(token, claim, `the audience ${wanted}`) };
  const { why, near, kind } = differenceOf(wanted, found);
  return { ...check, near, why, change: changeOf(claim, found, wanted, kind) };
}

function byPattern(token: Token, claim: string, pattern: string, values: readonly string[]): TokenCheck {
  const check = { claim, by: "pattern", wanted: pattern } as const;
  const tries = values.map((value) => ({ value, ...tryPattern(pattern, value) }));
  const best = tries.find(({ fits }) => fits) ?? tries.find(({ near }) => near) ?? tries[0];
  if (!best)
    return {
      ...check,
      found: undefined,
      fits: false,
      near: false,
      ...missing(token, claim, `an audience that matches ${pattern}`),
    };
  const { value: found, fits, near = false, why = "" } = best;
  const change = fits
    ? ""
    : `Change the identity's ${nameOf(claim)} pattern so that it matches the whole value.`;
  return { ...check, found, fits, near, why, change };
}

/** Checks a claim against a oneof of text and pattern. */
function either(
  token: Token,
  claim: string,
  exact: string | undefined,
  pattern: string | undefined,
  values: readonly string[],
): TokenCheck[] {
  if (exact !== undefined) return [exactly(token, claim, exact, values)];
  return pattern === undefined ? [] : [byPattern(token, claim, pattern, values)];
}

/** Checks the audience that a token needs if its identity has none. */
function ownAudience(token: Token, platform: string): TokenCheck {
  const check = exactly(token, "aud", platform, token.audiences);
  if (check.fits) return check;
  return {
    ...check,
    why: `The identity has no audience, so its tokens must be for this platform. ${check.why}`,
    change: check.change.replace("change the identity's", "set the identity's"),
  };
}

function claimChecks(
  match: NonNullable<Identity["claimMatch"]>,
  token: Token,
  platform: string,
): TokenCheck[] {
  const { issuer, issuerPattern, subject, subjectPattern, audience, audiencePattern } = match;
  const aud = either(token, "aud", audience, audiencePattern, token.audiences);
  return [
    ...either(token, "iss", issuer, issuerPattern, [token.issuer]),
    ...either(token, "sub", subject, subjectPattern, [token.subject]),
    ...(aud.length > 0 ? aud : [ownAudience(token, platform)]),
    ...Object.entries(match.claims ?? {}).map(([name, wanted]) =>
      exactly(token, name, wanted, textsOf(token, name)),
    ),
    ...Object.entries(match.claimPatterns ?? {}).map(([name, pattern]) =>
      byPattern(token, name, pattern, textsOf(token, name)),
    ),
  ];
}

function keyChecks(
  keys: NonNullable<Identity["staticKeys"]>,
  createTime: string | undefined,
  token: Token,
  platform: string,
  now: number,
): TokenCheck[] {
  const { issuer, subject, audiences = [], expirationTime } = keys;
  const [audience] = audiences;
  const over = expirationTime !== undefined && Date.parse(expirationTime) <= now;
  const ids = keyIds(keys.issuerKeys);
  const { keyId } = token;
  const named = keyId === undefined || ids.length === 0 || ids.includes(keyId);
  return [
    exactly(token, "iss", issuer, [token.issuer]),
    exactly(token, "sub", subject, [token.subject]),
    audience === undefined ? ownAudience(token, platform) : exactly(token, "aud", audience, token.audiences),
    ...(named
      ? []
      : [
          {
            claim: "kid",
            by: "exact",
            wanted: ids.join(", "),
            found: keyId,
            fits: false,
            near: true,
            why: "The token is signed with a key that the identity doesn't have.",
            change: "Add the key to the identity's public keys, or sign with one of them.",
          } as const,
        ]),
    ...(over
      ? [
          {
            claim: "keys",
            by: "exact",
            wanted: `not after ${expirationTime}`,
            found: new Date(now).toISOString(),
            fits: false,
            near: true,
            why: "The identity's keys have expired.",
            change:
              latestExpiry(createTime, now).getTime() > now
                ? "Set a later expiry, at most a year after the identity was created."
                : "Create another identity: keys end at most a year after theirs was created.",
          } as const,
        ]
      : []),
  ];
}

/** Returns the key ids of a JWKS document; [] if a key has no id, since it matches any token. */
function keyIds(document: string): string[] {
  try {
    const { keys }: { keys: readonly { kid?: unknown }[] } = JSON.parse(document);
    const ids = keys.map(({ kid }) => kid);
    return ids.every((id): id is string => typeof id === "string") ? ids : [];
  } catch {
    return [];
  }
}

/** True if an identity can match OpenID Connect tokens at all. */
export const takesTokens = ({ claimMatch, staticKeys }: Identity): boolean =>
  claimMatch !== undefined || staticKeys !== undefined;

/** Compares a token with an identity by the service's rules. `platform`: the audience of tokens for the platform. */
export function compare(identity: Identity, token: Token, platform: string, now: number): Comparison {
  const { claimMatch, staticKeys, createTime } = identity;
  const checks = claimMatch
    ? claimChecks(claimMatch, token, platform)
    : staticKeys
      ? keyChecks(staticKeys, createTime, token, platform, now)
      : [];
  const has = (claim: string) => checks.some((check) => check.claim === claim);
  const fits = has("iss") && has("sub") && checks.every((check) => check.fits);
  const close = (claim: string) =>
    checks.some((check) => check.claim === claim && (check.fits || check.near));
  const namesakes = checks.some(({ claim, by, fits: same }) => claim === "sub" && by === "exact" && same);
  const near = !fits && close("sub") && (close("iss") || namesakes);
  const distance = checks.reduce((sum, check) => sum + (check.fits ? 0 : check.near ? 1 : 3), 0);
  return { identity, checks, fits, near, distance };
}
