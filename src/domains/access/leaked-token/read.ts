import { call } from "~/api/client/client";
import { ApiError } from "platform-client/errors";
import type { CallInput } from "platform-client/request-info";
import { limiter } from "~/api/paging/limiter";
import type { RetryPolicy } from "~/api/paging/retry-policy";
import { withRetries } from "~/api/paging/scan-pages";
import { infinite } from "~/api/queries/queries";
import type { Config } from "~/config";
import { reversalOf } from "~/domains/audit/log/undo";
import { compare, takesTokens } from "~/domains/identities/identities/token-tester/compare";
import { readAll } from "~/frame/bulk-delete/read-all";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import { listAuditEntries, type AuditEntry } from "platform-contract/audit/entries";
import { eligibleGrants, type EligibleGrant } from "platform-contract/iam/eligible-grants";
import { endpoint, type Endpoint, type QueryOf } from "platform-contract/endpoint";
import { identities, type Identity } from "platform-contract/iam/identities";
import { lookupIdentity } from "platform-contract/iam/lookup-identity";
import { listMachineOwners } from "platform-contract/iam/notices";
import { roleBindings, type RoleBinding } from "platform-contract/iam/role-bindings";
import { kindOf } from "platform-contract/kinds";
import { getRegistryUsage } from "platform-contract/registry/usage";
import { deletableKind } from "platform-contract/resource";
import { shorten } from "~/ui/display/shorten";
import * as z from "zod/mini";

import type { Leak } from "./read-leak";
import { exchangedIds, survivorsOf, type Covered, type Survivor } from "./survivors";

/** An identity that the token acts as. */
export interface Whose {
  readonly uid: string;
  readonly name: string;
  /** Undefined if it is gone, or hidden by the reader's role. */
  readonly record: Identity | undefined;
  /** By what it was found: what the token says, or who the entries with its id name. */
  readonly by: "token" | "log";
}

export const namesOf = (whose: readonly Whose[]): string =>
  new Intl.ListFormat("en").format(whose.map(({ name }) => name));

/**
 * How a survivor stands now. `there`: as the token left it. `changed`: somebody else changed it since. `gone`: deleted, or
 * put back. `ended`: it is past its end. `hidden`: the reader's role hides it. `unknown`: it couldn't be read.
 */
export type Standing = "there" | "changed" | "gone" | "ended" | "hidden" | "unknown";

export interface StandingSurvivor extends Survivor {
  readonly standing: Standing;
  /** The record as it is; undefined where nothing is known. */
  readonly record: Readonly<Record<string, unknown>> | undefined;
}

export interface Pulls {
  readonly identity: string;
  readonly downloads: number;
  readonly repos: number;
  /** Since when pulls are counted; undefined if none are. */
  readonly countedSince: string | undefined;
}

export interface LeakAnswer {
  readonly whose: readonly Whose[];
  /** True if the log tells this token from others of the identity. */
  readonly apart: boolean;
  /** Since when its entries were looked at; undefined: since the log began. */
  readonly since: string | undefined;
  /** What it did, or may have done, newest first. */
  readonly covered: readonly Covered[];
  /** True if there are more entries than were read. */
  readonly more: boolean;
  readonly survivors: readonly StandingSurvivor[];
  readonly bindings: readonly RoleBinding[];
  readonly eligible: readonly EligibleGrant[];
  /** Undefined if the service doesn't count pulls. */
  readonly pulls: readonly Pulls[] | undefined;
}

export interface LeakSource {
  readonly config: Pick<
    Config,
    "apiBaseUrl" | "oidc" | "auditLog" | "eligibleGrants" | "notices" | "registryUsage"
  >;
  readonly retryPolicy: RetryPolicy;
  readonly signal: AbortSignal;
}

type Reading = Pick<LeakSource, "retryPolicy" | "signal">;

/** A read, again after transient failures: whoever looks after a leak shouldn't begin anew for one of them. */
function read<Query, Answer>(
  of: Endpoint<Query, unknown, Answer>,
  input: CallInput<Query, unknown>,
  { retryPolicy, signal }: Reading,
): Promise<Answer> {
  return withRetries(() => call(of, { ...input, signal }), retryPolicy, signal);
}

/** Entries that are read of one identity or token. */
const MOST = 5_000;
/** Identities made by the token, and by those, whose own entries are read. */
const FOLLOWED = 50;
/** Clocks of an issuer and of the service may differ by so many ms. */
const SKEW = 60_000;

