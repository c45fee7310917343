import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { useCan } from "~/access/use-can";
import { useCurrentUser } from "~/access/current-user";
import { total } from "~/api/queries/queries";
import type { Endpoint } from "~/contract/endpoint";
import type { ListAnswer, ListQuery } from "~/contract/resource";

/** Milliseconds that a person waits for a count before they may go on without it. */
const PATIENCE = 5000;

export interface Count {
  /** Undefined: it is not known. */
  readonly count: number | bigint | undefined;
  /** It is being counted, and worth waiting for. */
  readonly pending: boolean;
  /** Why it is not known, in a sentence. */
  readonly why: string | undefined;
}

/** How many records a list has that a deletion touches. `at`: uid of the record, where the list has to be visible. */
export function useCount<Q extends ListQuery>(
  list: Endpoint<Q, undefined, ListAnswer<unknown>>,
  query: NoInfer<Q>,
  at: string,
): Count {
  const { allowed, reason } = useCan(list, at);
  const { state } = useCurrentUser();
  const { data, error, isLoading } = useQuery({ ...total(list, query), enabled: allowed });
  const late = useLate(PATIENCE);
  const counting = isLoading || state === "loading";
  // An unscoped list answers "none" for what may not be seen (contract B7): that is not a count, nor is it one for
  // somebody whom the service does not tell what they may see.
  const told = allowed && (state === "known" || Number(data) > 0);
  if (told && data !== undefined) return { count: data, pending: false, why: undefined };
  const why =
    reason !== undefined
      ? `${reason}.`
      : counting
        ? "Still counting."
        : (error?.message ?? "Your role may not show all of them.");
  return { count: undefined, pending: counting && !late, why };
}

/** Whether so many milliseconds have gone by since it was asked first. */
function useLate(milliseconds: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return late;
}
