import { parentOf } from "platform-contract/aip";
import type { ACTIVATION_STATES, eligibleGrants } from "platform-contract/iam/eligible-grants";
import { WAITING_DAYS } from "platform-contract/iam/eligible-grants";
import type { InputOf } from "platform-contract/resource";
import { secondsOf } from "platform-contract/schema";

import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import {
  time,
  TIMES,
  times,
  type Item,
  type RecordTable,
  type Texts,
  type Timed,
} from "../../platform/store/table";
import { IS_MACHINE } from "./guard-rail-breaches.table";
import { confirmedAddress } from "./people.table";

type Input = InputOf<typeof eligibleGrants>;
type State = (typeof ACTIVATION_STATES)[number];

/** The last request to switch it on. */
type Asked = {
  readonly asked_at: Date | null;
  readonly asked_seconds: number | null;
  readonly asked_reason: string | null;
  readonly binding_uid: string | null;
  readonly decided_at: Date | null;
  readonly declined: string | null;
};

type EligibleGrantRow = Timed &
  Asked &
  Texts<"uid" | "identity_uid" | "role_uid" | "description"> &
  Texts<"identity_name" | "email" | "group_name" | "role_name"> & {
    readonly max_seconds: number;
    readonly needs_approval: boolean;
    readonly needs_second_factor: boolean;
    readonly expires_at: Date | null;
    readonly made_by: string | null;
    readonly made_by_name: string | null;
    readonly decided_by: string | null;
    readonly decided_by_name: string | null;
    /** The end of the role binding, as long as it is there. */
    readonly ends_at: Date | null;
  };

const WAITING_MS = WAITING_DAYS * 86_400_000;

/** The role binding that it created, as long as it gives the same role to the same person. */
const BINDING = `left join role_bindings b on b.uid = t.binding_uid and b.identity_uid = t.identity_uid
  and b.role_uid = t.role_uid`;

/** How far the last request is; undefined if it is over. */
export function stateOf(
  row: Pick<
    EligibleGrantRow,
    "asked_at" | "binding_uid" | "declined" | "decided_at" | "expires_at" | "ends_at"
  >,
): State | undefined {
  const time = now().getTime();
  if (row.binding_uid !== null)
    return row.ends_at && row.ends_at.getTime() > time ? "ACTIVATION_STATE_ACTIVE" : undefined;
  const since = (row.decided_at ?? row.asked_at)?.getTime();
  if (since === undefined || since <= time - WAITING_MS) return undefined;
  if (row.declined !== null) return "ACTIVATION_STATE_DECLINED";
  return row.expires_at && row.expires_at.getTime() <= time ? undefined : "ACTIVATION_STATE_WAITING";
}

/** SQL of the same, for lists. */
const IN_STATE: Readonly<Record<State, (at: string, since: string) => string>> = {
  ACTIVATION_STATE_ACTIVE: (at) => `exists (select 1 from role_bindings sb where sb.uid = t.binding_uid
    and sb.identity_uid = t.identity_uid and sb.role_uid = t.role_uid and sb.expires_at > ${at})`,
  ACTIVATION_STATE_WAITING: (
    at,
    since,
  ) => `t.binding_uid is null and t.declined is null and t.asked_at > ${since}
    and (t.expires_at is null or t.expires_at > ${at})`,
  ACTIVATION_STATE_DECLINED: (_at, since) =>
    `t.binding_uid is null and t.declined is not null and t.decided_at > ${since}`,
};

function activationOf(row: EligibleGrantRow): Item | undefined {
  const state = stateOf(row);
  if (state === undefined) return undefined;
  return {
    state,
    duration: `${row.asked_seconds}s`,
    reason: row.asked_reason ?? "",
    requestTime: time(row.asked_at),
    endTime: time(row.ends_at),
    roleBinding: row.binding_uid ?? "",
    decidedBy: row.decided_by ?? "",
    decidedByName: row.decided_by_name ?? "",
    decideTime: time(row.decided_at),
    answer: row.declined ?? "",
  };
}

export const eligibleGrantsTable: RecordTable<Input, EligibleGrantRow> = {
  name: "eligible_grants",
  joins: `join identities i on i.uid = t.identity_uid join groups g on g.uid = t.parent join roles r on r.uid = t.role_uid
    left join identities m on m.uid = t.made_by left join identities d on d.uid = t.decided_by ${BINDING}`,
  columns: `t.uid, t.identity_uid, t.role_uid, t.max_seconds, t.needs_approval, t.needs_second_factor, t.expires_at,
    t.description, t.made_by, t.asked_at, t.asked_seconds, t.asked_reason, t.binding_uid, t.decided_by, t.decided_at,
    t.declined, i.name as identity_name, i.email, g.name as group_name, r.name as role_name, m.name as made_by_name,
    d.name as decided_by_name, b.expires_at as ends_at, ${TIMES}`,
  sort: {
    created_at: { sql: "t.created_at", type: "time" },
    updated_at: { sql: "t.updated_at", type: "time" },
  },
  filters: {
    identity: (uid, bind) => `t.identity_uid = ${bind(uid)}`,
    group: (uid, bind) => `t.parent = ${bind(uid)}`,
    role: (uid, bind) => `t.role_uid = ${bind(uid)}`,
    activation_state: (state, bind) =>
      IN_STATE[state as State](bind(now()), bind(new Date(now().getTime() - WAITING_MS))),
  },
  toItem: (row) => ({
    uid: row.uid,
    identityUid: row.identity_uid,
    roleUid: row.role_uid,
    maxDuration: `${row.max_seconds}s`,
    requireApproval: row.needs_approval,
    requireSecondFactor: row.needs_second_factor,
    expirationTime: time(row.expires_at),
    description: row.description,
    identity: { uid: row.identity_uid, name: row.identity_name, email: row.email },
    group: { uid: parentOf(row.uid), name: row.group_name },
    role: { uid: row.role_uid, name: row.role_name },
    madeBy: row.made_by ?? "",
    madeByName: row.made_by_name ?? "",
    activation: activationOf(row),
    ...times(row),
  }),
  toRow: (input, { caller }) => ({
    identity_uid: input.identityUid,
    role_uid: input.roleUid,
    max_seconds: Math.floor(secondsOf(input.maxDuration) ?? 0),
    needs_approval: input.requireApproval ?? false,
    needs_second_factor: input.requireSecondFactor ?? false,
    expires_at: input.expirationTime ? new Date(input.expirationTime) : null,
    description: input.description ?? "",
    made_by: caller.identities[0] ?? null,
  }),
};

