import { useMemo, type ReactNode } from "react";

import type { Tag } from "platform-contract/registry/tags";
import type { MenuAction } from "~/ui/overlay/menu";
import { ListTable } from "~/ui/table/list-table";
import { shortDigest } from "~/ui/display/shorten";

import { tagScreens } from "./data";
import { groupByDigest, type DigestGroup } from "./digest-groups";
import { groupColumns, Names } from "./columns";
import { tagSorter } from "./order";

interface ArrangedTagsProps {
  /** Props of the table with the scan's rows, which are sorted by name. */
  readonly table: Parameters<typeof ListTable<Tag>>[0];
  readonly order: string;
  readonly grouped: boolean;
  /** True if the tags are from several repos. */
  readonly several: boolean;
  readonly groupActions: (group: DigestGroup) => readonly MenuAction[];
}

/** Shows the rows of a scan in the list's order, optionally grouped by digest. */
export function ArrangedTags(props: ArrangedTagsProps): ReactNode {
  const { table, order, grouped, several, groupActions } = props;
  const sort = useMemo(() => tagSorter(order), [order]);
  const rows = sort(table.rows);
  const groups = useMemo(
    () => (grouped ? groupByDigest(rows, several, order) : []),
    [grouped, rows, several, order],
  );
  if (!grouped) return <ListTable {...table} rows={rows} />;
  const { view, selection, total, rowName: _, rowLink, aside: __, ...same } = table;
  return (
    <ListTable
      {...same}
      // A separate view: its rows differ from those of the same filters without grouping.
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