const isDenied = (error: unknown): boolean => error instanceof ApiError && error.code === "PERMISSION_DENIED";
const isMissing = (error: unknown): boolean => error instanceof ApiError && error.code === "NOT_FOUND";

interface Entries {
  readonly entries: readonly AuditEntry[];
  readonly more: boolean;
}

async function readEntries(query: QueryOf<typeof listAuditEntries>, reading: Reading): Promise<Entries> {
  const entries: AuditEntry[] = [];
  let token: string | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page has the token of the next
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(query, token, reading);
    entries.push(...page.items);
    token = page.nextPageToken;
  } while (token !== undefined && token !== "" && entries.length < MOST);
  return { entries, more: token !== undefined && token !== "" };
}

const readPage = (query: QueryOf<typeof listAuditEntries>, token: string | undefined, reading: Reading) =>
  read(
    listAuditEntries,
    { query: { ...query, page_size: PAGE_SIZE_MAX, ...(token !== undefined && { page_token: token }) } },
    reading,
  );

/** The uids of the identities that what the token says matches, as far as the reader sees them. */
async function matched(leak: Leak, { config, ...reading }: LeakSource): Promise<string[]> {
  const { token, exchangedFor, issued = Date.now() } = leak;
  if (exchangedFor !== undefined) return [exchangedFor];
  if (!token) return [];
  if (token.issuer === config.oidc.authority) {
    const { issuer, subject } = token;
    const { uid } = await read(lookupIdentity, { query: { issuer, subject } }, reading);
    return [uid];
  }
  const list = infinite(identities.list, { order_by: "uid", page_size: PAGE_SIZE_MAX });
  const fits = (identity: Identity) =>
    takesTokens(identity) && compare(identity, token, config.apiBaseUrl, issued).fits;
  return (await readAll<Identity>(list, fits, reading)).map(({ uid }) => uid);
}

async function readIdentity(
  uid: string,
  name: string | undefined,
  by: Whose["by"],
  reading: Reading,
): Promise<Whose> {
  try {
    const record = await read(identities.get, { path: { uid } }, reading);
    return { uid, name: record.name || name || uid, record, by };
  } catch (error) {
    if (isDenied(error) || isMissing(error)) return { uid, name: name || uid, record: undefined, by };
    throw error;
  }
}

/** Since when the log is searched. A time that hasn't come is a wrong clock, or made up: it must hide nothing. */
export const beginOf = ({ issued }: Pick<Leak, "issued">, now: number): string | undefined =>
  issued === undefined || issued > now + SKEW
    ? undefined
    : new Date(Math.max(0, issued - SKEW)).toISOString();

/** Everything that is known of a token that leaked. Rejects with an ApiError. */
export async function readAnswer(leak: Leak, reading: LeakSource): Promise<LeakAnswer> {
  const { config, signal } = reading;
  const byToken = await matched(leak, reading);
  const from = beginOf(leak, Date.now());
  const log = config.auditLog
    ? await readById(leak.jti, from, reading)
    : { entries: [], ids: [], more: false };
  const actors = new Map(log.entries.flatMap(({ actor }) => (actor?.uid ? [[actor.uid, actor.name]] : [])));
  const whose = await Promise.all([
    ...byToken.map((uid) => readIdentity(uid, actors.get(uid), "token", reading)),
    ...[...actors]
      .filter(([uid]) => !byToken.includes(uid))
      .map(([uid, name]) => readIdentity(uid, name, "log", reading)),
  ]);
  // The holder of a static key chooses the id of each token; this service chooses that of a token it issues.
  const isOurs = leak.token?.issuer === config.oidc.authority;
  const apart =
    leak.jti !== undefined &&
    (isOurs || whose.every(({ record }) => record !== undefined && !record.staticKeys));
  const since = from ?? log.entries.map(({ createTime }) => createTime).toSorted()[0];
  const own = config.auditLog
    ? await coveredBy(whose, { since, apart, ids: new Set(log.ids), byId: log.entries }, reading)
    : { covered: [], more: false };
  const { covered, more } = config.auditLog ? await followed(own, reading) : own;
  const limited = limiter(4);
  const survivors = await Promise.all(
    survivorsOf(covered).map((one) => limited(() => readStanding(one, reading), signal)),
  );
  const bindings: RoleBinding[] = [];
  const eligible: EligibleGrant[] = [];
  for (const { uid } of whose) {
    const query = { identity: uid, order_by: "uid", page_size: PAGE_SIZE_MAX };
    // oxlint-disable no-await-in-loop -- nearly always one
    bindings.push(...(await readAll<RoleBinding>(infinite(roleBindings.list, query), () => true, reading)));
    if (config.eligibleGrants)
      eligible.push(
        ...(await readAll<EligibleGrant>(infinite(eligibleGrants.list, query), () => true, reading)),
      );
    // oxlint-enable no-await-in-loop
  }
  return {
    whose,
    apart,
    since,
    covered: covered.toSorted((a, b) => b.entry.createTime.localeCompare(a.entry.createTime)),
    more: more || log.more,
    survivors,
    bindings,
    eligible,
    pulls: config.registryUsage ? await readPulls(whose, since, reading) : undefined,
  };
}

