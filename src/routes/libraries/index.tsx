import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import { libraryScreens, type LibrarySearch } from "~/screens/libraries/data";
import { LibraryList } from "~/screens/libraries/list";

export const Route = createFileRoute("/libraries/")({
  validateSearch: listSearch<LibrarySearch>(),
  loader: startList(libraryScreens),
  component: LibraryList,
});
