import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/frame/route";
import { guardRailScreens, type GuardRailSearch } from "~/domains/access/guard-rails/data";
import { GuardRailList } from "~/domains/access/guard-rails/list";

export const Route = createFileRoute("/guard-rails/")({
  validateSearch: listSearch<GuardRailSearch>(),
  loader: (start) => (start.context.config.guardRails ? startList(guardRailScreens)(start) : undefined),
  component: GuardRailList,
});