/** The entries with the id of the token, and with the ids of the tokens that it was exchanged for. */
async function readById(
  jti: string | undefined,
  from: string | undefined,
  reading: Reading,
): Promise<Entries & { readonly ids: readonly string[] }> {
  if (jti === undefined) return { entries: [], ids: [], more: false };
  const since = from === undefined ? {} : { from };
  // A service that doesn't know the filter answers with everything.
  const withId = async (id: string): Promise<Entries> => {
    const found = await readEntries({ jti: id, ...since }, reading);
    const entries = found.entries.filter(({ actor }) => actor?.jti === id);
    return { entries, more: found.more && entries.length > 0 };
  };
  const own = await withId(jti);
  const ids = exchangedIds(own.entries);
  const others = await Promise.all(ids.map(withId));
  return {
    entries: [own, ...others].flatMap(({ entries }) => entries),
    ids: [jti, ...ids],
    more: [own, ...others].some(({ more }) => more),
  };
}

interface Covering {
  readonly since: string | undefined;
  readonly apart: boolean;
  readonly ids: ReadonlySet<string>;
  readonly byId: readonly AuditEntry[];
}

/** What the token did, and what its identities did without saying with which token. */
async function coveredBy(
  whose: readonly Whose[],
  { since, apart, ids, byId }: Covering,
  reading: Reading,
): Promise<{ covered: Covered[]; more: boolean }> {
  const found = new Map<string, Covered>(byId.map((entry) => [entry.uid, { entry, sure: true }]));
  const pages = await Promise.all(
    whose.map(({ uid }) => readEntries({ actor: uid, ...(since !== undefined && { from: since }) }, reading)),
  );
  for (const entry of pages.flatMap(({ entries }) => entries)) {
    const id = entry.actor?.jti;
    const isOther = apart && id !== undefined && !ids.has(id);
    // A sign-in gives a token, and is done without one.
    const isSignIn = entry.action.startsWith("signIn.") || entry.action === "signUp";
    if (!isOther && !isSignIn && !found.has(entry.uid)) found.set(entry.uid, { entry, sure: false });
  }
  return { covered: [...found.values()], more: pages.some(({ more }) => more) };
}

/** Actions with which somebody gets in by what was made, by the collection of that: their entries are about it. */
const USED: Readonly<Record<string, readonly string[]>> = {
  groupInvites: ["groupInvites.register"],
  eligibleGrants: ["eligibleGrants.activate", "eligibleGrants.approve"],
};
/** How, in words. */
const WITH: Readonly<Record<string, string>> = {
  groupInvites: "with an invite that it made",
  eligibleGrants: "with an eligible grant that it made",
};
/** What acts by itself once it is made; its uid is the actor of entries. */
const ACTS: ReadonlySet<string> = new Set(["identities", "identityProviders", "scimTokens"]);

