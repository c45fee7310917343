import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/resource/route";
import { AccessReview } from "~/screens/access-review/page";
import type { ReviewSearch } from "~/screens/access-review/search";

export const Route = createFileRoute("/access-review")({
  validateSearch: listSearch<ReviewSearch>(),
  component: AccessReview,
});
