import { parentOf } from "platform-contract/aip";
import type { ReviewResult } from "platform-contract/iam/access-reviews";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { withinAny, type Bind } from "../../platform/store/sql";
import { standardSort, time, type Table, type Texts } from "../../platform/store/table";

/** What was known of a role binding when its review started; names are those of that time, times ISO texts. */
export interface Evidence {
  readonly group: string;
  readonly identity: string;
  readonly role: string;
  readonly machine: boolean;
  readonly granted: string;
  readonly grantedBy?: string;
  readonly grantReason?: string;
  readonly seen?: string;
  readonly usedSince?: string;
  readonly lastUse?: string;
  readonly used: number;
  readonly capabilities: number;
  readonly covered?: { readonly words: string; readonly group: string };
  readonly findings: readonly string[];
}

export type ReviewRow = Texts<
  | "uid"
  | "parent"
  | "group_name"
  | "title"
  | "state"
  | "reviewer_rule"
  | "maker_uid"
  | "maker_name"
  | "not_repeated"
  | "closed_by_name"
> & {
  readonly due_at: Date;
  readonly quarterly: boolean;
  readonly reviewer_uids: readonly string[];
  readonly asks_machine_owners: boolean;
  readonly inherited_incomplete: boolean;
  readonly next_at: Date | null;
  readonly closed_at: Date | null;
  readonly created_at: Date;
  readonly digest: string | null;
} & Readonly<Record<"items" | "inherited" | "decided" | "changes" | "pending" | "refused", number>>;

const CHANGE = "c.decision in ('REVIEW_DECISION_REDUCE', 'REVIEW_DECISION_REVOKE')";
const counted = (which: string): string => `count(*) filter (where not c.inherited and ${which})::int`;

export const reviewsTable: Table<ReviewRow> = {
  name: "access_reviews",
  joins: `join groups g on g.uid = t.parent
    left join lateral (select ${counted("true")} as items, count(*) filter (where c.inherited)::int as inherited,
      ${counted("c.decision <> ''")} as decided, ${counted(CHANGE)} as changes,
      ${counted(`${CHANGE} and c.result = ''`)} as pending, ${counted("c.result = 'REVIEW_RESULT_REFUSED'")} as refused
      from access_review_items c where c.parent = t.uid) n on true`,
  columns: `t.uid, t.parent, g.name as group_name, t.title, t.state, t.due_at, t.quarterly, t.reviewer_rule,
    t.reviewer_uids, t.asks_machine_owners, t.maker_uid, t.maker_name, t.inherited_incomplete, t.next_at,
    t.not_repeated, t.closed_at, t.closed_by_name, t.digest, t.created_at,
    n.items, n.inherited, n.decided, n.changes, n.pending, n.refused`,
  sort: { created_at: standardSort["created_at"]!, due_time: { sql: "t.due_at", type: "time" } },
  filters: {},
  toItem: (row) => ({
    uid: row.uid,
    groupUid: row.parent,
    groupName: row.group_name,
    title: row.title,
    reviewState: row.state,
    dueTime: time(row.due_at),
    repetition: row.quarterly ? "REVIEW_REPETITION_QUARTERLY" : "REVIEW_REPETITION_NONE",
    reviewerRule: row.reviewer_rule,
    reviewerUids: row.reviewer_uids,
    asksMachineOwners: row.asks_machine_owners,
    makerUid: row.maker_uid,
    makerName: row.maker_name,
    createTime: time(row.created_at),
    nextTime: time(row.next_at),
    notRepeated: row.not_repeated,
    closeTime: time(row.closed_at),
    closedByName: row.closed_by_name,
    digest: row.digest ?? "",
    itemCount: row.items,
    inheritedCount: row.inherited,
    inheritedIncomplete: row.inherited_incomplete,
    decidedCount: row.decided,
    changeCount: row.changes,
    pendingCount: row.pending,
    refusedCount: row.refused,
  }),
};

export type ItemRow = Texts<
  | "uid"
  | "parent"
  | "binding_uid"
  | "group_uid"
  | "identity_uid"
  | "role_uid"
  | "decision"
  | "note"
  | "result"
  | "result_message"
> & {
  readonly ends_at: Date | null;
  readonly inherited: boolean;
  readonly evidence: Evidence;
  readonly reviewers: readonly string[];
  readonly reviewer_names: Readonly<Record<string, string>> | null;
  readonly to_role_uid: string | null;
  readonly to_role_name: string | null;
  readonly decided_by: string | null;
  readonly decided_by_name: string | null;
  readonly decided_at: Date | null;
  readonly applied_at: Date | null;
  readonly version: number;
};

