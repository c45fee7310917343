import { useQueries, useQueryClient } from "@tanstack/react-query";

import { useRefusal } from "~/access/use-can";
import { total } from "~/api/queries/queries";
import { kindsIn } from "~/contract/kinds";
import { countedList } from "~/contract/resource";

import type { ChildCounts } from "./children";

export interface LiveChildCounts {
  readonly counts: ChildCounts;
  /** True while a request is in flight. */
  readonly pending: boolean;
  /** Counts again. */
  readonly recount: () => Promise<void>;
}

/** Counts a record's direct children: one request of one row per kind, in parallel. `fresh`: ignores cached counts. */
export function useChildCounts(collection: string, uid: string, { fresh = false } = {}): LiveChildCounts {
  const client = useQueryClient();
  const refusal = useRefusal();
  const inside = { "uidp.children_of": uid };
  const refetchOnMount = fresh ? ("always" as const) : true;
  const lists = kindsIn(collection).map(countedList);
  // An unscoped list is empty if the user lacks permission (contract B7): that is not a count.
  const permitted = lists.map((list) => refusal(list, uid) === undefined);
  const answers = useQueries({
    queries: lists.map((list, index) => ({
      ...total(list, inside),
      refetchOnMount,
      enabled: permitted[index] === true,
    })),
  });
  return {
    counts: Object.fromEntries(
      lists.map((list, index) => [list.collection, permitted[index] ? answers[index]?.data : undefined]),
    ),
    pending: answers.some(({ isLoading }) => isLoading),
    recount: async () => {
      const keys = lists.map((list) => [list.collection, "total", inside]);
      await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  };
}
