import { createFileRoute } from "@tanstack/react-router";

import { pageSearch, startRecord } from "~/frame/route";
import { guardRailScreens } from "~/domains/access/guard-rails/data";
import { GuardRailPage } from "~/domains/access/guard-rails/page";

export const Route = createFileRoute("/guard-rails/$uid")({
  validateSearch: pageSearch,
  loader: startRecord(guardRailScreens),
  component: GuardRailPage,
});
