import { useState, type ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import type { Identity } from "platform-contract/iam/identities";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { leaverOf, type Leaver } from "~/domains/access/grants/leaver";
import type { RemoveAccessProps } from "~/domains/access/grants/remove-access";
import { onDemand } from "~/ui/on-demand";
import { useBulkActs } from "~/frame/list/bulk-acts";
import { Dash } from "~/ui/display/dash";
import { shorten } from "~/ui/display/shorten";
import { NothingYet } from "~/ui/feedback/empty";
import { AppLink } from "~/ui/layout/link";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";
import { nameColumn } from "~/frame/list/columns";
import { ListFilters } from "~/frame/list/list-filters";
import { ListPage, ListRows, useListScreen } from "~/frame/list/list-screen";
import { LastSeen, seenColumn } from "~/domains/identities/identities/last-seen-column";
import { emailOrSubject } from "~/domains/identities/identities/words";

import { WaitingActivations } from "~/domains/access/eligible-grants/lazy-parts";
import { WaitingRequests } from "~/domains/access/access-requests/waiting";
import { peopleScreens } from "./data";
import classes from "./styles.module.css";

/** The email; without one, the subject of the tokens, which says little to a reader: short and quiet. */
export const EmailOrSubject = ({ of }: { readonly of: Identity }): ReactNode => {
  const text = emailOrSubject(of);
  return text === of.claimMatch?.subject ? (
    <code className={classes["quiet"]} data-tip={text} dir="ltr">
      {shorten(text, 8, 4)}
    </code>
  ) : (
    <bdi>{text}</bdi>
  );
};

const RemoveAccess = onDemand<RemoveAccessProps>(
  async () => (await import("~/domains/access/grants/remove-access")).RemoveAccess,
);
const PeopleActs = onDemand(async () => (await import("./acts")).PeopleActs);

const columns: readonly Column<Identity>[] = [
  nameColumn(),
  {
    id: "email",
    header: "Email or subject",
    width: "minmax(10rem, 3fr)",
    cell: (person) => <EmailOrSubject of={person} />,
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
  const refusal = useRefusal()(roleBindings.delete, undefined);
  const selection = useBulkActs(list, PeopleActs, refusal);
  const text = list.search["contains"] ?? list.search["name"];
  const [leaver, setLeaver] = useState<Leaver>();
  return (
    <ListPage
      list={list}
      about="people"
      description="People with a role in any organization that you can see. The scope doesn't limit this list."
    >
      <WaitingRequests group={list.scope.group} />
      <WaitingActivations group={list.scope.group} />
      <ListFilters list={list} columns={columns} />
      {leaver ? <RemoveAccess leavers={[leaver]} onClose={() => setLeaver(undefined)} /> : null}
      <ListRows
        list={list}
        columns={columns}
        aside={(person) => <LastSeen identity={person} />}
        actions={(person) => [
          { label: "Remove all access", onSelect: () => setLeaver(leaverOf(person)), disabled: refusal },
        ]}
        selection={selection}
        elsewhere={
          text === undefined ? undefined : (
            <p>
              Only people are listed here.{" "}
              <AppLink target={{ to: "/identities", search: { contains: text } }}>
                Search identities for <bdi>{text}</bdi>
              </AppLink>
            </p>
          )
        }
      >
        <NothingYet title="No people yet">
          People appear here once they have a role in a group where you can list identities.
        </NothingYet>
      </ListRows>
    </ListPage>
  );
}
