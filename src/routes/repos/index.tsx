import { createFileRoute } from "@tanstack/react-router";

import { screenSearch } from "~/parts/scope";

import { RepoList } from "./-repo-list";
import { readRepoListSearch } from "./-repo-search";

export const Route = createFileRoute("/repos/")({
  validateSearch: screenSearch(readRepoListSearch),
  loader({ cause, context: { queryClient }, location }) {
    // Only an early start: once it is on the screen, the list asks for itself, and says what goes wrong. The code of it is
    // not for those who never come here.
    const search = location.search as object as Record<string, unknown>;
    if (cause !== "stay")
      import("./-repo-queries")
        .then(({ startList }) => startList(queryClient, search))
        .catch(() => undefined);
  },
  component: RepoList,
});
