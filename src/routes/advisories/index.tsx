import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import type { AdvisorySearch } from "~/screens/advisories/data";
import { AdvisoryList } from "~/screens/advisories/list";

export const Route = createFileRoute("/advisories/")({
  validateSearch: listSearch<AdvisorySearch>(),
  loader: startList(async () => (await import("~/screens/advisories/data")).advisoryScreens),
  component: AdvisoryList,
});
