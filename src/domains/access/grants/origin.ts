import { parentOf } from "platform-contract/aip";
import type { AuditEntry } from "platform-contract/audit/entries";
import { roleBindings, roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import { isDone, isImport, says } from "~/domains/audit/log/who";

import { identityUidOf } from "./bindings";

/** What the audit log says about where a role binding comes from. */
export interface Origin {
  /** The entry that made it; undefined if the log has none, or only that of an import. */
  readonly made: AuditEntry | undefined;
  /** It was there before the log began. */
  readonly older: boolean;
  /** The same role in the same folder was held before, and removed. */
  readonly first: { readonly time: string; readonly made: AuditEntry | undefined } | undefined;
}

type Part = Pick<AuditEntry, "record" | "change" | "changes">;

/** The records of an entry with what happened to each. */
const partsOf = (entry: AuditEntry): readonly Part[] => [entry, ...(entry.related ?? [])];

const bindingOf = (uid: string) => ({ collection: roleBindings.collection, uid });

/** The entry that made a role binding; undefined if none of these did. */
export const madeBy = (uid: string, entries: readonly AuditEntry[]): AuditEntry | undefined =>
  entries.find((entry) => !isImport(entry) && says(entry, bindingOf(uid), "created"));

/** The newest of these entries (newest first) that took a role away from an identity. */
export const removalOf = (identity: string, entries: readonly AuditEntry[]): AuditEntry | undefined =>
  entries.find(
    (entry) =>
      isDone(entry) &&
      partsOf(entry).some(
        ({ record, change }) =>
          change === "deleted" &&
          record?.kind === roleBindings.collection &&
          record["identityUid"] === identity,
      ),
  );

/** When a binding was made, from the entry of its removal; undefined if that is not of the same grant. */
function timeOfSame(binding: RoleBinding, { record, change, changes = [] }: Part): string | undefined {
  const isSame =
    change === "deleted" &&
    record?.kind === roleBindings.collection &&
    record["identityUid"] === identityUidOf(binding) &&
    record["roleUid"] === roleUidOf(binding) &&
    parentOf(record.uid) === parentOf(binding.uid);
  const kept = changes.find(({ field }) => field === "createTime")?.before;
  return isSame && kept !== undefined ? String(JSON.parse(kept)) : undefined;
}

/**
 * Where a binding comes from.
 * @param entries about its identity, newest first
 * @param begin when the log of its organization begins, if that is known
 */
export function originOf(
  binding: RoleBinding,
  entries: readonly AuditEntry[],
  begin: string | undefined,
): Origin {
  const earlier = entries.filter(isDone).flatMap((entry) =>
    partsOf(entry).flatMap((part) => {
      const time = timeOfSame(binding, part);
      return time === undefined || part.record === undefined ? [] : [{ time, uid: part.record.uid }];
    }),
  );
  const first = earlier.toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time))[0];
  const made = madeBy(binding.uid, entries);
  return {
    made,
    older:
      made === undefined &&
      (entries.some((entry) => isImport(entry) && says(entry, bindingOf(binding.uid), "created")) ||
        (begin !== undefined && Date.parse(binding.createTime ?? "") < Date.parse(begin))),
    first: first && { time: first.time, made: madeBy(first.uid, entries) },
  };
}
