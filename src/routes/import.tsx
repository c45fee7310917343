import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import { ImportPage } from "~/domains/identities/import/page";
import type { ImportSearch } from "~/domains/identities/import/search";

export const Route = createFileRoute("/import")({
  validateSearch: listSearch<ImportSearch>(),
  component: ImportPage,
});
