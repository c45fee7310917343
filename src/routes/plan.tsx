import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import { PlanPage } from "~/domains/audit/plan/page";

export const Route = createFileRoute("/plan")({
  validateSearch: listSearch<object>(),
  component: PlanPage,
});
