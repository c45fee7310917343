import { useQuery } from "@tanstack/react-query";

import { scan, type Scan } from "~/api/paging/scan";
import { retryPolicyOf } from "~/api/paging/retry-policy";
import { infinite } from "~/api/queries/queries";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import { groups, type Group } from "platform-contract/iam/groups";
import { by } from "platform-contract/order";

import { ancestorsWithNames, fromFirstNamed } from "~/frame/scope/ancestors";

// By uid, so that every group comes after those above it, whose names its path needs.
const list = infinite(groups.list, { order_by: "uid", page_size: PAGE_SIZE_MAX });

/** Ms after which the names are read again when someone searches. */
const STALE_AFTER_MS = 60_000;

/**
 * Reads all visible groups once, for every search for a part of a name: the API cannot search for one. In the cache next
 * to the lists, so that this tab's own writes reach it.
 */
export function useGroupScan(): Scan<Group> | undefined {
  const { data } = useQuery({
    queryKey: [groups.collection, "scan", list.queryKey[2], "names"],
    meta: { requests: () => list.meta?.requests?.({ pageParams: [{}] }) ?? [] },
    queryFn: ({ client, queryKey }) => {
      const held = client.getQueryData<Scan<Group>>(queryKey);
      if (held?.get().state === "done") held.restart();
      return held ?? scan<Group>(list, () => true, retryPolicyOf(client));
    },
    staleTime: STALE_AFTER_MS,
  });
  return data;
}

export interface FoundGroup {
  readonly uid: string;
  readonly name: string;
  /** The names of the groups above it. */
  readonly place: string;
}

// A server can omit the name.
const lower = ({ name }: Pick<Group, "name">): string => (name || "").toLowerCase();

/**
 * The groups whose names contain a text, ignoring case: whole names first, then beginnings, then the rest. The first
 * `most` of them, and how many there are.
 */
export function groupsNamed(
  text: string,
  read: readonly Group[],
  most: number,
): { readonly shown: readonly FoundGroup[]; readonly count: number } {
  const sought = text.trim().toLowerCase();
  const found = read.filter((group) => lower(group).includes(sought));
  const rank = (name: string) => (name === sought ? 0 : name.startsWith(sought) ? 1 : 2);
  const order = by<Group>(
    (group) => rank(lower(group)),
    lower,
    ({ uid }) => uid,
  );
  const names = new Map(read.map(({ uid, name }) => [uid, name]));
  const placeOf = (uid: string) =>
    fromFirstNamed(ancestorsWithNames(uid, names))
      .map(({ name = "…" }) => name)
      .join(" / ");
  const shown = found.toSorted(order).slice(0, most);
  return { shown: shown.map(({ uid, name }) => ({ uid, name, place: placeOf(uid) })), count: found.length };
}
