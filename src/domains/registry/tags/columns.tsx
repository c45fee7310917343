import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import type { Tag } from "platform-contract/registry/tags";
import { nameColumn, updatedColumn } from "~/frame/list/columns";
import { Dash } from "~/ui/display/dash";
import { Uid } from "~/ui/display/uid";
import { AppLink } from "~/ui/layout/link";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";
import { usageColumns } from "~/domains/registry/usage/columns";
import { pulledByColumn } from "~/domains/registry/usage/pulled-by";
import { shortDigest } from "~/ui/display/shorten";

import { tagScreens } from "./data";
import type { DigestGroup } from "./digest-groups";
import { Name, Platforms, RepoLink, TagState } from "./parts";
import classes from "./styles.module.css";

const repoColumn = <T extends { readonly uid: string }>(): Column<T> => ({
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

const imageColumn = <T extends Image>(hideBelow: number): Column<T> => ({
  id: "image",
  header: "Image size",
  width: "minmax(15.5rem, 3fr)",
  hideBelow,
  cell: ({ uid, digest }) => <Platforms repo={parentOf(uid)} digest={digest} />,
  text: false,
});

const tagColumns = (several: boolean, about: About = "tags"): readonly Column<Tag>[] => [
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
    cell: TagState,
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
  ...(about === "pulled" ? [pulledByColumn] : [imageColumn(several ? 1120 : 960)]),
  ...(about === "tags" ? [] : usageColumns<Tag>("USAGE_GROUPING_TAG", several ? 1240 : 1080)),
  updatedColumn({ hideBelow: 0 }),
  uidColumn,
];

/** Tags alone; with what is known of their pulls; or those that are still pulled, with who pulls them. */
type About = "tags" | "pulls" | "pulled";

const COLUMNS = (["tags", "pulls", "pulled"] as const).flatMap((about) =>
  [true, false].map((several) => ({ about, several, columns: tagColumns(several, about) })),
);

/** Columns of tags. `several`: true if the tags are from several repos. */
export const columnsOf = (several: boolean, about: About): readonly Column<Tag>[] =>
  COLUMNS.find((one) => one.several === several && one.about === about)?.columns ?? [];

/** Maximum number of names to show; the rest are counted. */
const SHOWN = 12;

export function Names({ tags }: DigestGroup): ReactNode {
  const more = tags.length - SHOWN;
  return (
    <span className={classes["names"]}>
      {tags.slice(0, SHOWN).map((tag) => (
        <AppLink key={tag.uid} target={tagScreens.link(tag.uid)} className={classes["chip"]}>
          <Name tag={tag} />
        </AppLink>
      ))}
      {more > 0 ? <span className={classes["quiet"]}>and {more} more</span> : null}
    </span>
  );
}

function GroupState({ tags }: DigestGroup): ReactNode {
  const ended = tags.filter(({ deprecated }) => deprecated).length;
  return (
    <>
      <TagState deprecated={ended > 0} />{" "}
      {ended > 0 && ended < tags.length ? `${ended} of ${tags.length}` : null}
    </>
  );
}

const digestColumns = (several: boolean): readonly Column<DigestGroup>[] => [
  {
    id: "digest",
    header: "Digest",
    width: "11.5rem",
    cell: ({ digest }) =>
      digest === undefined ? <Dash /> : <code data-exact={digest}>{shortDigest(digest)}</code>,
  },
  ...(several ? [repoColumn<DigestGroup>()] : []),
  { id: "names", header: "Tags", width: "minmax(14rem, 5fr)", sortField: "name", cell: Names },
  { id: "state", header: "State", width: "9rem", hideBelow: 820, cell: GroupState },
  imageColumn(1120),
  updatedColumn({ hideBelow: 680 }),
];

const repoGroups = digestColumns(false);
const scopeGroups = digestColumns(true);

/** Columns of tags grouped by digest. `several`: true if the tags are from several repos. */
export const groupColumns = (several: boolean): readonly Column<DigestGroup>[] =>
  several ? scopeGroups : repoGroups;
