import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/resource/route";
import type { ReportSearch } from "~/screens/reports/data";
import { ReportsPage } from "~/screens/reports/page";

export const Route = createFileRoute("/reports/")({
  validateSearch: listSearch<ReportSearch>(),
  component: ReportsPage,
});
