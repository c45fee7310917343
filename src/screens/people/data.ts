import { identities, type Identity } from "~/contract/iam/identities";
import { defineScreens } from "~/resource/define";
import { contains, exact, type SearchOf } from "~/resource/filters";
import { identityScreens, seenFilter } from "~/screens/identities/data";
import { emailOrSubject } from "~/screens/identities/words";

const filters = {
  name: exact("name", "Name is exactly"),
  contains: contains<Identity>("Name or email contains", (person) => [person.name, emailOrSubject(person)]),
  seen: seenFilter,
};
export type PeopleSearch = SearchOf<typeof filters>;

const { affects, sortable, request, behavior, list, get } = identities;

/** The identities at the root level. The identity provider manages them: nothing is created or changed here. */
export const peopleScreens = {
  ...defineScreens<Identity, unknown>(
    {
      collection: "people",
      noun: "person",
      plural: "people",
      affects,
      sortable,
      request,
      behavior,
      list,
      get,
    },
    { filters, order: "name", atRoot: true },
  ),
  link: identityScreens.link,
};
