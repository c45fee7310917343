import { infinite } from "~/api/queries/queries";
import { listAuditEntries } from "platform-contract/audit/entries";
import { kindOf } from "platform-contract/kinds";
import { scopeQuery } from "~/frame/scope/scope";
import { uidToParam } from "~/frame/scope/uid-param";
import type { LinkTarget } from "~/ui/layout/link";

/** Entries that the page of a record shows. */
export const SHOWN = 8;

/** A record that can have a history. */
export interface Historical {
  readonly collection: string;
  readonly uid: string;
}

/** A group and its account association have the same uid: only the kind tells their entries apart. */
const kindNeeded = (collection: string): boolean =>
  collection === "groups" || kindOf(collection)?.keyedByParent === true;

/** The filters for everything about a record. */
export const aboutRecord = ({
  collection,
  uid,
}: Historical): { readonly record: string; readonly kind?: string } => ({
  record: uid,
  ...(kindNeeded(collection) && { kind: collection }),
});

/** The newest entries about a record: for its history, and for who changed it last. */
export const historyQuery = (record: Historical) =>
  infinite(listAuditEntries, { ...aboutRecord(record), page_size: SHOWN });

/** The newest entries that are first of all about this record: others, such as grants, can be many more. */
export const ownHistoryQuery = ({ collection, uid }: Historical) =>
  infinite(listAuditEntries, { record: uid, kind: collection, page_size: SHOWN });

/** Entries that are read to find out who made the newest changes in a group. */
const NEWEST = 100;

/** The newest changes in a group and below it, or everywhere. */
export const newestQuery = (group: string | undefined) =>
  infinite(listAuditEntries, {
    ...scopeQuery({ group, reach: "below" }),
    outcome: "OUTCOME_DONE",
    page_size: NEWEST,
  });

/** The page of an entry. */
export const entryLink = (uid: string): LinkTarget => ({
  to: "/audit-log/$uid",
  params: { uid: uidToParam(uid) },
});

interface Wanted {
  readonly actor?: string;
  readonly record?: string;
  readonly kind?: string;
  readonly group?: string;
}

/** The audit log with these filters, by uid, and no others; everywhere unless in a `group`. */
export const auditLogOf = ({ kind, ...uids }: Wanted): LinkTarget => ({
  to: "/audit-log",
  search: {
    group: undefined,
    ...(kind !== undefined && { kind }),
    ...Object.fromEntries(Object.entries(uids).map(([name, uid]) => [name, uidToParam(uid)])),
  },
});

/** The same for everything about a record. */
export const entriesAbout = (record: Historical): LinkTarget => auditLogOf(aboutRecord(record));

/** Links to who had access to a group, or to the roles of an identity. */
export const accessOnDate = ({
  group,
  identity,
}: {
  readonly group?: string | undefined;
  readonly identity?: string | undefined;
}): LinkTarget => ({
  to: "/audit-log/access",
  search: {
    ...(group !== undefined && { group: uidToParam(group) }),
    ...(identity !== undefined && { identity: uidToParam(identity) }),
  },
});
