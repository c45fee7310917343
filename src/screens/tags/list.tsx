import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, type ReactNode } from "react";

import { useRefusal } from "~/access/use-can";
import { tags, type Tag } from "~/contract/registry/tags";
import { ActionButton } from "~/ui/controls/action-button";
import { ListTable } from "~/ui/table/list-table";
import { deleteAction, type MenuAction } from "~/ui/overlay/menu";
import { onDemand } from "~/ui/on-demand";
import { Page, PageHeader } from "~/ui/layout/page";
import { shorten } from "~/ui/display/shorten";
import { recordActions } from "~/features/request-inspector/record-actions";
import { useDeleteMany } from "~/features/bulk-delete/use-delete-many";
import { ListTools } from "~/resource/list-tools";
import { tagPage } from "~/features/registry/repo-links";
import { isGone } from "~/resource/record-page";
import { NONE_YET } from "~/resource/client-filtered-list";
import { useScope } from "~/features/scope/scope";
import { useTitle } from "~/features/scope/title";
import { paramToUid } from "~/features/scope/uid-param";
import { useList } from "~/resource/use-list";
import { useView } from "~/resource/use-view";
import { RecordHead } from "~/resource/record-screen";
import { repoScreens } from "../repos/data";
import { useRepoHead } from "../repos/head";

import { DELETION } from "./delete-many";
import { compareOf } from "./links";
import { nameOf, repoColumns, scopeColumns, Summary } from "./columns";
import { TagFilters } from "./filters";
import { tagFileQuery, tagListQuery, tagScanQuery } from "./queries";
import { matcherOf } from "./scan";
import { DEFAULT_ORDER, isOfRepo, isScanned, kindsOf, NO_FILTERS, type TagListSearch } from "./search";

const route = getRouteApi("/tags/");

// Nobody needs these for the first rows.
const TagDrawers = onDemand(async () => (await import("./drawers")).TagDrawers);
const NoTags = onDemand(async () => (await import("./empty")).NoTags);
const GroupTools = onDemand(async () => (await import("./group-tools")).GroupTools);
const ScannedTags = lazy(() => import("./scanned-tags").then((module) => ({ default: module.ScannedTags })));

const file = () => import("./file");

/** The tags of one repo; without one those of the scope. */
export function TagList(): ReactNode {
  const { repo } = route.useSearch();
  // Other rows, of another page: nothing of the one is shown while the other loads.
  return <List key={repo ?? ""} />;
}

function List(): ReactNode {
  const search = route.useSearch();
  const scope = useScope();
  const repo = search.repo === undefined ? undefined : paramToUid(search.repo);
  const home = useQuery({ ...repoScreens.record(repo ?? ""), enabled: repo !== undefined });
  const missing = isGone(home.error);
  const head = useRepoHead("Tags");
  useTitle(repo === undefined ? "Tags" : `Tags of ${home.data?.name ?? shorten(repo)}`);
  const refusal = useRefusal();
  const { filter, open, close } = useView<TagListSearch>();
  const copies = useCopies((tag) => open("pull", tag.uid));

  const matches = isScanned(search) ? matcherOf(search) : undefined;
  const whole = tagScanQuery(scope, search);
  const list = tagListQuery(scope, search);
  const { table, paged, opened } = useList({
    list,
    scope,
    search,
    defaultOrder: DEFAULT_ORDER,
    enabled: matches === undefined,
  });

  /** The repo's own drawer, which is about no tag. */
  const ofRepo = isOfRepo(search) ? search.drawer : undefined;
  const actions = (tag: Tag): MenuAction[] => {
    const { uid } = tag;
    return [
      ...copies(tag),
      ...recordActions(tag, nameOf(tag)),
      { label: "Compare with another tag", link: compareOf(uid) },
      {
        label: "Move to another digest",
        onSelect: () => open("create", uid),
        disabled: refusal(tags.create, uid),
      },
      deleteAction(() => open("delete", uid), refusal(tags.delete, uid)),
    ];
  };
  // Which rows there are, kinds by what comes of them; neither their order nor their grouping.
  const { name, digest, contains, deprecated, since } = search;
  const view = JSON.stringify([scope, repo, name, digest, contains, deprecated, since, kindsOf(search)]);
  const selection = useDeleteMany({
    ...DELETION,
    view,
    list: whole,
    matches: matcherOf(search),
    refusal: ({ uid }) => refusal(tags.delete, uid),
  });
  const facts = {
    ...table,
    label: "Tags",
    columns: repo === undefined ? scopeColumns : repoColumns,
    rowName: nameOf,
    rowLink: ({ uid }: Tag) => tagPage(uid),
    rowActions: actions,
    summary: (tag: Tag) => <Summary tag={tag} />,
    selection,
  };
  const Tools = search.by === undefined ? ListTools<Tag> : GroupTools;
  const create = (
    <ActionButton
      reason={repo === undefined ? "Open a repo first: a tag belongs to one" : refusal(tags.create, repo)}
      variant="filled"
      onClick={() => open("create")}
    >
      Create tag
    </ActionButton>
  );
  const emptyState = (
    <NoTags
      repo={repo}
      missing={missing}
      group={scope.group}
      search={search}
      onClear={() => filter(NO_FILTERS)}
      action={create}
    />
  );
  return (
    <Page fill>
      {repo === undefined ? (
        <PageHeader
          title="Tags"
          description="Names of images, of every repo in the scope."
          actions={create}
        />
      ) : (
        <RecordHead {...head} uid={repo} record={missing ? undefined : home.data} drawer={ofRepo}>
          {create}
        </RecordHead>
      )}
      <TagFilters search={search} scope={scope} onChange={filter}>
        <Tools
          label={facts.label}
          columns={facts.columns}
          list={matches ? whole : tagFileQuery(scope, search)}
          shown={matches ? undefined : list.queryKey}
          matches={matches}
          group={scope.group}
          columnsOf={repo === undefined ? async (rows) => (await file()).namedColumns(rows) : undefined}
          arranged={async (rows) => (await file()).inListOrder(rows, search)}
        />
      </TagFilters>
      {search.drawer === undefined || ofRepo !== undefined ? null : (
        <TagDrawers {...opened} repo={repo} onClose={close} onDeleted={close} />
      )}
      {matches ? (
        <Suspense fallback={<ListTable {...facts} {...NONE_YET} />}>
          <ScannedTags {...{ search, list: whole, matches, table: facts, emptyState, copies }} />
        </Suspense>
      ) : (
        <ListTable {...facts} {...paged} emptyState={emptyState} />
      )}
    </Page>
  );
}

/** What a tag's menu has to copy. `explain` shows the references where one cannot be copied as it is. */
function useCopies(explain: (tag: Tag) => void): (tag: Tag) => MenuAction[] {
  const client = useQueryClient();
  const { registryHost: host } = route.useRouteContext().config;
  return (tag) => {
    // The menu opens: by the time that something is chosen, its code and the names are there.
    const code = import("./references");
    const names = code.then(({ referenceNames }) => referenceNames(client, tag));
    names.catch(() => undefined);
    const show = () => explain(tag);
    const copy = (label: string, by: "byTag" | "byDigest"): MenuAction => ({
      label,
      onSelect: () =>
        void code
          .then(({ copyReference }) => copyReference(client, tag, by, { host, explain: show }))
          .catch(show),
    });
    return [
      copy("Copy reference", "byTag"),
      copy("Copy reference by digest", "byDigest"),
      { label: "Copy for a program", onSelect: show },
    ];
  };
}
