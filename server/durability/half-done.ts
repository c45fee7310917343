import type { Database } from "../platform/store/database";

/** Queries for inconsistent rows, which no atomic write can leave behind. */
const QUERIES: Readonly<Record<string, string>> = {
  "organizations without an owner": `select g.uid from groups g where g.parent is null
    and not exists (select 1 from role_bindings b where b.parent = g.uid)`,
  "identities by pattern without their issuers": `select i.uid from identities i
    where i.definition -> 'issuerPattern' is not null
    and not exists (select 1 from identity_issuers n where n.identity_uid = i.uid)`,
  "issuers of no identity": `select n.identity_uid from identity_issuers n
    where not exists (select 1 from identities i where i.uid = n.identity_uid)`,
  "records outside any group": `select i.uid from identities i where i.parent is not null
    and not exists (select 1 from groups g where g.uid = i.parent)`,
};

export async function halfDone(database: Database): Promise<string[]> {
  const found: string[] = [];
  for (const [name, sql] of Object.entries(QUERIES)) {
    const rows = await database.query(sql);
    if (rows.length > 0) found.push(`${name}: ${JSON.stringify(rows)}`);
  }
  return found;
}
