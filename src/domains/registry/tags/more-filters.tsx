import type { ReactNode } from "react";

import type { tags, Tag } from "platform-contract/registry/tags";
import type { InputOf } from "platform-contract/resource";
import type { ListScreen } from "~/frame/list/list-screen";
import { FilterGroup, FilterToggle } from "~/ui/controls/filter-toggle";
import { FilterSelect } from "~/ui/controls/filters";

import { KINDS } from "~/domains/registry/references/tag-names";
import { isExact, shows, tagFilters } from "./data";

/** Additional filters of the tag list, and how to arrange its rows. */
export function MoreTagFilters({ list }: { list: ListScreen<Tag, InputOf<typeof tags>> }): ReactNode {
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
    </>
  );
}
