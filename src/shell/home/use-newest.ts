import { useQueries } from "@tanstack/react-query";

import { totalOf } from "platform-client/wire";

import { newestQuery, type RecentRecord, type RecentKind } from "./holdings";

export interface Newest {
  readonly held: RecentKind;
  /** Undefined until loaded. */
  readonly items: readonly RecentRecord[] | undefined;
  /** Undefined until loaded, or if the service doesn't count. */
  readonly total: number | bigint | undefined;
  readonly error: Error | null;
}

/** Observes what the counts on the same page request for these kinds; requests nothing itself. */
export function useNewest(kinds: readonly RecentKind[], group: string | undefined): Newest[] {
  const answers = useQueries({
    queries: kinds.map((held) => ({ ...newestQuery(held, group), enabled: false })),
  });
  return kinds.map((held, index) => {
    const { data, error = null } = answers[index] ?? {};
    return { held, items: data?.items, total: data && totalOf(data), error };
  });
}
