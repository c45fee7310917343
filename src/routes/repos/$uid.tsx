import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { RepoPage } from "~/screens/repos/page";

export const Route = createFileRoute("/repos/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(async () => (await import("~/screens/repos/data")).repoScreens),
  component: RepoPage,
});
