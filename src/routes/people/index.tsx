import { createFileRoute } from "@tanstack/react-router";

import { listSearch, startList } from "~/resource/route";
import { peopleScreens, type PeopleSearch } from "~/screens/people/data";
import { PeopleList } from "~/screens/people/list";

export const Route = createFileRoute("/people/")({
  validateSearch: listSearch<PeopleSearch>(),
  loader: startList(peopleScreens),
  component: PeopleList,
});
