import { by } from "platform-contract/order";
import { ancestorsOf, isWithin, parentOf, rootOf } from "platform-contract/aip";

import { readDraft, type AuditDraft, type RecordChange } from "./audit";
import type { Queries } from "./database";

interface Binding {
  readonly uid: string;
  readonly identity: string;
  readonly role: string;
  /** When it ends by itself. */
  readonly until?: Date | null | undefined;
  /** When it was given, by its own time; undefined if it is gone and the entry of its removal does not tell. */
  readonly made?: Date | undefined;
  /** When it was last made or changed; undefined if an entry describes it, which doesn't tell. */
  readonly changed?: Date | undefined;
}

/** A role binding as it was for some time; undefined: from before, or until after what is asked about. */
interface PastBinding extends Binding {
  readonly start?: Date | undefined;
  readonly end?: Date | undefined;
  /** When it was taken away or changed after what is asked about. */
  readonly endSince?: Date | undefined;
  /** It was there when the log began, given nobody knows when: perhaps only after the time in question. */
  readonly startUnknown?: true;
  /** It may have been of another identity or role at first: it was changed before the log began, or may have been. */
  readonly changeUnknown?: true;
}

export interface Question {
  readonly group?: string | undefined;
  /** With a group: also the bindings below it. */
  readonly below?: boolean | undefined;
  readonly identity?: string | undefined;
  readonly time: Date;
  /** The end of a period. */
  readonly until?: Date | undefined;
  /** Topmost groups whose role bindings the caller can see. */
  readonly visible: readonly string[];
}

/** SQL: true for an entry of an operation that changed more records than the entry describes; of an index. */
export const LARGE = `entry ~ '"relatedCount":(10[1-9]|1[1-9][0-9]|[2-9][0-9]{2}|[1-9][0-9]{3,})'`;

/** Length of a uid's part with its slash. */
const PART = 17;

/** Entries that are in memory together. */
const AT_ONCE = 500;

/** Roles of one answer. */
const MOST = 50_000;

/**
 * Changes since the time in question that an answer about what is below a group undoes: about a second of CPU, of which
 * neighbors notice little. With 100,000 it took ten seconds.
 */
const MOST_CHANGES = 10_000;

const levels = (group: string | undefined): string[] =>
  group === undefined ? [] : [...ancestorsOf(group), group];

/** The uids of today of people who had other ones before the service moved. */
async function uidsToday(queries: Queries, uids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await queries.query<{ old: string; uid: string }>(
    `select p.old, i.uid from moved_people p join identities i on i.uid = p.new where p.old = any($1::text[])`,
    [uids],
  );
  return new Map(rows.map(({ old, uid }) => [old, uid]));
}

/** The group of a question, if it is also about what is below it. */
const topOf = ({ group, below = false }: Question): string | null => (below ? (group ?? null) : null);

/** Role bindings as they are now. */
const current = (queries: Queries, question: Question): Promise<Binding[]> =>
  queries.query<Binding>(
    `select uid, identity_uid as identity, role_uid as role, expires_at as until, created_at as made,
       greatest(created_at, updated_at) as changed from role_bindings
     where ($1::text[] is null or parent = any($1::text[]) or (parent >= $3 || '/' and parent < $3 || '0'))
       and ($2::text is null or identity_uid = $2)`,
    [
      question.group === undefined ? null : levels(question.group),
      question.identity ?? null,
      topOf(question),
    ],
  );

interface Later {
  readonly entry: AuditDraft;
  readonly at: Date;
}

/** The later entries about the role bindings of a group and those above or below it, or of an identity, by uid; newest first. */
async function changesSince(queries: Queries, question: Question, most: number): Promise<string[]> {
  const { group, identity, time, below = false } = question;
  const found = await queries.query<{ uid: string }>(
    `select e.uid from audit_entries e
     where e.outcome = 'OUTCOME_DONE' and e.entry like '%"kind":"roleBindings"%' and e.uid in (
       select s.uid from audit_subjects s where s.created_at > $1 and s.record_uid = $2
       union select s.uid from unnest($3::text[]) as g (uid) join audit_subjects s
         on s.record_uid >= g.uid || '/' and s.record_uid < g.uid || '0' and length(s.record_uid) = length(g.uid) + ${PART}
         where s.created_at > $1
       union select s.uid from audit_subjects s
         where s.created_at > $1 and s.record_uid >= $4 || '/' and s.record_uid < $4 || '0')
     order by e.created_at desc, e.sequence desc limit $5`,
    [time, identity ?? null, levels(group), topOf(question), below ? most + 1 : null],
  );
  return found.map(({ uid }) => uid);
}

