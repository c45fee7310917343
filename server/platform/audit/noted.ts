import { isDeepStrictEqual } from "node:util";

import { parentOf } from "platform-contract/aip";
import { resourceOf, resources } from "platform-contract";
import { kindOf } from "platform-contract/kinds";

import { tableOf } from "../standard/children.table";
import { toAnswer } from "../standard/standard";
import { isFields, type Fields } from "../standard/values";
import type { AuditRecord, FieldChange, RecordChange } from "../store/audit";
import type { Row } from "../store/database";
import { TABLES } from "../../domains/tables";

/** What one statement did, as the database notes it (migration 023): rows before and after, up to a hundred. */
interface Noted {
  readonly on: "INSERT" | "UPDATE" | "DELETE";
  readonly table: string;
  readonly number: number;
  readonly rows: readonly (readonly [before: Row | null, after: Row | null])[];
}

/** A row before and after a transaction. */
interface Sides {
  readonly table: string;
  readonly uid: string;
  readonly before: Row | null;
  readonly after: Row | null;
}

/** What a transaction did, by record. */
export interface Changed {
  readonly records: readonly RecordChange[];
  /** Records that it changed, including those that `records` leaves out. */
  readonly count: number;
}

const COLLECTIONS = new Map(resources.map(({ collection }) => [tableOf(collection), collection]));

/** Fields beyond those that a caller sets with the record itself. */
const MORE: Readonly<Record<string, readonly string[]>> = { groupInvites: ["expirationTime"] };

/** Fields that only a deletion's entry tells: without them nobody knows since when something had counted. */
const BEFORE_DELETION: Readonly<Record<string, readonly string[]>> = { roleBindings: ["createTime"] };

/** Characters of a value that an entry keeps. */
const KEPT = 2_000;

/** A row as a table's `toItem` expects it: JSON has times as text, and joined columns are not in it. */
const revived = (row: Row): Row =>
  new Proxy(row, {
    get(target, key: string) {
      const value = target[key] ?? null;
      return key.endsWith("_at") && typeof value === "string" ? new Date(value) : value;
    },
  });

/** True if the record's own time did not move: the statement wrote what was there. */
const isSame = (before: Row, after: Row): boolean =>
  ["updated_at", "readme_updated_at"].every((column) => before[column] === after[column]);

/** The values of a record by dotted path; lists are one value. */
function flat(fields: Fields, at = ""): [string, unknown][] {
  return Object.entries(fields).flatMap(([key, value]): [string, unknown][] =>
    isFields(value) ? flat(value, `${at}${key}.`) : [[`${at}${key}`, value]],
  );
}

/** The fields of a row under their names in the API, without secrets. */
function fieldsOf(
  collection: string,
  row: Row | null,
  more: readonly string[] = MORE[collection] ?? [],
): Map<string, unknown> {
  const [resource, table] = [resourceOf(collection), TABLES[collection]];
  if (!row || !resource || !table) return new Map();
  const item = toAnswer(resource, table.toItem(revived(row)));
  const kept = [...Object.keys(resource.settable), ...more];
  const readme = typeof row["readme"] === "string" && row["readme"] !== "" ? { readme: row["readme"] } : {};
  return new Map(
    flat({ ...Object.fromEntries(Object.entries(item).filter(([key]) => kept.includes(key))), ...readme }),
  );
}

function textOf(value: unknown): { text?: string; cut?: true } {
  if (value === undefined) return {};
  const text = JSON.stringify(value);
  // Never half of a surrogate pair, which no database stores.
  return text.length > KEPT
    ? { text: text.slice(0, KEPT).replace(/[\uD800-\uDBFF]$/, ""), cut: true }
    : { text };
}

