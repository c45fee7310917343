import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import { repoScreens, type RepoSearch } from "~/screens/repos/data";
import { RepoList } from "~/screens/repos/list";

export const Route = createFileRoute("/repos/")({
  validateSearch: listSearch<RepoSearch>(),
  loader: startList(repoScreens),
  component: RepoList,
});
