import type { Queries } from "../../platform/store/database";
import type { Item } from "../../platform/store/table";

/** What a person says about themselves, with their name; locks the person until the transaction ends. */
export async function lockMetadata(
  queries: Queries,
  identity: string,
): Promise<{ readonly name: string; readonly company: string; readonly fields: Item | null }> {
  const [row] = await queries.query<{ name: string; company: string; fields: Item | null }>(
    `select i.name, i.company, m.fields from identities i
     left join identity_metadata m on m.identity_uid = i.uid where i.uid = $1 for update of i`,
    [identity],
  );
  return row ?? { name: "", company: "", fields: null };
}

export async function storeMetadata(queries: Queries, identity: string, fields: Item): Promise<void> {
  await queries.query(
    `insert into identity_metadata (identity_uid, fields) values ($1, $2)
     on conflict (identity_uid) do update set fields = excluded.fields`,
    [identity, JSON.stringify(fields)],
  );
}

export async function storeCompany(queries: Queries, identity: string, company: unknown): Promise<void> {
  await queries.query("update identities set company = $2 where uid = $1", [identity, company]);
}
