import { createFileRoute } from "@tanstack/react-router";

import { preloadScan } from "~/parts/preload-scan";
import { readScopeSearch, scopeOf, screenSearch } from "~/parts/scope";

import { GroupList } from "./-group-list";
import { groupListQuery } from "./-group-queries";
import { readGroupListSearch } from "./-group-search";

export const Route = createFileRoute("/groups/")({
  validateSearch: screenSearch(readGroupListSearch),
  loader({ cause, context: { queryClient }, location }) {
    // Only an early start: once it is on the screen, the list asks for itself.
    if (cause === "stay") return;
    const search = location.search as Readonly<Record<string, unknown>>;
    const view = readGroupListSearch(search);
    // A scan begins by itself as soon as its code is there.
    if (view.contains !== undefined) return preloadScan();
    const query = groupListQuery(scopeOf(readScopeSearch(search)), view);
    void queryClient.prefetchInfiniteQuery(query);
  },
  component: GroupList,
});
