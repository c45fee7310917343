import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import { SnapshotsPage } from "~/domains/audit/snapshots/page";

export const Route = createFileRoute("/snapshots")({
  validateSearch: listSearch<object>(),
  component: SnapshotsPage,
});
