import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/frame/route";
import { advisoryScreens } from "~/domains/vulnerabilities/advisories/data";
import { AdvisoryPage } from "~/domains/vulnerabilities/advisories/page";

export const Route = createFileRoute("/advisories/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(advisoryScreens),
  component: AdvisoryPage,
});
