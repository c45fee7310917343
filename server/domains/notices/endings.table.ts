import { ancestorsOf } from "platform-contract/aip";
import { NOTICE_DAYS, type NoticeTopic } from "platform-contract/iam/notices";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { grouped } from "../../platform/store/grouped";
import { Parameters, withinAny, type Bind } from "../../platform/store/sql";
import { confirmedAddress } from "../access/people.table";
import { isMemberOf } from "../access/memberships.table";
import { builtInRoleUid } from "../access/roles.table";

export const DAY_MS = 86_400_000;
const KEY_DAYS = 365;

/** Something that ends by itself. */
export interface Ends {
  readonly topic: NoticeTopic;
  /** uid of what ends. */
  readonly uid: string;
  readonly name: string;
  /** Of a role binding: who has the role. */
  readonly identity_name: string | null;
  readonly parent: string;
  readonly group_name: string;
  readonly ends: Date;
  /** When it was set to end then, or earlier. */
  readonly since: Date;
  /** Of keys: the latest end that they can be given. */
  readonly latest: Date | null;
  /**
   * The person that it belongs to, or the owner of the machine that it belongs to, if they are in its organization; null:
   * the owners of its group.
   */
  readonly owner: string | null;
}

interface Row {
  readonly select: string;
  readonly from: string;
  readonly ends: string;
}

const SOURCES: Readonly<Record<NoticeTopic, Row>> = {
  NOTICE_TOPIC_KEYS: {
    select:
      "i.uid, i.name, null as identity_name, i.parent, i.updated_at as since, null as person, i.uid as machine",
    from: "identities i where i.relationship = 'staticKeys' and i.parent is not null",
    ends: "(i.definition->>'expirationTime')::timestamptz",
  },
  NOTICE_TOPIC_ROLE_BINDINGS: {
    select: `b.uid, r.name, i.name as identity_name, b.parent, b.updated_at as since,
      case when i.parent is null then i.uid end as person, case when i.parent is not null then i.uid end as machine`,
    from: "role_bindings b join roles r on r.uid = b.role_uid join identities i on i.uid = b.identity_uid where true",
    ends: "b.expires_at",
  },
  NOTICE_TOPIC_INVITES: {
    select:
      "v.uid, v.email as name, null as identity_name, v.parent, v.updated_at as since, c.uid as person, null as machine",
    from: "group_invites v left join identities c on c.uid = v.created_by and c.parent is null where true",
    ends: "v.expires_at",
  },
  NOTICE_TOPIC_SYNCS: {
    select:
      "p.uid, p.name, null as identity_name, p.parent, p.created_at as since, null as person, null as machine",
    from: "repos p where p.source_uid is not null and p.sync->'over' is null",
    ends: "(p.sync->>'expirationTime')::timestamptz",
  },
  NOTICE_TOPIC_SCIM_TOKENS: {
    select:
      "p.uid, p.name, null as identity_name, p.parent, p.updated_at as since, null as person, null as machine",
    from: `scim_settings s join identity_providers p on p.uid = s.uid
      where s.enabled and s.hash is not null and s.revoked_at is null`,
    ends: "s.expires_at",
  },
  NOTICE_TOPIC_REVIEWS: {
    select:
      "v.uid, v.title as name, null as identity_name, v.parent, v.created_at as since, p.uid as person, null as machine",
    from: `access_reviews v cross join lateral (select distinct unnest(c.reviewers) as uid from access_review_items c
        where c.parent = v.uid and c.decision = '' and not c.inherited) p where v.state = 'REVIEW_STATE_OPEN'`,
    ends: "v.due_at",
  },
};
const BEGINNING = new Date(0);

/** SQL: all that ends in a period, as `e`, with whom it belongs to. */
function ending(until: Date, bind: Bind): string {
  const [from, to, ever] = [bind(now()), bind(until), bind(BEGINNING)];
  const all = Object.entries(SOURCES).map(([topic, { select, from: rows, ends }]) => {
    // Keys end at most this long after their identity was made.
    const latest =
      topic === "NOTICE_TOPIC_KEYS" ? `i.created_at + interval '${KEY_DAYS} days'` : "null::timestamptz";
    return `select '${topic}' as topic, ${select}, ${ends} as ends, ${latest} as latest
      from ${rows} and ${ends} > ${topic === "NOTICE_TOPIC_REVIEWS" ? ever : from} and ${ends} <= ${to}`;
  });
  const owner = "coalesce(e.person, o.owner_uid)";
  return `(select e.topic, e.uid, e.name, e.identity_name, e.parent, g.name as group_name, e.ends, e.since, e.latest,
      case when ${isMemberOf(owner, "e.parent", from)} then ${owner} end as owner
    from (${all.join(" union all ")}) e join groups g on g.uid = e.parent
      left join machine_owners o on o.uid = e.machine) e`;
}

