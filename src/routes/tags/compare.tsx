import { createFileRoute } from "@tanstack/react-router";

import { screenSearch } from "~/parts/scope";

import { TagCompare } from "./-tag-compare";
import { readCompareSearch } from "./-tag-search";

export const Route = createFileRoute("/tags/compare")({
  validateSearch: screenSearch(readCompareSearch),
  component: TagCompare,
});
