import type { ReactNode } from "react";

import type { Identity } from "~/contract/iam/identities";
import { Dash } from "~/ui/display/dash";
import { NothingYet } from "~/ui/feedback/empty";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";
import { nameColumn } from "~/resource/columns";
import { ListFilters } from "~/resource/list-filters";
import { ListPage, ListRows, useListScreen } from "~/resource/list-screen";
import { LastSeen, seenColumn } from "~/screens/identities/last-seen";
import { emailOrSubject } from "~/features/identities/words";

import { WaitingRequests } from "~/features/access-requests/waiting";
import { peopleScreens } from "./data";

const columns: readonly Column<Identity>[] = [
  nameColumn(),
  {
    id: "email",
    header: "Email or subject",
    width: "minmax(10rem, 3fr)",
    cell: (person) => <bdi>{emailOrSubject(person)}</bdi>,
    text: emailOrSubject,
  },
  {
    id: "issuer",
    header: "Issuer",
    width: "minmax(10rem, 3fr)",
    hideBelow: 760,
    cell: ({ claimMatch }) => (claimMatch?.issuer ? <code dir="ltr">{claimMatch.issuer}</code> : <Dash />),
    text: ({ claimMatch }) => claimMatch?.issuer ?? "",
  },
  seenColumn,
  uidColumn,
];

/** Lists the people of all organizations whose identities the user can list. */
export function PeopleList(): ReactNode {
  const list = useListScreen(peopleScreens);
  return (
    <ListPage list={list} description="People who have a role here.">
      <WaitingRequests group={list.scope.group} />
      <ListFilters list={list} columns={columns} />
      <ListRows list={list} columns={columns} aside={(person) => <LastSeen identity={person} />}>
        <NothingYet title="No people yet">
          People appear here once they have a role in a group where you can list identities.
        </NothingYet>
      </ListRows>
    </ListPage>
  );
}
