import { useQueries, useQueryClient } from "@tanstack/react-query";

import { useRefusal } from "~/access/use-can";
import { total } from "~/api/queries/queries";
import { kindsIn } from "~/contract/kinds";
import { countedList } from "~/contract/resource";

import type { ChildCounts } from "./children";

export interface LiveChildCounts {
  readonly counts: ChildCounts;
  /** Whether an answer is still on its way. */
  readonly pending: boolean;
  /** Counts anew. */
  readonly recount: () => Promise<void>;
}

/** What is directly in a record: a request of one row for each kind, side by side. `fresh`: counted anew, whatever is known. */
export function useChildCounts(collection: string, uid: string, { fresh = false } = {}): LiveChildCounts {
  const client = useQueryClient();
  const refusal = useRefusal();
  const inside = { "uidp.children_of": uid };
  const refetchOnMount = fresh ? ("always" as const) : true;
  const lists = kindsIn(collection).map(countedList);
  // An unscoped list answers "none" for what may not be seen (contract B7): that is not a count.
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
