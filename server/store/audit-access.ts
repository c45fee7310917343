import { by } from "~/contract/order";
import { ancestorsOf, isWithin, parentOf, rootOf } from "~/contract/aip";

import type { AuditDraft, RecordChange } from "./audit";
import type { Queries } from "./database";

interface Binding {
  readonly uid: string;
  readonly identity: string;
  readonly role: string;
}

export interface Question {
  readonly group?: string | undefined;
  readonly identity?: string | undefined;
  readonly time: Date;
  /** Topmost groups whose role bindings the caller can see. */
  readonly visible: readonly string[];
}

/** Length of a uid's part with its slash. */
const PART = 17;

/** Role bindings as they are now. */
const current = (queries: Queries, { group, identity }: Question): Promise<Binding[]> =>
  queries.query<Binding>(
    `select uid, identity_uid as identity, role_uid as role from role_bindings
     where ($1::text[] is null or parent = any($1::text[])) and ($2::text is null or identity_uid = $2)`,
    [group === undefined ? null : [...ancestorsOf(group), group], identity ?? null],
  );

/** The later entries about the role bindings of a group and those above it, or of an identity; newest first. */
async function later(queries: Queries, { group, identity, time }: Question): Promise<AuditDraft[]> {
  const rows = await queries.query<{ entry: string }>(
    `select e.entry from audit_entries e where e.outcome = 'OUTCOME_DONE' and e.uid in (
       select s.uid from audit_subjects s where s.created_at > $1 and s.record_uid = $2
       union select s.uid from unnest($3::text[]) as g (uid) join audit_subjects s
         on s.record_uid >= g.uid || '/' and s.record_uid < g.uid || '0' and length(s.record_uid) = length(g.uid) + ${PART}
         where s.created_at > $1)
     order by e.created_at desc, e.sequence desc`,
    [time, identity ?? null, group === undefined ? [] : [...ancestorsOf(group), group]],
  );
  return rows.map(({ entry }) => JSON.parse(entry) as AuditDraft);
}

/** The time since which the logs of these organizations know everything; undefined if they are empty. */
async function knownSince(queries: Queries, chains: readonly string[]): Promise<Date | undefined> {
  const [row] = await queries.query<{ since: Date | null }>(
    `select max(coalesce(c.created_at, least(f.created_at, m.applied_at))) as since
     from audit_heads h
       left join audit_checkpoints c on c.chain = h.chain
       left join lateral (select e.created_at from audit_entries e where e.chain = h.chain order by sequence limit 1) f on true
       left join schema_migrations m on m.id = '023-audit'
     where h.chain = any($1::text[])`,
    [[...chains]],
  );
  return row?.since ?? undefined;
}

const before = ({ changes }: RecordChange, field: string): string | undefined => {
  const text = changes.find((change) => change.field === field)?.before;
  return text === undefined ? undefined : String(JSON.parse(text));
};

/** Undoes what an entry did to role bindings. */
function undo(bindings: Map<string, Binding>, { record, change, changes, related = [] }: AuditDraft): void {
  const own = record && change ? [{ record, change, changes: changes ?? [] }] : [];
  for (const one of [...own, ...related]) {
    const { kind, uid, identityUid = "", roleUid = "" } = one.record;
    if (kind !== "roleBindings") continue;
    if (one.change === "created") bindings.delete(uid);
    else
      bindings.set(uid, {
        uid,
        identity: before(one, "identityUid") ?? identityUid,
        role: before(one, "roleUid") ?? roleUid,
      });
  }
}

/** Who had which role at a time: the role bindings of today, without what the log says has happened since. */
export async function accessAt(queries: Queries, question: Question) {
  const { group, identity, time, visible } = question;
  const chains = group === undefined ? [...new Set(visible.map(rootOf))] : [rootOf(group)];
  const since = await knownSince(queries, chains);
  const at = since && since > time ? since : time;
  const bindings = new Map((await current(queries, question)).map((binding) => [binding.uid, binding]));
  const entries = await later(queries, { ...question, time: at });
  const names = new Map<string, string>();
  for (const entry of entries) {
    undo(bindings, entry);
    // The oldest last: names as they were closest to that time.
    for (const [uid, name] of Object.entries(entry.names ?? {})) names.set(uid, name);
  }
  const found = [...bindings.values()].filter(
    (binding) =>
      (group === undefined || isWithin(group, parentOf(binding.uid))) &&
      (identity === undefined || binding.identity === identity) &&
      visible.some((seen) => isWithin(binding.uid, seen)),
  );
  const uids = found.flatMap((binding) => [binding.identity, binding.role, parentOf(binding.uid)]);
  const rows = await queries.query<{ uid: string; name: string }>(
    `select uid, name from identities where uid = any($1::text[]) union all
     select uid, name from roles where uid = any($1::text[]) union all
     select uid, name from groups where uid = any($1::text[])`,
    [uids],
  );
  const today = new Map(rows.map(({ uid, name }) => [uid, name]));
  const nameOf = (uid: string) => names.get(uid) ?? today.get(uid);
  return {
    held: found
      .map((binding) => ({
        roleBinding: binding.uid,
        group: parentOf(binding.uid),
        groupName: nameOf(parentOf(binding.uid)),
        identity: binding.identity,
        identityName: nameOf(binding.identity),
        role: binding.role,
        roleName: nameOf(binding.role),
      }))
      .toSorted(by(({ roleBinding }) => roleBinding)),
    time: at.toISOString(),
    ...(since && { knownSince: since.toISOString() }),
    complete:
      since !== undefined &&
      since <= time &&
      entries.every(({ related = [], relatedCount = 0 }) => related.length === relatedCount),
  };
}
