import { useQuery } from "@tanstack/react-query";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { canProbe, hiddenQuery } from "~/frame/permissions/probe";
import { isSeenBelow, isUntold } from "~/frame/permissions/rules";
import { useCan, useRefusal } from "~/frame/permissions/use-can";
import { parentOf, rootOf } from "platform-contract/aip";
import type { Endpoint } from "platform-contract/endpoint";
import { capitalize } from "~/ui/display/capitalize";

import { useTopGroups } from "./top-groups";

export interface Sight {
  /** `unsure`: the service doesn't say, and couldn't be asked. */
  readonly state: "seen" | "hidden" | "asking" | "unsure";
  /** What the user would need. */
  readonly capability: string | undefined;
  /** The user's roles apply only further down, so what they see is perhaps not all of it: a count is "at least". */
  readonly partial: boolean;
}

/**
 * Whether the user can see what a list would show in a group, in a record, or anywhere (`undefined`). Asks the service
 * only if the user's role bindings don't tell and the list is `empty`: any row proves that it isn't hidden.
 */
export function useSight(list: Pick<Endpoint, "access">, group: string | undefined, empty: boolean): Sight {
  const { allowed, capability: missing } = useCan(list, group);
  const who = useCurrentUser();
  const { organizations, folders } = useTopGroups();
  const groups =
    group === undefined || group === "" ? [...organizations, ...folders].map(({ uid }) => uid) : [group];
  const capability = list.access.needs[0];
  const unclear = allowed && isUntold(who, group) && empty;
  const asks = unclear && groups.length > 0 && capability !== undefined && canProbe(capability);
  const { data, isError } = useQuery({
    ...hiddenQuery(capability, groups),
    enabled: asks,
  });
  const tops = group ? [group] : who.bindings.map(({ uid }) => rootOf(parentOf(uid)));
  const partial = tops.some((top) => isSeenBelow(who, list, top));
  if (!allowed) return { state: "hidden", capability: missing, partial };
  if (who.state === "loading" && empty) return { state: "asking", capability, partial };
  if (!unclear) return { state: "seen", capability, partial };
  if (!asks || isError) return { state: "unsure", capability, partial };
  return { state: data === undefined ? "asking" : data ? "hidden" : "seen", capability, partial };
}

/**
 * Why a list that was read to its end can lack records, in a sentence; undefined if it can't. `what`: plural, in words:
 * "identities". `within`: uid of the record that limits the list instead of the group.
 */
export function useUnseen(
  list: Pick<Endpoint, "access">,
  what: string,
  group: string | undefined,
  within = group,
): string | undefined {
  const { state } = useSight(list, within, true);
  const part = useSeenInPart(list, what, within);
  if (state === "hidden") return `Your role hides ${what} here.`;
  if (state === "unsure") return `We couldn't find out whether your role lets you see ${what} here.`;
  if (part !== undefined) return part;
  if (group !== undefined && parentOf(group) !== "")
    return `${capitalize(what)} further up aren't listed here, only those in this folder and below.`;
  return undefined;
}

/** That the user's role can hide some of a list, in a sentence; undefined if it shows all, or nothing. */
export function useSeenInPart(
  list: Pick<Endpoint, "access">,
  what: string,
  group: string | undefined,
): string | undefined {
  const { state, partial } = useSight(list, group, false);
  const { folders } = useTopGroups();
  if (state === "hidden" || !(partial || (group === undefined && folders.length > 0))) return undefined;
  return `Only ${what} that you can see are listed. Your role hides any others here.`;
}

interface Creatable {
  readonly list: Pick<Endpoint, "access">;
  readonly create?: Pick<Endpoint, "access"> | undefined;
  /** In words: "identities". */
  readonly plural: string;
}

/**
 * Why the user can't create a record at a group; undefined if they can, or if nobody knows but they can see such records
 * there. `empty`: no record is shown.
 */
export function useCreateRefusal(
  { list, create, plural }: Creatable,
  group: string | undefined,
  empty: boolean,
): string | undefined {
  const who = useCurrentUser();
  const refusal = useRefusal();
  const { state } = useSight(list, group, empty);
  if (!create) return undefined;
  return (
    refusal(create, group) ?? (state === "hidden" && isUntold(who, group) ? untoldReason(plural) : undefined)
  );
}

export const untoldReason = (plural: string): string =>
  `It's unknown whether you can create ${plural} here: your roles can't be seen, and the list is hidden from you`;
