import { ancestorsOf } from "platform-contract/aip";
import type { TermsInput } from "platform-contract/iam/terms";
import type { MissingDocument } from "platform-contract/iam/terms-not-accepted";
import { storedWebAddress } from "platform-contract/web-address";

import type { Queries } from "../../platform/store/database";
import {
  countAlone,
  standardSort,
  time,
  TIMES,
  times,
  type RecordTable,
  type Table,
  type Texts,
  type Timed,
} from "../../platform/store/table";

export const termsTable: RecordTable<TermsInput, Timed & Texts<"uid" | "name" | "label" | "url">> = {
  name: "terms",
  joins: "",
  columns: `t.uid, t.name, t.label, t.url, ${TIMES}`,
  sort: standardSort,
  filters: { name: (name, bind) => `t.name = ${bind(name)}` },
  toItem: (row) => ({
    uid: row.uid,
    name: row.name,
    label: row.label,
    url: row.url,
    ...times(row),
  }),
  toRow: ({ name, label, url }) => ({ name, label, url: storedWebAddress(url) }),
};

/** A subquery: keys are read without the joins. */
const DOCUMENT_NAME = {
  sql: "(select lower(name) from terms where uid = t.document_uid)",
  type: "text",
} as const;

export const acceptancesTable: Table<Timed & Texts<"document" | "accepted_by" | "parent">> = {
  name: "terms_acceptances",
  joins: "join terms d on d.uid = t.document_uid",
  columns: `t.uid, t.parent, d.name as document, t.accepted_by, ${TIMES}`,
  sort: { created_at: { sql: "t.created_at", type: "time" }, name: DOCUMENT_NAME },
  filters: {},
  toItem: (row) => ({
    docId: row.document,
    acceptedBy: row.accepted_by,
    orgUid: row.parent,
    createTime: time(row.created_at),
  }),
};

/** A group and its ancestors: their documents are in force there, and their acceptances count. */
const upwards = (group: string): string[] => [...ancestorsOf(group), group];

/** SQL: documents in force for a group whose path is $1. */
const IN_FORCE = "from terms d where d.parent = any($1::text[])";
/** SQL: those of them not accepted there or above. */
const OUTSTANDING = `${IN_FORCE} and not exists (
  select 1 from terms_acceptances a where a.document_uid = d.uid and a.parent = any($1::text[]))`;

/** The documents that have yet to be accepted for a group. */
export const outstandingTerms = (queries: Queries, group: string): Promise<MissingDocument[]> =>
  queries.query(`select d.name as id, d.label, d.url ${OUTSTANDING} order by d.name`, [upwards(group)]);

/** Documents in force for a group, by name; locked against changes and deletion until the transaction ends. */
export async function lockInForce(queries: Queries, group: string): Promise<ReadonlyMap<string, string>> {
  const rows = await queries.query<{ name: string; uid: string }>(
    `select d.name, d.uid ${IN_FORCE} for share`,
    [upwards(group)],
  );
  return new Map(rows.map(({ name, uid }) => [name, uid]));
}

/** Those of these documents that are not accepted for a group, there or above. */
export async function notAccepted(
  queries: Queries,
  group: string,
  documents: readonly string[],
): Promise<string[]> {
  const rows = await queries.query<{ uid: string }>(
    `select d.uid ${OUTSTANDING} and d.uid = any($2::text[])`,
    [upwards(group), documents],
  );
  return rows.map(({ uid }) => uid);
}

export async function isAccepted(queries: Queries, document: string): Promise<boolean> {
  const rows = await queries.query("select 1 from terms_acceptances where document_uid = $1 limit 1", [
    document,
  ]);
  return rows.length > 0;
}

/**
 * Finds another document of this name that would be in force together with one at `group`. Serializes the writes of an
 * organization's documents, so that it sees one created in parallel.
 */
export async function sameName(
  queries: Queries,
  group: string,
  uid: string,
  name: string,
): Promise<string | undefined> {
  const path = upwards(group);
  await countAlone(queries, path[0] ?? "");
  const [row] = await queries.query<{ uid: string }>(
    `select uid from terms where name = $1 and uid <> $2
       and (parent = any($3::text[]) or parent > $4 || '/' and parent < $4 || '0') limit 1`,
    [name, uid, path, group],
  );
  return row?.uid;
}
