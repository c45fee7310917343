import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import "~/ui/controls/button-styles";
import type { ListQuery } from "~/ui/table/types";

type Paged = Pick<ListQuery, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;

/** Reads the next page of a list that is no table of its own. */
export function ShowMore({ query }: { readonly query: Paged }): ReactNode {
  if (!query.hasNextPage) return null;
  return (
    <div>
      <Button
        variant="default"
        aria-disabled={query.isFetchingNextPage || undefined}
        onClick={() => void query.fetchNextPage()}
      >
        {query.isFetchingNextPage ? "Loading…" : "Show more"}
      </Button>
    </div>
  );
}
