import { ancestorsOf, parentOf, rootOf } from "platform-contract/aip";
import { identityProviders } from "platform-contract/iam/identity-providers";
import {
  generateScimToken,
  getPushed,
  regenerateScimToken,
  revokeScimToken,
  SCIM_OVERLAP_SECONDS,
  SCIM_TOKEN_SECONDS,
  setScimEnabled,
} from "platform-contract/iam/scim";
import { secondsOf } from "platform-contract/schema";
import type { Schema } from "platform-contract/endpoint";

import type { Caller } from "../../platform/access/caller";
import { requireMapped, requireUntil } from "../../platform/access/escalation";
import { failedPrecondition, Failure, invalidArgument } from "../../status";
import { now } from "../../platform/store/clock";
import type { Origin, Queries } from "../../platform/store/database";
import { countManual } from "../access/mapped-bindings.table";
import { builtInRoleUid } from "../access/roles.table";
import { readPushed } from "../../platform/store/scim/pushed";
import {
  hashOfToken,
  isLive,
  isRotating,
  keepScimSettings,
  lockScimSettings,
  newScimToken,
  readScimSettings,
  type ScimSettings,
} from "../../platform/store/scim/settings";
import { touchRow } from "../../platform/store/table";
import type { Call, Handler } from "../../platform/standard/call";
import { write } from "../../platform/standard/conflicts";
import { notFoundError } from "../../platform/standard/resource-info";
import type { Context } from "../../platform/standard/rules";
import { isFields, withoutUnset, type Fields } from "../../platform/standard/values";
import { validate } from "../../platform/standard/violations";

const etagOf = ({ version }: ScimSettings): string => String(version);
const after = (seconds: number): Date => new Date(now().getTime() + seconds * 1000);

/** Where the directory of a provider sends its users and groups. */
export const scimUrl = ({ config }: Pick<Context, "config">, provider: string): string =>
  `${config.publicUrl}/scim/v2/${provider}`;

function stateOf(settings: ScimSettings): string {
  if (isRotating(settings) && isLive(settings)) return "CREDENTIAL_STATE_ROTATING";
  if (isLive(settings)) return "CREDENTIAL_STATE_LIVE";
  if (settings.hash !== null) return "CREDENTIAL_STATE_EXPIRED";
  return settings.revoked ? "CREDENTIAL_STATE_REVOKED" : "CREDENTIAL_STATE_NOT_ISSUED";
}

/** `whole`: with what only the answer about a single provider has (contract 1.5). */
function statusOf(context: Context, provider: string, settings: ScimSettings, whole: boolean): Fields {
  const { enabled, expires, previousExpires } = settings;
  return {
    ...(enabled && { enabled }),
    endpointUrl: scimUrl(context, provider),
    ...(whole && settings.hash !== null && expires && { tokenExpireTime: expires.toISOString() }),
    ...(isRotating(settings) &&
      previousExpires && { previousTokenExpireTime: previousExpires.toISOString() }),
    ...(whole && { credentialState: stateOf(settings) }),
    etag: etagOf(settings),
  };
}

/** Adds the SCIM status to answers about providers. */
export function withScimStatus(
  context: Context,
  handlers: ReadonlyMap<string, Handler>,
): Map<string, Handler> {
  const added = async (items: readonly Fields[], whole: boolean): Promise<Fields[]> => {
    const uids = items.map((item) => String(item["uid"]));
    const settings = uids.length > 0 ? await readScimSettings(context.database, uids) : undefined;
    return items.map((item, index) => {
      const uid = uids[index] ?? "";
      return settings ? { ...item, scim: statusOf(context, uid, settings(uid), whole) } : item;
    });
  };
  return new Map(
    [...handlers].map(([id, handler]) => [
      id,
      async (call: Call) => {
        const answer = await handler(call);
        if (!isFields(answer)) return answer;
        const { collection } = identityProviders;
        const rows = answer[collection];
        if (id === `${collection}.list` && Array.isArray(rows))
          return { ...answer, [collection]: await added(rows, false) };
        if (["get", "create", "update"].some((verb) => id === `${collection}.${verb}`))
          return (await added([answer], id === `${collection}.get`))[0];
        return answer;
      },
    ]),
  );
}

