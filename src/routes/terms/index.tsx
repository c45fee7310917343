import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import { termsScreens, type TermsSearch } from "~/screens/terms/data";
import { TermsList } from "~/screens/terms/list";

export const Route = createFileRoute("/terms/")({
  validateSearch: listSearch<TermsSearch>(),
  loader: startList(termsScreens),
  component: TermsList,
});
