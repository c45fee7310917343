import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/frame/route";
import { advisoryScreens, type AdvisorySearch } from "~/domains/vulnerabilities/advisories/data";
import { AdvisoryList } from "~/domains/vulnerabilities/advisories/list";

export const Route = createFileRoute("/advisories/")({
  validateSearch: listSearch<AdvisorySearch>(),
  loader: startList(advisoryScreens),
  component: AdvisoryList,
});
