import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import { Retention } from "~/domains/registry/retention/page";
import type { RetentionSearch } from "~/domains/registry/retention/search";

export const Route = createFileRoute("/retention")({
  validateSearch: listSearch<RetentionSearch>(),
  component: Retention,
});