/** When a new token ends; null for never. Throws INVALID_ARGUMENT. */
function expiryOf({
  expireTime,
  neverExpires = false,
}: {
  expireTime?: string | undefined;
  neverExpires?: boolean | undefined;
}): Date | null {
  const refuse = (description: string) => invalidArgument([{ field: "expireTime", description }]);
  if (neverExpires) {
    if (expireTime !== undefined) throw refuse("expireTime cannot be set together with neverExpires");
    return null;
  }
  if (expireTime === undefined) return after(SCIM_TOKEN_SECONDS.usual);
  const time = new Date(expireTime);
  if (time <= now() || time > after(SCIM_TOKEN_SECONDS.most))
    throw refuse("expireTime must be in the future, at most two years ahead");
  return time;
}

const precondition = (description: string, subject: string): Failure =>
  failedPrecondition([{ type: "SCIM", description, subject }]);

function requireEtag(settings: ScimSettings, etag: string): void {
  if (etag !== etagOf(settings))
    throw new Failure("ABORTED", "Aborted: SCIM of this identity provider was changed, read it again");
}

/** Whoever has the token of a directory puts people, oneself too, into its mapped groups, at any later time. */
async function requireDirectory(queries: Queries, caller: Caller, provider: string): Promise<void> {
  requireUntil(caller, generateScimToken.access.needs, provider);
  await requireMapped(queries, caller, provider);
}

/**
 * One change of the settings, in a transaction: the provider counts as updated, which leaves an entry and an event.
 * Without `changed`, nothing is written.
 */
function changing<B>(
  context: Context,
  endpoint: { readonly body: Schema<B> | undefined },
  change: (
    queries: Queries,
    facts: {
      readonly caller: Caller;
      readonly uid: string;
      readonly settings: ScimSettings;
      readonly body: B;
    },
  ) => Promise<{ changed: Partial<ScimSettings> | undefined; answer: (next: ScimSettings) => Fields }>,
): Handler {
  return (call) => {
    let act: Origin["act"];
    const work = async (queries: Queries) => {
      const { uid } = call.path;
      act = undefined;
      const body = validate(
        endpoint.body!,
        withoutUnset(call.body, () => false),
        [],
      );
      const settings = await lockScimSettings(queries, uid);
      if (!settings) throw notFoundError(context, identityProviders, uid);
      const { changed, answer } = await change(queries, { caller: call.caller, uid, settings, body });
      const next = changed ? await keepScimSettings(queries, uid, settings, changed) : settings;
      if (changed) {
        await touchRow(queries, "identity_providers", uid);
        const record = { kind: identityProviders.collection, uid, group: parentOf(uid) };
        act = { action: call.operation ?? "", ...record, changes: loggedChanges(settings, next) };
      }
      return { identityProviderUid: uid, etag: etagOf(next), ...answer(next) };
    };
    return write(context.database, call, work, () => act);
  };
}

/** What a change of the settings tells the log: all but the tokens. */
function loggedChanges(before: ScimSettings, after: ScimSettings) {
  const facts = (settings: ScimSettings): Readonly<Record<string, unknown>> => ({
    "scim.enabled": settings.enabled,
    "scim.credentialState": stateOf(settings),
    "scim.tokenExpireTime": settings.hash === null ? undefined : (settings.expires ?? "never"),
    "scim.previousTokenExpireTime": isRotating(settings) ? settings.previousExpires : undefined,
    "scim.etag": etagOf(settings),
  });
  const [was, is] = [facts(before), facts(after)];
  return Object.keys(is).flatMap((field) => {
    const [old, now] = [was[field], is[field]].map((value) =>
      value === undefined || value === null ? undefined : JSON.stringify(value),
    );
    return old === now ? [] : [{ field, ...(old && { before: old }), ...(now && { after: now }) }];
  });
}

