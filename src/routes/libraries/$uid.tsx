import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/resource/route";
import { newestQuery, type VersionSearch } from "~/screens/libraries/data";
import { LibraryPage } from "~/screens/libraries/page";

export const Route = createFileRoute("/libraries/$uid")({
  validateSearch: listSearch<VersionSearch>(),
  loader: ({ cause, context, params }) => {
    if (cause === "stay") return;
    void context.queryClient.prefetchQuery(newestQuery(params.uid));
  },
  component: LibraryPage,
});
