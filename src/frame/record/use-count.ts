import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { neededText } from "~/frame/permissions/permission-text";
import { total } from "~/api/queries/queries";
import type { Endpoint } from "platform-contract/endpoint";
import type { ListAnswer, ListQuery } from "platform-contract/resource";
import { useSight } from "~/frame/scope/use-sight";

/** How long the user waits for a count before they can continue without it, in ms. */
const COUNT_TIMEOUT_MS = 5000;

export interface Count {
  /** Undefined if unknown. */
  readonly count: number | bigint | undefined;
  /** True while the count is in flight and worth waiting for. */
  readonly pending: boolean;
  /** Why it is unknown, in a sentence. */
  readonly why: string | undefined;
}

/** Counts a list that a deletion affects. `at`: uid of the record, where the user needs permission for the list. */
export function useCount<Q extends ListQuery>(
  list: Endpoint<Q, undefined, ListAnswer<unknown>>,
  query: NoInfer<Q>,
  at: string,
): Count {
  const { data, error, isLoading } = useQuery(total(list, query));
  // An unscoped list is empty if the user lacks permission: that is not a count.
  const sight = useSight(list, at, Number(data ?? 0) === 0);
  const late = useLate(COUNT_TIMEOUT_MS);
  const counting = isLoading || sight.state === "asking";
  if (sight.state === "seen" && !sight.partial && data !== undefined)
    return { count: data, pending: false, why: undefined };
  const why =
    sight.state === "hidden"
      ? `Hidden by your role: needs permission to ${neededText(sight.capability ?? "")}.`
      : counting
        ? "Still counting."
        : (error?.message ?? "Your role might not show all of them.");
  return { count: undefined, pending: counting && !late, why };
}

/** True once so many milliseconds have passed since the first render. */
function useLate(milliseconds: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return late;
}
