import type { AuditEntry } from "platform-contract/audit/entries";
import type { FieldChange } from "~/domains/audit/log/words";
import { sameValue } from "platform-contract/values";

/** An entry that the token made, or may have made. */
export interface Covered {
  readonly entry: AuditEntry;
  /** The entry has the token's id; false: it has none, so another token of the identity may have made it. */
  readonly sure: boolean;
  /** How, where something that the token had made did it: "by ci, which it made". */
  readonly via?: string | undefined;
}

/** Something that outlives the token and gives somebody a way in. */
export interface Survivor {
  /** Collection of the record; `machineOwners` and `scimTokens` for those, with the uid of the machine or provider. */
  readonly collection: string;
  readonly uid: string;
  /** Its name in the newest entry about it, or "". */
  readonly name: string;
  /** Made, or changed although it was there before. */
  readonly change: "created" | "changed";
  /** What became of each field, from before the first entry to after the last. */
  readonly changes: readonly FieldChange[];
  /** Of a role binding. */
  readonly identityUid: string | undefined;
  readonly roleUid: string | undefined;
  /** The first entry, and the time of the last one. */
  readonly entry: AuditEntry;
  readonly lastTime: string;
  readonly sure: boolean;
  readonly via: string | undefined;
  /** Number of records of its operation that the log doesn't name. */
  readonly unnamed: number;
}

/** Kinds of which a new record lets somebody in, or out with data. */
const MADE: ReadonlySet<string> = new Set([
  "identities",
  "roleBindings",
  "eligibleGrants",
  "groupInvites",
  "roles",
  "identityProviders",
  "externalGroupRoleMappings",
  "subscriptions",
  "accountAssociations",
]);

/** Fields that let nobody in. */
const HARMLESS: ReadonlySet<string> = new Set(["name", "description", "readme"]);

/** Actions about something that is no record of its own. */
const SCIM_ON: ReadonlySet<string> = new Set([
  "identityProviders.generateScimToken",
  "identityProviders.regenerateScimToken",
]);
const SCIM_OFF = "identityProviders.revokeScimToken";
const OWNER = "machineOwners.set";

interface Change {
  readonly collection: string;
  readonly uid: string;
  readonly name: string | undefined;
  readonly change: string;
  readonly changes: readonly FieldChange[];
  readonly identityUid?: string | undefined;
  readonly roleUid?: string | undefined;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** What an entry says that became of which records. */
function changesIn({ action, record, change, changes = [], related = [] }: AuditEntry): Change[] {
  if (record && (SCIM_ON.has(action) || action === SCIM_OFF))
    return [
      {
        collection: "scimTokens",
        uid: record.uid,
        name: record.name,
        change: action === SCIM_OFF ? "deleted" : "created",
        changes,
      },
    ];
  if (record && action === OWNER)
    return [{ collection: "machineOwners", uid: record.uid, name: record.name, change: "updated", changes }];
  const own = record && change !== undefined ? [{ record, change, changes }] : [];
  return [...own, ...related].map(({ record: of, change: what, changes: fields = [] }) => ({
    collection: of.kind,
    uid: of.uid,
    name: of.name,
    change: what,
    changes: fields,
    identityUid: textOf(of["identityUid"]),
    roleUid: textOf(of["roleUid"]),
  }));
}

/** One change after another of the same field. */
function joined(before: readonly FieldChange[], after: readonly FieldChange[]): FieldChange[] {
  const fields = new Map(before.map((one) => [one.field, one]));
  for (const one of after) {
    const first = fields.get(one.field);
    const { before: _, ...rest } = one;
    const start = first ? first.before : one.before;
    fields.set(one.field, {
      ...rest,
      ...(start !== undefined && { before: start }),
      ...((first?.hidden ?? one.hidden) && { hidden: true }),
      ...((first?.cut ?? one.cut) && { cut: true }),
    });
  }
  return [...fields.values()];
}

/** A JSON text that may be cut off is compared as it stands. */
const sameText = (one: string | undefined, other: string | undefined): boolean => {
  if (one === other || one === undefined || other === undefined) return one === other;
  try {
    return sameValue(JSON.parse(one), JSON.parse(other));
  } catch {
    return false;
  }
};

const isStill = ({ before, after, hidden }: FieldChange): boolean =>
  hidden === true || !sameText(before, after);

/**
 * What outlives a token, as its entries tell: what it made and didn't delete, and what it changed and didn't put back. In
 * the order in which it was first made. Refusals and everything that lets nobody in are left out.
 */
export function survivorsOf(covered: readonly Covered[]): Survivor[] {
  const found = new Map<string, Survivor>();
  const inOrder = covered.toSorted(
    (a, b) =>
      a.entry.createTime.localeCompare(b.entry.createTime) ||
      Number(a.entry.sequence ?? 0) - Number(b.entry.sequence ?? 0),
  );
  for (const { entry, sure, via } of inOrder) {
    if (entry.outcome !== undefined && entry.outcome !== "OUTCOME_DONE") continue;
    const { related = [], relatedCount = related.length } = entry;
    for (const one of changesIn(entry)) {
      const key = `${one.collection} ${one.uid}`;
      const known = found.get(key);
      const isOwn = one.collection === "machineOwners" || one.collection === "scimTokens";
      if (!isOwn && !MADE.has(one.collection)) continue;
      if (one.change === "deleted") {
        found.delete(key);
        continue;
      }
      const isNew = one.change === "created";
      const fields = isNew || isOwn ? one.changes : one.changes.filter(({ field }) => !HARMLESS.has(field));
      if (!known && !isNew && fields.length === 0) continue;
      const changes = known ? joined(known.changes, fields) : fields;
      const next: Survivor = {
        collection: one.collection,
        uid: one.uid,
        name: one.name ?? known?.name ?? "",
        change: isNew ? "created" : (known?.change ?? "changed"),
        changes,
        identityUid: one.identityUid ?? known?.identityUid,
        roleUid: one.roleUid ?? known?.roleUid,
        entry: known?.entry ?? entry,
        lastTime: entry.createTime,
        sure: known ? known.sure && sure : sure,
        via: known ? known.via : via,
        unnamed: known?.unnamed ?? Math.max(0, relatedCount - related.length),
      };
      // Put back by the same token: nothing is left of it.
      if (next.change === "changed" && !changes.some(isStill)) found.delete(key);
      else found.set(key, next);
    }
  }
  return [...found.values()];
}

/** Ids of the tokens that a token was exchanged for. */
export const exchangedIds = (entries: readonly AuditEntry[]): string[] =>
  entries.flatMap(({ action, changes = [] }) =>
    action === "tokens.exchange"
      ? changes.flatMap(({ field, after }) => {
          const id: unknown = field === "jti" && after !== undefined ? JSON.parse(after) : undefined;
          return typeof id === "string" ? [id] : [];
        })
      : [],
  );

/** Protections that were taken away or changed: they let nobody in by themselves, and belong looked at. */
export const loosened = (covered: readonly Covered[]): AuditEntry[] =>
  covered
    .map(({ entry }) => entry)
    .filter(
      ({ record, change, outcome }) =>
        (outcome === undefined || outcome === "OUTCOME_DONE") &&
        record?.kind === "guardRails" &&
        change !== "created",
    );
