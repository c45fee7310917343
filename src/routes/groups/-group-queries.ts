import { anchorOf } from "~/api/lists";
import { infinite } from "~/api/queries";
import { PAGE_SIZE_MAX } from "~/contract/aip";
import { groups } from "~/contract/iam/groups";
import { scopeQuery, type Scope } from "~/parts/scope";

import { DEFAULT_ORDER, type GroupListSearch } from "./-group-search";

/** The groups of a view: the route asks for them while the screen's code is still loading, the screen for the same. */
export const groupListQuery = (
  scope: Scope,
  { order = DEFAULT_ORDER, name, at }: GroupListSearch,
  pageSize?: number,
) =>
  infinite(
    groups.list,
    {
      ...scopeQuery(scope),
      ...(name !== undefined && { name }),
      ...(pageSize !== undefined && { page_size: pageSize }),
      order_by: order,
    },
    { skip: anchorOf(Number(at ?? 0)) },
  );

/** The same for a scan, which filters what the API cannot. */
export const groupScanQuery = (scope: Scope, search: GroupListSearch) =>
  groupListQuery(scope, search, PAGE_SIZE_MAX);