async function* later(queries: Queries, found: readonly string[]): AsyncGenerator<Later> {
  for (let from = 0; from < found.length; from += AT_ONCE) {
    const rows = await queries.query<{ entry: string; created_at: Date }>(
      `select e.entry, e.created_at from unnest($1::text[]) with ordinality as f (uid, place)
         join audit_entries e on e.uid = f.uid order by f.place`,
      [found.slice(from, from + AT_ONCE)],
    );
    for (const { entry, created_at } of rows) yield { entry: readDraft(entry), at: created_at };
  }
}

/** True if an operation since then changed more role bindings than its entry describes: not all of it can be undone. */
async function isCut(queries: Queries, chains: readonly string[], after: Date): Promise<boolean> {
  const [row] = await queries.query<{ cut: boolean }>(
    `select exists (select 1 from audit_entries where chain = any($1::text[]) and created_at > $2 and ${LARGE}
       and entry like '%"kind":"roleBindings"%') as cut`,
    [[...chains], after],
  );
  return row?.cut ?? false;
}

/** Since when the logs of some organizations know everything. */
interface Known {
  /** Undefined without any log. */
  readonly since: Date | undefined;
  /** What was before is unknown; undefined if there was nothing, since the logs have the beginning of their organizations. */
  readonly begins: Date | undefined;
}

async function knownSince(queries: Queries, chains: readonly string[]): Promise<Known> {
  const [row] = await queries.query<{ since: Date | null; begins: Date | null }>(
    `select max(k.since) as since, max(k.since) filter (where not k.whole) as begins from (
       select coalesce(c.created_at, case when f.action = 'import' then f.created_at end,
           least(f.created_at, m.applied_at)) as since,
         c.chain is null and coalesce(f.action = 'groups.create' and f.outcome = 'OUTCOME_DONE' and f.parent = h.chain,
           false) as whole
       from unnest($1::text[]) as h (chain)
         left join audit_checkpoints c on c.chain = h.chain
         left join lateral (select e.created_at, e.action, e.outcome, e.parent from audit_entries e
           where e.chain = h.chain order by e.sequence limit 1) f on true
         left join schema_migrations m on m.id = '023-audit') k`,
    [[...chains]],
  );
  return { since: row?.since ?? undefined, begins: row?.begins ?? undefined };
}

const before = ({ changes }: RecordChange, field: string): string | undefined => {
  const text = changes.find((change) => change.field === field)?.before;
  return text === undefined ? undefined : String(JSON.parse(text));
};

/** The records of an entry with what happened to them. */
const changesIn = ({ record, change, changes = [], related = [] }: AuditDraft): RecordChange[] =>
  record && change ? [{ record, change, changes }, ...related] : [...related];

const timeIn = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(String(JSON.parse(text)));

/** Without bindings that had ended by themselves before they were removed, and with the end of those that did so later. */
function untilTheirEnd(held: readonly PastBinding[], from: Date, to: Date): PastBinding[] {
  return held.flatMap((one) => {
    const { start = from, end = to, until } = one;
    if (!until || until > end || (until > to && !one.end)) return [one];
    return until <= start ? [] : [{ ...one, end: until }];
  });
}

/**
 * Undoes what an entry did to role bindings.
 * @param bindings as they were after it
 * @param at when the entry was made
 * @param inside true if that is within the period
 * @returns those that the entry ended or changed, as they were after it
 */
