import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/resource/route";
import type { DocumentSearch } from "~/screens/advisories/data";
import { PackageDocument } from "~/screens/advisories/documents";

export const Route = createFileRoute("/advisories/documents")({
  validateSearch: listSearch<DocumentSearch>(),
  component: PackageDocument,
});
