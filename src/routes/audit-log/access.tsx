import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/resource/route";
import type { AccessSearch } from "~/screens/audit-log/access-data";
import { AccessPage } from "~/screens/audit-log/access-page";

export const Route = createFileRoute("/audit-log/access")({
  validateSearch: listSearch<AccessSearch>(),
  component: AccessPage,
});