function undo(
  bindings: Map<string, PastBinding>,
  entry: AuditDraft,
  { at, inside }: { readonly at: Date; readonly inside: boolean },
): PastBinding[] {
  const gone: PastBinding[] = [];
  for (const one of changesIn(entry)) {
    const { kind, uid, identityUid = "", roleUid = "" } = one.record;
    if (kind !== "roleBindings") continue;
    const after = bindings.get(uid);
    // It is older than the import that brought it.
    if (one.change === "created" && entry.action === "import") continue;
    if (after) gone.push(after);
    bindings.delete(uid);
    const ending = one.changes.find(({ field }) => field === "expirationTime");
    const made = one.changes.find(({ field }) => field === "createTime");
    const isEnd =
      one.change === "deleted" ||
      one.changes.some(({ field }) => field === "roleUid" || field === "identityUid");
    if (one.change !== "created")
      bindings.set(uid, {
        made: timeIn(made?.before) ?? after?.made,
        until: ending ? timeIn(ending.before) : after?.until,
        uid,
        identity: before(one, "identityUid") ?? identityUid,
        role: before(one, "roleUid") ?? roleUid,
        end: inside ? at : undefined,
        endSince: inside ? undefined : isEnd ? at : after?.endSince,
      });
  }
  return gone;
}

const NAMED: ReadonlySet<string> = new Set(["identities", "roles", "groups"]);

/** The names that an entry knows, by uid. */
const namesIn = (entry: AuditDraft): [string, string][] => [
  ...Object.entries(entry.names ?? {}),
  ...changesIn(entry).flatMap(({ record: { kind, uid, name } }): [string, string][] =>
    NAMED.has(kind) && name !== undefined ? [[uid, name]] : [],
  ),
];

/**
 * What is known about a period that begins before the log does, from the times at which bindings were made: they are
 * never made anew.
 */
const beforeTheLog = (one: PastBinding, time: Date, until: Date): PastBinding[] => {
  const { made } = one;
  if (!made) return [{ ...one, startUnknown: true }];
  if (made > until) return [];
  const from = made > time ? { ...one, start: made } : one;
  const isSame = one.changed !== undefined && one.changed <= (from.start ?? time);
  return [isSame ? from : { ...from, changeUnknown: true }];
};

/** Every role binding of the period, each as it was, and names of that time for what is gone. */
async function heldIn(
  queries: Queries,
  question: Question,
  {
    changes,
    until,
    begins,
  }: { readonly changes: readonly string[]; readonly until: Date; readonly begins: Date | undefined },
) {
  const { time } = question;
  const bindings = new Map<string, PastBinding>(
    (await current(queries, question)).map((one) => [one.uid, one]),
  );
  const names = new Map<string, string>();
  const held: PastBinding[] = [];
  for await (const { entry, at } of later(queries, changes)) {
    const inside = at <= until;
    const gone = undo(bindings, entry, { at, inside });
    if (inside) held.push(...gone.map((one) => ({ ...one, start: at })));
    // The oldest last: names as they were closest to that time.
    for (const [uid, name] of namesIn(entry)) names.set(uid, name);
  }
  const early = begins !== undefined && begins > time;
  for (const one of bindings.values()) held.push(...(early ? beforeTheLog(one, time, until) : [one]));
  const moved = await uidsToday(queries, [...new Set(held.map(({ identity }) => identity))]);
  return { held: held.map((one) => ({ ...one, identity: moved.get(one.identity) ?? one.identity })), names };
}

async function namesToday(queries: Queries, uids: readonly string[]): Promise<Map<string, string>> {
  const rows = await queries.query<{ uid: string; name: string }>(
    `select uid, name from identities where uid = any($1::text[]) union all
     select uid, name from roles where uid = any($1::text[]) union all
     select uid, name from groups where uid = any($1::text[])`,
    [[...uids]],
  );
  return new Map(rows.map(({ uid, name }) => [uid, name]));
}

/** When a binding ended after the period: taken away, or by itself; undefined if it has not, or ended within it. */
const endSinceOf = ({ end, endSince, until }: PastBinding): Date | undefined =>
  end ? undefined : until && until <= (endSince ?? new Date()) ? until : endSince;

