import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/resource/route";
import { Manifests } from "~/screens/manifests/page";

export const Route = createFileRoute("/manifests")({
  validateSearch: listSearch<object>(),
  component: Manifests,
});