export const itemsTable: Table<ItemRow> = {
  name: "access_review_items",
  joins: "",
  columns: `t.uid, t.parent, t.binding_uid, t.group_uid, t.identity_uid, t.role_uid, t.ends_at, t.inherited, t.evidence,
    t.reviewers, (select jsonb_object_agg(i.uid, i.name) from identities i where i.uid = any(t.reviewers)) as reviewer_names,
    t.decision, t.to_role_uid, t.to_role_name, t.note, t.decided_by, t.decided_by_name, t.decided_at, t.version, t.result,
    t.result_message, t.applied_at`,
  sort: {},
  childOrders: [],
  filters: {},
  toItem: (row) => {
    const { evidence } = row;
    return {
      uid: row.uid,
      bindingUid: row.binding_uid,
      groupUid: row.group_uid,
      groupName: evidence.group,
      identityUid: row.identity_uid,
      identityName: evidence.identity,
      machine: evidence.machine,
      roleUid: row.role_uid,
      roleName: evidence.role,
      inherited: row.inherited,
      expirationTime: time(row.ends_at),
      grantTime: evidence.granted,
      grantedByName: evidence.grantedBy,
      grantReason: evidence.grantReason,
      lastSeenTime: evidence.seen,
      usedSinceTime: evidence.usedSince,
      lastUseTime: evidence.lastUse,
      usedCount: evidence.usedSince === undefined ? undefined : evidence.used,
      capabilityCount: evidence.capabilities,
      coveredBy: evidence.covered?.words,
      coveredAt: evidence.covered?.group,
      findings: evidence.findings,
      reviewers: row.reviewers.map((uid) => ({ uid, name: row.reviewer_names?.[uid] ?? "" })),
      decision: row.decision,
      toRoleUid: row.to_role_uid ?? "",
      toRoleName: row.to_role_name ?? "",
      note: row.note,
      decidedBy: row.decided_by ?? "",
      decidedByName: row.decided_by_name ?? "",
      decideTime: time(row.decided_at),
      result: row.result,
      resultMessage: row.result_message,
      applyTime: time(row.applied_at),
      etag: String(row.version + 1),
    };
  },
};

/** SQL: items that somebody can read: at groups where they can list role bindings, or of machines that they own. */
export const readableItems =
  (groups: readonly string[], identities: readonly string[]) =>
  (bind: Bind): string =>
    `(${withinAny("t.group_uid", groups, bind)} or not t.inherited and exists (select 1 from machine_owners o
      where o.uid = t.identity_uid and o.owner_uid = any(${bind(identities)}::text[])))`;

export const askedItems =
  (identities: readonly string[]) =>
  (bind: Bind): string =>
    `not t.inherited and t.reviewers && ${bind(identities)}::text[]`;

/** The reviews with an item in one of these groups or below, or of a machine that one of these identities owns. */
export async function reviewsWithReadable(
  queries: Queries,
  groups: readonly string[],
  identities: readonly string[],
): Promise<string[]> {
  // A review of an organization is above everything in it: only folders can be below a review.
  const folders = groups.filter((group) => group.includes("/"));
  const rows = await queries.query<{ parent: string }>(
    `select t.parent from unnest($1::text[]) as a (low) join access_review_items t
       on t.group_uid >= a.low and t.group_uid < a.low || '0' and not t.inherited
     union select t.parent from machine_owners o join access_review_items t
       on t.identity_uid = o.uid and not t.inherited where o.owner_uid = any($2::text[])`,
    [folders, identities],
  );
  return rows.map(({ parent }) => parent);
}

/** By review, how many undecided items these identities are asked about. */
export async function waitingIn(
  queries: Queries,
  reviews: readonly string[],
  identities: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await queries.query<{ parent: string; n: number }>(
    `select t.parent, count(*)::int as n from access_review_items t join access_reviews v on v.uid = t.parent
     where t.parent = any($1::text[]) and v.state = 'REVIEW_STATE_OPEN' and t.decision = '' and not t.inherited
       and t.reviewers && $2::text[] group by 1`,
    [reviews, identities],
  );
  return new Map(rows.map(({ parent, n }) => [parent, n]));
}

/** Who is asked in a review, and how far they are. */
export const progressOf = (queries: Queries, review: string) =>
  queries.query<{ uid: string; name: string | null; asked: number; decided: number }>(
    `select a.uid, i.name, count(*)::int as asked, count(*) filter (where t.decision <> '')::int as decided
     from access_review_items t cross join lateral unnest(t.reviewers) as a (uid)
       left join identities i on i.uid = a.uid
     where t.parent = $1 and not t.inherited group by 1, 2 order by 2, 1 limit 200`,
    [review],
  );

interface ReviewHead {
  readonly parent: string;
  readonly title: string;
  readonly state: string;
  readonly due_at: Date;
  readonly quarterly: boolean;
  readonly created_at: Date;
}

/**
 * A review, locked until the transaction ends; undefined if there is none.
 * @param mode `share`: others decide at the same time, but nobody applies or closes it
 */
export async function lockReview(
  queries: Queries,
  uid: string,
  mode: "share" | "update",
): Promise<ReviewHead | undefined> {
  const [row] = await queries.query<ReviewHead>(
    `select parent, title, state, due_at, quarterly, created_at from access_reviews where uid = $1 for ${mode}`,
    [uid],
  );
  return row;
}

export async function countReviews(queries: Queries, organization: string): Promise<number> {
  const [row] = await queries.query<{ n: number }>(
    "select count(*)::int as n from access_reviews where uid >= $1 || '/' and uid < $1 || '0'",
    [organization],
  );
  return row?.n ?? 0;
}