/** Who had which role: the role bindings of today, without what the log says has happened since. */
export async function accessAt(queries: Queries, asked: Question, most = MOST_CHANGES) {
  const { group, identity, time, until, visible } = asked;
  const all = await changesSince(queries, asked, most);
  const belowLeftOut = asked.below === true && all.length > most;
  const question = belowLeftOut ? { ...asked, below: false } : asked;
  const changes = belowLeftOut ? await changesSince(queries, question, most) : all;
  const chains = group === undefined ? [...new Set(visible.map(rootOf))] : [rootOf(group)];
  const { since, begins } = await knownSince(queries, chains);
  const end = until ?? time;
  const { held, names } = await heldIn(queries, question, { changes, until: end, begins });
  const found = untilTheirEnd(held, time, end).filter(
    (one) =>
      (group === undefined ||
        isWithin(group, parentOf(one.uid)) ||
        (question.below && isWithin(one.uid, group))) &&
      (identity === undefined || one.identity === identity) &&
      visible.some((seen) => isWithin(one.uid, seen)),
  );
  const today = await namesToday(queries, [
    ...new Set(found.flatMap((one) => [one.identity, one.role, parentOf(one.uid)])),
  ]);
  const nameOf = (uid: string) => today.get(uid) ?? names.get(uid);
  const topGroup = group === undefined ? undefined : visible.find((seen) => isWithin(group, seen));
  return {
    held: found
      .toSorted(by(({ uid, start }) => `${uid} ${start?.toISOString() ?? ""}`))
      .slice(0, MOST)
      .map((one) => ({
        roleBinding: one.uid,
        group: parentOf(one.uid),
        groupName: nameOf(parentOf(one.uid)),
        identity: one.identity,
        identityName: nameOf(one.identity),
        role: one.role,
        roleName: nameOf(one.role),
        startTime: one.start?.toISOString(),
        endTime: one.end?.toISOString(),
        endSinceTime: endSinceOf(one)?.toISOString(),
        startUnknown: one.startUnknown,
        changeUnknown: one.changeUnknown,
      })),
    time: time.toISOString(),
    ...(until && { until: end.toISOString() }),
    ...(topGroup !== undefined && { topGroup }),
    ...(belowLeftOut && { belowLeftOut }),
    ...(since && { knownSince: since.toISOString() }),
    complete:
      since !== undefined &&
      !(begins && begins > time) &&
      found.length <= MOST &&
      !(await isCut(queries, chains, time)),
  };
}

/** A role binding that somebody lost. */
export interface Removal {
  readonly group: string;
  readonly roleUid: string;
  readonly at: Date;
  /** Name of who removed it; undefined if the service did so by itself. */
  readonly byName: string | undefined;
}

/** True if a deleted role binding had ended by itself by then. */
const endedBy = (at: Date, { changes }: RecordChange): boolean => {
  const end = timeIn(changes.find(({ field }) => field === "expirationTime")?.before);
  return end !== undefined && end <= at;
};

/** Entries about one identity that are read for its removals. */
const MOST_REMOVALS = 100;

/** The role bindings of an identity that were deleted after a time, the newest first, as far as the log tells. */
export async function removalsOf(queries: Queries, identity: string, since: Date): Promise<Removal[]> {
  const rows = await queries.query<{ entry: string; created_at: Date; name: string | null }>(
    `select e.entry, e.created_at, i.name from audit_subjects s join audit_entries e on e.uid = s.uid
       left join identities i on i.uid = e.actor_uid
     where s.record_uid = $1 and s.created_at >= $2 and e.outcome = 'OUTCOME_DONE'
       and e.entry like '%"kind":"roleBindings"%' and e.entry like '%"change":"deleted"%'
     order by e.created_at desc, e.sequence desc limit ${MOST_REMOVALS}`,
    [identity, since],
  );
  return rows.flatMap(({ entry: text, created_at: at, name }) => {
    const entry = readDraft(text);
    return changesIn(entry)
      .filter(
        (one) =>
          one.change === "deleted" &&
          one.record.kind === "roleBindings" &&
          (one.record.identityUid ?? before(one, "identityUid")) === identity &&
          !endedBy(at, one),
      )
      .map((one) => ({
        group: parentOf(one.record.uid),
        roleUid: before(one, "roleUid") ?? one.record.roleUid ?? "",
        at,
        byName: name ?? entry.actor?.["name"],
      }));
  });
}