/** What ends until then, everywhere or of some owner, a page in the order of the ends. */
export async function endingPage(
  queries: Queries,
  until: Date,
  after: Pick<Ends, "ends" | "topic" | "uid" | "owner"> | undefined,
  limit: number,
  only?: (bind: Bind) => string,
): Promise<Ends[]> {
  const { values, bind } = new Parameters();
  const from = ending(until, bind);
  const conditions = [
    ...(after
      ? [
          // A review waits for several people.
          `(e.ends, e.topic, e.uid, coalesce(e.owner, '')) > (${bind(after.ends)}, ${bind(after.topic)}::text,
             ${bind(after.uid)}::text, ${bind(after.owner ?? "")}::text)`,
        ]
      : []),
    ...(only ? [only(bind)] : []),
  ];
  return queries.query(
    `select e.* from ${from} ${conditions.length > 0 ? `where ${conditions.join(" and ")}` : ""}
     order by e.ends, e.topic, e.uid, coalesce(e.owner, '') limit ${limit}`,
    values,
  );
}

const OWNER = builtInRoleUid("owner");
/** Owners of one group who are told. */
const MOST_OWNERS = 20;

/** By group: the people who own it, or the nearest group above that has any. */
export async function ownersOf(
  queries: Queries,
  groups: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { values, bind } = new Parameters();
  const all = [...new Set(groups.flatMap((group) => [group, ...ancestorsOf(group)]))];
  const rows = await queries.query<{ parent: string; identity: string }>(
    `select b.parent, b.identity_uid as identity from role_bindings b
       join identities i on i.uid = b.identity_uid and i.parent is null
     where b.parent = any(${bind(all)}::text[]) and b.role_uid = ${bind(OWNER)} and (b.expires_at is null or b.expires_at > ${bind(now())})
       and not exists (select 1 from memberships m
         where m.organization = left(b.parent, 40) and m.identity_uid = i.uid and m.state = 'offered')
     order by b.created_at, b.uid`,
    values,
  );
  const byGroup = grouped(rows, ({ parent }) => parent);
  const at = (group: string) => (byGroup.get(group) ?? []).map(({ identity }) => identity);
  return new Map(
    groups.map((group) => {
      const above = ancestorsOf(group).toSorted((one, other) => other.length - one.length);
      const nearest = [group, ...above].map(at).find(({ length }) => length > 0);
      return [group, (nearest ?? []).slice(0, MOST_OWNERS)];
    }),
  );
}

/** Each with the people who are told: its owner, or else those of its group. */
export async function withOwners(
  queries: Queries,
  some: readonly Ends[],
): Promise<readonly (readonly [ends: Ends, owners: readonly string[]])[]> {
  const groups = [...new Set(some.flatMap(({ owner, parent }) => (owner === null ? [parent] : [])))];
  const owners = await ownersOf(queries, groups);
  return some.map((one) => [one, one.owner === null ? (owners.get(one.parent) ?? []) : [one.owner]]);
}

/** Rows that are read at a time; groups further down can have owners of their own, whose rows are left out. */
const PAGE = 500;

/** What ends until then that a person owns, soonest first. */
export async function endingOf(
  queries: Queries,
  person: string,
  until: Date,
  limit: number,
): Promise<Ends[]> {
  const owned = await queries.query<{ parent: string }>(
    `select b.parent from role_bindings b where b.identity_uid = $1 and b.role_uid = $2
       and (b.expires_at is null or b.expires_at > $3)`,
    [person, OWNER, now()],
  );
  const groups = owned.map(({ parent }) => parent);
  const only = (bind: Bind) =>
    `(e.owner = ${bind(person)} or (e.owner is null and ${withinAny("e.parent", groups, bind)}))`;
  const found: Ends[] = [];
  let after: Ends | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page begins after the one before
    const page: Ends[] = await endingPage(queries, until, after, PAGE, only);
    // oxlint-disable-next-line no-await-in-loop -- of this page
    for (const [one, owners] of await withOwners(queries, page)) if (owners.includes(person)) found.push(one);
    after = page.length < PAGE ? undefined : page.at(-1);
  } while (after && found.length < limit);
  return found.slice(0, limit);
}

