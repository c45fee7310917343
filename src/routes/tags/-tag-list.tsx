import { Button } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, type ReactNode } from "react";

import { can } from "~/access/rules";
import { useCan } from "~/access/use-can";
import { useWho } from "~/access/who";
import { anchorOf, keepPlace, refresh, startAt } from "~/api/lists";
import { rowsOf } from "~/api/queries";
import { tags, type Tag } from "~/contract/registry/tags";
import "~/kit/button-styles";
import { DisabledReason } from "~/kit/disabled-reason";
import { ListTable } from "~/kit/list-table";
import type { MenuAction } from "~/kit/menu";
import { Page, PageHeader } from "~/kit/page";
import { shorten } from "~/kit/shorten";
import { recordActions } from "~/parts/behind";
import { useDeleteMany } from "~/parts/ledger/use-delete-many";
import { ListTools } from "~/parts/list-tools";
import { repoNameQuery } from "~/parts/repo-names";
import { RepoTabs } from "~/parts/repo-tabs";
import { useScope } from "~/parts/scope";
import { useTitle } from "~/parts/title";
import { paramToUid } from "~/parts/uid-param";
import { useView } from "~/parts/use-view";

import { DELETION } from "./-delete-many";
import { compareOf, detailOf } from "./-links";
import { repoColumns, scopeColumns, Summary } from "./-tag-columns";
import { TagFilters } from "./-tag-filters";
import { tagListQuery, tagScanQuery } from "./-tag-queries";
import { matcherOf } from "./-tag-scan";
import { DEFAULT_ORDER, isScanned, NO_FILTERS, type TagListSearch } from "./-tag-search";

const route = getRouteApi("/tags/");

// Nobody needs these for the first rows.
const TagDrawers = lazy(() => import("./-tag-drawers").then((module) => ({ default: module.TagDrawers })));
const ScannedTags = lazy(() => import("./-scanned-tags").then((module) => ({ default: module.ScannedTags })));
const NoTags = lazy(() => import("./-no-tags").then((module) => ({ default: module.NoTags })));

/** What changes in the address; undefined leaves it out. */
interface ViewChange extends TagListSearch {
  reach?: "here" | undefined;
}

/** The tags of one repo; without one those of the scope. */
export function TagList(): ReactNode {
  const { repo } = route.useSearch();
  // Other rows, of another page: nothing of the one is shown while the other loads.
  return <List key={repo ?? ""} />;
}

function List(): ReactNode {
  const client = useQueryClient();
  const search = route.useSearch();
  const scope = useScope();
  const who = useWho();
  const repo = search.repo === undefined ? undefined : paramToUid(search.repo);
  const home = useQuery({ ...repoNameQuery(repo ?? ""), enabled: repo !== undefined });
  const { registryHost: host } = route.useRouteContext().config;
  const creation = useCan(tags.create, repo);

  const list = tagListQuery(scope, search);
  const scanned = isScanned(search);
  const query = useInfiniteQuery({ ...list, enabled: !scanned, placeholderData: keepPreviousData });
  const { rows, first, total, anew, odd } = rowsOf(query.data);
  const title = repo === undefined ? "Tags" : (home.data?.name ?? shorten(repo));
  useTitle(repo === undefined ? "Tags" : `Tags of ${title}`);

  const { order = DEFAULT_ORDER, drawer } = search;
  const item = search.item === undefined ? undefined : paramToUid(search.item);
  const at = Number(search.at ?? 0);
  // Where the list is read anew after something was created, be the place from a link or from scrolling.
  useEffect(() => keepPlace(client, list, at));
  const { show, open, close } = useView<ViewChange>();

  const caller = who.state === "loading" ? undefined : { ...who, state: who.state };
  const copies = (tag: Tag): MenuAction[] => {
    // The menu opens: by the time that something is chosen, its code and the names are there.
    const code = import("./-references");
    const names = code.then(({ referenceNames }) => referenceNames(client, tag));
    names.catch(() => undefined);
    const explain = () => open("pull", tag.uid);
    const copy = (label: string, by: "byTag" | "byDigest"): MenuAction => ({
      label,
      onSelect: () =>
        void code
          .then(({ copyReference }) => copyReference(client, tag, by, { host, explain }))
          .catch(explain),
    });
    return [
      copy("Copy reference", "byTag"),
      copy("Copy reference by digest", "byDigest"),
      { label: "Copy for a program", onSelect: explain },
    ];
  };
  const actions = (tag: Tag): MenuAction[] => {
    const { uid } = tag;
    return [
      ...copies(tag),
      ...recordActions(tag, tag.name),
      { label: "Compare with another tag", link: compareOf(uid) },
      {
        label: "Move to another digest",
        onSelect: () => open("create", uid),
        disabled: can(caller, tags.create, uid).reason,
      },
      {
        label: "Delete",
        onSelect: () => open("delete", uid),
        disabled: can(caller, tags.delete, uid).reason,
        danger: true,
      },
    ];
  };
  const create = (
    <DisabledReason reason={repo === undefined ? "Open a repo first: a tag belongs to one" : creation.reason}>
      <Button onClick={() => open("create")}>Create tag</Button>
    </DisabledReason>
  );

  const view = JSON.stringify([scope, { ...search, order: 0, at: 0, drawer: 0, item: 0 }]);
  const selection = useDeleteMany({
    ...DELETION,
    view,
    list: tagScanQuery(scope, search),
    matches: matcherOf(search),
    refusal: ({ uid }) => can(caller, tags.delete, uid).reason,
  });
  const table = {
    label: "Tags",
    rowKey: ({ uid }: Tag) => uid,
    rowName: ({ name }: Tag) => name,
    rowLink: ({ uid }: Tag) => detailOf(uid),
    rowActions: actions,
    summary: (tag: Tag) => <Summary tag={tag} />,
    columns: repo === undefined ? scopeColumns : repoColumns,
    order,
    onOrder: (next: string) => show({ order: next === DEFAULT_ORDER ? undefined : next, at: undefined }),
    at: at || undefined,
    onAt: (row: number | undefined) => show({ at: row === undefined ? undefined : String(row) }, true),
    view,
    selection,
  };
  const emptyState = (
    <Suspense>
      <NoTags
        repo={home.data?.name === undefined && home.data !== undefined ? repo : undefined}
        within={repo ?? scope.group}
        search={search}
        onClear={() => show(NO_FILTERS)}
        action={create}
      />
    </Suspense>
  );
  const loading = <ListTable {...table} query={{ ...query, isPending: true }} rows={[]} emptyState={null} />;
  return (
    <Page fill>
      <PageHeader
        title={title}
        description={repo === undefined ? "Names of images, of every repo in the scope." : undefined}
        actions={create}
      />
      {repo === undefined ? null : <RepoTabs uid={repo} current="Tags" />}
      <TagFilters search={search} scope={scope} onChange={show}>
        <ListTools
          label={table.label}
          columns={table.columns}
          list={tagScanQuery(scope, search)}
          matches={scanned ? matcherOf(search) : undefined}
          group={scope.group}
        />
      </TagFilters>
      {drawer === undefined ? null : (
        <Suspense fallback={null}>
          <TagDrawers
            drawer={drawer}
            item={item}
            known={rows.find(({ uid }) => uid === item)}
            repo={repo}
            onClose={close}
            onDeleted={close}
          />
        </Suspense>
      )}
      {scanned ? (
        <Suspense fallback={loading}>
          <ScannedTags {...{ search, scope, table, emptyState, loading, copies }} />
        </Suspense>
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
