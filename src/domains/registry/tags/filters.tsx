import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { total } from "~/api/queries/queries";
import { ALL_KINDS, tags, type Tag } from "platform-contract/registry/tags";
import type { InputOf, ListQuery } from "platform-contract/resource";
import type { ListView } from "~/frame/define";
import { ListFilters } from "~/frame/list/list-filters";
import type { ListScreen } from "~/frame/list/list-screen";
import type { ListToolsProps } from "~/frame/list/list-tools";
import "~/ui/controls/button-styles";
import type { Column } from "~/ui/table/types";
import { FilterGroup, FilterToggle } from "~/ui/controls/filter-toggle";
import { FilterSelect } from "~/ui/controls/filters";
import { capitalize } from "~/ui/display/capitalize";
import { formatCount } from "~/ui/display/numbers";
import { KINDS } from "platform-contract/registry/tag-names";

import { useUsageKnown } from "~/domains/registry/usage/use-usage-known";

import { groupColumns } from "./columns";
import { shows, isExact, tagFilters } from "./data";
import { inListOrder, namedColumns } from "./order";
import classes from "./styles.module.css";

/** Additional filters of the tag list, and how to arrange its rows. */
function MoreTagFilters({ list }: { list: ListScreen<Tag, InputOf<typeof tags>> }): ReactNode {
  const { search, filter } = list;
  const { order = "", by } = search;
  return (
    <>
      <FilterGroup label="Also show">
        {KINDS.map(({ kind }) => (
          <FilterToggle
            key={kind}
            label={tagFilters[kind].label}
            checked={shows(search, kind)}
            onChange={(checked) => filter({ [kind]: checked ? "yes" : undefined })}
            fixed={isExact(search) && search[kind] === undefined ? "Exact search covers all tags" : undefined}
          />
        ))}
      </FilterGroup>
      <FilterSelect
        label="Sort"
        value={order.startsWith("version") ? order : ""}
        options={[
          { value: "", label: order.startsWith("name") ? "by name" : "by date" },
          { value: "version desc", label: "newest version" },
          { value: "version", label: "oldest version" },
        ]}
        onChange={(value) => filter({ order: value })}
      />
      <FilterToggle
        label="Group by digest"
        checked={by === "digest"}
        onChange={(checked) => filter({ by: checked ? "digest" : undefined })}
      />
      {useUsageKnown() ? (
        <FilterToggle
          label={tagFilters.pulled.label}
          checked={search["pulled"] === "yes"}
          onChange={(checked) => filter({ pulled: checked ? "yes" : undefined })}
        />
      ) : null}
    </>
  );
}

interface TagFiltersProps {
  readonly list: ListScreen<Tag, InputOf<typeof tags>>;
  readonly columns: readonly Column<Tag>[];
}

/** The list's filters, and its order and grouping. */
export function TagFilters({ list, columns }: TagFiltersProps): ReactNode {
  const { search, holder, filter } = list;
  const { order = "" } = search;
  return (
    <>
      <ListFilters
        list={list}
        columns={columns}
        tools={toolsOf(search, holder === undefined, columns)}
        chips={
          order.startsWith("version")
            ? [
                {
                  label: order === "version" ? "Oldest version first" : "Newest version first",
                  onRemove: () => filter({ order: undefined }),
                },
              ]
            : []
        }
        more={<MoreTagFilters list={list} />}
      />
      <LeftOut list={list} />
    </>
  );
}

/** How many tags a query of the list has. */
function countOf(page: ListQuery & Partial<typeof ALL_KINDS>) {
  const { page_size: _size, order_by: _order, ...query } = page;
  return total(tags.list, query);
}

/** Says how many tags the list's count leaves out, and shows them. Its height is reserved, as rows follow. */
function LeftOut({ list }: Pick<TagFiltersProps, "list">): ReactNode {
  const { search, filter, matches, whole, rows } = list;
  const kinds = KINDS.filter(({ kind }) => !shows(search, kind));
  const [, , query] = whole.queryKey;
  const enabled = kinds.length > 0 && (matches !== undefined || rows.paged.total !== undefined);
  const all = useQuery({ ...countOf({ ...query, ...ALL_KINDS }), enabled });
  const scanned = useQuery({ ...countOf(query), enabled: enabled && matches !== undefined });
  if (kinds.length === 0) return null;
  // Of a place that is hidden, nothing is counted.
  const isEmpty = Number(all.data ?? 1) === 0;
  const counted = matches === undefined ? rows.paged.total : scanned.data;
  const count =
    all.data === undefined || counted === undefined ? undefined : Number(all.data) - Number(counted);
  const isSettled =
    all.isError || scanned.isError || (all.isSuccess && (matches === undefined || scanned.isSuccess));
  const words = new Intl.ListFormat("en").format(
    kinds.map(({ kind }) => tagFilters[kind].label.toLowerCase()),
  );
  return (
    <p className={`${classes["note"]} ${classes["leftOut"]}`}>
      {!isSettled || isEmpty ? null : count === 0 ? (
        "All tags are counted."
      ) : (
        <>
          {count === undefined ? capitalize(words) : `${formatCount(count)} ${words}`} aren&apos;t counted.{" "}
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => filter(Object.fromEntries(kinds.map(({ kind }) => [kind, "yes"])))}
          >
            Include them
          </Button>
        </>
      )}
    </p>
  );
}

/** Moves the digest first, as in the grouped list. */
const digestFirst = (columns: readonly Column<Tag>[]): readonly Column<Tag>[] =>
  columns.toSorted((a, b) => Number(b.id === "digest") - Number(a.id === "digest"));

/** Columns and rows of the exported file: always tags, in the list's order. `several`: tags are from several repos. */
function toolsOf(
  search: ListView,
  several: boolean,
  columns: readonly Column<Tag>[],
): Partial<ListToolsProps<Tag>> {
  const arrange = search["by"] === "digest" ? digestFirst : (same: typeof columns) => same;
  return {
    columns: arrange(columns),
    columnsOf: several ? async (rows) => arrange(await namedColumns(rows)) : undefined,
    arranged: async (rows) => inListOrder(rows, search),
    ...(search["by"] === "digest" && {
      tableColumns: groupColumns(several),
      note: "The list is grouped by digest. The file lists tags, with those of the same image together.",
    }),
  };
}
