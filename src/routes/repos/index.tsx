import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import type { RepoSearch } from "~/screens/repos/data";
import { RepoList } from "~/screens/repos/list";

export const Route = createFileRoute("/repos/")({
  validateSearch: listSearch<RepoSearch>(),
  loader: startList(async () => (await import("~/screens/repos/data")).repoScreens),
  component: RepoList,
});
