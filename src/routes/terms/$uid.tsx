import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/resource/route";
import { termsScreens } from "~/screens/terms/data";
import { TermsPage } from "~/screens/terms/page";

export const Route = createFileRoute("/terms/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(termsScreens),
  component: TermsPage,
});