/** A synced repo always has the same time: its beginning is no news. Of a review, it is news that it is due. */
const daysFor = (topic: NoticeTopic): readonly number[] =>
  topic === "NOTICE_TOPIC_SYNCS"
    ? NOTICE_DAYS.slice(1)
    : topic === "NOTICE_TOPIC_REVIEWS"
      ? [...NOTICE_DAYS.slice(1), 0]
      : NOTICE_DAYS;

/**
 * The day before an end at which its owners are told of it, if it lies between two times. One that was only just made to
 * end then is known to whoever did.
 */
export const dueDays = ({ topic, ends, since }: Ends, after: Date, until: Date): number | undefined =>
  daysFor(topic).findLast((days) => {
    const at = ends.getTime() - days * DAY_MS;
    return at > after.getTime() && at <= until.getTime() && at > since.getTime() + DAY_MS;
  });
export const isDue = (one: Ends, after: Date, until: Date): boolean =>
  dueDays(one, after, until) !== undefined;

/** What nobody was told of for so long, since the service was down or mails were paused, is old news. */
export const LATE_MS = 7 * DAY_MS;
const DUE_PAGE = 1_000;

/** What somebody may have to be told of between two times: of each page that is read, those that are due. */
export async function* duePages(queries: Queries, after: Date, until: Date): AsyncGenerator<readonly Ends[]> {
  const last = new Date(until.getTime() + NOTICE_DAYS[0] * DAY_MS);
  let from: Ends | undefined;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins after the one before
    const page: Ends[] = await endingPage(queries, last, from, DUE_PAGE);
    yield page.filter((one) => isDue(one, after, until));
    from = page.at(-1);
    if (page.length < DUE_PAGE) return;
  }
}

/** Until when subscriptions were told of ends; the first time, nothing that was before is told. */
export async function toldUntil(queries: Queries): Promise<Date> {
  await queries.query("insert into ending_events (until) values ($1) on conflict do nothing", [now()]);
  const [row] = await queries.query<{ until: Date }>("select until from ending_events");
  return row?.until ?? now();
}

/** @returns false if another process told them meanwhile */
export async function storeTold(queries: Queries, before: Date, until: Date): Promise<boolean> {
  const rows = await queries.query("update ending_events set until = $2 where until = $1 returning 1", [
    before,
    until,
  ]);
  return rows.length > 0;
}

export interface NoticeSettings {
  readonly muted: readonly string[];
  readonly paused_until: Date | null;
  readonly told_at: Date | null;
  /** Confirmed by a mail from here, or by their provider; null if neither. */
  readonly email: string | null;
}

/** A person's settings; the defaults if they never set any. */
export async function noticeSettings(queries: Queries, person: string): Promise<NoticeSettings | undefined> {
  const [row] = await queries.query<NoticeSettings>(
    `select coalesce(n.muted, '{}') as muted, n.paused_until, n.told_at, ${confirmedAddress("i")} as email
     from identities i left join notice_settings n on n.identity_uid = i.uid where i.uid = $1 and i.parent is null`,
    [person],
  );
  return row;
}

export const storeSettings = (
  queries: Queries,
  person: string,
  { muted, pausedUntil }: { readonly muted: readonly string[]; readonly pausedUntil: Date | null },
): Promise<unknown> =>
  queries.query(
    `insert into notice_settings (identity_uid, muted, paused_until) values ($1, $2, $3)
     on conflict (identity_uid) do update set muted = excluded.muted, paused_until = excluded.paused_until`,
    [person, muted, pausedUntil],
  );

/**
 * Takes a person's turn to be told, in this transaction.
 * @returns false if another process told them since `before`
 */
export async function takeTurn(queries: Queries, person: string, before: Date): Promise<boolean> {
  const rows = await queries.query(
    `insert into notice_settings as n (identity_uid, told_at) values ($1, $2)
     on conflict (identity_uid) do update set told_at = excluded.told_at
       where n.told_at is null or n.told_at <= $3
     returning 1`,
    [person, now(), before],
  );
  return rows.length > 0;
}
