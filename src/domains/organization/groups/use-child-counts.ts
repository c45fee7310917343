import { useQueries, useQueryClient } from "@tanstack/react-query";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { canProbe, hiddenQuery } from "~/frame/permissions/probe";
import { can, isUntold } from "~/frame/permissions/rules";
import { total } from "~/api/queries/queries";
import { kindsIn } from "platform-contract/kinds";
import { countedList } from "platform-contract/resource";

import type { ChildCounts } from "./child-kinds";

export interface LiveChildCounts {
  readonly counts: ChildCounts;
  /** The missing capability of each kind that the user's role hides here, by collection. */
  readonly hidden: Readonly<Record<string, string>>;
  /** True while a request is in flight. */
  readonly pending: boolean;
  /** Counts again. */
  readonly recount: () => Promise<void>;
}

/** Counts a record's direct children: one request of one row per kind, in parallel. `fresh`: ignores cached counts. */
export function useChildCounts(collection: string, uid: string, { fresh = false } = {}): LiveChildCounts {
  const client = useQueryClient();
  const who = useCurrentUser();
  const inside = { "uidp.children_of": uid };
  const refetchOnMount = fresh ? ("always" as const) : true;
  const lists = kindsIn(collection).map(countedList);
  // An unscoped list is empty if the user lacks permission: that is not a count.
  const state = who.state === "loading" ? undefined : { ...who, state: who.state };
  const permitted = lists.map((list) => can(state, list, uid).allowed);
  const answers = useQueries({
    queries: lists.map((list, index) => ({
      ...total(list, inside),
      refetchOnMount,
      enabled: permitted[index] === true,
    })),
  });
  const sights = useQueries({
    queries: lists.map((list, index) => {
      const [capability] = list.access.needs;
      const unclear = permitted[index] && isUntold(who, uid) && Number(answers[index]?.data ?? 1) === 0;
      return {
        ...hiddenQuery(capability, [uid]),
        enabled: unclear === true && capability !== undefined && canProbe(capability),
      };
    }),
  });
  const isHidden = (index: number) => !permitted[index] || sights[index]?.data === true;
  return {
    counts: Object.fromEntries(
      lists.map((list, index) => [list.collection, isHidden(index) ? undefined : answers[index]?.data]),
    ),
    hidden: Object.fromEntries(
      lists.flatMap(({ collection, access }, index) =>
        isHidden(index) ? [[collection, access.needs[0] ?? ""]] : [],
      ),
    ),
    pending: [...answers, ...sights].some(({ isLoading }) => isLoading),
    recount: async () => {
      const keys = lists.map((list) => [list.collection, "total", inside]);
      await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  };
}
