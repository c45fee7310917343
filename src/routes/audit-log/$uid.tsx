import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { auditScreens } from "~/screens/audit-log/data";
import { AuditEntryPage } from "~/screens/audit-log/page";

export const Route = createFileRoute("/audit-log/$uid")({
  validateSearch: pageSearch,
  loader: (start) => (start.context.config.auditLog ? startRecord(auditScreens)(start) : undefined),
  component: AuditEntryPage,
});
