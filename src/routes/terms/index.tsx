import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/frame/route";
import { termsScreens, type TermsSearch } from "~/domains/organization/terms/data";
import { TermsList } from "~/domains/organization/terms/list";

export const Route = createFileRoute("/terms/")({
  validateSearch: listSearch<TermsSearch>(),
  loader: startList(termsScreens),
  component: TermsList,
});
