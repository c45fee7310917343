import { randomUUID } from "node:crypto";

import { relyingPartyAt } from "../../platform/oidc/factors/relying-party";
import { appendEntries, unlogged } from "../../platform/store/audit";
import type { Database, Queries } from "../../platform/store/database";
import { lockSchema } from "../../platform/store/migrate";
import { settled, wasRecorded } from "../../platform/store/settled";
import { quoted } from "./catalog";

/** What a move changes. */
export interface Moved {
  /** People of the own provider, each with a new uid. */
  readonly people: number;
  /** Identities in groups that match tokens of the own provider, such as that of the client `automation`. */
  readonly machines: number;
  /** Places that name people: roles, invites, and so on, by table. */
  readonly references: ReadonlyMap<string, number>;
  /** Organizations whose logs say it. */
  readonly organizations: number;
  /** Passkeys that stop working, since they belong to the host, and how many people have one of them. */
  readonly passkeys: { readonly count: number; readonly owners: number };
}

export class CannotMove extends Error {}

/** Undoes a dry run. */
class DryRun extends Error {
  constructor(readonly moved: Moved) {
    super();
  }
}

/**
 * Tables in which nothing is replaced. Entries of the audit log are hashed: they keep the uids of their time, and are found
 * by them. Sessions end, since their cookies belong to the old address.
 */
const KEPT = [
  "identities",
  "audit_entries",
  "audit_subjects",
  "moved_people",
  "schema_migrations",
  "provider_records",
  "secrets",
];

/** SQL: personUid() of the new issuer. */
const NEW_UID = `substr(encode(sha256(convert_to($2 || E'\\n' || subject, 'UTF8')), 'hex'), 1, 40)`;

async function planMoves(queries: Queries, from: string, to: string): Promise<number> {
  await queries.query(
    "create temporary table moves (old text primary key, new text not null unique) on commit drop",
  );
  const rows = await queries.query(
    `insert into moves select uid, ${NEW_UID} from identities where parent is null and issuer = $1 returning 1`,
    [from, to],
  );
  if (rows.length === 0) throw new CannotMove(`nobody has signed in at ${from} yet`);
  const there = await queries.query<{ name: string }>(
    "select i.name from moves m join identities i on i.uid = m.new order by i.name",
  );
  if (there.length > 0)
    throw new CannotMove(
      `${there.length} people have signed in at ${to} already, such as ${there[0]?.name}: move before the first start with the new address`,
    );
  return rows.length;
}

/** The columns that can hold uids of people. New tables need no change here. */
const textColumns = (queries: Queries) =>
  queries.query<{ table: string; column: string; many: boolean }>(
    `select c.relname as table, a.attname as column, a.atttypid = 'text[]'::regtype as many
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where n.nspname = current_schema() and c.relkind in ('r', 'p') and c.relpersistence = 'p'
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       and a.atttypid in ('text'::regtype, 'text[]'::regtype) and not c.relname = any($1::text[])
     order by 1, 2`,
    [KEPT],
  );

async function replaceReferences(queries: Queries): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const { table, column, many } of await textColumns(queries)) {
    const [name, field] = [quoted(table), quoted(column)];
    const rows = await queries.query<{ n: number }>(
      many
        ? `with changed as (update ${name} t set ${field} = array(
             select coalesce(m.new, v.uid) from unnest(t.${field}) with ordinality as v (uid, place)
               left join moves m on m.old = v.uid order by v.place)
             where t.${field} && array(select old from moves) returning 1)
           select count(*)::int as n from changed`
        : `with changed as (update ${name} t set ${field} = m.new from moves m where t.${field} = m.old returning 1)
           select count(*)::int as n from changed`,
    );
    const n = rows[0]?.n ?? 0;
    if (n > 0) found.set(table, (found.get(table) ?? 0) + n);
  }
  return found;
}

/** Entries about people are found by their new uids as well: `moved_people` says which, to verify and to remove them. */
async function findByNewUids(queries: Queries): Promise<void> {
  await queries.query(
    `insert into moved_people
       select old, new from moves union select p.old, m.new from moved_people p join moves m on m.old = p.new
     on conflict do nothing`,
  );
  await queries.query(
    `insert into audit_subjects (record_uid, created_at, uid)
       select m.new, s.created_at, s.uid from moves m join audit_subjects s on s.record_uid = m.old
     on conflict do nothing`,
  );
}

