import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import { RoleCompare } from "~/domains/access/roles/compare";
import type { CompareSearch } from "~/domains/access/roles/data";

export const Route = createFileRoute("/roles/compare")({
  validateSearch: listSearch<CompareSearch>(),
  component: RoleCompare,
});