/** One item, locked until the transaction ends; undefined if there is none. */
export async function lockReviewItem(queries: Queries, uid: string): Promise<ItemRow | undefined> {
  const [row] = await queries.query<ItemRow>(
    `select ${itemsTable.columns} from access_review_items t where t.uid = $1 for update`,
    [uid],
  );
  return row;
}

/** True if one of these identities answers for a machine. */
export async function ownsMachine(
  queries: Queries,
  identities: readonly string[],
  machine: string,
): Promise<boolean> {
  const rows = await queries.query(
    "select 1 from machine_owners where uid = $1 and owner_uid = any($2::text[])",
    [machine, identities],
  );
  return rows.length > 0;
}

export const storeDecision = (
  queries: Queries,
  uid: string,
  decided: {
    readonly decision: string;
    readonly toRole: { readonly uid: string; readonly name: string } | undefined;
    readonly note: string;
    readonly by: string;
    readonly byName: string;
  },
): Promise<unknown> =>
  queries.query(
    `update access_review_items set decision = $2, to_role_uid = $3, to_role_name = $4, note = $5, decided_by = $6,
       decided_by_name = $7, decided_at = $8, updated_at = $8, version = version + 1 where uid = $1`,
    [
      uid,
      decided.decision,
      decided.toRole?.uid ?? null,
      decided.toRole?.name ?? null,
      decided.note,
      decided.by,
      decided.byName,
      now(),
    ],
  );

/** The changes that wait to be applied, those of these identities last: afterward they may not be able to go on. */
export async function pendingItems(
  queries: Queries,
  review: string,
  last: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await queries.query<{ uid: string }>(
    `select c.uid from access_review_items c where c.parent = $1 and not c.inherited and ${CHANGE} and c.result = ''
     order by c.identity_uid = any($2::text[]), c.uid limit $3`,
    [review, last, limit],
  );
  return rows.map(({ uid }) => uid);
}

export const storeResult = (
  queries: Queries,
  uid: string,
  result: ReviewResult,
  message = "",
): Promise<unknown> =>
  queries.query(
    `update access_review_items set result = $2, result_message = $3, applied_at = $4, updated_at = $4
     where uid = $1 and result = ''`,
    [uid, result, message, now()],
  );

/** Lets what was refused be tried again. */
export const forgetRefused = (queries: Queries, review: string): Promise<unknown> =>
  queries.query(
    `update access_review_items set result = '', result_message = '', applied_at = null
     where parent = $1 and result = 'REVIEW_RESULT_REFUSED'`,
    [review],
  );

/** Every item of a review, in its order. */
export const allItems = (queries: Queries, review: string): Promise<ItemRow[]> =>
  queries.query(
    `select ${itemsTable.columns} from access_review_items t where t.parent = $1 order by t.uid`,
    [review],
  );

/** The report of a closed review; undefined before that. */
export async function readReport(queries: Queries, review: string) {
  const [row] = await queries.query<{
    report: string;
    digest: string;
    signature: string;
    top: string | null;
  }>(
    `select report, digest, signature, (select min(t.group_uid) from access_review_items t
       where t.parent = $1 and t.inherited) as top
     from access_reviews where uid = $1 and report is not null`,
    [review],
  );
  return row && { ...row, top: row.top ?? parentOf(review) };
}

/** The name of an identity; "" if it is gone. */
export async function identityName(queries: Queries, uid: string): Promise<string> {
  const [row] = await queries.query<{ name: string }>("select name from identities where uid = $1", [uid]);
  return row?.name ?? "";
}

/** The name of a role; "" if it is gone. */
export async function roleName(queries: Queries, uid: string): Promise<string> {
  const [row] = await queries.query<{ name: string }>("select name from roles where uid = $1", [uid]);
  return row?.name ?? "";
}

/** The reviews of a group that are due to start again. */
export const dueToRepeat = (queries: Queries): Promise<{ readonly uid: string }[]> =>
  queries.query("select uid from access_reviews where next_at <= $1 order by next_at, uid limit 100", [
    now(),
  ]);

/** Takes the turn to start the next review after this one; undefined if another process has. */
export async function takeRepeat(queries: Queries, uid: string) {
  const [row] = await queries.query<
    ReviewHead & {
      readonly maker_uid: string;
      readonly reviewer_rule: string;
      readonly reviewer_uids: readonly string[];
      readonly asks_machine_owners: boolean;
      readonly next_at: Date;
    }
  >(
    `update access_reviews v set next_at = null from access_reviews o where v.uid = $1 and o.uid = v.uid and v.next_at <= $2
     returning v.parent, v.title, v.state, v.due_at, v.quarterly, v.created_at, v.maker_uid, v.reviewer_rule,
       v.reviewer_uids, v.asks_machine_owners, o.next_at`,
    [uid, now()],
  );
  return row;
}

export const noteNotRepeated = (queries: Queries, uid: string, why: string): Promise<unknown> =>
  queries.query("update access_reviews set not_repeated = $2 where uid = $1", [uid, why]);
