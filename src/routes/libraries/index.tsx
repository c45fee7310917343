import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/frame/route";
import { libraryScreens, type LibrarySearch } from "~/domains/registry/libraries/data";
import { LibraryList } from "~/domains/registry/libraries/list";

export const Route = createFileRoute("/libraries/")({
  validateSearch: listSearch<LibrarySearch>(),
  loader: startList(libraryScreens),
  component: LibraryList,
});
