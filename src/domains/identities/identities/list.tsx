import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import { isWithoutAccess, useCurrentUser } from "~/frame/permissions/current-user";
import { PULL } from "platform-contract/capability";
import type { Identity } from "platform-contract/iam/identities";
import { ImportLink } from "~/domains/identities/import/import-link";
import { ActionButton } from "~/ui/controls/action-button";
import "~/ui/controls/button-styles";
import { Dash } from "~/ui/display/dash";
import { Expiry } from "~/ui/display/expiry";
import { NothingYet } from "~/ui/feedback/empty";
import { AppLink } from "~/ui/layout/link";
import { onDemand } from "~/ui/on-demand";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";
import { Help } from "~/frame/help/help";
import { useBulkDelete } from "~/frame/list/bulk-delete";
import { NoAccessYet } from "~/frame/list/no-access-yet";
import { createdColumn, descriptionColumn, groupColumn, nameColumn } from "~/frame/list/columns";
import { CreateButton } from "~/frame/list/create-button";
import { ListFilters } from "~/frame/list/list-filters";
import { ListPage, ListRows, useListScreen } from "~/frame/list/list-screen";

import { identityTab } from "./effective-access/links";

import { identityScreens, KEYS_EXPIRE, loadDrawers } from "./data";
import { Matches } from "./matches";
import { ServiceClients } from "./service-clients";
import { seenColumn } from "./last-seen-column";
import { useMachineScope } from "./use-machine-scope";
import { TypeCell } from "./type-cell";
import { matchesOf, typeWord } from "./words";
import classes from "./styles.module.css";

// With the decoder, the patterns and the comparison of tokens.
const TokenTester = onDemand(async () => (await import("./token-tester/tester")).TokenTester);

const IdentityActs = onDemand(async () => (await loadDrawers()).IdentityActs);

const columns: readonly Column<Identity>[] = [
  nameColumn(),
  {
    id: "kind",
    header: "Type",
    width: "10rem",
    hideBelow: 760,
    cell: (identity) => <TypeCell identity={identity} />,
    text: typeWord,
  },
  {
    id: "matches",
    header: "Matches",
    width: "minmax(10rem, 5fr)",
    cell: (identity) => <Matches identity={identity} />,
    text: (identity) => {
      const { text, whole = text } = matchesOf(identity);
      return whole;
    },
  },
  seenColumn,
  // The identities of folders stand among those of the organization.
  groupColumn({ width: "minmax(8rem, 2fr)", hideBelow: 1000 }),
  {
    id: "expires",
    header: "Keys expire",
    width: "9rem",
    hideBelow: 1180,
    cell: ({ staticKeys }) =>
      staticKeys ? <Expiry value={staticKeys.expirationTime} soon={KEYS_EXPIRE} /> : <Dash label="no keys" />,
    text: ({ staticKeys }) => staticKeys?.expirationTime ?? "",
  },
  createdColumn({ hideBelow: 880 }),
  descriptionColumn({ width: "minmax(8rem, 3fr)", optional: true }),
  uidColumn,
];

const WORKLOADS = (
  <>
    Workloads that can sign in here: CI jobs, clusters, services.
    <ServiceClients /> <Help about="identity types" />
  </>
);

/** Lists the machine identities of a scope. */
export function IdentityList(): ReactNode {
  const { scope, known } = useMachineScope();
  const withoutAccess = isWithoutAccess(useCurrentUser());
  const list = useListScreen(identityScreens, { scope, enabled: known });
  const selection = useBulkDelete(
    list,
    "Workloads using these identities will lose access immediately. Their role bindings are removed too. This can't be undone.",
    { typed: true, More: IdentityActs },
  );
  const create = <CreateButton list={list}>Create identity</CreateButton>;
  // Full page: its tables are too wide for a drawer.
  if (list.search.drawer === "test-token")
    return <TokenTester scope={scope} known={known} onClose={list.close} />;
  return (
    <ListPage
      list={list}
      description={
        known && scope.group === undefined
          ? "All identities, including people. Choose a group under Scope to list only its workloads."
          : WORKLOADS
      }
      actions={
        <>
          <ImportLink kind="identities" />
          <Button variant="default" component={AppLink} target={{ to: "/migrate" }}>
            Migrate CI
          </Button>
          <ActionButton reason={undefined} onClick={() => list.open("test-token")}>
            Test a token
          </ActionButton>
        </>
      }
      action={create}
    >
      {/* Wait for the scope, which determines the filters: a filter that appears late would move the list. */}
      {withoutAccess ? (
        <NoAccessYet />
      ) : known ? (
        <>
          <ListFilters list={list} columns={columns} />
          <ListRows
            list={list}
            columns={columns}
            summary={(identity) => <Matches identity={identity} />}
            aside={(identity) => <TypeCell identity={identity} />}
            actions={({ uid }) => [{ label: "Where it can pull", link: identityTab(uid, "access", PULL) }]}
            selection={selection}
          >
            <NothingYet title="No identities here yet" action={create}>
              An identity lets a CI job, a cluster or a cloud role sign in with its own tokens, without a
              stored secret.
            </NothingYet>
          </ListRows>
        </>
      ) : (
        <p className={classes["quiet"]}>Loading…</p>
      )}
    </ListPage>
  );
}
