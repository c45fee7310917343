import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/resource/route";
import { ImportPage } from "~/screens/import/page";
import type { ImportSearch } from "~/screens/import/search";

export const Route = createFileRoute("/import")({
  validateSearch: listSearch<ImportSearch>(),
  component: ImportPage,
});
