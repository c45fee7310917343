import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import { Manifests } from "~/domains/registry/manifests/page";

export const Route = createFileRoute("/manifests")({
  validateSearch: listSearch<object>(),
  component: Manifests,
});
