import { call } from "~/api/client/client";
import { ApiError } from "~/api/client/errors";
import { START } from "~/api/paging/page-reader";
import { readPages } from "~/api/paging/scan-pages";
import type { RetryPolicy } from "~/api/paging/retry-policy";
import { byUids } from "~/api/queries/by-uids";
import { infinite } from "~/api/queries/queries";
import { ancestorsOf, isBelow, isWithin, PAGE_SIZE_MAX, parentOf, rootOf } from "platform-contract/aip";
import { listAuditEntries, type AuditEntry } from "platform-contract/audit/entries";
import { groups } from "platform-contract/iam/groups";
import { identities } from "platform-contract/iam/identities";
import { roleBindings, roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import { roles, type Role } from "platform-contract/iam/roles";
import { by } from "platform-contract/order";
import { groupNameOf, identityUidOf, roleNameOf, whoOf } from "~/domains/access/grants/bindings";
import { readUse } from "~/domains/access/use/queries";
import { shorten } from "~/ui/display/shorten";
import { TextProblem } from "~/frame/untrusted-text/outcome";

import { itemsOf, type GrantFacts, type LogFacts } from "./evidence";
import { readPulls } from "./read-pulls";
import { ABOVE_HIDDEN, MAX_BINDINGS, MAX_INHERITED, type InheritedBinding, type ReviewItem } from "./format";

/** Entries of the log that are read for one question. */
const MAX_ENTRIES = 4_000;
/** Rows of use that are read for a scope. */
const MAX_USES = 20_000;
/** Bindings whose grant is looked up one by one. */
const MAX_LOOKUPS = 500;
const CONCURRENCY = 4;
/** The entries of one binding, and of several at once. */
const GRANTS = [
  { kind: roleBindings.collection },
  { action: "roleBindings.batchCreate" },
  { action: "groupInvites.register" },
];
/** How far back "no changes made" looks, in ms. */
const PERIOD_MS = 90 * 86_400_000;

export interface ReviewReading {
  readonly signal: AbortSignal;
  readonly retryPolicy: RetryPolicy;
  /** False without a log in this service. */
  readonly hasLog: boolean;
  /** True if the service counts pulls. */
  readonly countsPulls: boolean;
  /** True if the service counts which capabilities are used. */
  readonly recordsUse: boolean;
  readonly me: string | undefined;
  /** Says what is being read. */
  readonly tell: (what: string) => void;
}

export interface Live {
  /** The role bindings with their evidence. */
  readonly items: readonly ReviewItem[];
  readonly facts: GrantFacts;
  readonly inherited: readonly InheritedBinding[];
  readonly time: string;
  /** Of the scope. */
  readonly name: string;
  /** Why evidence is missing, a sentence each. */
  readonly gaps: readonly string[];
  /** Bindings of the review that the reader can't see: nothing tells what became of them. */
  readonly hidden: ReadonlySet<string>;
}

const NO_NAMES = "Names of folders couldn't be read.";

const isRefused = (error: unknown): boolean => error instanceof ApiError && !error.passing;

/** Reads rows to the end of a list, or until there are `most`. */
async function rows<T extends { readonly uid: string }>(
  list: Parameters<typeof readPages>[0],
  { retryPolicy, signal }: ReviewReading,
  { most = Number.POSITIVE_INFINITY, tell }: { most?: number; tell?: (count: number) => void } = {},
): Promise<T[]> {
  const found = new Map<string, T>();
  for await (const { page } of readPages<T>(list, START, retryPolicy, signal, most)) {
    for (const row of page.items) found.set(row.uid, row);
    tell?.(found.size);
  }
  return [...found.values()];
}

const within = (group: string) => ({ "uidp.descendants_of": group, page_size: PAGE_SIZE_MAX });

/** The role bindings of a scope alone: enough to see what became of a review. Rejects with an ApiError. */
export const readBindings = (scope: string, reading: ReviewReading): Promise<RoleBinding[]> =>
  rows<RoleBinding>(infinite(roleBindings.list, { ...within(scope), order_by: "uid" }), reading, {
    most: MAX_BINDINGS + 1,
    tell: (count) => reading.tell(`role bindings: ${count}`),
  });

/** Tells bindings that are hidden from the reader from those that are gone, which a list can't. */
async function hiddenOf(uids: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
  const hidden = new Set<string>();
  const left = uids.values();
  const work = async (): Promise<void> => {
    for (const uid of left)
      try {
        // oxlint-disable-next-line no-await-in-loop -- each worker has one request on its way
        await call(roleBindings.get, { path: { uid }, signal });
      } catch (error) {
        if (!(error instanceof ApiError) || error.passing) throw error;
        if (error.code !== "NOT_FOUND") hidden.add(uid);
      }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return hidden;
}

/**
 * Reads what a review of a scope needs. Rejects with an ApiError, or a TextProblem if the scope is too large.
 * @param reviewed bindings that were there before
 */
export async function readScope(
  scope: string,
  reviewed: readonly string[],
  reading: ReviewReading,
): Promise<Live> {
  const { signal, me, tell } = reading;
  const time = new Date().toISOString();
  const gaps: string[] = [];
  /** Runs what only adds evidence: a refusal is a gap. */
  const optional = async <T>(work: Promise<T>, instead: T, gap: string): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!isRefused(error)) throw error;
      gaps.push(gap);
      return instead;
    }
  };
  const group = await optional(call(groups.get, { path: { uid: scope }, signal }), undefined, NO_NAMES);
  const bindings = await readBindings(scope, reading);
  if (bindings.length > MAX_BINDINGS)
    throw new TextProblem(
      `This scope has more than ${MAX_BINDINGS.toLocaleString("en")} role bindings. Review its folders one at a time.`,
    );
  tell("roles and identities");
  const upward = ancestorsOf(scope);
  const above = await Promise.all(
    upward.map((group) =>
      optional(
        rows<RoleBinding>(
          infinite(roleBindings.list, {
            "uidp.children_of": group,
            order_by: "uid",
            page_size: PAGE_SIZE_MAX,
          }),
          reading,
        ),
        [],
        ABOVE_HIDDEN,
      ),
    ),
  );
  const higher = above.flat();
  // An organization has an owner: without any row it is hidden from the reader.
  const aboveHidden = above[0]?.length === 0;
  if (aboveHidden) gaps.push(ABOVE_HIDDEN);
  if (higher.length > MAX_INHERITED)
    gaps.push(`Of ${higher.length} role bindings from further up, ${MAX_INHERITED} are listed.`);
  const all = [...higher, ...bindings];
  const custom = infinite(roles.list, { ...within(rootOf(scope)), order_by: "name" });
  const builtIn = infinite(roles.list, {
    "uidp.in_root": true,
    order_by: "name",
    page_size: PAGE_SIZE_MAX,
  });
  const noRoles = "Roles couldn't be read, so what they allow is unknown.";
  const known = (
    await Promise.all([
      optional(rows<Role>(builtIn, reading), [], noRoles),
      optional(rows<Role>(custom, reading), [], noRoles),
      // Roles of folders that the reader can't list, but is told about.
      optional(byUids(roles.list, all.map(roleUidOf).filter(Boolean), signal), [], noRoles),
    ])
  ).flat();
  const noIdentities = "Some identities are hidden by your role: when they were last seen is unknown.";
  const wanted = [...new Set(bindings.map(identityUidOf).filter(Boolean))];
  const found = await optional(byUids(identities.list, wanted, signal), [], noIdentities);
  if (found.length < wanted.length && !gaps.includes(noIdentities)) gaps.push(noIdentities);
  const folders = [...new Set(bindings.map(({ uid }) => parentOf(uid)))];
  const named = await optional(
    byUids(
      groups.list,
      folders.flatMap((uid) => [...ancestorsOf(uid), uid]).filter((uid) => isWithin(uid, scope)),
      signal,
    ),
    [],
    NO_NAMES,
  );
  const names = new Map(named.map(({ uid, name }) => [uid, name || shorten(uid)]));
  // A path begins at the scope, whose name is not repeated in each.
  const pathOf = (uid: string): string =>
    [...ancestorsOf(uid), uid]
      .filter((each) => (uid === scope ? each === scope : isBelow(each, scope)))
      .map((each) => names.get(each) ?? shorten(each))
      .join(" / ");
  const log = reading.hasLog
    ? await optional(
        readLog(scope, bindings, reading),
        undefined,
        "The audit log couldn't be read: who granted a role and what was used is unknown.",
      )
    : undefined;
  if (!reading.hasLog)
    gaps.push("This service has no audit log: who granted a role and what was used is unknown.");
  if (reading.countsPulls) tell("what was pulled");
  const pulls = reading.countsPulls
    ? await optional(readPulls(scope, signal), undefined, "What was pulled couldn't be read.")
    : undefined;
  const use = reading.recordsUse ? await optional(useIn(scope, reading), undefined, NO_USE) : undefined;
  if (reading.recordsUse && !use) gaps.push(NO_USE);
  const seen = new Set(bindings.map(({ uid }) => uid));
  const facts: GrantFacts = {
    bindings,
    above: higher,
    aboveHidden,
    identities: new Map(found.map((identity) => [identity.uid, identity])),
    roles: [...new Map(known.map((role) => [role.uid, role])).values()],
    log,
    pulls,
    use,
    folderNames: new Map(folders.map((uid) => [uid, pathOf(uid)])),
    me,
  };
  return {
    items: itemsOf(facts),
    inherited: higher.slice(0, MAX_INHERITED).map(toInherited),
    time,
    name: group?.name || shorten(scope),
    hidden: await hiddenOf(
      reviewed.filter((uid) => !seen.has(uid)),
      signal,
    ),
    gaps: [...new Set(gaps)],
    facts,
  };
}

