import type { Kind } from "platform-contract/kind";
import { everyKind, kindsIn, separated } from "platform-contract/kinds";

import { now } from "../store/clock";
import type { Queries } from "../store/database";

/** Returns the table of a collection, which has the same name. */
export const tableOf = (collection: string): string => separated(collection, "_");

/**
 * SQL conditions for records that do not block the deletion of their group although their kind does; $2: identities of
 * the caller, $3: the current time.
 */
const EXCEPT: Readonly<Record<string, string>> = {
  roleBindings: "c.identity_uid = any($2::text[])",
  groupInvites: "c.expires_at <= $3",
  terms: "exists (select 1 from terms_acceptances a where a.document_uid = c.uid)",
};

/** Tables that reference records deleted with a group; they are deleted first. */
const BEFORE: Readonly<Record<string, string>> = { terms: "terms_acceptances" };

/**
 * Returns the kinds of the records that block a group's deletion.
 * @param own identities of the caller, whose bindings do not block
 * @param among replaces the registry, for tests
 */
export async function blockingKinds(
  queries: Queries,
  group: string,
  own: readonly string[],
  among = everyKind,
): Promise<Kind[]> {
  const asked = kindsIn("groups", among).filter(({ withParent }) => withParent !== "goes");
  const tests = asked.map(({ collection }) => {
    const counts = collection in EXCEPT ? `not ${EXCEPT[collection]}` : "true";
    const held = `select 1 from ${tableOf(collection)} c where c.parent = $1 and ${counts}`;
    return `('${collection}', exists (${held}))`;
  });
  const sql = `select collection from (values ${tests.join(", ")}) as child (collection, present) where present`;
  const rows = await queries.query<{ collection: string }>(sql, [group, own, now()]);
  const present = new Set(rows.map(({ collection }) => collection));
  return asked.filter(({ collection }) => present.has(collection));
}

/** Deletes the records that go with a group, once nothing blocks it. */
export async function deleteChildren(queries: Queries, group: string, among = everyKind): Promise<void> {
  for (const { collection, withParent } of kindsIn("groups", among))
    if (withParent !== "blocks" || collection in EXCEPT)
      for (const table of [BEFORE[collection], tableOf(collection)])
        if (table) await queries.query(`delete from ${table} where parent = $1`, [group]);
}
