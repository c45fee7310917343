import { queryOptions } from "@tanstack/react-query";

import { call } from "~/api/client/client";
import type { QueryFacts } from "~/api/client/request-info";
import { isWithin } from "platform-contract/aip";
import { getAuditAccess, type HeldRole } from "platform-contract/audit/access";
import { by } from "platform-contract/order";
import { paramToUid } from "~/frame/scope/uid-param";
import { isUidParam, type Address } from "~/frame/scope/address";

/** Search parameters of "Access on a date"; the group is the scope. */
export interface AccessSearch {
  /** A day, `2026-11-23`, or a moment, `2026-11-23T14:05:07Z`, in UTC; today if missing. */
  readonly on?: string | undefined;
  /** uid with `_` for `/`: the roles of this identity, instead of those that count in the scope. */
  readonly identity?: string | undefined;
  /** Leaves out roles granted in folders below the scope. */
  readonly below?: "no" | undefined;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const CLOCK = /^\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/;

/** False for a day that does not exist, such as 31 February. */
const exists = (day: string): boolean =>
  DAY.test(day) && !Number.isNaN(Date.parse(day)) && new Date(Date.parse(day)).toISOString().startsWith(day);

const isOn = (on: string): boolean => {
  const [day = "", clock] = on.split("T");
  if (!exists(day)) return false;
  return (
    clock === undefined ||
    (clock.endsWith("Z") && CLOCK.test(clock.slice(0, -1)) && !Number.isNaN(Date.parse(on)))
  );
};

export const readAccessSearch = ({ on, identity, below }: Address): AccessSearch => ({
  ...(typeof on === "string" && isOn(on) && { on }),
  ...(isUidParam(identity) && { identity }),
  ...(below === "no" && { below }),
});

/** A moment, or a whole day in UTC. */
export interface Moment {
  readonly day: string;
  /** "14:05"; undefined for the whole day. */
  readonly clock: string | undefined;
}

/** @param now Unix time in ms */
export function momentOf(on: string | undefined, now: number): Moment {
  const [day = "", clock] = (on ?? new Date(now).toISOString().slice(0, 10)).split("T");
  return { day, clock: clock?.slice(0, -1) };
}

/** The `on` of an address; undefined if the fields hold no time. */
export function onOf({ day, clock }: Moment): string | undefined {
  const on = clock ? `${day}T${clock}Z` : day;
  return isOn(on) ? on : undefined;
}

/** "on 2026-11-23", "on 2026-11-23 at 14:05 UTC" */
export const momentWords = ({ day, clock }: Moment): string =>
  clock ? `on ${day} at ${clock} UTC` : `on ${day} (UTC)`;

/** A group, perhaps with those below it, or an identity. */
export type About = { readonly group: string; readonly below: boolean } | { readonly identity: string };

/** Who had which role then. */
export function accessQuery({ day, clock }: Moment, about: About) {
  const query = {
    ...about,
    time: new Date(`${day}T${clock ?? "00:00"}Z`).toISOString(),
    ...(clock === undefined && { until: `${day}T23:59:59.999Z` }),
  };
  return queryOptions({
    queryKey: [getAuditAccess.collection, getAuditAccess.verb, query] as const,
    meta: { requests: () => [{ endpoint: getAuditAccess, query }] } satisfies QueryFacts,
    queryFn: ({ signal }) => call(getAuditAccess, { query, signal }),
  });
}

/** What counts in the group first, then what counts only further down, folder by folder; equal names by their IDs. */
export const inOrder = (about: About, held: readonly HeldRole[]): readonly HeldRole[] =>
  held.toSorted(
    by(
      ({ group }) => ("group" in about && !isWithin(about.group, group) ? 1 : 0),
      ({ group }) => group,
      ({ identityName = "" }) => identityName.toLowerCase(),
      ({ roleBinding }) => roleBinding,
      ({ startTime = "" }) => startTime,
    ),
  );

export const identityIn = ({ identity }: AccessSearch): string | undefined =>
  identity === undefined ? undefined : paramToUid(identity);
