import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/resource/route";
import { RoleCompare } from "~/screens/roles/compare";
import type { CompareSearch } from "~/screens/roles/data";

export const Route = createFileRoute("/roles/compare")({
  validateSearch: listSearch<CompareSearch>(),
  component: RoleCompare,
});
