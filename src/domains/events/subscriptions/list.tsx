import type { ReactNode } from "react";

import type { Subscription } from "platform-contract/events/subscriptions";
import { useBulkDelete } from "~/frame/list/bulk-delete";
import { createdColumn, groupColumn, nameColumn, updatedColumn } from "~/frame/list/columns";
import { CreateButton } from "~/frame/list/create-button";
import { ListFilters } from "~/frame/list/list-filters";
import { ListPage, ListRows, useListScreen } from "~/frame/list/list-screen";
import { Time } from "~/ui/display/time";
import { NothingYet } from "~/ui/feedback/empty";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";

import { hostOf, subscriptionScreens } from "./data";

const columns: readonly Column<Subscription>[] = [
  nameColumn({ header: "URL", width: "minmax(12rem, 5fr)", cell: ({ sink = "" }) => sink }),
  groupColumn(),
  {
    id: "host",
    header: "Host",
    width: "minmax(9rem, 2fr)",
    optional: true,
    cell: (subscription) => <bdi>{hostOf(subscription)}</bdi>,
    text: hostOf,
  },
  createdColumn(),
  updatedColumn({ optional: true }),
  uidColumn,
];

/** Lists where the events of a scope are sent. */
export function SubscriptionList(): ReactNode {
  const list = useListScreen(subscriptionScreens);
  const selection = useBulkDelete(list, "Events stop immediately, including pending deliveries.");
  const create = <CreateButton list={list}>Create event subscription</CreateButton>;
  return (
    <ListPage
      list={list}
      description="Addresses that receive what changes in a group and the folders below it."
      action={create}
    >
      <ListFilters list={list} columns={columns} />
      <ListRows
        list={list}
        columns={columns}
        aside={({ createTime }) => <Time value={createTime} />}
        selection={selection}
      >
        <NothingYet title="No event subscriptions here yet" action={create}>
          A subscription sends a signed CloudEvent to your address for each change.
        </NothingYet>
      </ListRows>
    </ListPage>
  );
}
