import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import { Migrate } from "~/domains/identities/migrate/page";
import type { MigrateSearch } from "~/domains/identities/migrate/search";

export const Route = createFileRoute("/migrate")({
  validateSearch: listSearch<MigrateSearch>(),
  component: Migrate,
});
