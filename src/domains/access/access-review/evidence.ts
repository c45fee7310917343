import { isWithin, parentOf } from "platform-contract/aip";
import { PULL, PUSH } from "platform-contract/capability";
import type { AuditEntry } from "platform-contract/audit/entries";
import { effectOf } from "platform-contract/iam/capabilities";
import type { Identity } from "platform-contract/iam/identities";
import { roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import type { Role } from "platform-contract/iam/roles";
import { kindOf, kinds } from "platform-contract/kinds";
import { by } from "platform-contract/order";
import { groupNameOf, identityUidOf, isOfMachine, roleNameOf, whoOf } from "~/domains/access/grants/bindings";
import { takesEffect } from "~/domains/access/grants/no-effect";
import { madeBy, originOf } from "~/domains/access/grants/origin";
import { byWords } from "~/domains/audit/log/who";
import { refusedBy, totalOf, usesOf, type UseFacts, uncountedOf } from "~/domains/access/use/facts";
import { lastSeen } from "~/domains/identities/identities/last-seen";

import type { Evidence, LastUse, ReviewItem } from "./format";

/** Everything that evidence is made of, as it is now. */
export interface GrantFacts {
  /** The bindings of the scope. */
  readonly bindings: readonly RoleBinding[];
  /** Those of the groups above it. */
  readonly above: readonly RoleBinding[];
  /** True if the reader can't see all of those. */
  readonly aboveHidden: boolean;
  /** The identities that the reader sees, by uid. */
  readonly identities: ReadonlyMap<string, Identity>;
  readonly roles: readonly Role[];
  readonly log: LogFacts | undefined;
  /** What the registry told of pulls; undefined if nobody counts them. */
  readonly pulls: PullFacts | undefined;
  /** What the service counted of the use of capabilities; undefined if it doesn't, or it was too much. */
  readonly use: UseFacts | undefined;
  readonly folderNames: ReadonlyMap<string, string>;
  /** The reader's own identity. */
  readonly me: string | undefined;
}

/** Who pulled from which repos of the scope, and when last. */
export interface PullFacts {
  readonly rows: readonly { readonly identity: string; readonly repo: string; readonly last: string }[];
  readonly since: string;
  /** False if there were more rows than an answer has: then only those are known that are here. */
  readonly complete: boolean;
}

/** What the audit log says. */
export interface LogFacts {
  /** The entries that tell about a binding, by its uid; oldest first. */
  readonly about: ReadonlyMap<string, readonly AuditEntry[]>;
  /** Changes in the scope since `since`. */
  readonly changes: readonly AuditEntry[];
  readonly since: string;
}

/** Capabilities whose use leaves an entry in the log; what the registry does with images, for one, leaves none. */
const LOGGED: ReadonlySet<string> = new Set(
  kinds.flatMap(({ access }) =>
    (["create", "update", "delete"] as const).flatMap((verb) => access[verb]?.needs ?? []),
  ),
);

const count = (capabilities: readonly string[] = [], matches: (capability: string) => boolean): number =>
  capabilities.filter(matches).length;
const isLogged = (capability: string): boolean => LOGGED.has(capability);

const VERBS: Readonly<Record<string, string>> = { batchCreate: "create", batchDelete: "delete" };

/** The capabilities that an operation needs, by its id; none for what the registry of kinds doesn't know. */
function neededFor(action: string): readonly string[] {
  const [collection = "", verb = ""] = action.split(".");
  const access: Readonly<Record<string, { readonly needs: readonly string[] } | undefined>> =
    kindOf(collection)?.access ?? {};
  return access[VERBS[verb] ?? verb]?.needs ?? [];
}

/** Per identity, what it changed, where. */
type Used = ReadonlyMap<string, readonly { readonly group: string; readonly needs: readonly string[] }[]>;

function usedOf({ changes }: LogFacts): Used {
  const used = new Map<string, { group: string; needs: readonly string[] }[]>();
  for (const { uid, action, actor } of changes) {
    if (actor?.uid === undefined) continue;
    const known = used.get(actor.uid) ?? [];
    known.push({ group: parentOf(uid), needs: neededFor(action) });
    used.set(actor.uid, known);
  }
  return used;
}

const latest = (times: readonly string[]): string | null => times.toSorted(by((time) => time)).at(-1) ?? null;

/** When an identity last pulled from a folder. */
function pulledBy(identity: string, folder: string, pulls: PullFacts): LastUse | undefined {
  const own = pulls.rows.filter((row) => row.identity === identity && isWithin(row.repo, folder));
  const last = latest(own.map((row) => row.last));
  return last === null && !pulls.complete ? undefined : { since: pulls.since, last };
}

/** When an identity last pushed to a folder: a push writes its tag. */
function pushedBy(identity: string, folder: string, { changes, since }: LogFacts): LastUse {
  const own = changes.filter(
    ({ uid, action, actor }) =>
      actor?.uid === identity && action === "tags.create" && isWithin(parentOf(uid), folder),
  );
  return { since, last: latest(own.map(({ createTime }) => createTime)) };
}

const STRONG = new Set(["owner", "editor"]);
const isBuiltIn = (uid: string): boolean => parentOf(uid) === "";

/** Who granted a binding, and who changed its role last, from the entries about it. */
function fromLog(
  binding: RoleBinding,
  entries: readonly AuditEntry[],
): Pick<Evidence, "granted" | "changed"> {
  // An import tells who brought the record here, not who granted it.
  const made = madeBy(binding.uid, entries);
  const updated = entries.findLast(
    ({ record, change, changes = [] }) =>
      record?.uid === binding.uid && change === "updated" && changes.some(({ field }) => field === "roleUid"),
  );
  return {
    granted: {
      at: binding.createTime ?? made?.createTime,
      ...(made && { by: byWords(made), why: made.justification }),
    },
    ...(updated && { changed: { at: updated.createTime, by: byWords(updated), why: updated.justification } }),
  };
}

/** The entries about each identity's removed bindings, by the identity's uid. */
function removedOf({ about }: LogFacts): ReadonlyMap<string, readonly AuditEntry[]> {
  const removed = new Map<string, readonly AuditEntry[]>();
  for (const [uid, entries] of about)
    for (const part of entries.flatMap((entry) => [entry, ...(entry.related ?? [])])) {
      const identity = part.change === "deleted" && part.record?.uid === uid && part.record["identityUid"];
      if (typeof identity === "string") removed.set(identity, [...(removed.get(identity) ?? []), ...entries]);
    }
  return removed;
}

/** Roles by uid, as sets of capabilities. */
export type Capabilities = ReadonlyMap<string, ReadonlySet<string>>;
export const capabilitiesOf = (roles: readonly Role[]): Capabilities =>
  new Map(roles.map(({ uid, capabilities = [] }) => [uid, new Set(capabilities)]));

const isSubset = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...one].every((each) => other.has(each));

