import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import { TagCompare } from "~/domains/registry/tags/compare";
import type { CompareSearch } from "~/domains/registry/tags/data";

export const Route = createFileRoute("/tags/compare")({
  validateSearch: listSearch<CompareSearch>(),
  component: TagCompare,
});
