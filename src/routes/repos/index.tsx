import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/frame/route";
import { repoScreens, type RepoSearch } from "~/domains/registry/repos/data";
import { RepoList } from "~/domains/registry/repos/list";

export const Route = createFileRoute("/repos/")({
  validateSearch: listSearch<RepoSearch>(),
  loader: startList(repoScreens),
  component: RepoList,
});
