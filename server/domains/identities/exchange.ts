import { decodeJwt } from "jose";
import { randomUUID } from "node:crypto";

import { isUid, parentOf } from "platform-contract/aip";
import { capabilities } from "platform-contract/iam/capabilities";
import { EXCHANGED_SECONDS, exchangeToken, exchangeTokenByGet } from "platform-contract/sts/exchange";
import type { FieldViolation } from "platform-contract/status";
import type { QueryOf } from "platform-contract/endpoint";

import type { Caller } from "../../platform/access/caller";
import { limitTo, ruleOf, type Exchanged } from "../../platform/access/exchanged";
import { grantsOf } from "../../platform/access/grants";
import { createSigner, type Signer } from "../../platform/oidc/signer";
import { Failure, invalidArgument } from "../../status";
import { now } from "../../platform/store/clock";
import type { Origin } from "../../platform/store/database";
import { readRecognition, type StoredRecognition } from "./identities.table";
import { queryOf, type Call, type Handler } from "../../platform/standard/call";
import type { Context } from "../../platform/standard/rules";

type Query = QueryOf<typeof exchangeToken>;

const byName = new Map(
  capabilities.flatMap(({ wire, dotted }) => [[wire, wire] as const, [dotted, wire] as const]),
);

/** Identities whose uids an error lists. */
const LISTED = 10;

/** The same for an identity that does not exist, or that the token does not match. */
const noMatch = (): Failure =>
  new Failure("NOT_FOUND", "Not found: this token does not match such an identity");

/** The identity to act as: the named one, or the only one. */
function chosen({ identities }: Caller, { identity }: Query): string {
  if (identity) {
    if (!identities.includes(identity)) throw noMatch();
    return identity;
  }
  const [only, ...more] = identities;
  if (only === undefined) throw noMatch();
  if (more.length === 0) return only;
  const listed = identities.slice(0, LISTED).join(", ");
  throw invalidArgument([
    {
      field: "identity",
      description: `the token matches ${identities.length} identities, name one: ${listed}`,
    },
  ]);
}

/** Violations that no identity decides. */
function violationsOf({ aud = [], cap = [], scopes = [], identityProvider = "" }: Query, publicUrl: string) {
  const found: FieldViolation[] = [];
  const add = (field: string, description: string) => found.push({ field, description });
  for (const [index, audience] of aud.entries())
    if (audience.replace(/\/$/, "") !== publicUrl) add(`aud[${index}]`, `must be ${publicUrl}`);
  for (const [index, name] of cap.entries())
    if (!byName.has(name)) add(`cap[${index}]`, `${JSON.stringify(name)} is not a capability`);
  for (const [index, scope] of scopes.entries())
    if (!isUid(scope)) add(`scopes[${index}]`, "must be uids of groups");
  if (identityProvider !== "")
    add("identityProvider", "people of an identity provider sign in with a browser: leave this empty");
  return found;
}

/** Scopes in which the identity has no role; the same for groups that do not exist. */
async function emptyScopes({ database }: Context, identity: string, scopes: readonly string[]) {
  const grants = await grantsOf(database, [identity]);
  return scopes.flatMap((scope, index): FieldViolation[] =>
    limitTo(grants, { scopes: [scope] }).length > 0
      ? []
      : [{ field: `scopes[${index}]`, description: "the identity has no role in this group" }],
  );
}

async function recognised({ database }: Context, uid: string): Promise<StoredRecognition> {
  const found = await readRecognition(database, uid);
  if (!found || !["claimMatch", "staticKeys"].includes(found.relationship)) throw noMatch();
  return found;
}

/** An entry in the log of the identity's organization, like a sign-in. */
const record = (
  { database }: Context,
  { caller, arrival }: Call,
  { identity, jti }: { readonly identity: string; readonly jti: string },
): Promise<unknown> =>
  database.transaction(
    async () => undefined,
    (): Origin => ({
      issuer: caller.issuer,
      subject: caller.subject,
      jti: caller.jti,
      identity,
      arrival,
      act: {
        action: exchangeToken.id,
        kind: "identities",
        uid: identity,
        group: parentOf(identity),
        // Of the new token: what is done with it is then found from the one that it was exchanged for.
        facts: [{ field: "jti", after: JSON.stringify(jti) }],
      },
    }),
  );

const exchange =
  (context: Context, sign: Signer): Handler =>
  async (call) => {
    const { config } = context;
    const { caller } = call;
    const query = queryOf(exchangeToken, call);
    const { cap, scopes, scope } = query;
    if (caller.exchanged || caller.issuer === config.issuer)
      throw new Failure(
        "INVALID_ARGUMENT",
        "Invalid argument: a token of this service cannot be exchanged, only one of the workload's own issuer",
      );
    const asked = { ...query, scopes: [...new Set([...(scopes ?? []), ...(scope ? [scope] : [])])] };
    const violations = violationsOf(asked, config.publicUrl);
    if (violations.length > 0) throw invalidArgument(violations);
    const identity = chosen(caller, query);
    const empty = await emptyScopes(context, identity, asked.scopes);
    if (empty.length > 0) throw invalidArgument(empty);
    const row = await recognised(context, identity);
    const at = now().getTime();
    const left = row.expires === null ? Infinity : Math.floor((Date.parse(row.expires) - at) / 1000);
    const seconds = Math.min(EXCHANGED_SECONDS, left);
    const exchanged: Exchanged = {
      identity,
      rule: ruleOf(row),
      issuer: caller.issuer,
      subject: caller.subject,
      ...(cap && { cap: [...new Set(cap.map((name) => byName.get(name) ?? name))].toSorted() }),
      ...(asked.scopes.length > 0 && { scopes: asked.scopes.toSorted() }),
    };
    const jti = randomUUID();
    const token = await sign(
      { jti, exchanged },
      { subject: identity, audience: config.publicUrl, typ: "at+jwt", seconds },
    );
    await record(context, call, { identity, jti });
    call.note?.(identity);
    // Its own: signing begins later, perhaps in the next second.
    const { exp = 0 } = decodeJwt(token);
    return { token, expiry: new Date(exp * 1000).toISOString() };
  };

export function exchangeHandlers(context: Context): Map<string, Handler> {
  const handler = exchange(context, createSigner(context.config, context.database));
  return new Map([
    [exchangeToken.id, handler],
    [exchangeTokenByGet.id, handler],
  ]);
}
