import type { ReactNode } from "react";

import type { IdentityProvider } from "platform-contract/iam/identity-providers";
import { useBulkDelete } from "~/frame/list/bulk-delete";
import {
  createdColumn,
  descriptionColumn,
  groupColumn,
  nameColumn,
  updatedColumn,
} from "~/frame/list/columns";
import { CreateButton } from "~/frame/list/create-button";
import { ListFilters } from "~/frame/list/list-filters";
import { ListPage, ListRows, useListScreen } from "~/frame/list/list-screen";
import { Time } from "~/ui/display/time";
import { NothingYet } from "~/ui/feedback/empty";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";

import { identityProviderScreens } from "./data";

const columns: readonly Column<IdentityProvider>[] = [
  nameColumn(),
  {
    id: "issuer",
    header: "Issuer",
    width: "minmax(10rem, 2fr)",
    hideBelow: 760,
    cell: ({ oidc }) => <bdi>{oidc?.issuer}</bdi>,
    text: ({ oidc }) => oidc?.issuer ?? "",
  },
  descriptionColumn({ optional: true }),
  groupColumn(),
  createdColumn({ hideBelow: 1040 }),
  updatedColumn({ optional: true }),
  uidColumn,
];

/** Lists the identity providers of an organization, which replace the platform's own sign-in. */
export function IdentityProviderList(): ReactNode {
  const list = useListScreen(identityProviderScreens);
  const selection = useBulkDelete(
    list,
    "People can no longer sign in through these providers. Providers with group mappings aren't deleted.",
  );
  const create = <CreateButton list={list}>Create identity provider</CreateButton>;
  return (
    <ListPage list={list} description="OpenID Connect providers that people sign in with." action={create}>
      <ListFilters list={list} columns={columns} />
      <ListRows
        list={list}
        columns={columns}
        summary={({ oidc }) => <bdi>{oidc?.issuer}</bdi>}
        aside={({ createTime }) => <Time value={createTime} />}
        actions={({ uid }) => [
          { label: "Duplicate", onSelect: () => list.open("create", uid), disabled: list.createRefusal },
        ]}
        selection={selection}
      >
        <NothingYet title="No identity providers here yet" action={create}>
          Let people sign in with their company account and get roles from their groups.
        </NothingYet>
      </ListRows>
    </ListPage>
  );
}
