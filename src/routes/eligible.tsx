import { createFileRoute } from "@tanstack/react-router";

import { EligiblePage } from "~/domains/access/eligible-grants/page";
import { listSearch } from "~/frame/route";

export const Route = createFileRoute("/eligible")({
  validateSearch: listSearch<object>(),
  component: EligiblePage,
});