/** A role of the same identity that counts in the same folder too, and allows the same or more. */
function coveredBy(
  binding: RoleBinding,
  others: readonly RoleBinding[],
  sets: Capabilities,
): RoleBinding | undefined {
  const [own, folder] = [sets.get(roleUidOf(binding)), parentOf(binding.uid)];
  return others.find((other) => {
    // One that ends does not stand in for one that stays.
    if (other.uid === binding.uid || other.expirationTime !== undefined || !takesEffect(other)) return false;
    if (!isWithin(folder, parentOf(other.uid))) return false;
    const more = sets.get(roleUidOf(other));
    if (!own || !more) return roleUidOf(other) === roleUidOf(binding);
    // Of two that allow the same in one folder, only one is doubled.
    const twin = parentOf(other.uid) === folder && own.size === more.size && other.uid > binding.uid;
    return !twin && isSubset(own, more);
  });
}

/** Every binding of the scope with its evidence, by folder and name; the reader's own come last. */
export function itemsOf(facts: GrantFacts): ReviewItem[] {
  const { bindings, above, aboveHidden, identities, roles, log, pulls, use, folderNames, me } = facts;
  const sets = capabilitiesOf(roles);
  const used = log && usedOf(log);
  const removed = log && removedOf(log);
  const byIdentity = new Map<string, RoleBinding[]>();
  for (const each of [...above, ...bindings]) {
    const who = identityUidOf(each);
    byIdentity.set(who, [...(byIdentity.get(who) ?? []), each]);
  }
  const items = bindings.map((binding): ReviewItem => {
    const [identity, role, folder] = [identityUidOf(binding), roleUidOf(binding), parentOf(binding.uid)];
    const record = identities.get(identity);
    const covering = coveredBy(binding, byIdentity.get(identity) ?? [], sets);
    const { first } = originOf(binding, removed?.get(identity) ?? [], undefined);
    const machine = isOfMachine(binding);
    const allowed = [...(sets.get(role) ?? [])].filter(isLogged);
    const done = new Set(
      used?.get(identity)?.flatMap(({ group, needs }) => (isWithin(group, folder) ? needs : [])) ?? [],
    );
    return {
      uid: binding.uid,
      identity: { uid: identity, name: whoOf(binding), machine },
      role: { uid: role, name: roleNameOf(binding) },
      folder: folderNames.get(folder) ?? groupNameOf(binding),
      own: identity === me,
      evidence: {
        ...(log
          ? fromLog(binding, log.about.get(binding.uid) ?? [])
          : { granted: { at: binding.createTime } }),
        ...(first && { first: { at: first.time, ...(first.made && { by: byWords(first.made) }) } }),
        ...(record && { seen: lastSeen(record) ?? null }),
        ...(covering && { covered: `${roleNameOf(covering)} in ${groupNameOf(covering)}` }),
        ...(aboveHidden && { aboveUnknown: true }),
        ...(machine && isBuiltIn(role) && STRONG.has(roleNameOf(binding)) && { strong: true }),
        ...(use?.since !== undefined && {
          uses: usesIn(use, use.since, {
            identity,
            group: folder,
            capabilities: sets.get(role),
            groups: uncountedOf(
              (byIdentity.get(identity) ?? []).filter(takesEffect).map(({ uid }) => parentOf(uid)),
            ),
          }),
        }),
        ...(log &&
          use?.since === undefined &&
          sets.has(role) && {
            used: {
              since: log.since,
              some: allowed.filter((capability) => done.has(capability)).length,
              of: allowed.length,
            },
          }),
        ...(pulls && sets.get(role)?.has(PULL) && { pulled: pulledBy(identity, folder, pulls) }),
        ...(pulls && log && sets.get(role)?.has(PUSH) && { pushed: pushedBy(identity, folder, log) }),
        ...(binding.expirationTime !== undefined && { ends: binding.expirationTime }),
        ...(!takesEffect(binding) && { idle: true }),
      },
    };
  });
  return items.toSorted(
    by(
      ({ own }) => (own ? 1 : 0),
      ({ folder }) => folder,
      ({ identity }) => identity.name,
      ({ uid }) => uid,
    ),
  );
}

