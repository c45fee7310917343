import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/frame/route";
import { repoScreens } from "~/domains/registry/repos/data";
import { RepoPage } from "~/domains/registry/repos/page";

export const Route = createFileRoute("/repos/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(repoScreens),
  component: RepoPage,
});
