import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import type { AccessSearch } from "~/domains/audit/audit-log/access-data";
import { AccessPage } from "~/domains/audit/audit-log/access-page";

export const Route = createFileRoute("/audit-log/access")({
  validateSearch: listSearch<AccessSearch>(),
  component: AccessPage,
});
