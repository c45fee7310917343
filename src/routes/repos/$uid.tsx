import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { repoScreens } from "~/screens/repos/data";
import { RepoPage } from "~/screens/repos/page";

export const Route = createFileRoute("/repos/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(repoScreens),
  component: RepoPage,
});
