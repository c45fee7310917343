import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";

import type { Pages } from "~/api/paging/pages";
import { infinite } from "~/api/queries/queries";
import { isBelow, PAGE_SIZE_MAX, parentOf } from "platform-contract/aip";
import { groups, type Group } from "platform-contract/iam/groups";

/**
 * Which groups certainly have no folders, from one page of everything below an organization, if one page holds it all.
 * Opening a group never asks for this: it costs one request for each organization that the tree opens by itself.
 */
export function useChildless(organization: string | undefined): (uid: string) => boolean {
  const query = infinite(groups.list, {
    "uidp.descendants_of": organization ?? "",
    page_size: PAGE_SIZE_MAX,
  });
  const { data, hasNextPage } = useInfiniteQuery({ ...query, enabled: organization !== undefined });
  const pages = (data as Pages<Group> | undefined)?.pages;
  const parents = useMemo(
    () =>
      pages && !hasNextPage
        ? new Set(pages.flatMap(({ items }) => items).map(({ uid }) => parentOf(uid)))
        : undefined,
    [pages, hasNextPage],
  );
  return useCallback(
    (uid) =>
      parents !== undefined &&
      organization !== undefined &&
      (uid === organization || isBelow(uid, organization)) &&
      !parents.has(uid),
    [parents, organization],
  );
}
