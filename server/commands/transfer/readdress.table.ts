import { moveRevision } from "../../platform/access/recognition.table";
import type { Queries } from "../../platform/store/database";
import { quoted } from "./catalog.table";

/**
 * Tables in which nothing is replaced. Entries of the audit log are hashed: they keep the uids of their time, and are found
 * by them. So do the states of records, about which nobody can ask from before the move. Sessions end, since their cookies belong
 * to the old address.
 */
const KEPT = [
  "identities",
  "audit_entries",
  "audit_subjects",
  "moved_people",
  "record_states",
  "record_horizons",
  "schema_migrations",
  "provider_records",
  "secrets",
];

/** SQL: personUid() of the new issuer. */
const NEW_UID = `substr(encode(sha256(convert_to($2 || E'\\n' || subject, 'UTF8')), 'hex'), 1, 40)`;

/** Collects the people of an issuer in the table `moves` of the transaction, with their new uids; returns how many. */
export async function collectMoves(queries: Queries, from: string, to: string): Promise<number> {
  await queries.query(
    "create temporary table moves (old text primary key, new text not null unique) on commit drop",
  );
  const rows = await queries.query(
    `insert into moves select uid, ${NEW_UID} from identities where parent is null and issuer = $1 returning 1`,
    [from, to],
  );
  return rows.length;
}

/** The names of people who have one of the new uids already. */
export async function namesAtNewUids(queries: Queries): Promise<string[]> {
  const there = await queries.query<{ name: string }>(
    "select i.name from moves m join identities i on i.uid = m.new order by i.name",
  );
  return there.map(({ name }) => name);
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
export async function findByNewUids(queries: Queries): Promise<void> {
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
export async function movePeople(queries: Queries, from: string, to: string): Promise<Map<string, number>> {
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
  for (const issuer of [from, to].toSorted()) await moveRevision(queries, issuer);
  return references;
}

export async function moveMachines(queries: Queries, from: string, to: string): Promise<number> {
  const rows = await queries.query(
    `update identities set issuer = $2, definition = jsonb_set(definition, '{issuer}', to_jsonb($2::text))
     where parent is not null and issuer = $1 and relationship = 'claimMatch' returning 1`,
    [from, to],
  );
  await queries.query("update identity_issuers set issuer = $2 where issuer = $1", [from, to]);
  return rows.length;
}

/** Passkeys that work at the one host and not at the other. They stay: at the old address they would work again. */
export async function countPasskeys(
  queries: Queries,
  from: string | undefined,
  to: string | undefined,
): Promise<{ readonly count: number; readonly owners: number }> {
  const [row] = await queries.query<{ count: number; owners: number }>(
    `select count(*)::int as count, count(distinct subject)::int as owners from passkeys
     where host = $1 and host is distinct from $2`,
    [from ?? null, to ?? null],
  );
  return row ?? { count: 0, owners: 0 };
}

/** Sessions, grants and refresh tokens of the own provider. */
export async function endSessions(queries: Queries): Promise<void> {
  await queries.query("delete from provider_records");
}

export const organizations = (queries: Queries): Promise<{ readonly uid: string; readonly name: string }[]> =>
  queries.query("select uid, name from groups where parent is null");
