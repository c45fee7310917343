import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/resource/route";
import { Retention } from "~/screens/retention/page";
import type { RetentionSearch } from "~/screens/retention/search";

export const Route = createFileRoute("/retention")({
  validateSearch: listSearch<RetentionSearch>(),
  component: Retention,
});
