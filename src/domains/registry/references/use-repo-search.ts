import { useInfiniteQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useMemo, useState } from "react";

import { infinite, rowsOf } from "~/api/queries/queries";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import { repos } from "platform-contract/registry/repos";
import { scopeQuery, type Scope } from "~/frame/scope/scope";
import { contains } from "~/ui/contains";

/** Maximum number of matches to show, and of pages to read for them. */
const SHOWN = 8;
const PAGES = 5;

/**
 * Finds repos of a scope whose name contains a text. The API has no such filter, so this reads the list page by page
 * until enough match. Requests an exact name directly, since it can be beyond the pages that are read.
 */
export function useRepoSearch(typed: string, chosen: readonly string[], within: Scope) {
  const text = typed.trim();
  const settled = useDeferredValue(text);
  const scope = scopeQuery(within);
  const list = useInfiniteQuery(
    infinite(repos.list, { ...scope, order_by: "name", page_size: PAGE_SIZE_MAX }, { maxPages: Infinity }),
  );
  const exact = useInfiniteQuery({
    ...infinite(repos.list, { ...scope, name: settled, page_size: SHOWN }),
    enabled: settled.length > 2 && list.hasNextPage,
  });
  const some = rowsOf(exact.data).rows;
  const rows = rowsOf(list.data).rows;
  const among = chosen.join();
  // Memoized: the names of the ancestor groups are requested whenever the array changes.
  const found = useMemo(() => {
    const others = new Map([...some, ...rows].map((repo) => [repo.uid, repo]));
    for (const uid of among.split(",")) others.delete(uid);
    return [...others.values()].filter(({ uid, name, aliases = [] }) =>
      contains(text, [uid, name, ...aliases]),
    );
  }, [some, rows, among, text]);
  const shown = useMemo(() => found.slice(0, SHOWN), [found]);
  const enough = found.length >= SHOWN;
  const { hasNextPage, isFetching, isError, fetchNextPage, data, error, refetch } = list;
  // A text that is typed after more was read is looked for in that too.
  const [pages, setPages] = useState(PAGES);
  const read = data?.pages.length ?? 0;
  const further = hasNextPage && !isFetching && !isError && read < pages;
  useEffect(() => {
    if (text !== "" && !enough && further) void fetchNextPage();
  });
  return {
    found: shown,
    /** True if there are, or may be, more matches. */
    more: found.length > SHOWN || (!enough && hasNextPage),
    reading: isFetching,
    /** How many repos are read, and what reads on after a pause; undefined if all are read, or enough match. */
    read: rows.length,
    further:
      text !== "" && !enough && hasNextPage && !isFetching && read >= pages
        ? () => setPages(pages + PAGES)
        : undefined,
    none: data !== undefined && rows.length === 0,
    error,
    retry: refetch,
  };
}
