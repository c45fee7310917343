import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import { EndingsPage } from "~/domains/access/endings/page";

export const Route = createFileRoute("/endings")({
  validateSearch: listSearch<object>(),
  component: EndingsPage,
});
