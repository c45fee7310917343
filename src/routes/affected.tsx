import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/resource/route";
import type { AffectedSearch } from "~/screens/affected/data";
import { Affected } from "~/screens/affected/page";

export const Route = createFileRoute("/affected")({
  validateSearch: listSearch<AffectedSearch>(),
  component: Affected,
});
