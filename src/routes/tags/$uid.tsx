import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { tagScreens } from "~/screens/tags/data";
import { TagPage } from "~/screens/tags/page";

export const Route = createFileRoute("/tags/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(tagScreens),
  component: TagPage,
});
