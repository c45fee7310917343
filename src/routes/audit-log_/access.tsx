import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import type { AccessSearch } from "~/domains/audit/access-on-a-date/data";
import { AccessPage } from "~/domains/audit/access-on-a-date/page";

export const Route = createFileRoute("/audit-log_/access")({
  validateSearch: listSearch<AccessSearch>(),
  component: AccessPage,
});
