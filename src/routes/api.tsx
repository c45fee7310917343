import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import { ApiExplorer } from "~/shell/api-explorer/page";
import type { ExplorerSearch } from "~/shell/api-explorer/search";

export const Route = createFileRoute("/api")({
  validateSearch: listSearch<ExplorerSearch>(),
  component: ApiExplorer,
});
