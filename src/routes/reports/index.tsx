import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import type { ReportSearch } from "~/domains/vulnerabilities/reports/data";
import { ReportsPage } from "~/domains/vulnerabilities/reports/page";

export const Route = createFileRoute("/reports/")({
  validateSearch: listSearch<ReportSearch>(),
  component: ReportsPage,
});
