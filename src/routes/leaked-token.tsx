import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import { LeakedTokenPage, type LeakSearch } from "~/domains/access/leaked-token/page";

export const Route = createFileRoute("/leaked-token")({
  validateSearch: listSearch<LeakSearch>(),
  component: LeakedTokenPage,
});
