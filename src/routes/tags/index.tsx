import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import { tagScreens, type TagSearch } from "~/screens/tags/data";
import { TagList } from "~/screens/tags/list";

export const Route = createFileRoute("/tags/")({
  validateSearch: listSearch<TagSearch>(),
  loader: startList(tagScreens),
  component: TagList,
});
