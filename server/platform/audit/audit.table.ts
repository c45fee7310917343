import type { Origin, Queries, Row } from "../store/database";

export type NamesByUid = Readonly<Record<string, string>>;

/** What the database noted of a transaction (migration 023). */
interface Noted {
  readonly audit: string | null;
  readonly changes: string | null;
  readonly names: Readonly<Record<string, string>> | null;
  readonly provider: string | null;
}

export async function notedChanges(
  queries: Queries,
  origin: Pick<Origin, "identity" | "subject"> | undefined,
): Promise<Noted | undefined> {
  const [noted] = await queries.query<Noted>("select * from noted_changes($1, $2)", [
    origin?.identity ?? null,
    origin?.subject ?? null,
  ]);
  return noted;
}

/** The name of a record of any kind; a binding has that of its identity. */
export async function nameOfRecord(
  queries: Queries,
  table: string,
  uid: string,
): Promise<string | null | undefined> {
  const [row] = await queries.query<{ name: string | null }>(
    `select coalesce(j->>'name', j->>'external_group_id', j->>'sink', i.name, j->>'description') as name
     from (select to_jsonb(t) as j from ${table} t where t.uid = $1) r
       left join identities i on i.uid = j->>'identity_uid'`,
    [uid],
  );
  return row?.name;
}

/** The name of a caller's identity, and the identity provider that they sign in with; null if there is none. */
export async function readActor(
  queries: Queries,
  caller: Pick<Origin, "identity" | "subject">,
): Promise<{ readonly actor: string | null; readonly provider: string | null }> {
  const [found] = await queries.query<{ actor: string | null; provider: string | null }>(
    `select (select name from identities where uid = $1) as actor,
       (select provider from upstream_accounts where subject = $2) as provider`,
    [caller.identity, caller.subject],
  );
  return found ?? { actor: null, provider: null };
}

/** Columns that no log may hold, or needs. */
const UNTOLD = ["sealed", "code_hash", "search"];

/** Everything in an organization, and the people who have a role there, as rows without secrets. */
export async function rowsOf(queries: Queries, organization: string, table: string): Promise<Row[]> {
  const people = `or t.parent is null and exists (select 1 from role_bindings b where b.identity_uid = t.uid
    and b.uid >= $1 and b.uid < $1 || '0')`;
  const found = await queries.query<{ row: Row }>(
    `select to_jsonb(t) - $2::text[] as row from ${table} t
     where t.uid >= $1 and t.uid < $1 || '0' ${table === "identities" ? people : ""} order by length(t.uid), t.uid`,
    [organization, UNTOLD],
  );
  return found.map(({ row }) => row);
}

export async function namesIn(queries: Queries): Promise<NamesByUid> {
  const named = ["identities", "roles", "groups", "repos", "terms", "identity_providers"];
  const rows = await queries.query<{ uid: string; name: string }>(
    named.map((table) => `select uid, name from ${table}`).join(" union all "),
  );
  return Object.fromEntries(rows.map(({ uid, name }) => [uid, name]));
}

/** The uids of the records of these tables in an organization, by the record above them. */
export async function uidsByParent(
  queries: Queries,
  organization: string,
  tables: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await queries.query<{ parent: string; uids: string[] }>(
    tables
      .map(
        (table) =>
          `select parent, array_agg(uid) as uids from ${table} where uid >= $1 and uid < $1 || '0' group by parent`,
      )
      .join(" union all "),
    [organization],
  );
  return new Map(rows.map(({ parent, uids }) => [parent, uids]));
}

export interface StoredEntry {
  readonly uid: string;
  readonly parent: string | null;
  readonly chain: string;
  readonly sequence: number;
  readonly outcome: string;
  readonly action: string;
  readonly kind: string;
  readonly actor_uid: string | null;
  readonly address: string | null;
  readonly jti: string | null;
  readonly entry: string;
  readonly previous: string;
  readonly hash: string;
  readonly created_at: Date;
}

/** Rows per statement. */
const AT_ONCE = 1_000;

/** The entries of a chain after a number, in order. */
export async function* entriesAfter(
  queries: Queries,
  chain: string,
  sequence: number,
): AsyncGenerator<readonly StoredEntry[]> {
  for (let from = sequence; ;) {
    const rows = await queries.query<StoredEntry>(
      "select * from audit_entries where chain = $1 and sequence > $2 order by sequence limit $3",
      [chain, from, AT_ONCE],
    );
    if (rows.length === 0) return;
    yield rows;
    from = rows.at(-1)?.sequence ?? from;
  }
}

/** Every chain that has a head, a checkpoint or an entry. */
export async function chainsOf(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ chain: string }>(
    `select chain from audit_heads union select chain from audit_checkpoints
     union select distinct chain from audit_entries order by 1`,
  );
  return rows.map(({ chain }) => chain);
}

/** The last entry of a part of a chain. */
export interface Link {
  readonly sequence: number;
  readonly hash: string;
}

/** Where a chain ends, or, of its checkpoint, where what is left of it begins; undefined without either. */
export async function lastLink(
  queries: Queries,
  table: "audit_heads" | "audit_checkpoints",
  chain: string,
): Promise<Link | undefined> {
  const [link] = await queries.query<Link>(`select sequence, hash from ${table} where chain = $1`, [chain]);
  return link;
}

/** The uids of those of these entries that are not found by a record that they are about. */
export async function missingSubjects(
  queries: Queries,
  wanted: readonly { readonly subject: string; readonly at: Date; readonly uid: string }[],
): Promise<ReadonlySet<string>> {
  const missing = await queries.query<{ uid: string }>(
    `select w.uid from unnest($1::text[], $2::timestamptz[], $3::text[]) as w (subject, at, uid)
     where not exists (select 1 from audit_subjects s
       where s.record_uid = w.subject and s.created_at = w.at and s.uid = w.uid)`,
    [wanted.map(({ subject }) => subject), wanted.map(({ at }) => at), wanted.map(({ uid }) => uid)],
  );
  return new Set(missing.map(({ uid }) => uid));
}

/** The hash at a place of a chain, and where the chain and its checkpoint end; null for what is not there. */
export async function placeOf(
  queries: Queries,
  chain: string,
  sequence: number,
): Promise<
  | {
      readonly hash: string | null;
      readonly last: number | null;
      readonly kept: number | null;
      readonly keptHash: string;
    }
  | undefined
> {
  const [row] = await queries.query<{
    hash: string | null;
    last: number | null;
    kept: number | null;
    keptHash: string;
  }>(
    `select (select hash from audit_entries where chain = $1 and sequence = $2) as hash,
       (select sequence from audit_heads where chain = $1) as last,
       (select sequence from audit_checkpoints where chain = $1) as kept,
       (select hash from audit_checkpoints where chain = $1) as "keptHash"`,
    [chain, sequence],
  );
  return row;
}
