import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/frame/route";
import { tagScreens } from "~/domains/registry/tags/data";
import { TagPage } from "~/domains/registry/tags/page";

export const Route = createFileRoute("/tags/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(tagScreens),
  component: TagPage,
});
