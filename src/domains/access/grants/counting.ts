import { queryOptions } from "@tanstack/react-query";

import { call } from "~/api/client/client";
import { ancestorsOf, PAGE_SIZE_MAX } from "platform-contract/aip";
import { roleBindings } from "platform-contract/iam/role-bindings";

/** The role bindings that count at a group, nearest first, a page of each level; what the user can't see is missing. */
export const countingQuery = (group: string) =>
  queryOptions({
    queryKey: [roleBindings.collection, "counting", group] as const,
    queryFn: async ({ signal }) => {
      const levels = [group, ...ancestorsOf(group).toReversed()];
      const pages = await Promise.all(
        levels.map((level) =>
          call(roleBindings.list, {
            query: { "uidp.children_of": level, order_by: "uid", page_size: PAGE_SIZE_MAX },
            signal,
          }),
        ),
      );
      return {
        rows: pages.flatMap(({ items }) => items),
        whole: pages.every(({ nextPageToken }) => !nextPageToken),
      };
    },
  });
