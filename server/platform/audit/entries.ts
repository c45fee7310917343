import { endpoints } from "platform-contract";
import { parentOf } from "platform-contract/aip";

import {
  BY_ITSELF,
  justificationOf,
  requestOf,
  type AuditDraft,
  type AuditRecord,
  type PlacedDraft,
  type RecordChange,
} from "../store/audit";
import type { Origin } from "../store/database";
import type { BrokenRail } from "../store/guard-rail-notes";
import type { ServiceCause } from "../store/service-causes";
import { changedBy, type Changed } from "./noted";

const ENDPOINTS = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));

/** Other records that an entry describes. */
const RELATED = 100;

export interface NotedTransaction {
  readonly notes: string;
  readonly names: Readonly<Record<string, string>>;
  /** Uid of the identity provider that the actor signs in with. */
  readonly provider: string | undefined;
  readonly origin: Origin | undefined;
  /** Guard rails that the transaction broke and went on, or for which it left access out. */
  readonly guardRails?: readonly BrokenRail[] | undefined;
  /** Why the service made the change by itself, if it told. */
  readonly cause?: ServiceCause | undefined;
}

export const actorOf = (
  { identity, issuer, subject, client, jti }: Origin,
  name: string | undefined,
  provider: string | undefined,
) => ({
  uid: identity,
  ...(name !== undefined && { name }),
  issuer,
  subject,
  ...(client !== undefined && { client }),
  ...(jti !== undefined && { jti }),
  ...(provider !== undefined && { provider }),
});

/** The record that an operation is about: the one in its path, or the one of its collection that it changed. */
function principalOf(
  records: readonly RecordChange[],
  origin: Origin,
): RecordChange | AuditRecord | undefined {
  const collection = ENDPOINTS.get(origin.operation ?? "")?.collection;
  const named = records.find(({ record }) => record.uid === origin.at && record.kind === collection);
  if (named) return named;
  const own = records.filter(({ record }) => record.kind === collection);
  if (own.length <= 1) return own[0] ?? records[0];
  // Several at once: the entry is about their group.
  const group = own[0]?.record.group ?? "";
  return { kind: "groups", uid: group, group };
}

/** The record of an act, with what happened to it, in the group that the act belongs to. */
function actedOn(
  records: readonly RecordChange[],
  { kind, uid, group, name }: NonNullable<Origin["act"]>,
): RecordChange | AuditRecord {
  const own = records.find(({ record }) => record.uid === uid && record.kind === kind);
  return own ? Object.assign(own, { record: { ...own.record, group } }) : { kind, uid, group, name };
}

/** Identities whose roles change are found by the entries about them, and so are providers whose mappings do. */
export const subjectsOf = (records: readonly RecordChange[]): string[] => [
  ...new Set(
    records.flatMap(({ record, changes }) => [
      record.uid,
      ...(record.kind === "externalGroupRoleMappings" ? [parentOf(record.uid)] : []),
      ...(record.identityUid === undefined ? [] : [record.identityUid]),
      ...changes.flatMap(({ field, before }) =>
        field === "identityUid" && before !== undefined ? [String(JSON.parse(before))] : [],
      ),
    ]),
  ),
];

const isChange = (one: RecordChange | AuditRecord): one is RecordChange => "change" in one;

function placed(draft: AuditDraft): PlacedDraft {
  return { group: draft.record?.group, draft };
}

/** One entry for an operation; one for each record if the service made the change by itself. */
export function entriesOf({
  notes,
  names,
  provider,
  origin,
  guardRails = [],
  cause,
}: NotedTransaction): PlacedDraft[] {
  const { records, count } = notes === "" ? { records: [], count: 0 } : changedBy(notes, names);
  if (records.length === 0 && !origin?.act) return [];
  const nameless = Object.fromEntries(Object.entries(names).filter(([uid]) => uid !== origin?.identity));
  const shared = {
    outcome: "OUTCOME_DONE",
    ...justificationOf(origin?.arrival),
    request: requestOf(origin?.arrival),
    ...(guardRails.length > 0 && { guardRails }),
  } as const;
  if (!origin)
    return records.map((one) =>
      placed({
        ...shared,
        action: `${BY_ITSELF}.${one.change}`,
        ...one,
        names,
        ...(cause && { justification: cause.justification }),
        subjects: [...subjectsOf([one]), ...(cause ? [cause.subject] : [])],
      }),
    );
  const told = { ...origin.act?.names, ...nameless };
  return [placed(operationEntry({ records, count }, origin, { ...shared, names: told }, names, provider))];
}

function operationEntry(
  { records, count }: Changed,
  origin: Origin,
  shared: Pick<AuditDraft, "outcome" | "justification" | "request" | "names" | "guardRails">,
  names: Readonly<Record<string, string>>,
  provider: string | undefined,
): AuditDraft {
  const principal = origin.act ? actedOn(records, origin.act) : principalOf(records, origin);
  const others = records.filter((one) => one !== principal);
  const own = principal && isChange(principal) ? principal : undefined;
  const record = own?.record ?? (principal && !isChange(principal) ? withName(principal, names) : undefined);
  return {
    ...shared,
    action: origin.act?.action ?? origin.operation ?? BY_ITSELF,
    actor: actorOf(origin, names[origin.identity], provider),
    ...(record && { record }),
    ...(own && { change: own.change, changes: own.changes }),
    ...(origin.act?.changes && { change: own?.change ?? "updated", changes: origin.act.changes }),
    ...(origin.act?.facts && { changes: origin.act.facts }),
    ...(others.length > 0 && {
      related: others.slice(0, RELATED),
      relatedCount: count - (own ? 1 : 0),
    }),
    subjects: [...subjectsOf(records.slice(0, RELATED + 1)), ...(origin.about ?? [])],
  };
}

const withName = (record: AuditRecord, names: Readonly<Record<string, string>>): AuditRecord => ({
  ...record,
  name: names[record.uid] ?? record.name,
});
