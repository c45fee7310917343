import { identities, type Identity } from "platform-contract/iam/identities";
import { machinesAtRoot } from "~/frame/scope/people";
import { defineScreens } from "~/frame/define";
import { contains, exact, pinned, searched, type SearchOf } from "~/frame/list/filters";
import { identityScreens, seenFilter } from "~/domains/identities/identities/data";
import { emailOrSubject } from "~/domains/identities/identities/words";

const filters = {
  name: searched(exact("name", "Name")),
  contains: searched(contains<Identity>("Name or email", (person) => [person.name, emailOrSubject(person)])),
  seen: pinned(seenFilter),
};
export type PeopleSearch = SearchOf<typeof filters>;

const { affects, behavior, sortable, request, list, get } = identities;

/** The identities at the root level. The identity provider manages them, so they are read-only here. */
export const peopleScreens = {
  ...defineScreens<Identity, unknown>(
    {
      collection: "people",
      noun: "person",
      plural: "people",
      affects,
      behavior,
      sortable,
      request,
      list,
      get,
    },
    // A client of the service is no person; the list of identities names it.
    { filters, lists: "root", leftOut: machinesAtRoot },
  ),
  link: identityScreens.link,
};
