import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { AdvisoryPage } from "~/screens/advisories/page";

export const Route = createFileRoute("/advisories/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(async () => (await import("~/screens/advisories/data")).advisoryScreens),
  component: AdvisoryPage,
});
