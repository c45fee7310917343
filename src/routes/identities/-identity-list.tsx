import { Button } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { can } from "~/access/rules";
import { useCan } from "~/access/use-can";
import { useWho } from "~/access/who";
import { anchorOf, keepPlace, refresh, startAt } from "~/api/lists";
import { rowsOf } from "~/api/queries";
import { identities, type Identity } from "~/contract/iam/identities";
import "~/kit/button-styles";
import { DisabledReason } from "~/kit/disabled-reason";
import { ListTable } from "~/kit/list-table";
import type { MenuAction } from "~/kit/menu";
import { Page, PageHeader } from "~/kit/page";
import { Tabs } from "~/kit/tabs";
import { recordActions } from "~/parts/behind";
import { useDeleteMany } from "~/parts/ledger/use-delete-many";
import { ListTools } from "~/parts/list-tools";
import { Scanned } from "~/parts/scanned";
import { useTitle } from "~/parts/title";
import { paramToUid } from "~/parts/uid-param";
import { useView } from "~/parts/use-view";

import { DELETION } from "./-delete-many";
import { machineColumns, Matches, peopleColumns } from "./-identity-columns";
import { IdentityDrawers } from "./-identity-drawers";
import { IdentityFilters } from "./-identity-filters";
import { identityListQuery, identityScanQuery } from "./-identity-queries";
import { matcherOf } from "./-identity-scan";
import { DEFAULT_ORDER, isScanned, NO_FILTERS, type IdentityListSearch } from "./-identity-search";
import { isPerson, nameOf, PERSON_FIXED } from "./-identity-words";
import { detailOf } from "./-links";
import { NoIdentities } from "./-no-identities";
import { useListScope } from "./-use-list-scope";

const route = getRouteApi("/identities/");

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

/** What changes in the address; undefined leaves it out. */
interface ViewChange extends IdentityListSearch {
  reach?: "here" | undefined;
}

/** Who may act: machines of a scope, and people. */
export function IdentityList(): ReactNode {
  const { tab = "machines" } = route.useSearch();
  // Another list with rows of another kind: nothing of the one is shown while the other loads.
  return <List key={tab} />;
}

function List(): ReactNode {
  const client = useQueryClient();
  const search = route.useSearch();
  const { scope, known } = useListScope();
  const who = useWho();
  const people = search.tab === "people";
  const creation = useCan(identities.create, scope.group);
  useTitle(people ? "People" : "Identities");

  const list = identityListQuery(scope, search);
  const settled = known || people;
  const scanned = isScanned(search);
  const query = useInfiniteQuery({
    ...list,
    enabled: settled && !scanned,
    placeholderData: keepPreviousData,
  });
  const { rows, first, total, anew, odd } = rowsOf(query.data);

  const { order = DEFAULT_ORDER, name, kind, contains, seen, drawer } = search;
  const item = search.item === undefined ? undefined : paramToUid(search.item);
  const { show, open, close } = useView<ViewChange>();

  const caller = who.state === "loading" ? undefined : { ...who, state: who.state };
  const refusal = (identity: Identity, endpoint: typeof identities.update | typeof identities.delete) =>
    isPerson(identity) ? PERSON_FIXED : can(caller, endpoint, identity.uid).reason;
  const actions = (identity: Identity): MenuAction[] => {
    const { uid } = identity;
    return [
      ...recordActions(identity, nameOf(identity)),
      { label: "Edit", onSelect: () => open("edit", uid), disabled: refusal(identity, identities.update) },
      {
        label: "Delete",
        onSelect: () => open("delete", uid),
        disabled: refusal(identity, identities.delete),
        danger: true,
      },
    ];
  };
  const view = JSON.stringify([scope, name, kind, contains, seen]);
  const selection = useDeleteMany({
    ...DELETION,
    view,
    list: identityScanQuery(scope, search),
    matches: matcherOf(search),
    refusal: (identity) => refusal(identity, identities.delete),
  });
  const create = (
    <DisabledReason reason={creation.reason}>
      <Button onClick={() => open("create")}>Create identity</Button>
    </DisabledReason>
  );

  const table = {
    label: people ? "People" : "Identities",
    rowKey: ({ uid }: Identity) => uid,
    rowName: nameOf,
    rowLink: ({ uid }: Identity) => detailOf(uid),
    rowActions: actions,
    summary: people ? undefined : (identity: Identity) => <Matches identity={identity} />,
    columns: people ? peopleColumns : machineColumns,
    order,
    onOrder: (next: string) => show({ order: next === DEFAULT_ORDER ? undefined : next, at: undefined }),
    at: search.at === undefined ? undefined : Number(search.at),
    onAt: (at: number | undefined) => {
      keepPlace(client, list, at ?? 0);
      show({ at: at === undefined ? undefined : String(at) }, true);
    },
    view,
    selection: people ? undefined : selection,
  };
  const emptyState = (
    <NoIdentities group={scope.group} search={search} onClear={() => show(NO_FILTERS)} action={create} />
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
      <IdentityFilters search={search} scope={scope} onChange={show}>
        <ListTools
          label={table.label}
          columns={table.columns}
          list={identityScanQuery(scope, search)}
          matches={scanned ? matcherOf(search) : undefined}
          group={people ? undefined : scope.group}
        />
      </IdentityFilters>
      <IdentityDrawers
        drawer={drawer}
        item={item}
        known={rows.find(({ uid }) => uid === item)}
        scope={scope.group}
        onClose={close}
        onDeleted={close}
      />
      {scanned ? (
        <Scanned
          list={identityScanQuery(scope, search)}
          enabled={settled}
          filter={JSON.stringify([contains, seen])}
          matches={matcherOf(search)}
          what="identities"
          one="identity"
          emptyState={emptyState}
          loading={<ListTable {...table} query={{ ...query, isPending: true }} rows={[]} emptyState={null} />}
        >
          {(found) => <ListTable {...table} {...found} />}
        </Scanned>
      ) : (
        <ListTable
          {...table}
          query={query}
          rows={rows}
          total={total}
          firstRow={first}
          odd={odd}
          anew={anew}
          onJump={(row) => startAt(client, list, anchorOf(row))}
          onRefresh={() => refresh(client, list)}
          emptyState={emptyState}
        />
      )}
    </Page>
  );
}
