import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import type { DocumentSearch } from "~/domains/vulnerabilities/advisories/data";
import { PackageDocument } from "~/domains/vulnerabilities/advisories/documents";

export const Route = createFileRoute("/advisories/documents")({
  validateSearch: listSearch<DocumentSearch>(),
  component: PackageDocument,
});
