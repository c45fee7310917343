import { ancestorsOf, rootOf } from "platform-contract/aip";
import type { Endpoint } from "platform-contract/endpoint";

import { tellMissingEntry } from "../../missing-entries";
import type { Log } from "../../log";
import { tableOf } from "../standard/children.table";
import { appendEntries, justificationOf, requestOf, type AuditDraft, type AuditRecord } from "../store/audit";
import type { Arrival, Database, Origin, Queries } from "../store/database";
import type { BrokenRail } from "../store/guard-rail-notes";
import { createRepeats } from "../store/repeats";
import { TABLES } from "../../domains/tables";
import { innermost } from "../../domains/organization/groups.table";
import { nameOfRecord, readActor } from "./audit.table";
import { actorOf } from "./entries";
import { groupOfRecord } from "./noted";

/** Why a write can be refused that is worth an entry; others say that the request itself is wrong. */
const REASONS: ReadonlySet<string> = new Set([
  "PERMISSION_DENIED",
  "ALREADY_EXISTS",
  "FAILED_PRECONDITION",
  "ABORTED",
]);

export const isLogged = (reason: string): boolean => REASONS.has(reason);

export interface Refused {
  readonly endpoint: Pick<Endpoint, "id" | "collection">;
  readonly path: { readonly uid?: string; readonly parent?: string };
  /** The uid that the refusal names. */
  readonly resource?: string | undefined;
  readonly caller: Origin;
  readonly arrival: Arrival;
  /** The name of the status. */
  readonly reason: string;
  /** Guard rails that refused it. */
  readonly guardRails?: readonly BrokenRail[];
  /** Where the caller has a role. */
  readonly organizations: ReadonlySet<string>;
}

async function recordOf(queries: Queries, { endpoint, path, resource = "" }: Refused): Promise<AuditRecord> {
  const { collection } = endpoint;
  const { uid = "", parent = "" } = path;
  const place = uid === "" ? parent || resource : groupOfRecord(collection, uid);
  // Nobody can fill the log of an organization that is not there.
  const group = place === "" ? undefined : await innermost(queries, [...ancestorsOf(place), place]);
  const placed = { kind: collection, ...(group !== undefined && { group }) };
  if (uid === "" || !TABLES[collection]) return { ...placed, uid };
  const name = await nameOfRecord(queries, tableOf(collection), uid);
  return { ...placed, uid, ...(name && { name }) };
}

interface Placed {
  readonly refused: Refused;
  readonly record: AuditRecord;
}

/** Appends the entry of a refusal, in a transaction of its own: the one of the write left nothing. */
const append = (
  database: Database,
  { refused, record }: Placed,
  more: Partial<AuditDraft> = {},
): Promise<void> =>
  database.transaction(async (queries) => {
    const { caller, arrival, reason, endpoint, guardRails = [] } = refused;
    const { actor, provider } = await readActor(queries, caller);
    const draft = {
      outcome: reason === "PERMISSION_DENIED" ? "OUTCOME_DENIED" : "OUTCOME_REFUSED",
      action: endpoint.id,
      actor: actorOf(caller, actor ?? undefined, provider ?? undefined),
      record,
      reason,
      ...(guardRails.length > 0 && { guardRails }),
      ...justificationOf(arrival),
      request: requestOf(arrival),
      ...more,
    } as const;
    await appendEntries(queries, [{ group: record.group, draft }]);
  });

/** Milliseconds in which the refusals of one outsider in one organization are one entry and one with their number. */
const REPEATS_MS = 3_600_000;
/** Outsiders whose refusals are counted at the same time. */
const OUTSIDERS = 10_000;

export interface RefusalLog {
  /** Logs a write that was refused. */
  log(refused: Refused): Promise<void>;
  /** Logs how many refusals there were that have no entry of their own. */
  end(): Promise<void>;
}

/**
 * Logs refused writes. Who has no role in an organization cannot fill its log: their first refusal is an entry at once,
 * the others of the hour are one with their number.
 */
export function createRefusalLog(database: Database, log: Log): RefusalLog {
  const repeats = createRepeats<Placed>({
    everyMs: REPEATS_MS,
    most: OUTSIDERS,
    tell: (last, { count, since }) =>
      append(database, last, {
        action: "refusals.repeated",
        // It was about the last of them.
        justification: undefined,
        changes: [
          { field: "count", after: JSON.stringify(count) },
          { field: "since", after: JSON.stringify(since) },
          { field: "lastAction", after: JSON.stringify(last.refused.endpoint.id) },
        ],
      }).catch((err: unknown) => {
        tellMissingEntry();
        log.error({ err, count }, "the number of repeated refusals is missing in the audit log");
      }),
  });
  return {
    async log(refused) {
      const record = await recordOf(database, refused);
      const organization = record.group === undefined ? "" : rootOf(record.group);
      const placed = { refused, record };
      const first = () => append(database, placed);
      if (refused.organizations.has(organization)) return first();
      const about = { kind: "groups", uid: organization, group: organization };
      const repeated = organization === "" ? placed : { refused, record: about };
      return repeats.note(`${refused.caller.identity} ${organization}`, repeated, first);
    },
    end: () => repeats.end(),
  };
}
