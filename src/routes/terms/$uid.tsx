import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/frame/route";
import { termsScreens } from "~/domains/organization/terms/data";
import { TermsPage } from "~/domains/organization/terms/page";

export const Route = createFileRoute("/terms/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(termsScreens),
  component: TermsPage,
});
