import { kinds, kindsIn, separated } from "~/contract/kinds";

import { now } from "../store/clock";
import type { Queries } from "../store/database";

/** The table of a collection: a resource is one word everywhere. */
export const tableOf = (collection: string): string => separated(collection, "_");

/**
 * Records that do not keep their group from being deleted although their kind does, as SQL; $2: identities of the caller, $3:
 * the time.
 */
const EXCEPT: Readonly<Record<string, string>> = {
  roleBindings: "c.identity_uid = any($2::text[])",
  groupInvites: "c.expires_at <= $3",
  terms: "exists (select 1 from terms_acceptances a where a.document_uid = c.uid)",
};

/** What is no kind and refers to records that go with a group: it goes before them. */
const BEFORE: Readonly<Record<string, string>> = { terms: "terms_acceptances" };

/**
 * The kinds, in words, of which a group holds what keeps it from being deleted (contract B1).
 * @param own identities of the caller, whose bindings do not count
 * @param among a copy of the registry may stand in for it
 */
export async function blockingKinds(
  queries: Queries,
  group: string,
  own: readonly string[],
  among = kinds,
): Promise<string[]> {
  const tests = kindsIn("groups", among)
    .filter(({ withParent }) => withParent !== "goes")
    .map(({ collection, plural }) => {
      const counts = collection in EXCEPT ? `not ${EXCEPT[collection]}` : "true";
      const held = `select 1 from ${tableOf(collection)} c where c.parent = $1 and ${counts}`;
      return `('${plural}', exists (${held}))`;
    });
  const sql = `select words from (values ${tests.join(", ")}) as child (words, present) where present`;
  const rows = await queries.query<{ words: string }>(sql, [group, own, now()]);
  return rows.map(({ words }) => words);
}

/** Deletes what goes with a group that nothing keeps. */
export async function deleteChildren(queries: Queries, group: string, among = kinds): Promise<void> {
  for (const { collection, withParent } of kindsIn("groups", among))
    if (withParent !== "blocks" || collection in EXCEPT)
      for (const table of [BEFORE[collection], tableOf(collection)])
        if (table) await queries.query(`delete from ${table} where parent = $1`, [group]);
}
