import { groupInvites } from "platform-contract/iam/group-invites";
import { groups } from "platform-contract/iam/groups";
import { identities } from "platform-contract/iam/identities";
import type { FieldViolation } from "platform-contract/status";
import { violationsOf } from "platform-contract/violations";
import { askedFor } from "~/frame/form/problems";

import { LINE, type Table } from "./table";

/** A field that a column can fill. */
export interface Field {
  /** Dotted path in the body. */
  readonly path: string;
  readonly label: string;
  /** Other names of its column, in lower case. */
  readonly also?: readonly string[];
}

/** A kind of record that can be imported. */
export interface ImportKind {
  readonly resource: typeof identities | typeof groupInvites | typeof groups;
  readonly one: string;
  readonly many: string;
  readonly fields: readonly Field[];
  /** Maps, whose columns are their paths with a key each: `claimMatch.claims.repository`. */
  readonly maps: readonly string[];
  /** The field by which a record that is there already is recognized. */
  readonly key: string;
  /** What else the outcome says of each: columns with the paths in the body that can hold it. */
  readonly told?: Readonly<Record<string, readonly string[]>>;
  readonly example: string;
}

export const KINDS = {
  identities: {
    resource: identities,
    one: "identity",
    many: "identities",
    fields: [
      { path: "name", label: "Name" },
      { path: "description", label: "Description" },
      { path: "claimMatch.issuer", label: "Issuer", also: ["issuer"] },
      { path: "claimMatch.subject", label: "Subject", also: ["subject", "sub", "matches"] },
      { path: "claimMatch.issuerPattern", label: "Issuer pattern" },
      { path: "claimMatch.subjectPattern", label: "Subject pattern" },
      { path: "claimMatch.audience", label: "Audience", also: ["audience", "aud"] },
      { path: "claimMatch.audiencePattern", label: "Audience pattern" },
      { path: "staticKeys.issuer", label: "Issuer of static keys" },
      { path: "staticKeys.subject", label: "Subject of static keys" },
      { path: "staticKeys.issuerKeys", label: "Static keys (JWKS)" },
      { path: "staticKeys.expirationTime", label: "Static keys expire" },
      { path: "awsIdentity.awsAccount", label: "AWS account" },
      { path: "awsIdentity.arn", label: "AWS ARN" },
      { path: "awsIdentity.arnPattern", label: "AWS ARN pattern" },
      { path: "awsIdentity.userId", label: "AWS user ID" },
      { path: "awsIdentity.userIdPattern", label: "AWS user ID pattern" },
      { path: "servicePrincipal", label: "Platform service" },
    ],
    maps: ["claimMatch.claims", "claimMatch.claimPatterns"],
    key: "name",
    told: {
      issuer: ["claimMatch.issuer", "claimMatch.issuerPattern", "staticKeys.issuer"],
      subject: ["claimMatch.subject", "claimMatch.subjectPattern", "staticKeys.subject"],
    },
    example: "name,issuer,subject\nci,https://token.example,repo:acme/app",
  },
  "group-invites": {
    resource: groupInvites,
    one: "invite",
    many: "invites",
    fields: [{ path: "email", label: "Email", also: ["e-mail", "mail", "address", LINE.toLowerCase()] }],
    maps: [],
    key: "email",
    example: "ada@example.com\nben@example.com",
  },
  groups: {
    resource: groups,
    one: "folder",
    many: "folders",
    fields: [
      { path: "name", label: "Name", also: ["folder", LINE.toLowerCase()] },
      { path: "description", label: "Description" },
    ],
    maps: [],
    key: "name",
    example: "name,description\nruntime,Base images\nservices,",
  },
} as const satisfies Record<string, ImportKind>;
export type KindName = keyof typeof KINDS;

/** The column of each field, by its path. */
export type ColumnMapping = Readonly<Record<string, string | undefined>>;

/** The names of the columns of a kind, in lower case. */
export const headersOf = ({ fields }: ImportKind): string[] =>
  fields.flatMap(({ path, label, also = [] }) => [path, label, ...also].map((name) => name.toLowerCase()));

/** Guesses the columns by their names. */
export function guess({ fields }: ImportKind, { columns }: Table): ColumnMapping {
  const find = (names: readonly string[]) => columns.find((column) => names.includes(column.toLowerCase()));
  return Object.fromEntries(
    fields.map(({ path, label, also = [] }) => [
      path,
      find([path.toLowerCase()]) ?? find([label.toLowerCase(), ...also]),
    ]),
  );
}

/** Columns that nothing uses. */
export function unused({ maps }: ImportKind, { columns }: Table, mapping: ColumnMapping): string[] {
  const used = new Set(Object.values(mapping));
  return columns.filter((column) => !used.has(column) && !maps.some((map) => column.startsWith(`${map}.`)));
}

type Body = Record<string, unknown>;

/** Sets a value at a path; never one of an object's prototype, since a file can name any. */
function put(into: Body, [key = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
    return;
  }
  if (!Object.hasOwn(into, key)) put(into, [key], {});
  put(Object(into[key]), rest, value);
}

/** The request body of a row: its mapped cells, its maps, and what all rows have. */
export function bodyOf(
  { fields, maps }: ImportKind,
  row: Readonly<Record<string, string>>,
  mapping: ColumnMapping,
  fixed: object = {},
): Body {
  const body: Body = { ...fixed };
  for (const { path } of fields) {
    const cell = row[mapping[path] ?? ""];
    if (cell !== undefined && cell !== "") put(body, path.split("."), cell);
  }
  for (const map of maps)
    for (const [column, cell] of Object.entries(row))
      if (column.startsWith(`${map}.`) && cell !== "")
        put(body, [...map.split("."), column.slice(map.length + 1)], cell);
  return body;
}

function textAt(body: object, path: string): string {
  let value: unknown = body;
  for (const key of path.split(".")) value = Object(value)[key];
  return typeof value === "string" ? value : "";
}

/** What the outcome says of a record besides its name, by column. */
export const toldOf = ({ told = {} }: ImportKind, body: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(told).map(([column, paths]) => [
      column,
      paths.map((path) => textAt(body, path)).find((text) => text !== "") ?? "",
    ]),
  );

export interface ImportRow {
  /** In the file, from 1. */
  readonly number: number;
  readonly name: string;
  readonly body: Body;
  readonly violations: readonly FieldViolation[];
}

/** Every row with its body and what the contract finds wrong with it: the sentences of the form. */
export function rowsOf(kind: ImportKind, table: Table, mapping: ColumnMapping, fixed?: object): ImportRow[] {
  const seen = new Map<string, number>();
  return table.rows.map((cells, index) => {
    const body = bodyOf(kind, cells, mapping, fixed);
    const key = String(body[kind.key] ?? "");
    const number = index + 1;
    const twin = key === "" ? undefined : seen.get(key.toLowerCase());
    if (twin === undefined) seen.set(key.toLowerCase(), number);
    return {
      number,
      name: key || `Row ${number}`,
      body,
      violations: [
        ...violationsOf(kind.resource.create.body!, body).map((each) => askedFor(each, body)),
        ...(twin === undefined ? [] : [{ field: kind.key, description: `is the same as in row ${twin}` }]),
      ],
    };
  });
}
