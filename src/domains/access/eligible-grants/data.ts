import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { linkOptions } from "@tanstack/react-router";

import { call } from "~/api/client/client";
import type { QueryFacts } from "~/api/client/request-info";
import { invalidateDependents } from "~/api/mutations/patch";
import { infinite } from "~/api/queries/queries";
import { eligibleGrants, ownEligibleGrants, type EligibleGrant } from "platform-contract/iam/eligible-grants";
import type { QueryOf } from "platform-contract/endpoint";
import { secondsOf } from "platform-contract/schema";
import { formatQuantity } from "~/ui/display/numbers";
import { shorten } from "~/ui/display/shorten";

/** What every screen says of what nobody holds yet. */
export const NOT_HELD = "Not held until it is switched on.";

export const OWN_PAGE = linkOptions({ to: "/eligible" });

/** A function, since the chunk of the contract may run after this one. */
export const ownQuery = () =>
  queryOptions({
    queryKey: [eligibleGrants.collection, "own"],
    meta: { requests: () => [{ endpoint: ownEligibleGrants }] } satisfies QueryFacts,
    queryFn: ({ signal }) => call(ownEligibleGrants, { signal }),
  });

type ListFilter = Omit<QueryOf<typeof eligibleGrants.list>, "order_by" | "page_size" | "page_token">;

/** Eligible grants made in one group, of one identity, or waiting for approval in a group and below. */
export const grantsQuery = (filter: ListFilter) =>
  infinite(eligibleGrants.list, { ...filter, order_by: "created_at", page_size: 50 }, { maxPages: Infinity });

/** What a switching on or off, or a removal, makes stale: bindings, and with them what the user can do. */
export const refreshAll = (client: QueryClient): void =>
  invalidateDependents(client, [
    "eligibleGrants",
    "roleBindings",
    "identities",
    "endings",
    "accessDecisions",
  ]);

/** "4 hours", "90 minutes". */
export function durationWords(duration: string | undefined): string {
  const minutes = Math.round((secondsOf(duration ?? "") ?? 0) / 60);
  return minutes % 60 === 0
    ? formatQuantity(minutes / 60, "hour", "hours")
    : formatQuantity(minutes, "minute", "minutes");
}

/** What switching it on takes: "up to 4 hours at a time, with approval and a second factor". */
export function termsOf({ maxDuration, requireApproval, requireSecondFactor }: EligibleGrant): string {
  const needs = [requireApproval && "approval", requireSecondFactor && "a second factor"].filter(Boolean);
  return `up to ${durationWords(maxDuration)} at a time${needs.length > 0 ? `, with ${needs.join(" and ")}` : ""}`;
}

export const roleOf = ({ role, roleUid = "" }: EligibleGrant): string => role?.name ?? shorten(roleUid);
export const placeOf = ({ group, uid }: EligibleGrant): string => group?.name ?? shorten(uid);
export const personOf = ({ identity, identityUid = "" }: EligibleGrant): string =>
  identity?.name ?? shorten(identityUid);

const STATES = {
  ACTIVATION_STATE_WAITING: "waiting",
  ACTIVATION_STATE_ACTIVE: "on",
  ACTIVATION_STATE_DECLINED: "declined",
} as const;

export type Standing = (typeof STATES)[keyof typeof STATES] | "off" | "ended";

/**
 * How it stands at a time. What was switched on is over at its end, whatever was read before.
 * @param now in milliseconds
 */
export function standingOf({ activation, expirationTime }: EligibleGrant, now: number): Standing {
  const state = (STATES as Readonly<Record<string, Standing | undefined>>)[activation?.state ?? ""] ?? "off";
  const isPast = (time: string | undefined): boolean => time !== undefined && Date.parse(time) <= now;
  if (state === "on") return isPast(activation?.endTime) ? (isPast(expirationTime) ? "ended" : "off") : "on";
  return isPast(expirationTime) ? "ended" : state;
}
