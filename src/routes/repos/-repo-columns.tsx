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

/** The columns of the list. `names`: of the groups above its rows, by uid. */
export const columnsWith = (names: ReadonlyMap<string, string>): readonly Column<Repo>[] => [
  { id: "name", header: "Name", width: "minmax(9rem, 3fr)", sortField: "name", cell: nameOf },
  {
    id: "description",
    header: "Description",
    width: "minmax(9rem, 4fr)",
    hideBelow: 1040,
    cell: ({ description }) => (description ? <bdi>{description}</bdi> : <Dash />),
    text: ({ description = "" }) => description,
  },
  {
    id: "tier",
    header: "Tier",
    width: "8.5rem",
    hideBelow: 720,
    cell: ({ catalogTier }) => tierWord(catalogTier) ?? <Dash />,
    text: ({ catalogTier }) => tierWord(catalogTier) ?? "",
  },
  {
    id: "origin",
    header: "Images",
    width: "6.5rem",
    hideBelow: 880,
    cell: (repo) => <Origin repo={repo} />,
    text: (repo) => (isSynced(repo) ? "synced" : "own"),
  },
  {
    id: "activeTags",
    header: "Active tags",
    width: "6rem",
    align: "end",
    hideBelow: 960,
    cell: ({ activeTags }) => formatCount(activeTags?.length ?? 0),
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
    hideBelow: 1200,
    cell: ({ createTime }) => <Time value={createTime} />,
    text: ({ createTime = "" }) => createTime,
  },
  uidColumn,
];

/** The same for whoever asks what columns there are. */
export const repoColumns = columnsWith(new Map());
