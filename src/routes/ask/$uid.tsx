import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import type { AskSearch } from "~/domains/access/access-requests/links";
import { AskPage } from "~/domains/access/access-requests/page";

export const Route = createFileRoute("/ask/$uid")({
  validateSearch: listSearch<AskSearch>(),
  component: AskPage,
});