/** What of a role was used, and when last; undefined if nobody knows what the role can do. */
function usesIn(
  use: UseFacts,
  since: string,
  {
    capabilities,
    groups,
    ...where
  }: {
    identity: string;
    group: string;
    capabilities: ReadonlySet<string> | undefined;
    groups: number | undefined;
  },
): Evidence["uses"] {
  if (!capabilities) return undefined;
  const used = usesOf(use, { ...where, capabilities });
  const some = new Set(used.map(({ capability }) => capability)).size;
  return {
    since,
    last: totalOf(used).last ?? null,
    some,
    of: capabilities.size,
    ...(groups !== undefined && { groups }),
  };
}

/** A smaller role that a binding can be reduced to. */
export interface Smaller {
  readonly role: Role;
  /** Kinds of changes in the log that it would no longer allow; with `refusal` the uses that it would have refused. */
  readonly missing: number;
  /** The same by the service's own count of use, if there is one. */
  readonly refusal: ReturnType<typeof refusedBy> | undefined;
  /** The identity pulls here, and could not with this role. */
  readonly stopsPulls: boolean;
}

/**
 * The roles that allow less than a binding's, the best first: those that still allow what the log says was used, with the
 * fewest other changes; of those the one that reads the most, since the log has no reads. Where the service counts use,
 * those that would have refused the least, and of those the smallest, if anything was used.
 */
