import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import { PreferencesPage } from "~/shell/session/preferences";

export const Route = createFileRoute("/preferences")({
  validateSearch: listSearch<object>(),
  component: PreferencesPage,
});
