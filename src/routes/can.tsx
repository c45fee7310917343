import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import type { DecisionSearch } from "~/domains/access/decisions/data";
import { Decisions } from "~/domains/access/decisions/page";

export const Route = createFileRoute("/can")({
  validateSearch: listSearch<DecisionSearch>(),
  component: Decisions,
});
