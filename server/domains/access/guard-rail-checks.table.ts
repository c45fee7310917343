import { isExcepted } from "platform-contract/iam/guard-rail-rules";
import { GUARD_RAIL, REASON_FIELD } from "platform-contract/iam/guard-rails";
import type { IdentityInput } from "platform-contract/iam/identities";
import { BAD_REQUEST } from "platform-contract/status";

import { failedPrecondition, Failure } from "../../status";
import { now } from "../../platform/store/clock";
import type { Arrival, Queries } from "../../platform/store/database";
import { noteBroken } from "../../platform/store/guard-rail-notes";
import { distrusted, isMisnamed, namedCollection } from "./guard-rail-breaches.table";
import { railsAt, type Rail } from "./guard-rails.table";

/** A guard rail that a change breaks, and which field is to blame. */
export interface Breach {
  readonly rail: Rail;
  readonly field?: string | undefined;
  /** What the field has to be. */
  readonly must?: string;
}

/**
 * Throws FAILED_PRECONDITION if one of these refuses, with all of their sentences; notes the others for the log.
 * @param group uid of the group where the change is, for the log of refusals
 */
export function settle(queries: Queries, group: string, breaches: readonly Breach[]): void {
  noteBroken(
    queries,
    breaches
      .filter(({ rail }) => !rail.refuses)
      .map(({ rail: { uid = "", sentence } }) => ({
        guardRail: uid,
        sentence,
        effect: "GUARD_RAIL_EFFECT_WARNED",
      })),
  );
  const refusing = breaches.filter(({ rail }) => rail.refuses);
  if (refusing.length === 0) return;
  const { name, message, details, options } = failedPrecondition(
    refusing.map(({ rail: { uid = "", sentence } }) => ({
      type: GUARD_RAIL,
      description: sentence,
      subject: uid,
    })),
    { resource: group },
  );
  const fieldViolations = refusing.flatMap(({ rail, field, must }) =>
    field === undefined
      ? []
      : [{ field, description: `${must ? `${must}: ` : ""}a guard rail says "${rail.sentence}"` }],
  );
  throw new Failure(
    name,
    message,
    fieldViolations.length > 0 ? [...details, { "@type": BAD_REQUEST, fieldViolations }] : details,
    options,
  );
}

export const hasReason = (arrival: Arrival | undefined): boolean => arrival?.justification !== undefined;

/** Checks that a change at a group, which gives access, has a reason if a guard rail asks for one. */
export async function checkReason(
  queries: Queries,
  group: string,
  arrival: Arrival | undefined,
): Promise<void> {
  if (hasReason(arrival)) return;
  const rails = (await railsAt(queries, group)).filter(
    ({ kind, exceptions }) =>
      kind === "GUARD_RAIL_KIND_REASON_REQUIRED" &&
      !isExcepted(exceptions, { within: [group] }, now().getTime()),
  );
  settle(
    queries,
    group,
    rails.map((rail) => ({ rail, field: REASON_FIELD, must: "required" })),
  );
}

/** Checks how an identity is about to be recognized, and that this has a reason if one is asked for. */
export async function checkRecognition(
  queries: Queries,
  {
    uid,
    group,
    next,
    arrival,
  }: {
    readonly uid: string;
    readonly group: string;
    readonly next: IdentityInput;
    readonly arrival: Arrival | undefined;
  },
): Promise<void> {
  const breaches = (await railsAt(queries, group)).flatMap((rail): Breach[] => {
    if (isExcepted(rail.exceptions, { identity: uid, within: [group] }, now().getTime())) return [];
    if (rail.kind === "GUARD_RAIL_KIND_REASON_REQUIRED")
      return hasReason(arrival) ? [] : [{ rail, field: REASON_FIELD, must: "required" }];
    if (rail.kind !== "GUARD_RAIL_KIND_ALLOWED_ISSUERS") return [];
    const field = distrusted(rail, next);
    return field === undefined ? [] : [{ rail, field }];
  });
  settle(queries, group, breaches);
}

/** Checks the name of a record that is created or renamed in a group. */
export async function checkName(
  queries: Queries,
  {
    collection,
    uid,
    group,
    name,
  }: {
    readonly collection: "groups" | "identities" | "repos";
    readonly uid: string;
    readonly group: string;
    readonly name: string;
  },
): Promise<void> {
  // The name of an organization is not within one.
  if (group === "") return;
  const rails = (await railsAt(queries, group)).filter(
    (rail) =>
      rail.kind === "GUARD_RAIL_KIND_NAME_PATTERN" &&
      namedCollection(rail) === collection &&
      isMisnamed(rail, name) &&
      !isExcepted(rail.exceptions, { identity: uid, within: [group, uid] }, now().getTime()),
  );
  settle(
    queries,
    group,
    rails.map((rail) => ({ rail, field: "name", must: "must be another name" })),
  );
}
