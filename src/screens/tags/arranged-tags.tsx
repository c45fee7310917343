import { useMemo, type ReactNode } from "react";

import type { Tag } from "~/contract/registry/tags";
import type { MenuAction } from "~/ui/overlay/menu";
import { ListTable } from "~/ui/table/list-table";
import { shortDigest } from "~/ui/display/shorten";

import { tagScreens } from "./data";
import { groupByDigest, type DigestGroup } from "./digest-groups";
import { groupColumns, Names } from "./columns";
import { tagSorter } from "./order";

interface ArrangedTagsProps {
  /** The table of what a scan has found, by name. */
  readonly table: Parameters<typeof ListTable<Tag>>[0];
  readonly order: string;
  readonly grouped: boolean;
  /** Whether the tags are of several repos. */
  readonly several: boolean;
  readonly groupActions: (group: DigestGroup) => readonly MenuAction[];
}

/** The rows of a scan in the order of the list; each digest once, where that is asked for. */
export function ArrangedTags(props: ArrangedTagsProps): ReactNode {
  const { table, order, grouped, several, groupActions } = props;
  const sort = useMemo(() => tagSorter(order), [order]);
  const rows = sort(table.rows);
  const groups = useMemo(
    () => (grouped ? groupByDigest(rows, several, order) : []),
    [grouped, rows, several, order],
  );
  if (!grouped) return <ListTable {...table} rows={rows} />;
  const { view, selection, total, rowName: _, rowLink, ...same } = table;
  return (
    <ListTable
      {...same}
      // Other rows than those of the same filters without groups.
      view={`${view} by digest`}
      rows={groups}
      rowKey={({ key }) => key}
      rowName={groupName}
      rowLink={rowLink && (({ uid }) => tagScreens.link(uid))}
      rowActions={groupActions}
      columns={groupColumns(several)}
      summary={Names}
      total={total === undefined ? undefined : groups.length}
      selection={selection && { ...selection, members: membersOf }}
    />
  );
}

const membersOf = ({ members }: DigestGroup) => members;
const groupName = ({ uid, digest, tags: [tag] }: DigestGroup): string =>
  digest === undefined ? tagScreens.nameOf(tag ?? { uid, name: "" }) : shortDigest(digest);
