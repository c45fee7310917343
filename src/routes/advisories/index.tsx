import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import { advisoryScreens, type AdvisorySearch } from "~/screens/advisories/data";
import { AdvisoryList } from "~/screens/advisories/list";

export const Route = createFileRoute("/advisories/")({
  validateSearch: listSearch<AdvisorySearch>(),
  loader: startList(advisoryScreens),
  component: AdvisoryList,
});
