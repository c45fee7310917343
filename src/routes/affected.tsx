import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import type { AffectedSearch } from "~/domains/vulnerabilities/affected/data";
import { Affected } from "~/domains/vulnerabilities/affected/page";

export const Route = createFileRoute("/affected")({
  validateSearch: listSearch<AffectedSearch>(),
  component: Affected,
});