function changesBetween(before: Map<string, unknown>, after: Map<string, unknown>): FieldChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((field) => {
    const [old, next] = [before.get(field), after.get(field)];
    if (isDeepStrictEqual(old, next)) return [];
    const [was, is] = [textOf(old), textOf(next)];
    const cut = was.cut ?? is.cut;
    return [
      {
        field,
        ...(was.text !== undefined && { before: was.text }),
        ...(is.text !== undefined && { after: is.text }),
        ...(cut && { cut }),
      },
    ];
  });
}

/** The group that a record is in; itself for a group. */
export function groupOfRecord(collection: string, uid: string): string {
  const kind = kindOf(collection);
  if (collection === "groups" || kind?.keyedByParent) return uid;
  const above = parentOf(uid);
  return kind === undefined || kind.parent === "groups" ? above : groupOfRecord(kind.parent, above);
}

type Names = Readonly<Record<string, string>>;

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

function recordOf(collection: string, uid: string, row: Row, names: Names): AuditRecord {
  const identityUid = text(row["identity_uid"]);
  const name =
    text(row["name"]) ??
    text(row["external_group_id"]) ??
    text(row["sink"]) ??
    (identityUid === undefined ? undefined : names[identityUid]) ??
    text(row["email"]) ??
    text(row["description"]);
  const group = groupOfRecord(collection, uid);
  return {
    kind: collection,
    uid,
    ...(name !== undefined && { name }),
    ...(group !== "" && { group }),
    ...(collection === "roleBindings" && { identityUid, roleUid: text(row["role_uid"]) }),
  };
}

function changeOf({ table, uid, before, after }: Sides, names: Names): RecordChange[] {
  const row = after ?? before;
  if (!row || (before && after && before !== after && isSame(before, after))) return [];
  if (table === "terms_acceptances") {
    const document = String(row["document_uid"]);
    const group = String(row["parent"]);
    const record = { kind: "terms", uid: document, name: names[document], group };
    const accepted = {
      field: "accepted",
      ...(before && { before: "true" }),
      ...(after && { after: "true" }),
    };
    return [{ record, change: "updated", changes: [accepted] }];
  }
  const collection = COLLECTIONS.get(table);
  if (collection === undefined) return [];
  const change = before && after ? "updated" : after ? "created" : "deleted";
  const old = fieldsOf(collection, before, after ? undefined : BEFORE_DELETION[collection]);
  const changes = changesBetween(old, fieldsOf(collection, after));
  return [{ record: recordOf(collection, uid, row, names), change, changes }];
}

/** Tables with the secrets of records in other tables: an entry says only that they changed. */
const SECRETS: Readonly<Record<string, { readonly table: string; readonly field: string }>> = {
  identity_provider_secrets: { table: "identity_providers", field: "oidc.clientSecret" },
};

/** Parses the changes noted by a transaction, one per record; a record that came and went is left out. */
export function changedBy(notes: string, names: Names): Changed {
  const sides = new Map<string, Sides>();
  const secrets = new Map<string, FieldChange>();
  let more = 0;
  for (const line of notes.split("\n")) {
    const { table, number, rows }: Noted = JSON.parse(line);
    more += number - rows.length;
    for (const [before, after] of rows) {
      const uid = String((after ?? before)?.["uid"]);
      const secret = SECRETS[table];
      if (secret) {
        secrets.set(`${secret.table} ${uid}`, { field: secret.field, hidden: true });
        continue;
      }
      const key = `${table} ${uid}`;
      const known = sides.get(key);
      sides.set(key, { table, uid, before: known ? known.before : before, after });
    }
  }
  for (const key of secrets.keys()) {
    const [table = "", uid = ""] = key.split(" ");
    // The same row on both sides: a secret can change alone.
    const row = { uid };
    if (!sides.has(key)) sides.set(key, { table, uid, before: row, after: row });
  }
  const records = [...sides].flatMap(([key, one]) => {
    const secret = secrets.get(key);
    return changeOf(one, names).map((change) =>
      secret ? { ...change, changes: [...change.changes, secret] } : change,
    );
  });
  return { records, count: records.length + more };
}