/** Copies people under their new uids; the references move from the old rows before those go. */
async function movePeople(queries: Queries, from: string, to: string): Promise<Map<string, number>> {
  const columns = await queries.query<{ name: string }>(
    `select a.attname as name from pg_attribute a where a.attrelid = 'identities'::regclass
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''`,
  );
  const names = columns.map(({ name }) => quoted(name)).join(", ");
  const NEW: Readonly<Record<string, string>> = {
    uid: "m.new",
    issuer: "$1",
    definition: "jsonb_set(i.definition, '{issuer}', to_jsonb($1::text))",
  };
  const values = columns.map(({ name }) => NEW[name] ?? `i.${quoted(name)}`).join(", ");
  await queries.query(
    `insert into identities (${names}) select ${values} from identities i join moves m on m.old = i.uid`,
    [to],
  );
  const references = await replaceReferences(queries);
  await queries.query("delete from identities i using moves m where i.uid = m.old");
  // Caches by issuer are stale.
  for (const issuer of [from, to].toSorted())
    await queries.query(
      `insert into pattern_revisions (issuer, revision) values ($1, 1)
       on conflict (issuer) do update set revision = pattern_revisions.revision + 1`,
      [issuer],
    );
  return references;
}

async function moveMachines(queries: Queries, from: string, to: string): Promise<number> {
  const rows = await queries.query(
    `update identities set issuer = $2, definition = jsonb_set(definition, '{issuer}', to_jsonb($2::text))
     where parent is not null and issuer = $1 and relationship = 'claimMatch' returning 1`,
    [from, to],
  );
  await queries.query("update identity_issuers set issuer = $2 where issuer = $1", [from, to]);
  return rows.length;
}

/** Passkeys that work at the one address and not at the other. They stay: at the old address they would work again. */
async function countPasskeys(queries: Queries, from: string, to: string): Promise<Moved["passkeys"]> {
  const [row] = await queries.query<Moved["passkeys"]>(
    `select count(*)::int as count, count(distinct subject)::int as owners from passkeys
     where host = $1 and host is distinct from $2`,
    [relyingPartyAt(from)?.host ?? null, relyingPartyAt(to)?.host ?? null],
  );
  return row ?? { count: 0, owners: 0 };
}

const ACTION = "installation.move";
type Command = { readonly id: string; readonly transport: "command" };

/** One entry in the log of the service and of each organization. */
async function record(queries: Queries, from: string, to: string, request: Command): Promise<number> {
  const groups = await queries.query<{ uid: string; name: string }>(
    "select uid, name from groups where parent is null",
  );
  const change = { field: "issuer", before: JSON.stringify(from), after: JSON.stringify(to) };
  await appendEntries(queries, [
    { group: undefined, draft: { outcome: "OUTCOME_DONE", action: ACTION, changes: [change], request } },
    ...groups.map(({ uid, name }) => ({
      group: uid,
      draft: {
        outcome: "OUTCOME_DONE",
        action: ACTION,
        record: { kind: "groups", uid, name, group: uid },
        changes: [change],
        request,
      } as const,
    })),
  ]);
  return groups.length;
}

/**
 * Changes the issuer of the own provider, and with it the uids of the people who sign in there, in one transaction. The
 * service must not run. Everybody signs in again.
 * @param from the issuer until now: PUBLIC_URL and "/oidc"
 * @param dryRun changes nothing, and returns what it would change
 */
export async function readdress(
  database: Database,
  from: string,
  to: string,
  { dryRun = false } = {},
): Promise<Moved> {
  const request = { id: randomUUID(), transport: "command" } as const;
  let moved: Moved | undefined;
  const move = () =>
    database.transaction(async (queries) => {
      await lockSchema(queries);
      await unlogged(queries);
      const people = await planMoves(queries, from, to);
      const references = await movePeople(queries, from, to);
      await findByNewUids(queries);
      const machines = await moveMachines(queries, from, to);
      await queries.query("delete from provider_records");
      const organizations = await record(queries, from, to, request);
      const passkeys = await countPasskeys(queries, from, to);
      moved = { people, machines, references, organizations, passkeys };
      if (dryRun) throw new DryRun(moved);
      return moved;
    });
  const look = async () =>
    (await wasRecorded(database, { action: ACTION, requestId: request.id })) ? moved : undefined;
  try {
    return await (dryRun ? move() : settled(move, look));
  } catch (error) {
    if (error instanceof DryRun) return error.moved;
    throw error;
  }
}
