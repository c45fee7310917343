import type { ReactNode } from "react";

import type { tags, Tag } from "~/contract/registry/tags";
import type { InputOf } from "~/contract/resource";
import type { ListView } from "~/resource/define";
import { ListFilters, type ListScreen } from "~/resource/list-screen";
import type { ListToolsProps } from "~/resource/list-tools";
import { FilterGroup, FilterToggle } from "~/ui/controls/filter-toggle";
import { FilterSelect, FilterText } from "~/ui/controls/filters";
import type { Column } from "~/ui/table/types";

import { groupColumns, repoColumns, scopeColumns } from "./columns";
import { isExact, KINDS, shows, tagFilters } from "./data";
import classes from "./styles.module.css";

const file = () => import("./order");

interface TagFiltersProps {
  readonly list: ListScreen<Tag, InputOf<typeof tags>>;
  readonly columns: readonly Column<Tag>[];
}

/** What narrows the list and what arranges it. */
export function TagFilters({ list, columns }: TagFiltersProps): ReactNode {
  const { search, holder, filter } = list;
  const { name, digest, deprecated, order = "", by } = search;
  const fixed = isExact(search)
    ? "Exact search covers all tags"
    : "Included so the deprecated count is complete";
  return (
    <>
      <ListFilters
        list={list}
        columns={columns}
        tools={toolsOf(search, holder === undefined)}
        controls={{
          name: (
            <FilterText
              label="Exact name or digest"
              value={digest ?? name}
              onApply={(text) =>
                filter(
                  text?.startsWith("sha256:")
                    ? { digest: text, name: undefined }
                    : { name: text, digest: undefined },
                )
              }
            />
          ),
        }}
      >
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
        <FilterGroup label="Also show">
          {KINDS.map(({ kind }) => (
            <FilterToggle
              key={kind}
              label={tagFilters[kind].label}
              checked={shows(search, kind)}
              onChange={(checked) => filter({ [kind]: checked ? "yes" : undefined })}
              fixed={shows(search, kind) && search[kind] === undefined ? fixed : undefined}
            />
          ))}
        </FilterGroup>
      </ListFilters>
      {deprecated === undefined ? null : (
        <p className={classes["note"]}>
          Deprecated tags are past end of life. End-of-life dates are only available in API v1.
        </p>
      )}
    </>
  );
}

/** The digest first, as in the list of groups. */
const digestFirst = (columns: readonly Column<Tag>[]): readonly Column<Tag>[] =>
  columns.toSorted((a, b) => Number(b.id === "digest") - Number(a.id === "digest"));

/** Columns and rows of the exported file: always tags, in the order of the list. `several`: they are of several repos. */
function toolsOf(search: ListView, several: boolean): Partial<ListToolsProps<Tag>> {
  const columns = several ? scopeColumns : repoColumns;
  const arrange = search["by"] === "digest" ? digestFirst : (same: typeof columns) => same;
  return {
    columns: arrange(columns),
    columnsOf: several ? async (rows) => arrange(await (await file()).namedColumns(rows)) : undefined,
    arranged: async (rows) => (await file()).inListOrder(rows, search),
    ...(search["by"] === "digest" && {
      tableColumns: groupColumns(several),
      note: "The list is grouped by digest. The file lists the tags, those of one image together.",
    }),
  };
}
