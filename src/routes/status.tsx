import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/resource/route";
import { StatusPage } from "~/screens/status/page";

export const Route = createFileRoute("/status")({
  validateSearch: listSearch<object>(),
  component: StatusPage,
});
