import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import { ConceptsPage } from "~/shell/concepts/page";

export const Route = createFileRoute("/concepts")({
  validateSearch: listSearch<object>(),
  component: ConceptsPage,
});