/** An eligible grant as what switches it on and off needs it. */
export type LockedGrant = EligibleGrantRow;

/** Locks an eligible grant until the transaction ends, so that two who switch it on, or decide, take turns. */
export async function lockGrant(queries: Queries, uid: string): Promise<LockedGrant | undefined> {
  const { name, joins, columns } = eligibleGrantsTable;
  // Lock first, then join: the joined rows may be newer if we waited for the lock.
  const rows = await queries.query(`select 1 from ${name} where uid = $1 for update`, [uid]);
  if (rows.length === 0) return undefined;
  const [row] = await queries.query<LockedGrant>(
    `select ${columns} from ${name} t ${joins} where t.uid = $1`,
    [uid],
  );
  return row;
}

/** The eligible grants of identities, in their wire form; the newest first. */
export async function grantsOwnedBy(
  queries: Queries,
  identities: readonly string[],
  most: number,
): Promise<Item[]> {
  const { name, joins, columns, toItem } = eligibleGrantsTable;
  const rows = await queries.query<EligibleGrantRow>(
    `select ${columns} from ${name} t ${joins} where t.identity_uid = any($1::text[])
     order by t.created_at desc, t.uid limit ${most}`,
    [[...identities]],
  );
  return rows.map(toItem);
}

interface Request {
  readonly at: Date | null;
  readonly seconds: number | null;
  readonly reason: string | null;
  readonly binding?: string | undefined;
}

/** Stores the last request to switch it on; without a binding it waits. No change of the record itself. */
export const storeRequest = (
  queries: Queries,
  uid: string,
  { at, seconds, reason, binding }: Request,
): Promise<unknown> =>
  queries.query(
    `update eligible_grants set asked_at = $2, asked_seconds = $3, asked_reason = $4, binding_uid = $5,
       decided_by = null, decided_at = null, declined = null where uid = $1`,
    [uid, at, seconds, reason, binding ?? null],
  );

/** Stores the answer to the request that waits: a binding, or why not. */
export const storeAnswer = (
  queries: Queries,
  uid: string,
  {
    by,
    binding,
    declined,
  }: { readonly by: string | undefined; readonly binding?: string; readonly declined?: string },
): Promise<unknown> =>
  queries.query(
    `update eligible_grants set binding_uid = $2, declined = $3, decided_by = $4, decided_at = $5 where uid = $1`,
    [uid, binding ?? null, declined ?? null, by ?? null, now()],
  );

/** True if one of these identities is a person. */
export async function isPerson(queries: Queries, identities: readonly string[]): Promise<boolean> {
  const rows = await queries.query(
    `select 1 from identities i where i.uid = any($1::text[]) and not ${IS_MACHINE} limit 1`,
    [[...identities]],
  );
  return rows.length > 0;
}

/** True if one of these identities is the person, or is known to be the same one: by a confirmed address. */
export async function isSamePerson(
  queries: Queries,
  identities: readonly string[],
  person: string,
): Promise<boolean> {
  if (identities.includes(person)) return true;
  const rows = await queries.query(
    `select 1 from identities i join identities p on p.uid = $2
     where i.uid = any($1::text[]) and lower(${confirmedAddress("i")}) = lower(${confirmedAddress("p")})
       and ${confirmedAddress("i")} <> '' limit 1`,
    [[...identities], person],
  );
  return rows.length > 0;
}

export interface EligibleFor {
  readonly uid: string;
  readonly group: string;
  readonly groupName: string;
  readonly role: string;
  readonly roleName: string;
}

/** The eligible grants of identities at some groups whose role has all of the capabilities, and that can be switched on. */
export const eligibleFor = (
  queries: Queries,
  {
    identities,
    groups,
    capabilities,
  }: {
    readonly identities: readonly string[];
    readonly groups: readonly string[];
    readonly capabilities: readonly string[];
  },
): Promise<EligibleFor[]> =>
  queries.query<EligibleFor>(
    `select t.uid, t.parent as "group", g.name as "groupName", t.role_uid as role, r.name as "roleName"
     from eligible_grants t join roles r on r.uid = t.role_uid join groups g on g.uid = t.parent ${BINDING}
     where t.identity_uid = any($1::text[]) and t.parent = any($2::text[]) and r.capabilities @> $3::text[]
       and (t.expires_at is null or t.expires_at > $4) and (b.expires_at is null or b.expires_at <= $4)
     order by length(t.parent) desc, cardinality(r.capabilities), t.uid limit 5`,
    [identities, groups, capabilities, now()],
  );
