import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import { auditScreens, type AuditSearch } from "~/screens/audit-log/data";
import { AuditList } from "~/screens/audit-log/list";

export const Route = createFileRoute("/audit-log/")({
  validateSearch: listSearch<AuditSearch>(),
  loader: (start) => (start.context.config.auditLog ? startList(auditScreens)(start) : undefined),
  component: AuditList,
});
