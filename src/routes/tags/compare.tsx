import { createFileRoute } from "@tanstack/react-router";

import { screenSearch } from "~/features/scope/scope";

import { TagCompare } from "~/screens/tags/compare";
import { readCompareSearch } from "~/screens/tags/search";

export const Route = createFileRoute("/tags/compare")({
  validateSearch: screenSearch(readCompareSearch),
  component: TagCompare,
});
