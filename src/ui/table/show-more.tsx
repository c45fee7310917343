import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import "~/ui/controls/button-styles";
import type { ListQuery } from "~/ui/table/types";

type Paged = Pick<ListQuery, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;

/** Button that loads the next page of a list that isn't a full table. */
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
