import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import type { LibrarySearch } from "~/screens/libraries/data";
import { LibraryList } from "~/screens/libraries/list";

export const Route = createFileRoute("/libraries/")({
  validateSearch: listSearch<LibrarySearch>(),
  loader: startList(async () => (await import("~/screens/libraries/data")).libraryScreens),
  component: LibraryList,
});