/** The same with what was done by what the token made: identities, directories, and people with its invites. */
async function followed(
  own: { covered: Covered[]; more: boolean },
  reading: Reading,
): Promise<{ covered: Covered[]; more: boolean }> {
  const all = new Map(own.covered.map((one) => [one.entry.uid, one]));
  const done = new Set<string>();
  let more = own.more;
  for (;;) {
    const next = survivorsOf([...all.values()]).filter(
      ({ collection, uid, change }) =>
        !done.has(`${collection} ${uid}`) &&
        ((ACTS.has(collection) && change === "created") || collection in USED),
    );
    if (next.length === 0 || done.size >= FOLLOWED)
      return { covered: [...all.values()], more: more || next.length > 0 };
    // oxlint-disable-next-line no-await-in-loop -- what they did tells whom to look at next
    const found = await Promise.all(
      next.map(async (one) => {
        done.add(`${one.collection} ${one.uid}`);
        const from = one.entry.createTime;
        const queries = ACTS.has(one.collection)
          ? [{ actor: one.uid, from }]
          : (USED[one.collection] ?? []).map((action) => ({ record: one.uid, action, from }));
        const pages = await Promise.all(queries.map((query) => readEntries(query, reading)));
        return { one, pages };
      }),
    );
    for (const { one, pages } of found) {
      more ||= pages.some((page) => page.more);
      const via = WITH[one.collection] ?? `by ${one.name || shorten(one.uid)}, which it made`;
      for (const entry of pages.flatMap(({ entries }) => entries))
        if (!all.has(entry.uid)) all.set(entry.uid, { entry, sure: one.sure, via });
    }
  }
}

const record = z.looseObject({ updateTime: z.optional(z.string()), expirationTime: z.optional(z.string()) });

async function readStanding(survivor: Survivor, reading: Reading): Promise<StandingSurvivor> {
  try {
    return { ...survivor, ...(await standingOf(survivor, reading)) };
  } catch (error) {
    const standing = isMissing(error) ? "gone" : isDenied(error) ? "hidden" : "unknown";
    return { ...survivor, standing, record: undefined };
  }
}

const parsed = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));

async function standingOf(
  { collection, uid, change, changes, lastTime }: Survivor,
  reading: Reading,
): Promise<Pick<StandingSurvivor, "standing" | "record">> {
  if (collection === "machineOwners") {
    const { items } = await read(listMachineOwners, { query: { identity: uid, page_size: 1 } }, reading);
    const [owner] = items;
    const is = parsed(changes.find(({ field }) => field === "ownerUid")?.after) ?? "";
    return { standing: (owner?.ownerUid ?? "") === is ? "there" : "gone", record: owner };
  }
  const of = collection === "scimTokens" ? "identityProviders" : collection;
  const kind = kindOf(of);
  const { get } = (kind && deletableKind(kind)) ?? {};
  if (!get) return { standing: "unknown", record: undefined };
  const { verb, method, path, access, summary } = get;
  const look = endpoint({ collection: of, verb, method, path, access, summary, answer: record });
  const now = await read(look, { path: { uid } }, reading);
  if (collection === "scimTokens") {
    const state = (now["scim"] as { credentialState?: string } | undefined)?.credentialState ?? "";
    const lives = ["CREDENTIAL_STATE_LIVE", "CREDENTIAL_STATE_ROTATING"].includes(state);
    return { standing: lives ? "there" : "gone", record: now };
  }
  if (change === "changed") {
    if (changes.some(({ hidden, cut }) => hidden || cut)) return { standing: "there", record: now };
    const { moved } = reversalOf({ changes } as AuditEntry, now);
    if (moved.length === 0) return { standing: "there", record: now };
    const back = changes.map(({ field, before, after }) => ({ field, before: after, after: before }));
    const isBack = reversalOf({ changes: back } as AuditEntry, now).moved.length === 0;
    return { standing: isBack ? "gone" : "changed", record: now };
  }
  const { updateTime, expirationTime } = now;
  if (expirationTime !== undefined && Date.parse(expirationTime) <= Date.now())
    return { standing: "ended", record: now };
  const isLater = updateTime !== undefined && Date.parse(updateTime) > Date.parse(lastTime);
  return { standing: isLater ? "changed" : "there", record: now };
}

const DAY_MS = 86_400_000;

async function readPulls(
  whose: readonly Whose[],
  since: string | undefined,
  reading: Reading,
): Promise<Pulls[]> {
  const passed = since === undefined ? 3_659 : Math.ceil((Date.now() - Date.parse(since)) / DAY_MS);
  const days = Math.min(3_660, Math.max(1, passed + 1));
  return Promise.all(
    whose.map(async ({ uid: identity }) => {
      const query = { identity, days, by: ["USAGE_GROUPING_REPO" as const] };
      const { usage = [], countedSince } = await read(getRegistryUsage, { query }, reading);
      const pulled = usage.filter(({ downloads = 0 }) => downloads > 0);
      const downloads = pulled.reduce((sum, row) => sum + (row.downloads ?? 0), 0);
      return { identity, downloads, repos: pulled.length, countedSince };
    }),
  );
}
