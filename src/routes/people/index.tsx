import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/frame/route";
import { peopleScreens, type PeopleSearch } from "~/domains/access/people/data";
import { PeopleList } from "~/domains/access/people/list";

export const Route = createFileRoute("/people/")({
  validateSearch: listSearch<PeopleSearch>(),
  loader: startList(peopleScreens),
  component: PeopleList,
});
