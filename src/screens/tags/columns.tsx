import { parentOf } from "~/contract/aip";
import type { Tag } from "~/contract/registry/tags";
import { nameColumn, updatedColumn } from "~/resource/columns";
import { Dash } from "~/ui/display/dash";
import { Uid } from "~/ui/display/uid";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";

import { Deprecated, Name, Platforms, RepoLink, shortDigest } from "./parts";

export const repoColumn = <T extends { readonly uid: string }>(): Column<T> => ({
  id: "repo",
  header: "Repo",
  width: "minmax(8rem, 2fr)",
  cell: ({ uid }) => <RepoLink uid={parentOf(uid)} />,
  text: ({ uid }) => parentOf(uid),
});

interface Image {
  readonly uid: string;
  readonly digest?: string | undefined;
}

export const imageColumn = <T extends Image>(hideBelow: number): Column<T> => ({
  id: "image",
  header: "Image size",
  width: "minmax(15.5rem, 3fr)",
  hideBelow,
  cell: ({ uid, digest }) => <Platforms repo={parentOf(uid)} digest={digest} />,
  text: false,
});

const columns = (several: boolean): readonly Column<Tag>[] => [
  nameColumn({
    width: "minmax(10rem, 3fr)",
    cell: (tag) => <Name tag={tag} />,
    text: ({ name }) => name,
  }),
  ...(several ? [repoColumn<Tag>()] : []),
  {
    id: "state",
    header: "State",
    width: "8.5rem",
    hideBelow: 680,
    cell: ({ deprecated }) => (deprecated ? <Deprecated /> : <Dash label="active" />),
    text: ({ deprecated }) => (deprecated ? "deprecated" : "active"),
  },
  {
    id: "digest",
    header: "Digest",
    width: "13.5rem",
    hideBelow: 820,
    cell: ({ digest }) =>
      digest ? <Uid value={digest} what="digest" short={shortDigest(digest)} /> : <Dash />,
    text: ({ digest = "" }) => digest,
  },
  imageColumn(several ? 1120 : 960),
  updatedColumn({ hideBelow: 0 }),
  uidColumn,
];

export const repoColumns = columns(false);
export const scopeColumns = columns(true);
