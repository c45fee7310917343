import { ancestorsOf, rootOf } from "platform-contract/aip";
import { guardRailSentence } from "platform-contract/iam/guard-rail-rules";
import {
  type GuardRailException,
  type GuardRailInput,
  type GuardRailKind,
} from "platform-contract/iam/guard-rails";

import type { Queries } from "../../platform/store/database";
import { TIMES, times, type RecordTable, type Texts, type Timed } from "../../platform/store/table";
import { capabilityNamed, readRoles, wireNames } from "./roles.table";

export type Settings = Omit<GuardRailInput, "kind" | "mode" | "description" | "exceptions">;

type GuardRailRow = Timed &
  Texts<"uid" | "kind" | "mode" | "description"> & {
    readonly settings: Settings;
    readonly exceptions: readonly GuardRailException[];
    readonly set_by: string | null;
    readonly set_by_name: string | null;
    readonly role_names: Readonly<Record<string, string>> | null;
  };

const ROLE_NAMES = `(select jsonb_object_agg(r.uid, r.name) from roles r
  where t.settings ? 'roles' and r.uid in (select jsonb_array_elements_text(t.settings -> 'roles'))) as role_names`;

/** Characters of a sentence: refusals and entries of the log repeat it. */
const SENTENCE = 500;

function sentenceOf(values: Partial<GuardRailInput>, names: GuardRailRow["role_names"]): string {
  const sentence = guardRailSentence(values, {
    role: (uid) => names?.[uid],
    capability: (name) => capabilityNamed(name)?.dotted ?? name,
  });
  const characters = [...sentence];
  return characters.length > SENTENCE ? `${characters.slice(0, SENTENCE - 1).join("")}\u2026` : sentence;
}

export const guardRailsTable: RecordTable<GuardRailInput, GuardRailRow> = {
  name: "guard_rails",
  joins: "left join identities i on i.uid = t.set_by",
  columns: `t.uid, t.kind, t.mode, t.description, t.settings, t.exceptions, t.set_by, i.name as set_by_name,
    ${ROLE_NAMES}, ${TIMES}`,
  sort: {
    created_at: { sql: "t.created_at", type: "time" },
    updated_at: { sql: "t.updated_at", type: "time" },
  },
  filters: {},
  toItem: ({ uid, kind, mode, description, settings, exceptions, role_names: names, ...row }) => ({
    uid,
    kind,
    mode,
    description,
    ...settings,
    exceptions,
    sentence: sentenceOf({ kind, ...settings }, names),
    setBy: row.set_by ?? "",
    setByName: row.set_by_name ?? "",
    ...times(row),
  }),
  toRow: ({ kind, mode, description = "", exceptions = [], ...settings }, { caller }) => ({
    kind,
    mode,
    description,
    settings: JSON.stringify({
      ...settings,
      ...(settings.capabilities && { capabilities: wireNames(settings.capabilities) }),
    }),
    exceptions: JSON.stringify(exceptions),
    set_by: caller.identities[0] ?? null,
  }),
};

/** A guard rail as a check needs it. */
export interface Rail {
  /** Missing if it is not set yet. */
  readonly uid?: string | undefined;
  /** The group at and below which it counts. */
  readonly parent: string;
  readonly kind: GuardRailKind;
  readonly refuses: boolean;
  readonly values: Settings;
  readonly exceptions: readonly GuardRailException[];
  readonly sentence: string;
}

export type ReadRow = GuardRailRow & { readonly parent: string };

export const railOf = ({
  uid,
  parent,
  kind,
  mode,
  settings,
  exceptions,
  role_names: names,
}: ReadRow): Rail => ({
  uid,
  parent,
  kind: kind as GuardRailKind,
  refuses: mode === "GUARD_RAIL_MODE_REFUSE",
  values: settings,
  exceptions,
  sentence: sentenceOf({ kind, ...settings }, names),
});

export const SELECT_RAILS = `select t.uid, t.parent, t.kind, t.mode, t.settings, t.exceptions, ${ROLE_NAMES} from guard_rails t`;

