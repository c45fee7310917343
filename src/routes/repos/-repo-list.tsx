import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useRefusal } from "~/access/use-can";
import { repos, type Repo } from "~/contract/registry/repos";
import { ActionButton } from "~/kit/action-button";
import { deleteAction, type MenuAction } from "~/kit/menu";
import { onDemand } from "~/kit/on-demand";
import { Page, PageHeader } from "~/kit/page";
import { recordActions } from "~/parts/behind";
import { ListTools } from "~/parts/list-tools";
import { PlacedTable } from "~/parts/placed-table";
import { repoPage, repoTags } from "~/parts/repo-links";
import { Scanned } from "~/parts/scanned";
import { useScope } from "~/parts/scope";
import { useTitle } from "~/parts/title";
import { useList } from "~/parts/use-list";
import { useView } from "~/parts/use-view";

import { Origin } from "./-origin";
import { columnsWith, repoColumns } from "./-repo-columns";
import { RepoFilters } from "./-repo-filters";
import { repoListQuery, repoScanQuery, TAGS_OF_ROWS } from "./-repo-queries";
import { matcherOf } from "./-repo-scan";
import { DEFAULT_ORDER, filterWords, isScanned, NO_FILTERS, type RepoListSearch } from "./-repo-search";
import { nameOf } from "./-repo-words";
import { useCopyReference } from "./-use-copy-reference";

const route = getRouteApi("/repos/");

// Nobody needs these for the first rows.
const RepoDrawers = onDemand(async () => (await import("./-repo-drawers")).RepoDrawers);
const NoRepos = onDemand(async () => (await import("./-no-repos")).NoRepos);

/** The image repositories of a scope. */
export function RepoList(): ReactNode {
  useTitle("Repos");
  const client = useQueryClient();
  const search = route.useSearch();
  const scope = useScope();
  const refusal = useRefusal();
  const { filter, open, close } = useView<RepoListSearch>();
  const copyReference = useCopyReference();

  const matches = isScanned(search) ? matcherOf(search) : undefined;
  const whole = repoScanQuery(scope, search);
  const { table, paged, opened } = useList({
    list: repoListQuery(scope, search),
    scope,
    search,
    defaultOrder: DEFAULT_ORDER,
    enabled: matches === undefined,
  });

  const actions = (repo: Repo): MenuAction[] => {
    const { uid } = repo;
    return [
      copyReference(repo),
      ...recordActions(repo, nameOf(repo)),
      { label: "Tags", link: repoTags(uid) },
      { label: "Edit", onSelect: () => open("edit", uid), disabled: refusal(repos.update, uid) },
      deleteAction(() => open("delete", uid), refusal(repos.delete, uid)),
    ];
  };
  /** Reads the rows anew, and what stands in them of tags. */
  const refresh = (rows: (() => unknown) | undefined) => () => {
    void client.invalidateQueries({ queryKey: TAGS_OF_ROWS });
    return rows?.();
  };
  const facts = {
    ...table,
    label: "Repos",
    columnsWith,
    rowName: nameOf,
    rowLink: ({ uid }: Repo) => repoPage(uid),
    rowActions: actions,
    summary: (repo: Repo) => (repo.description ? <bdi>{repo.description}</bdi> : <Origin repo={repo} />),
  };
  const create = (
    <ActionButton reason={refusal(repos.create, scope.group)} variant="filled" onClick={() => open("create")}>
      Create repo
    </ActionButton>
  );
  const emptyState = (
    <NoRepos
      group={scope.group}
      filters={filterWords(search)}
      onClear={() => filter(NO_FILTERS)}
      action={create}
    />
  );
  return (
    <Page fill>
      <PageHeader
        title="Repos"
        description="Image repositories: what is published here, each with its tags."
        actions={create}
      />
      <RepoFilters search={search} scope={scope} onChange={filter}>
        <ListTools
          label={facts.label}
          columns={repoColumns}
          list={whole}
          matches={matches}
          group={scope.group}
          columnsOf={async (found) =>
            columnsWith(await (await import("~/parts/read-places")).readPlaces(client, found))
          }
        />
      </RepoFilters>
      {search.drawer === undefined ? null : (
        <RepoDrawers {...opened} scope={scope.group} onClose={close} onDeleted={close} />
      )}
      {matches ? (
        <Scanned
          list={whole}
          enabled
          filter={JSON.stringify([search.contains, search.tier])}
          matches={matches}
          what="repos"
          one="repo"
          emptyState={emptyState}
        >
          {(found) => <PlacedTable {...facts} {...found} onRefresh={refresh(found.query.refetch)} scanned />}
        </Scanned>
      ) : (
        <PlacedTable
          {...facts}
          {...paged}
          onRefresh={refresh(paged.onRefresh)}
          scanned={false}
          emptyState={emptyState}
        />
      )}
    </Page>
  );
}
