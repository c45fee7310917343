import type { ReactNode } from "react";

import type { PagedList } from "~/api/paging/scan-pages";
import type { Tag } from "~/contract/registry/tags";
import type { MenuAction } from "~/ui/overlay/menu";
import { ClientFilteredList } from "~/resource/client-filtered-list";

import { ArrangedTags, type TagTable } from "./arranged-tags";
import type { TagListSearch } from "./search";
import { arrangedOf, calledOf } from "./words";

interface ScannedTagsProps {
  readonly search: TagListSearch;
  readonly list: PagedList;
  readonly matches: (tag: Tag) => boolean;
  readonly table: TagTable;
  readonly emptyState: ReactNode;
  readonly copies: (tag: Tag) => readonly MenuAction[];
}

/** A view that the service cannot give: every tag is read for it. */
export function ScannedTags(props: ScannedTagsProps): ReactNode {
  const { search, list, matches, table, emptyState, copies } = props;
  return (
    <ClientFilteredList
      list={list}
      enabled
      filter={JSON.stringify([search.contains, search.deprecated])}
      matches={matches}
      what="tags"
      one="tag"
      called={calledOf(search)}
      arranged={arrangedOf(search)}
      emptyState={emptyState}
    >
      {(found) => (
        <ArrangedTags
          found={found}
          order={table.order}
          grouped={search.by === "digest"}
          several={search.repo === undefined}
          table={table}
          groupActions={({ tags: [tag] }) => (tag ? copies(tag) : [])}
        />
      )}
    </ClientFilteredList>
  );
}
