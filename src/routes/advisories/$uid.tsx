import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { advisoryScreens } from "~/screens/advisories/data";
import { AdvisoryPage } from "~/screens/advisories/page";

export const Route = createFileRoute("/advisories/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(advisoryScreens),
  component: AdvisoryPage,
});
