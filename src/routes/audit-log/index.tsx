import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import type { AuditSearch } from "~/screens/audit-log/data";
import { AuditList } from "~/screens/audit-log/list";

export const Route = createFileRoute("/audit-log/")({
  validateSearch: listSearch<AuditSearch>(),
  loader: (start) =>
    start.context.config.auditLog
      ? startList(async () => (await import("~/screens/audit-log/data")).auditScreens)(start)
      : undefined,
  component: AuditList,
});
