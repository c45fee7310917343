import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/resource/route";
import { TagCompare } from "~/screens/tags/compare";
import type { CompareSearch } from "~/screens/tags/data";

export const Route = createFileRoute("/tags/compare")({
  validateSearch: listSearch<CompareSearch>(),
  component: TagCompare,
});
