import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/frame/route";
import { auditScreens } from "~/domains/audit/audit-log/data";
import { AuditEntryPage } from "~/domains/audit/audit-log/page";

export const Route = createFileRoute("/audit-log/$uid")({
  validateSearch: pageSearch,
  loader: (start) => (start.context.config.auditLog ? startRecord(auditScreens)(start) : undefined),
  component: AuditEntryPage,
});