/** The guard rails that count at a group: its own and those above. Where nobody set any, one read of an index. */
export async function railsAt(queries: Queries, group: string): Promise<Rail[]> {
  const rows = await queries.query<ReadRow>(
    `${SELECT_RAILS} where t.parent = any($1::text[]) order by t.uid`,
    [[...ancestorsOf(group), group]],
  );
  return rows.map(railOf);
}

/** A guard rail by its uid; undefined if there is none. */
export async function readRail(queries: Queries, uid: string): Promise<Rail | undefined> {
  const [row] = await queries.query<ReadRow>(`${SELECT_RAILS} where t.uid = $1`, [uid]);
  return row && railOf(row);
}

/** A guard rail of these values that is not set: for a dry run. */
export async function unsetRail(
  queries: Queries,
  parent: string,
  { kind, ...values }: { readonly kind: GuardRailKind } & Settings,
): Promise<Rail> {
  const { roles = [], capabilities } = values;
  const rows = await queries.query<{ uid: string; name: string }>(
    "select uid, name from roles where uid = any($1::text[]) and (parent is null or left(uid, 40) = $2)",
    [[...roles], rootOf(parent)],
  );
  const settings = { ...values, ...(capabilities && { capabilities: wireNames(capabilities) }) };
  const names = Object.fromEntries(rows.map(({ uid, name }) => [uid, name]));
  const sentence = sentenceOf({ kind, ...settings }, names);
  return { parent, kind, refuses: false, values: settings, exceptions: [], sentence };
}

/** How many guard rails a group has. */
export async function countRails(queries: Queries, group: string): Promise<number> {
  const [row] = await queries.query<{ n: number }>(
    "select count(*)::int as n from guard_rails where parent = $1",
    [group],
  );
  return row?.n ?? 0;
}

/** Those of these uids that are roles which an organization can grant. */
export async function knownRoles(
  queries: Queries,
  uids: readonly string[],
  organization: string,
): Promise<ReadonlySet<string>> {
  const rows = await queries.query<{ uid: string }>(
    "select uid from roles where uid = any($1::text[]) and (parent is null or left(uid, 40) = $2)",
    [[...uids], organization],
  );
  return new Set(rows.map(({ uid }) => uid));
}

type RoleFacts = ReadonlyMap<string, readonly string[]>;

/** The capabilities of the roles that guard rails name, and of others, by uid. */
export async function factsOf(
  queries: Queries,
  rails: readonly Rail[],
  others: readonly string[],
): Promise<RoleFacts> {
  const uids = [...new Set([...others, ...rails.flatMap(({ values: { roles = [] } }) => roles)])];
  const rows = uids.length > 0 ? await readRoles(queries, uids) : [];
  return new Map(rows.map(({ uid, capabilities }) => [uid, capabilities]));
}

/** True if a guard rail is about a role: it is named, can do as much as a named one, or has a named capability. */
export function isAbout(
  { values: { roles = [], capabilities = [] } }: Rail,
  role: { readonly uid: string; readonly capabilities: readonly string[] },
  facts: RoleFacts,
): boolean {
  const held = new Set(role.capabilities);
  return (
    roles.includes(role.uid) ||
    capabilities.some((name) => held.has(name)) ||
    roles.some((uid) => {
      const least = facts.get(uid) ?? [];
      return least.length > 0 && least.every((name) => held.has(name));
    })
  );
}

/** The roles of an organization, and the built-in ones, that a guard rail is about. */
export async function rolesAbout(queries: Queries, rail: Rail): Promise<string[]> {
  const rows = await queries.query<{ uid: string; capabilities: readonly string[] }>(
    "select uid, capabilities from roles where parent is null or left(uid, 40) = $1",
    [rootOf(rail.parent)],
  );
  const facts = new Map(rows.map(({ uid, capabilities }) => [uid, capabilities]));
  return rows.filter((role) => isAbout(rail, role, facts)).map(({ uid }) => uid);
}

const OF_ROLES: ReadonlySet<GuardRailKind> = new Set([
  "GUARD_RAIL_KIND_NO_MACHINES",
  "GUARD_RAIL_KIND_END_REQUIRED",
  "GUARD_RAIL_KIND_SECOND_PERSON",
]);
export const isOfRoles = ({ kind }: Rail): boolean => OF_ROLES.has(kind);
