import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/resource/route";
import { Migrate } from "~/screens/migrate/page";
import type { MigrateSearch } from "~/screens/migrate/search";

export const Route = createFileRoute("/migrate")({
  validateSearch: listSearch<MigrateSearch>(),
  component: Migrate,
});
