import { useMemo, type ReactNode } from "react";

import { parentOf } from "~/contract/aip";
import type { Tag } from "~/contract/registry/tags";
import { ListTable } from "~/ui/table/list-table";
import type { Column } from "~/ui/table/types";
import type { MenuAction } from "~/ui/overlay/menu";
import { Dash } from "~/ui/display/dash";
import { AppLink } from "~/ui/layout/link";
import { Time } from "~/ui/display/time";
import { tagPage } from "~/features/registry/repo-links";
import type { ScanRows } from "~/resource/client-filtered-list";

import { groupByDigest, type DigestGroup } from "./digest-groups";
import { Deprecated, Name, nameOf, Platforms, RepoName, shortDigest } from "./columns";
import { tagSorter } from "./order";
import classes from "./tags.module.css";

type ListProps = Parameters<typeof ListTable<Tag>>[0];

/** What the list of tags says of its table, whatever its rows come from. */
export type TagTable = Omit<ListProps, keyof ScanRows<Tag>> & { readonly order: string };

interface ArrangedTagsProps {
  /** What a scan has found, by name. */
  readonly found: ScanRows<Tag>;
  readonly order: string;
  readonly grouped: boolean;
  /** Whether the tags are of several repos. */
  readonly several: boolean;
  readonly table: TagTable;
  readonly groupActions: (group: DigestGroup) => readonly MenuAction[];
}

/** The rows of a scan in an order that the service lacks, or lacks for a scan; each digest once, where that is asked for. */
export function ArrangedTags(props: ArrangedTagsProps): ReactNode {
  const { found, order, grouped, several, table, groupActions } = props;
  const sort = useMemo(() => tagSorter(order), [order]);
  const rows = sort(found.rows);
  const groups = useMemo(
    () => (grouped ? groupByDigest(rows, several, order) : []),
    [grouped, rows, several, order],
  );
  if (!grouped) return <ListTable {...table} {...found} rows={rows} />;
  const { label, at, onAt, onOrder, view, selection } = table;
  return (
    <ListTable
      {...{ label, order, onOrder, at, onAt, ...found }}
      // Other rows than those of the same filters without groups.
      view={`${view} by digest`}
      rows={groups}
      rowKey={({ key }) => key}
      rowName={groupName}
      rowLink={({ uid }) => tagPage(uid)}
      rowActions={groupActions}
      columns={groupColumns(several)}
      summary={Names}
      total={found.total === undefined ? undefined : groups.length}
      selection={selection && { ...selection, members: membersOf }}
    />
  );
}

const membersOf = ({ members }: DigestGroup) => members;
const groupName = ({ uid, digest, tags: [tag] }: DigestGroup): string =>
  digest === undefined ? nameOf(tag ?? { uid, name: "" }) : shortDigest(digest);

/** More names than these are counted. */
const SHOWN = 12;

function Names({ tags }: DigestGroup): ReactNode {
  const more = tags.length - SHOWN;
  return (
    <span className={classes["names"]}>
      {tags.slice(0, SHOWN).map((tag) => (
        <AppLink key={tag.uid} target={tagPage(tag.uid)} className={classes["chip"]}>
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

const first: Column<DigestGroup> = {
  id: "digest",
  header: "Digest",
  width: "11.5rem",
  cell: ({ digest }) => (digest === undefined ? <Dash /> : <code>{shortDigest(digest)}</code>),
};

const others: readonly Column<DigestGroup>[] = [
  { id: "names", header: "Tags", width: "minmax(14rem, 5fr)", sortField: "name", cell: Names },
  { id: "state", header: "State", width: "9rem", hideBelow: 820, cell: State },
  {
    id: "image",
    header: "Image size",
    width: "minmax(15.5rem, 3fr)",
    hideBelow: 1120,
    cell: ({ uid, digest }) => <Platforms repo={parentOf(uid)} digest={digest} />,
  },
  {
    id: "updated",
    header: "Updated",
    width: "8rem",
    sortField: "updated_at",
    sortFirst: "desc",
    hideBelow: 680,
    cell: ({ updateTime }) => <Time value={updateTime} />,
  },
];

const repoColumns: readonly Column<DigestGroup>[] = [first, ...others];
const scopeColumns: readonly Column<DigestGroup>[] = [
  first,
  {
    id: "repo",
    header: "Repo",
    width: "minmax(8rem, 2fr)",
    cell: ({ uid }) => <RepoName uid={parentOf(uid)} />,
  },
  ...others,
];

/** The columns of the groups; `several`: they lie in several repos. */
export const groupColumns = (several: boolean): readonly Column<DigestGroup>[] =>
  several ? scopeColumns : repoColumns;
