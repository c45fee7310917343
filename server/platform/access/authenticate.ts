import { decodeJwt, decodeProtectedHeader, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";

import { READ_ONLY } from "platform-contract/sts/read-only";

import { registryIssuerOf, type Config } from "../../config";
import { Failure, unauthenticated } from "../../status";
import { now } from "../store/clock";
import type { Database } from "../store/database";
import { isOverQuota } from "../store/quotas";
import { hasAccount, PENDING } from "../../domains/federation/pending-accounts.table";
import { ensurePerson, personName } from "../../domains/access/people.table";
import { readRecognition, recordSeen } from "../../domains/identities/identities.table";
import { personUid, uidOf } from "../store/uids";
import { SECOND_FACTOR, type Caller } from "./caller";
import { exchangedIn, limitTo, ruleOf, type Exchanged } from "./exchanged";
import { grantsOf, personAndGrants } from "./grants";
import { trustedKeys, withoutSlash } from "./issuers";
import { claimMatcher } from "./pattern-identities";
import { revisionOf } from "./recognition.table";
import { staticKeyMatcher } from "./static-keys";
import { localKeys, rememberVerified, verify } from "./tokens";

export interface Authenticator {
  /**
   * `bearer` is the token without its scheme. Throws UNAUTHENTICATED, or UNAVAILABLE if a trusted issuer's keys cannot
   * be read. A valid token that matches no identity yields a caller without any grants. `at`: tokens that are signed for
   * the registry are taken by its token service alone.
   */
  authenticate(bearer: string | undefined, at?: "api" | "registry"): Promise<Caller>;
}

/** Seconds for which a verified signature of a trusted issuer stays cached. */
const FOREIGN_SECONDS = 300;
const SEEN_EVERY_MS = 5 * 60_000;
const SEEN_KEPT = 10_000;

export function createAuthenticator(options: {
  config: Config;
  database: Database;
  /** `kid` is the key ID in the token's header. */
  ownKeys: (kid?: string) => Promise<JSONWebKeySet>;
  /** Uid of the machine identity that the client `automation` also has, if there is one. */
  automation?: string;
}): Authenticator {
  const { config, database, ownKeys, automation } = options;
  const { publicUrl } = config;
  const registryAudience = registryIssuerOf(publicUrl);
  const keysOf = trustedKeys(config.trustedIssuers);
  const ownSet = localKeys();
  const once = rememberVerified();
  // An issuer can withdraw a key at any time.
  const onceForeign = rememberVerified(FOREIGN_SECONDS);
  const byClaims = claimMatcher(database, publicUrl);
  const byStaticKeys = staticKeyMatcher(database);

  /** When this process last updated `last_seen_at`, by identity; saves the statement for recent ones. */
  const written = new Map<string, number>();

  /** Updates `last_seen_at` of identities at most every five minutes. Does not count as a change of the record. */
  async function seen(identities: readonly string[]): Promise<void> {
    const at = now().getTime();
    const due = identities.filter((uid) => at - (written.get(uid) ?? -Infinity) >= SEEN_EVERY_MS);
    if (due.length === 0 || config.readOnly) return;
    const times = { at: new Date(at), since: new Date(at - SEEN_EVERY_MS) };
    const isWritten = await recordSeen(database, due, times).then(
      () => true,
      (error: unknown) => {
        // A database without room to write can still be read, and so can an organization without any.
        if ((error instanceof Failure && error.name === "UNAVAILABLE") || isOverQuota(error)) return false;
        throw error;
      },
    );
    if (written.size > SEEN_KEPT) written.clear();
    // Also those that another process has just written.
    if (isWritten) for (const uid of due) written.set(uid, at);
  }

  async function caller(
    token: { issuer: string; subject: string; client?: string | undefined },
    key: string,
    identities: readonly string[],
    grants?: Caller["grants"],
  ) {
    if (identities.length > 0) await seen(identities);
    const { issuer, subject, client } = token;
    return {
      issuer,
      subject,
      client,
      key,
      identities,
      grants: grants ?? (await grantsOf(database, identities)),
    };
  }

  /** A token that we gave in exchange. It ends with the identity, its sign-in rule, or the trust in its issuer. */
  async function assumed({ identity, rule, issuer, subject, cap, scopes }: Exchanged): Promise<Caller> {
    const [row, grants] = await Promise.all([
      readRecognition(database, identity),
      grantsOf(database, [identity]),
    ]);
    const isTrusted = config.trustedIssuers.some((one) => withoutSlash(one) === withoutSlash(issuer));
    if (!row || ruleOf(row) !== rule || (row.relationship === "claimMatch" && !isTrusted))
      throw unauthenticated("the identity of this token has changed: exchange a token again");
    await seen([identity]);
    return {
      issuer,
      subject,
      identities: [identity],
      grants: limitTo(grants, { cap, scopes }),
      exchanged: cap || scopes ? "limited" : "whole",
      key: uidOf(`exchanged\n${identity}\n${JSON.stringify([cap, scopes])}`),
      // The holder of a static key chooses issuer and subject.
      principal: row.relationship === "claimMatch" ? personUid(issuer, subject) : uidOf(identity),
    };
  }

  /** Authenticates a token of our own provider, issued to a person or to `automation`. */
  async function own(bearer: string): Promise<Caller> {
    const keys = ownSet(await ownKeys(keyOf(bearer)));
    // An ID token is never an access token (RFC 9068, section 4).
    const options = { audience: publicUrl, typ: "at+jwt", algorithms: ["ES256"] };
    const token = await once(bearer, keys, () => verify(bearer, keys, config.issuer, options));
    const { issuer, subject, claims } = token;
    const exchanged = exchangedIn(claims);
    if (exchanged) return assumed(exchanged);
    const uid = personUid(issuer, subject);
    const limits = claims[READ_ONLY] === true ? { readOnly: true as const } : {};
    const identities = subject === "automation" && automation !== undefined ? [uid, automation] : [uid];
    // Before redeeming their invite, a user has no account yet and must leave no record.
    if (claims["account"] === PENDING && !(await hasAccount(database, subject)))
      return { issuer, subject, key: uid, identities: [], grants: [], pending: true, ...limits };
    const [known, grants] = await personAndGrants(database, identities, { uid, subject });
    if (known.deactivated)
      throw unauthenticated("your account was deactivated in your organization's directory");
    const text = (claim: unknown) => (typeof claim === "string" && !claim.includes("\0") ? claim : undefined);
    const client = text(claims["client_id"]);
    const facts = { email: text(claims["email"]), name: text(claims["name"]) };
    const told = facts.email !== undefined || facts.name !== undefined;
    const stale =
      !known.name ||
      (told &&
        (known.name !== personName(subject, facts) ||
          (facts.email ?? known.email_unverified) !== known.email_unverified));
    if (stale) await ensurePerson(database, issuer, subject, facts);
    // No others, whatever their claim match: nobody is put into an organization without having accepted it.
    const one = await caller({ issuer, subject, client }, uid, identities, grants);
    const { amr } = claims;
    const isSecond = Array.isArray(amr) && amr.includes(SECOND_FACTOR);
    return { ...one, ...limits, ...(isSecond && { secondFactor: true }) };
  }

  /** Matches a token of a trusted issuer by its claims. */
  async function trusted(bearer: string, keys: JWTVerifyGetKey, issuer: string, revision: unknown) {
    const token = await onceForeign(bearer, keys, () => verify(bearer, keys, issuer));
    const identities = await byClaims(bearer, token, revision);
    if (identities.length === 0 && !token.audiences.includes(publicUrl))
      throw unauthenticated("the token is not meant for this service");
    return identities;
  }

  async function foreign(
    bearer: string,
    { issuer, subject, audiences, scopes }: Unverified,
    at: "api" | "registry",
  ): Promise<Caller> {
    // Whoever registers our public key as their own must not get the tokens that we sign for the registry.
    if (issuer === registryAudience) throw unauthenticated("a token of the registry is none of this service");
    if (at === "api" && audiences.includes(registryAudience))
      throw unauthenticated("the token is for the registry only");
    const keys = keysOf(issuer);
    const revision = await revisionOf(database, withoutSlash(issuer));
    const registered = await byStaticKeys(
      bearer,
      { issuer, subject, audiences: at === "registry" ? [publicUrl, registryAudience] : [publicUrl] },
      revision,
    );
    if (!keys && registered.length === 0) throw unauthenticated("the token's issuer is not trusted");
    try {
      const matched = keys ? await trusted(bearer, await keys, issuer, revision) : undefined;
      if (matched)
        return await caller({ issuer, subject }, personUid(issuer, subject), [
          ...new Set([...matched, ...registered]),
        ]);
    } catch (error) {
      // The issuer it names did not sign it; a registered key may have.
      if (registered.length === 0 || !(error instanceof Failure)) throw error;
    }
    // The holder of such a key chooses issuer and subject, so the key is derived from the identities instead.
    const one = await caller({ issuer, subject }, uidOf(registered.toSorted().join("\n")), [
      ...new Set(registered),
    ]);
    const isLimited = audiences.includes(registryAudience) && scopes.length > 0;
    return isLimited ? { ...one, registryScopes: scopes } : one;
  }

  return {
    async authenticate(bearer, at = "api") {
      if (!bearer) throw unauthenticated("a bearer token is required");
      const token = unverified(bearer);
      const caller = await (token.issuer === config.issuer ? own(bearer) : foreign(bearer, token, at));
      return token.jti === undefined ? caller : { ...caller, jti: token.jti };
    },
  };
}

function keyOf(bearer: string): string | undefined {
  try {
    return decodeProtectedHeader(bearer).kid;
  } catch {
    return undefined;
  }
}

interface Unverified {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly unknown[];
  /** Those of a registry that its `scope` names (RFC 8693, section 4.2). */
  readonly scopes: readonly string[];
  readonly jti: string | undefined;
}

/** Bytes of a token's id that the log keeps; half of a longer one would stand for other tokens too. */
const JTI_BYTES = 200;

/** The issuer, or the holder of a static key, chooses it: nothing that a database or a terminal trips over. */
const jtiOf = (claim: unknown): string | undefined =>
  typeof claim === "string" &&
  /^[^\p{Cc}\p{Cs}\u2028\u2029]+$/u.test(claim) &&
  Buffer.byteLength(claim) <= JTI_BYTES
    ? claim
    : undefined;

/** Reads a token without verification, to know which keys to try. */
function unverified(bearer: string): Unverified {
  try {
    const { iss, sub, aud = [], scope, jti } = decodeJwt(bearer);
    const scopes = typeof scope === "string" ? scope.split(" ") : [];
    if (typeof iss === "string" && typeof sub === "string" && !`${iss}${sub}`.includes("\0"))
      return {
        issuer: iss,
        subject: sub,
        audiences: [aud].flat(),
        scopes: scopes.filter((one) => one.startsWith("repository:")),
        jti: jtiOf(jti),
      };
  } catch {
    // Not a JWT: falls through to the error below.
  }
  throw unauthenticated("the token is not a JWT with issuer and subject");
}
