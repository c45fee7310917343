import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import { AccessReview } from "~/domains/access/access-review/page";
import type { ReviewSearch } from "~/domains/access/access-review/search";

export const Route = createFileRoute("/access-review")({
  validateSearch: listSearch<ReviewSearch>(),
  component: AccessReview,
});
