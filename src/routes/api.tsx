import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import type { ExplorerSearch } from "~/shell/api-explorer/data";
import { ApiExplorer } from "~/shell/api-explorer/page";

export const Route = createFileRoute("/api")({
  validateSearch: listSearch<ExplorerSearch>(),
  component: ApiExplorer,
});
