import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/frame/route";
import { auditScreens, type AuditSearch } from "~/domains/audit/audit-log/data";
import { AuditList } from "~/domains/audit/audit-log/list";

export const Route = createFileRoute("/audit-log/")({
  validateSearch: listSearch<AuditSearch>(),
  loader: (start) => (start.context.config.auditLog ? startList(auditScreens)(start) : undefined),
  component: AuditList,
});
