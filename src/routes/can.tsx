import { createFileRoute } from "@tanstack/react-router";

import { listSearch } from "~/frame/route";
import type { DecisionSearch } from "~/domains/access/decisions/data";
import { Decisions } from "~/domains/access/decisions/page";
import { RepoFilter } from "~/domains/registry/references/repo-filter";
import { RefusedReference } from "~/domains/registry/references/refused-reference";

export const Route = createFileRoute("/can")({
  validateSearch: listSearch<DecisionSearch>(),
  component: () => <Decisions RepoFilter={RepoFilter} RefusedReference={RefusedReference} />,
});
