import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/resource/route";
import { SnapshotsPage } from "~/screens/snapshots/page";

export const Route = createFileRoute("/snapshots")({
  validateSearch: listSearch<object>(),
  component: SnapshotsPage,
});
