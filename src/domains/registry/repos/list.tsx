import type { ReactNode } from "react";

import { PULL, PUSH } from "platform-contract/capability";
import type { Repo } from "platform-contract/registry/repos";
import { Dash } from "~/ui/display/dash";
import { Time } from "~/ui/display/time";
import { NothingYet } from "~/ui/feedback/empty";
import { onDemand } from "~/ui/on-demand";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";
import { formatCount } from "~/ui/display/numbers";
import { repoAccess, repoTags } from "~/domains/registry/references/repo-links";
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
import { tierWord } from "~/domains/registry/references/tiers";

import { loadDrawers, repoScreens, TAGS_OF_ROWS } from "./data";
import { TagsCell } from "./tags-cell";
import { Origin, originWord, useCopyReference } from "./head";

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
    hideBelow: 980,
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
  },
  {
    id: "latestTag",
    header: "Latest tag",
    width: "minmax(9rem, 2fr)",
    hideBelow: 780,
    cell: ({ uid }) => <TagsCell repo={uid} show="latest" />,
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

const RepoActs = onDemand(async () => (await loadDrawers()).RepoActs);

/** Lists the image repositories of a scope. */
export function RepoList(): ReactNode {
  const list = useListScreen(repoScreens);
  const selection = useBulkDelete(
    list,
    "Pulls from these repos will fail. Their tags are deleted too. This can't be undone.",
    { typed: true, More: RepoActs },
  );
  const copyReference = useCopyReference();
  const create = <CreateButton list={list}>Create repo</CreateButton>;
  return (
    <ListPage list={list} description="Image repositories in this scope." action={create}>
      <ListFilters list={list} columns={columns} />
      <ListRows
        list={list}
        columns={columns}
        summary={(record) =>
          record.description ? <bdi>{record.description}</bdi> : <Origin repo={record} />
        }
        aside={({ updateTime }) => <Time value={updateTime} />}
        actions={(record) => [
          copyReference(record),
          { label: "Tags", link: repoTags(record.uid) },
          { label: "Deprecated tags", link: repoTags(record.uid, { deprecated: "yes" }) },
          { label: "Who can pull", link: repoAccess(record.uid, PULL) },
          { label: "Who can push", link: repoAccess(record.uid, PUSH) },
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
