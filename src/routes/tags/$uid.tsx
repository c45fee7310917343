import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { TagPage } from "~/screens/tags/page";

export const Route = createFileRoute("/tags/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(async () => (await import("~/screens/tags/data")).tagScreens),
  component: TagPage,
});
