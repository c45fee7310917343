import type { ReactNode } from "react";

import { updatedColumn } from "~/resource/columns";
import { Dash } from "~/ui/display/dash";
import { AppLink } from "~/ui/layout/link";
import type { Column } from "~/ui/table/types";

import { imageColumn, repoColumn } from "./columns";
import { tagScreens } from "./data";
import type { DigestGroup } from "./digest-groups";
import { Deprecated, Name, shortDigest } from "./parts";
import classes from "./styles.module.css";

/** More names than these are counted. */
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

function State({ tags }: DigestGroup): ReactNode {
  const ended = tags.filter(({ deprecated }) => deprecated).length;
  if (ended === 0) return <Dash label="active" />;
  return (
    <>
      <Deprecated /> {ended < tags.length ? `${ended} of ${tags.length}` : null}
    </>
  );
}

const columns = (several: boolean): readonly Column<DigestGroup>[] => [
  {
    id: "digest",
    header: "Digest",
    width: "11.5rem",
    cell: ({ digest }) => (digest === undefined ? <Dash /> : <code>{shortDigest(digest)}</code>),
  },
  ...(several ? [repoColumn<DigestGroup>()] : []),
  { id: "names", header: "Tags", width: "minmax(14rem, 5fr)", sortField: "name", cell: Names },
  { id: "state", header: "State", width: "9rem", hideBelow: 820, cell: State },
  imageColumn(1120),
  updatedColumn({ hideBelow: 680 }),
];

const repoGroups = columns(false);
const scopeGroups = columns(true);

/** The columns of tags by digest; `several`: they are of several repos. */
export const groupColumns = (several: boolean): readonly Column<DigestGroup>[] =>
  several ? scopeGroups : repoGroups;
