import { lazy, Suspense, type ReactNode } from "react";

import type { Repo } from "~/contract/registry/repos";
import { Dash } from "~/kit/dash";
import type { Column } from "~/kit/list/types";
import { uidColumn } from "~/kit/list/uid-column";
import { formatCount } from "~/kit/numbers";
import { Time } from "~/kit/time";
import { GroupPath } from "~/parts/group-path";
import { pathText, placeOf } from "~/parts/places";

import { Origin } from "./-origin";
import { isSynced, nameOf, tierWord } from "./-repo-words";
import type { TagsCellProps } from "./-tags-cell";

const TagsCell = lazy(() => import("./-tags-cell").then((module) => ({ default: module.TagsCell })));

/** What a row says of its tags: rows do not wait for it. */
const Tags = (props: TagsCellProps): ReactNode => (
  <Suspense>
    <TagsCell {...props} />
  </Suspense>
);

/** The columns of the list. `names`: of the groups above its rows, by uid. */
export const columnsWith = (names: ReadonlyMap<string, string>): readonly Column<Repo>[] => [
  { id: "name", header: "Name", width: "minmax(9rem, 3fr)", sortField: "name", cell: nameOf },
  {
    id: "description",
    header: "Description",
    width: "minmax(9rem, 4fr)",
    hideBelow: 1140,
    cell: ({ description }) => (description ? <bdi>{description}</bdi> : <Dash />),
    text: ({ description = "" }) => description,
  },
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
    header: "Images",
    width: "6.5rem",
    hideBelow: 980,
    cell: (repo) => <Origin repo={repo} />,
    text: (repo) => (isSynced(repo) ? "synced" : "own"),
  },
  {
    id: "tags",
    header: "Tags",
    width: "5rem",
    align: "end",
    hideBelow: 700,
    cell: ({ uid }) => <Tags repo={uid} show="count" />,
  },
  {
    id: "latestTag",
    header: "Latest tag",
    width: "minmax(9rem, 2fr)",
    hideBelow: 780,
    cell: ({ uid }) => <Tags repo={uid} show="latest" />,
  },
  {
    id: "group",
    header: "Group",
    width: "minmax(8rem, 3fr)",
    cell: ({ uid }) => <GroupPath places={placeOf(uid, names)} oneLine />,
    text: ({ uid }) => pathText(uid, names),
  },
  {
    id: "updated",
    header: "Updated",
    width: "8rem",
    sortField: "updated_at",
    sortFirst: "desc",
    hideBelow: 640,
    cell: ({ updateTime }) => <Time value={updateTime} />,
    text: ({ updateTime = "" }) => updateTime,
  },
  {
    id: "created",
    header: "Created",
    width: "8rem",
    sortField: "created_at",
    sortFirst: "desc",
    hideBelow: 1280,
    cell: ({ createTime }) => <Time value={createTime} />,
    text: ({ createTime = "" }) => createTime,
  },
  // What its editors call maintained: beside the count of its tags this one would be taken for that.
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

/** The same for whoever asks what columns there are. */
export const repoColumns = columnsWith(new Map());
