import type { ReactNode } from "react";

import type { Tag } from "~/contract/registry/tags";
import type { MenuAction } from "~/kit/menu";
import { Scanned } from "~/parts/scanned";
import type { Scope } from "~/parts/scope";

import { ArrangedTags, type TagTable } from "./-arranged-tags";
import { tagScanQuery } from "./-tag-queries";
import { matcherOf } from "./-tag-scan";
import type { TagListSearch } from "./-tag-search";
import { arrangedOf, calledOf } from "./-tag-words";

interface ScannedTagsProps {
  readonly search: TagListSearch;
  readonly scope: Scope;
  readonly table: TagTable;
  readonly emptyState: ReactNode;
  /** The table while there is no answer. */
  readonly loading: ReactNode;
  readonly copies: (tag: Tag) => readonly MenuAction[];
}

/** A view that the service cannot give: every tag is read for it. */
export function ScannedTags({
  search,
  scope,
  table,
  emptyState,
  loading,
  copies,
}: ScannedTagsProps): ReactNode {
  return (
    <Scanned
      list={tagScanQuery(scope, search)}
      enabled
      filter={JSON.stringify([search.contains, search.deprecated])}
      matches={matcherOf(search)}
      what="tags"
      one="tag"
      called={calledOf(search)}
      arranged={arrangedOf(search)}
      emptyState={emptyState}
      loading={loading}
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
    </Scanned>
  );
}
