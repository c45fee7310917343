import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import { StatusPage } from "~/domains/organization/status/page";

export const Route = createFileRoute("/status")({
  validateSearch: listSearch<object>(),
  component: StatusPage,
});
