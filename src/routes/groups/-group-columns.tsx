import type { Group } from "~/contract/iam/groups";
import { Dash } from "~/kit/dash";
import type { Column } from "~/kit/list/types";
import { uidColumn } from "~/kit/list/uid-column";
import { Time } from "~/kit/time";
import { GroupPath } from "~/parts/group-path";
import { pathText, placeOf } from "~/parts/places";

import { nameOf } from "./-group-words";

/** The columns of the list. `names`: of the groups above its rows, by uid. */
export const columnsWith = (names: ReadonlyMap<string, string>): readonly Column<Group>[] => [
  {
    id: "name",
    header: "Name",
    width: "minmax(10rem, 4fr)",
    sortField: "name",
    cell: nameOf,
  },
  {
    id: "path",
    header: "Path",
    width: "minmax(8rem, 4fr)",
    cell: ({ uid }) => {
      const places = placeOf(uid, names);
      return places.length > 0 ? <GroupPath places={places} oneLine /> : <Dash label="at the top" />;
    },
    text: ({ uid }) => pathText(uid, names),
  },
  {
    id: "description",
    header: "Description",
    width: "minmax(8rem, 4fr)",
    hideBelow: 960,
    cell: ({ description }) => (description ? <bdi>{description}</bdi> : <Dash />),
    text: ({ description = "" }) => description,
  },
  {
    id: "created",
    header: "Created",
    width: "8.5rem",
    sortField: "created_at",
    sortFirst: "desc",
    hideBelow: 720,
    cell: ({ createTime }) => <Time value={createTime} />,
    text: ({ createTime = "" }) => createTime,
  },
  {
    id: "updated",
    header: "Updated",
    width: "8.5rem",
    sortField: "updated_at",
    sortFirst: "desc",
    hideBelow: 840,
    cell: ({ updateTime }) => <Time value={updateTime} />,
    text: ({ updateTime = "" }) => updateTime,
  },
  uidColumn,
];

/** The same for whoever asks what columns there are. */
export const groupColumns = columnsWith(new Map());
