import { Button } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { can } from "~/access/rules";
import { useCan } from "~/access/use-can";
import { useWho } from "~/access/who";
import { anchorOf, keepPlace, refresh, startAt } from "~/api/lists";
import { rowsOf } from "~/api/queries";
import { repos, type Repo } from "~/contract/registry/repos";
import "~/kit/button-styles";
import { DisabledReason } from "~/kit/disabled-reason";
import type { MenuAction } from "~/kit/menu";
import { Page, PageHeader } from "~/kit/page";
import { recordActions } from "~/parts/behind";
import { ListTools } from "~/parts/list-tools";
import { repoPage, repoTags } from "~/parts/repo-links";
import { Scanned } from "~/parts/scanned";
import { useScope } from "~/parts/scope";
import { useTitle } from "~/parts/title";
import { paramToUid } from "~/parts/uid-param";
import { useView } from "~/parts/use-view";

import { NoRepos } from "./-no-repos";
import { Origin, repoColumns } from "./-repo-columns";
import { RepoDrawers } from "./-repo-drawers";
import { RepoFilters } from "./-repo-filters";
import { repoListQuery, repoScanQuery } from "./-repo-queries";
import { matcherOf } from "./-repo-scan";
import { DEFAULT_ORDER, isScanned, NO_FILTERS, type RepoListSearch } from "./-repo-search";
import { RepoTable } from "./-repo-table";
import { nameOf } from "./-repo-words";

const route = getRouteApi("/repos/");

/** What changes in the address; undefined leaves it out. */
interface ViewChange extends RepoListSearch {
  reach?: "here" | undefined;
}

/** The image repositories of a scope. */
export function RepoList(): ReactNode {
  const client = useQueryClient();
  const search = route.useSearch();
  const scope = useScope();
  const who = useWho();
  const creation = useCan(repos.create, scope.group);
  useTitle("Repos");

  const list = repoListQuery(scope, search);
  const scanned = isScanned(search);
  const query = useInfiniteQuery({ ...list, enabled: !scanned, placeholderData: keepPreviousData });
  const { rows, first, total, anew, odd } = rowsOf(query.data);

  const { order = DEFAULT_ORDER, name, contains, tier, drawer } = search;
  const item = search.item === undefined ? undefined : paramToUid(search.item);
  const { show, open, close } = useView<ViewChange>();

  const actions = (repo: Repo): MenuAction[] => {
    const { uid } = repo;
    const caller = who.state === "loading" ? undefined : { ...who, state: who.state };
    const unless = (endpoint: typeof repos.update | typeof repos.delete) => can(caller, endpoint, uid).reason;
    return [
      ...recordActions(repo, nameOf(repo)),
      { label: "Tags", link: repoTags(uid) },
      { label: "Edit", onSelect: () => open("edit", uid), disabled: unless(repos.update) },
      { label: "Delete", onSelect: () => open("delete", uid), disabled: unless(repos.delete), danger: true },
    ];
  };
  const create = (
    <DisabledReason reason={creation.reason}>
      <Button onClick={() => open("create")}>Create repo</Button>
    </DisabledReason>
  );

  const table = {
    label: "Repos",
    rowKey: ({ uid }: Repo) => uid,
    rowName: nameOf,
    rowLink: ({ uid }: Repo) => repoPage(uid),
    rowActions: actions,
    summary: (repo: Repo) => (repo.description ? <bdi>{repo.description}</bdi> : <Origin repo={repo} />),
    order,
    onOrder: (next: string) => show({ order: next === DEFAULT_ORDER ? undefined : next, at: undefined }),
    at: search.at === undefined ? undefined : Number(search.at),
    onAt: (at: number | undefined) => {
      keepPlace(client, list, at ?? 0);
      show({ at: at === undefined ? undefined : String(at) }, true);
    },
    view: JSON.stringify([scope, name, contains, tier]),
  };
  const emptyState = (
    <NoRepos group={scope.group} search={search} onClear={() => show(NO_FILTERS)} action={create} />
  );
  return (
    <Page fill>
      <PageHeader
        title="Repos"
        description="Image repositories: what is published here, each with its tags."
        actions={create}
      />
      <RepoFilters search={search} scope={scope} onChange={show}>
        <ListTools
          label={table.label}
          columns={repoColumns}
          list={repoScanQuery(scope, search)}
          matches={scanned ? matcherOf(search) : undefined}
          group={scope.group}
          columnsOf={async (found) => (await import("./-export-columns")).exportColumns(client, found)}
        />
      </RepoFilters>
      <RepoDrawers
        drawer={drawer}
        item={item}
        known={rows.find(({ uid }) => uid === item)}
        scope={scope.group}
        onClose={close}
        onDeleted={close}
      />
      {scanned ? (
        <Scanned
          list={repoScanQuery(scope, search)}
          enabled
          filter={JSON.stringify([contains, tier])}
          matches={matcherOf(search)}
          what="repos"
          one="repo"
          emptyState={emptyState}
          loading={<RepoTable {...table} query={{ ...query, isPending: true }} rows={[]} emptyState={null} />}
        >
          {(found) => <RepoTable {...table} {...found} />}
        </Scanned>
      ) : (
        <RepoTable
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