const NO_USE = "What was used couldn't be read, or not all of it: the audit log stands in for it.";

/** What was used in a scope; undefined if there is too much of it. */
async function useIn(scope: string, { signal, tell }: ReviewReading) {
  const query = { "uidp.descendants_of": scope };
  const counts = (count: number) => tell(`what was used: ${count}`);
  const use = await readUse(query, { most: MAX_USES, signal, tell: counts });
  return use.complete ? use : undefined;
}

const toInherited = (binding: RoleBinding): InheritedBinding => ({
  uid: binding.uid,
  identity: { uid: identityUidOf(binding), name: whoOf(binding) },
  role: { uid: roleUidOf(binding), name: roleNameOf(binding) },
  folder: groupNameOf(binding),
});

async function readLog(
  scope: string,
  bindings: readonly RoleBinding[],
  reading: ReviewReading,
): Promise<LogFacts> {
  const { tell, signal } = reading;
  const log = { ...within(scope), outcome: "OUTCOME_DONE" as const };
  tell("the audit log");
  const [oldest] = (
    await call(listAuditEntries, { query: { ...log, order_by: "created_at", page_size: 1 }, signal })
  ).items;
  const start = new Date(Math.max(Date.now() - PERIOD_MS, Date.parse(oldest?.createTime ?? "") || 0));
  const newest = { order_by: "created_at desc" };
  const changes = await rows<AuditEntry>(
    infinite(listAuditEntries, { ...log, ...newest, from: start.toISOString() }),
    reading,
    { most: MAX_ENTRIES, tell: (count) => tell(`changes in the audit log: ${count}`) },
  );
  const grants = await Promise.all(
    GRANTS.map((filter) =>
      rows<AuditEntry>(infinite(listAuditEntries, { ...log, ...newest, ...filter }), reading, {
        most: MAX_ENTRIES,
        tell: (count) => tell(`grants in the audit log: ${count}`),
      }),
    ),
  );
  const about = new Map<string, AuditEntry[]>();
  const made = new Set<string>();
  for (const entry of grants.flat().toSorted(by(({ createTime }) => createTime)))
    for (const { record, change } of [entry, ...(entry.related ?? [])]) {
      if (record?.kind !== roleBindings.collection) continue;
      about.set(record.uid, [...(about.get(record.uid) ?? []), entry]);
      if (change === "created") made.add(record.uid);
    }
  // Granted with something else, such as a new organization, or too long ago.
  const rest = bindings.filter(({ uid }) => !made.has(uid)).slice(0, MAX_LOOKUPS);
  const left = rest.values();
  let looked = 0;
  const work = async (): Promise<void> => {
    for (const { uid } of left) {
      const query = { record: uid, order_by: "created_at", page_size: 1 };
      // oxlint-disable-next-line no-await-in-loop -- each worker has one request on its way
      const { items } = await call(listAuditEntries, { query, signal });
      about.set(uid, [...items, ...(about.get(uid) ?? [])]);
      looked += 1;
      tell(`who granted it: ${looked} of ${rest.length}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const cut = changes.length >= MAX_ENTRIES ? changes.at(-1)?.createTime : undefined;
  return { about, changes, since: cut ?? start.toISOString() };
}