export function smallerRoles(
  item: Pick<ReviewItem, "uid" | "identity" | "role" | "evidence">,
  roles: readonly Role[],
  { log, use }: Pick<GrantFacts, "log" | "use">,
): Smaller[] {
  const own = roles.find(({ uid }) => uid === item.role.uid)?.capabilities;
  if (!own) return [];
  const folder = parentOf(item.uid);
  const [held, size] = [new Set(own), own.length];
  const used = new Set(
    log
      ? usedOf({ ...log, changes: log.changes.filter(({ actor }) => actor?.uid === item.identity.uid) })
          .get(item.identity.uid)
          ?.flatMap(({ group, needs }) => (isWithin(group, folder) ? needs : []))
          .filter((capability) => held.has(capability))
      : [],
  );
  const counted =
    use?.since === undefined
      ? undefined
      : usesOf(use, { identity: item.identity.uid, group: folder, capabilities: held });
  // Of what was never used, what is needed is unknown: roles that change the least, as by the log.
  const isUsed = counted !== undefined && counted.length > 0;
  const lost = (capabilities: readonly string[] = []): Pick<Smaller, "missing" | "refusal"> => {
    const refusal = counted && refusedBy(counted, capabilities);
    const missing = [...used].filter((capability) => !capabilities.includes(capability)).length;
    return { refusal, missing: refusal ? refusal.refused.count : missing };
  };
  return roles
    .filter(({ uid, capabilities = [] }) => {
      const here = parentOf(uid) === "" || isWithin(folder, parentOf(uid));
      return (
        here && capabilities.length > 0 && capabilities.length < size && isSubset(new Set(capabilities), held)
      );
    })
    .map((role) => ({
      role,
      ...lost(role.capabilities),
      stopsPulls: item.evidence.pulled?.last != null && !(role.capabilities ?? []).includes(PULL),
    }))
    .toSorted(
      by(
        ({ missing, stopsPulls }) => missing + (stopsPulls ? 1 : 0),
        ({ role }) => (isUsed ? 0 : count(role.capabilities, isLogged)),
        ({ role }) => (isUsed ? 0 : -count(role.capabilities, (one) => effectOf(one) === "reads")),
        ({ role }) => role.capabilities?.length ?? 0,
        ({ role }) => role.name,
      ),
    );
}

/** A log that began later doesn't say much about who changed nothing. */
const MIN_LOG_AGE_MS = 30 * 86_400_000;

/** What asks for attention, in a few words each. */
export function flagsOf({ evidence, since }: Pick<ReviewItem, "evidence" | "since">): string[] {
  const { seen, covered, strong, used, uses, idle } = evidence;
  const isOld = (since: string) => Date.now() - Date.parse(since) >= MIN_LOG_AGE_MS;
  return [
    ...(since === undefined ? [] : [since]),
    ...(seen === null ? ["Never used"] : []),
    ...(covered === undefined ? [] : ["Inherited twice"]),
    ...(strong ? ["Machine with a strong role"] : []),
    ...(used?.some === 0 && used.of > 0 && isOld(used.since) ? ["No changes made"] : []),
    ...(uses?.some === 0 && uses.of > 0 && isOld(uses.since) ? ["Not used"] : []),
    ...(idle ? ["No effect here"] : []),
  ];
}