export function scimHandlers(context: Context): Map<string, Handler> {
  const issued = (uid: string, token: string, expires: Date | null): Fields => ({
    token,
    endpointUrl: scimUrl(context, uid),
    ...(expires && { expireTime: expires.toISOString() }),
  });
  const generate = changing(context, generateScimToken, async (queries, { caller, uid, settings, body }) => {
    const expires = expiryOf(body);
    await requireDirectory(queries, caller, uid);
    if (settings.hash !== null)
      throw precondition("this identity provider already has a SCIM token: regenerate it", uid);
    const token = newScimToken();
    return {
      changed: { hash: hashOfToken(token), expires, revoked: null },
      answer: () => issued(uid, token, expires),
    };
  });

  const regenerate = changing(
    context,
    regenerateScimToken,
    async (queries, { caller, uid, settings, body }) => {
      const expires = expiryOf(body);
      await requireDirectory(queries, caller, uid);
      if (settings.hash === null && settings.revoked === null)
        throw new Failure("NOT_FOUND", "Not found: this identity provider has no SCIM token yet");
      requireEtag(settings, body.etag);
      const overlap = secondsOf(body.overlap ?? "") ?? SCIM_OVERLAP_SECONDS.usual;
      // Never longer than the previous token would have lived.
      const end = Math.min(after(overlap).getTime(), settings.expires?.getTime() ?? Infinity);
      const kept = isLive(settings) && overlap > 0;
      const previousExpires = kept ? new Date(end) : null;
      const token = newScimToken();
      return {
        changed: {
          hash: hashOfToken(token),
          expires,
          previousHash: kept ? settings.hash : null,
          previousExpires,
          revoked: null,
        },
        answer: () => ({
          ...issued(uid, token, expires),
          ...(previousExpires && { previousTokenExpireTime: previousExpires.toISOString() }),
          requestedOverlap: `${overlap}s`,
        }),
      };
    },
  );

  const revoke = changing<object>(context, revokeScimToken, async (_queries, { settings }) => {
    const before = settings.hash === null ? settings.revoked : null;
    const revoked = before ?? now();
    const ended = { hash: null, expires: null, previousHash: null, previousExpires: null };
    return {
      // A second revocation changes nothing.
      changed: before ? undefined : { ...ended, revoked },
      answer: ({ enabled }) => ({ ...(enabled && { enabled }), revokeTime: revoked.toISOString() }),
    };
  });

  const setEnabled = changing<{ enabled: boolean; etag: string }>(
    context,
    setScimEnabled,
    async (queries, { caller, uid, settings, body: { enabled, etag } }) => {
      if (enabled) await requireDirectory(queries, caller, uid);
      requireEtag(settings, etag);
      const owners = () => countManual(queries, builtInRoleUid("owner"), [rootOf(uid), ...ancestorsOf(uid)]);
      if (enabled && (await owners()) < 2)
        throw precondition(
          "the organization needs two owners whose role does not come from a group mapping, so that the directory cannot lock everybody out",
          rootOf(parentOf(uid)),
        );
      return { changed: { enabled }, answer: () => (enabled ? { enabled } : {}) };
    },
  );

  const pushed: Handler = async ({ path: { uid }, query }) => {
    const { database } = context;
    const found = await readPushed(database, uid, String(query["search"] ?? ""));
    if (!found) throw notFoundError(context, identityProviders, uid);
    return found;
  };

  return new Map([
    [generateScimToken.id, generate],
    [regenerateScimToken.id, regenerate],
    [revokeScimToken.id, revoke],
    [setScimEnabled.id, setEnabled],
    [getPushed.id, pushed],
  ]);
}
