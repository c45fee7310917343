import { getRouteApi, linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useRefusal } from "~/access/use-can";
import { identities, type Identity } from "~/contract/iam/identities";
import { ActionButton } from "~/ui/controls/action-button";
import { ListTable } from "~/ui/table/list-table";
import { deleteAction, type MenuAction } from "~/ui/overlay/menu";
import { onDemand } from "~/ui/on-demand";
import { Page, PageHeader } from "~/ui/layout/page";
import { Tabs } from "~/ui/layout/tabs";
import { recordActions } from "~/features/request-inspector/record-actions";
import { useDeleteMany } from "~/features/bulk-delete/use-delete-many";
import { ListTools } from "~/resource/list-tools";
import { ClientFilteredList } from "~/resource/client-filtered-list";
import { useTitle } from "~/features/scope/title";
import { useList } from "~/resource/use-list";
import { useView } from "~/resource/use-view";

import { DELETION } from "./delete-many";
import { machineColumns, Matches, peopleColumns } from "./columns";
import { IdentityFilters } from "./filters";
import { identityListQuery, identityScanQuery } from "./queries";
import { matcherOf } from "./scan";
import { DEFAULT_ORDER, filterWords, isScanned, NO_FILTERS, type IdentityListSearch } from "./search";
import { fixedReason, nameOf } from "./words";
import { detailOf } from "./links";
import { useListScope } from "./use-list-scope";

const route = getRouteApi("/identities/");

// Nobody needs these for the first rows.
const IdentityDrawers = onDemand(async () => (await import("./drawers")).IdentityDrawers);
const NoIdentities = onDemand(async () => (await import("./empty")).NoIdentities);

// Exact: the router takes the link without a tab for the current one on every tab.
const activeOptions = { exact: true };
const TABS = [
  { label: "Machines", link: linkOptions({ to: "/identities", search: {}, activeOptions }) },
  { label: "People", link: linkOptions({ to: "/identities", search: { tab: "people" }, activeOptions }) },
];
const ABOUT = {
  machines: "Builds, clusters and services that may act here, each recognised by what its tokens say.",
  people: "People with a role in a group where you may list identities.",
  // The API has no filter for "not at root level" (contract 0.4).
  everything:
    "All identities that you may see, people among them. Choose a group under Scope for its machines alone.",
};

/** Who may act: machines of a scope, and people. */
export function IdentityList(): ReactNode {
  const { tab = "machines" } = route.useSearch();
  // Another list with rows of another kind: nothing of the one is shown while the other loads.
  return <List key={tab} />;
}

function List(): ReactNode {
  const search = route.useSearch();
  const { scope, known } = useListScope();
  const people = search.tab === "people";
  useTitle(people ? "People" : "Identities");
  const can = useRefusal();
  const { filter, open, close } = useView<IdentityListSearch>();

  const settled = known || people;
  const matches = isScanned(search) ? matcherOf(search) : undefined;
  const whole = identityScanQuery(scope, search);
  const { view, table, paged, opened } = useList({
    list: identityListQuery(scope, search),
    scope,
    search,
    defaultOrder: DEFAULT_ORDER,
    enabled: settled && matches === undefined,
  });

  const refusal = (identity: Identity, endpoint: typeof identities.update | typeof identities.delete) =>
    fixedReason(identity) ?? can(endpoint, identity.uid);
  const actions = (identity: Identity): MenuAction[] => {
    const { uid } = identity;
    return [
      ...recordActions(identity, nameOf(identity)),
      { label: "Edit", onSelect: () => open("edit", uid), disabled: refusal(identity, identities.update) },
      deleteAction(() => open("delete", uid), refusal(identity, identities.delete)),
    ];
  };
  const selection = useDeleteMany({
    ...DELETION,
    view,
    list: whole,
    matches: matcherOf(search),
    refusal: (identity) => refusal(identity, identities.delete),
  });
  const facts = {
    ...table,
    label: people ? "People" : "Identities",
    columns: people ? peopleColumns : machineColumns,
    rowName: nameOf,
    rowLink: ({ uid }: Identity) => detailOf(uid),
    rowActions: actions,
    summary: people ? undefined : (identity: Identity) => <Matches identity={identity} />,
    selection: people ? undefined : selection,
  };
  const create = (
    <ActionButton
      reason={can(identities.create, scope.group)}
      variant="filled"
      onClick={() => open("create")}
    >
      Create identity
    </ActionButton>
  );
  const emptyState = (
    <NoIdentities
      people={people}
      group={scope.group}
      filters={filterWords(search)}
      onClear={() => filter(NO_FILTERS)}
      action={create}
    />
  );
  return (
    <Page fill>
      <PageHeader
        title="Identities"
        description={
          people ? ABOUT.people : known && scope.group === undefined ? ABOUT.everything : ABOUT.machines
        }
        actions={people ? undefined : create}
      />
      <Tabs label="Kinds of identities" tabs={TABS} current={people ? "People" : "Machines"} />
      <IdentityFilters search={search} scope={scope} onChange={filter}>
        <ListTools
          label={facts.label}
          columns={facts.columns}
          list={whole}
          matches={matches}
          group={people ? undefined : scope.group}
        />
      </IdentityFilters>
      {search.drawer === undefined ? null : (
        <IdentityDrawers {...opened} scope={scope.group} onClose={close} onDeleted={close} />
      )}
      {matches ? (
        <ClientFilteredList
          list={whole}
          enabled={settled}
          filter={JSON.stringify([search.contains, search.seen])}
          matches={matches}
          what="identities"
          one="identity"
          emptyState={emptyState}
        >
          {(found) => <ListTable {...facts} {...found} />}
        </ClientFilteredList>
      ) : (
        <ListTable {...facts} {...paged} emptyState={emptyState} />
      )}
    </Page>
  );
}
