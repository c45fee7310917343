import type { ReactNode } from "react";
import { queryOptions, useQuery } from "@tanstack/react-query";

import { decisionPage } from "~/domains/access/decisions/links";
import { totalOf } from "platform-client/wire";
import { PULL, PUSH } from "platform-contract/capability";
import type { Repo } from "platform-contract/registry/repos";
import { Dash } from "~/ui/display/dash";
import { Time } from "~/ui/display/time";
import { NothingYet } from "~/ui/feedback/empty";
import { onDemand } from "~/ui/on-demand";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";
import { formatCount } from "~/ui/display/numbers";
import { repoAccess, repoTags, tagPage } from "~/domains/registry/references/repo-links";
import { useBulkDelete } from "~/frame/list/bulk-delete";
import {
  createdColumn,
  descriptionColumn,
  FolderName,
  groupColumn,
  nameColumn,
  updatedColumn,
} from "~/frame/list/columns";
import { CreateButton } from "~/frame/list/create-button";
import { ListFilters } from "~/frame/list/list-filters";
import { ListPage, ListRows, useListScreen } from "~/frame/list/list-screen";
import { tierWord } from "~/domains/registry/references/tiers";
import { useCan } from "~/frame/permissions/use-can";
import { call } from "~/api/client/client";
import { limiter } from "~/api/paging/limiter";
import { tags } from "platform-contract/registry/tags";
import { usageColumns } from "~/domains/registry/usage/columns";
import { useUsageKnown } from "~/domains/registry/usage/use-usage-known";
import { LoadingCell, UnknownCell } from "~/ui/table/cell-states";
import { errorFacts } from "~/ui/feedback/error-facts";
import { AppLink } from "~/ui/layout/link";
import { shorten } from "~/ui/display/shorten";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";
import { useSettled } from "~/ui/use-settled";

import { loadDrawers, repoScreens, TAGS_OF_ROWS } from "./data";
import { Origin, originWord, useCopyReference, usePullTokenAction } from "./head";
import classes from "./styles.module.css";

/** Shared by all rows: many can be in view, and the list's own pages have priority. */
const limited = limiter(4);

/** Requests the number of tags and the most recently updated one, among those that the tag list shows by default. */
function tagsQuery(uid: string) {
  const query = { "uidp.children_of": uid, order_by: "updated_at desc", page_size: 1 };
  return queryOptions({
    queryKey: [...TAGS_OF_ROWS, uid] as const,
    meta: { requests: () => [{ endpoint: tags.list, query }] },
    queryFn: ({ signal }) => limited(() => call(tags.list, { query, signal }), signal),
  });
}

interface TagsCellProps {
  readonly repo: string;
  readonly show: "count" | "latest";
}

/** A repo's tags in its row. An error affects only the cell: it shows a dash that explains it. */
function TagsCell({ repo, show }: TagsCellProps): ReactNode {
  // An unscoped list returns no rows for what the user may not see, which is not a count.
  const { allowed, reason } = useCan(tags.list, repo);
  const settled = useSettled();
  const { data, error } = useQuery({ ...tagsQuery(repo), enabled: settled && allowed });
  if (!allowed) return <UnknownCell why={reason} />;
  if (!data) return error ? <UnknownCell why={errorFacts(error).message} /> : <LoadingCell />;
  if (show === "count") {
    const count = totalOf(data);
    if (count === undefined) return <UnknownCell why="The registry doesn't count them" />;
    return (
      <AppLink target={repoTags(repo)} className={classes["quietly"]}>
        {formatCount(count)}
        <VisuallyHidden>{Number(count) === 1 ? " tag" : " tags"}</VisuallyHidden>
      </AppLink>
    );
  }
  const [latest] = data.items;
  if (!latest) return <Dash label="no tags" />;
  return (
    <AppLink target={tagPage(latest.uid)} className={classes["quietly"]}>
      <code>{latest.name || shorten(latest.uid)}</code>
    </AppLink>
  );
}

