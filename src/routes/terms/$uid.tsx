import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { TermsPage } from "~/screens/terms/page";

export const Route = createFileRoute("/terms/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(async () => (await import("~/screens/terms/data")).termsScreens),
  component: TermsPage,
});
