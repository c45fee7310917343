import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/frame/route";
import { tagScreens, type TagSearch } from "~/domains/registry/tags/data";
import { TagList } from "~/domains/registry/tags/list";

export const Route = createFileRoute("/tags/")({
  validateSearch: listSearch<TagSearch>(),
  loader: startList(tagScreens),
  component: TagList,
});