/** The tags of a row, lazily loaded: rows don't wait for them. */
const columns: readonly Column<Repo>[] = [
  nameColumn(),
  descriptionColumn({ hideBelow: 1140 }),
  {
    id: "tier",
    header: "Tier",
    width: "8.5rem",
    hideBelow: 900,
    cell: ({ catalogTier }) => tierWord(catalogTier) ?? <Dash />,
    text: ({ catalogTier }) => tierWord(catalogTier) ?? "",
  },
  {
    id: "origin",
    header: "Source",
    width: "8.25rem",
    hideBelow: 1060,
    cell: (record) => <Origin repo={record} />,
    text: originWord,
  },
  {
    id: "tags",
    header: "Tags",
    width: "5rem",
    align: "end",
    hideBelow: 700,
    cell: ({ uid }) => <TagsCell repo={uid} show="count" />,
    // Read for the rows in view only: a file would have nothing in it.
    text: false,
  },
  {
    id: "latestTag",
    header: "Newest tag",
    width: "minmax(9rem, 2fr)",
    hideBelow: 780,
    cell: ({ uid }) => <TagsCell repo={uid} show="latest" />,
    text: false,
  },
  groupColumn(),
  updatedColumn({ hideBelow: 640 }),
  createdColumn({ hideBelow: 1280 }),
  // The maintained tags. Hidden by default, since users would take it for the total number of tags.
  {
    id: "activeTags",
    header: "Active tags",
    width: "6rem",
    align: "end",
    optional: true,
    cell: ({ activeTags }) => formatCount(activeTags?.length ?? 0),
    text: ({ activeTags = [] }) => activeTags.join(" "),
  },
  uidColumn,
];

/** What gives way to the columns about pulls in windows that have no place for all. */
const GIVE_WAY: Readonly<Record<string, number>> = { description: 1480, origin: 1360, created: 1700 };

const columnsWithPulls: readonly Column<Repo>[] = columns.flatMap((column) => [
  ...(column.id === "group" ? usageColumns<Repo>("USAGE_GROUPING_REPO", 940) : []),
  { ...column, ...(column.id in GIVE_WAY && { hideBelow: GIVE_WAY[column.id] ?? 0 }) },
]);

const RepoActs = onDemand(async () => (await loadDrawers()).RepoActs);

/** Lists the image repositories of a scope. */
export function RepoList(): ReactNode {
  const list = useListScreen(repoScreens);
  const selection = useBulkDelete(list, "Pulls from these repos will fail. Their tags are deleted too.", {
    typed: true,
    More: RepoActs,
  });
  const copyReference = useCopyReference();
  const pullTokenAction = usePullTokenAction();
  const shown = useUsageKnown() ? columnsWithPulls : columns;
  const create = <CreateButton list={list}>Create repo</CreateButton>;
  return (
    <ListPage
      list={list}
      description="Image repositories in this scope. Dated tags, build tags and signatures aren't counted, nor named as the newest."
      action={create}
    >
      <ListFilters list={list} columns={shown} />
      <ListRows
        list={list}
        columns={shown}
        summary={(record) => (
          <>
            <FolderName uid={record.uid} />
            {record.description ? <bdi>{record.description}</bdi> : <Origin repo={record} />}
          </>
        )}
        aside={({ updateTime }) => <Time value={updateTime} />}
        actions={(record) => [
          copyReference(record),
          pullTokenAction(record),
          { label: "Tags", link: repoTags(record.uid) },
          { label: "Deprecated tags", link: repoTags(record.uid, { deprecated: "yes" }) },
          { label: "Who can pull", link: repoAccess(record.uid, PULL) },
          { label: "Who can push", link: repoAccess(record.uid, PUSH) },
          { label: "Why somebody can't pull or push", link: decisionPage({ on: record.uid }) },
        ]}
        alsoRefresh={TAGS_OF_ROWS}
        selection={selection}
      >
        <NothingYet title="No repos here yet" action={create}>
          A repo holds the tags of one image. Push an image to it, or sync it from another repo.
        </NothingYet>
      </ListRows>
    </ListPage>
  );
}
