import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import { newestQuery, type VersionSearch } from "~/domains/registry/libraries/data";
import { LibraryPage } from "~/domains/registry/libraries/page";

export const Route = createFileRoute("/libraries/$uid")({
  validateSearch: listSearch<VersionSearch>(),
  loader: ({ cause, context, params }) => {
    if (cause === "stay") return;
    void context.queryClient.prefetchQuery(newestQuery(params.uid));
  },
  component: LibraryPage,
});
