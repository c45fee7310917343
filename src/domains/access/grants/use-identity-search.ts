import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { infinite, rowsOf } from "~/api/queries/queries";
import { isUid, PAGE_SIZE_MAX } from "platform-contract/aip";
import { identities, type Identity } from "platform-contract/iam/identities";
import { contains } from "~/ui/contains";

/** Maximum number of matches to show, and of pages to read per list before the user asks for more. */
const SHOWN = 8;
const PAGES = 5;
/** Debounce in ms. */
const DEBOUNCE_MS = 250;

const keepAll = { maxPages: Infinity };
const machinesOf = (organization: string) =>
  infinite(
    identities.list,
    {
      ...(organization !== "" && { "uidp.descendants_of": organization }),
      order_by: "name",
      page_size: PAGE_SIZE_MAX,
    },
    keepAll,
  );
const people = infinite(
  identities.list,
  { "uidp.in_root": true, order_by: "name", page_size: PAGE_SIZE_MAX },
  keepAll,
);
/** Requests the identity with this uid, or those with exactly this name. */
const exactly = (organization: string, text: string) =>
  infinite(identities.list, {
    ...(isUid(text)
      ? { "uidp.ids": [text] }
      : { ...(organization !== "" && { "uidp.descendants_of": organization }), name: text }),
    page_size: SHOWN,
  });

const matches = (identity: Identity, text: string): boolean => {
  const { uid, name, email, emailUnverified, description, claimMatch, staticKeys } = identity;
  const subject = claimMatch?.subject ?? staticKeys?.subject;
  return contains(text, [uid, name, email, emailUnverified, description, subject]);
};

/**
 * Finds identities of an organization whose name, email, description, subject or uid contains a text. The API has no
 * such filter, so this reads both lists page by page, each page only once for all queries, until enough match. Requests
 * an exact name directly, since it can be thousands of pages away.
 */
export function useIdentitySearch(organization: string, typed: string) {
  const text = typed.trim();
  // Debounces the request for the exact name.
  const [settled] = useDebouncedValue(text, DEBOUNCE_MS);
  const [pages, setPages] = useState(PAGES);
  const lists = [useInfiniteQuery(people), useInfiniteQuery(machinesOf(organization))];
  const exact = useInfiniteQuery({
    ...exactly(organization, settled.toLowerCase()),
    enabled: settled.length > 2 && lists.some((list) => list.hasNextPage),
  });
  const read = lists.flatMap(({ data }) => rowsOf(data).rows);
  const all = new Map([...rowsOf(exact.data).rows, ...read].map((identity) => [identity.uid, identity]));
  const found = [...all.values()].filter((identity) => matches(identity, text));
  const enough = found.length >= SHOWN;
  const next = lists.find(
    ({ data, hasNextPage, isFetching, isError }) =>
      hasNextPage && !isFetching && !isError && (data?.pages.length ?? 0) < pages,
  );
  useEffect(() => {
    if (text !== "" && !enough) void next?.fetchNextPage();
  });
  const failed = lists.find(({ isError }) => isError);
  return {
    found: found.slice(0, SHOWN),
    /** True if there are more matches than shown. */
    cut: found.length > SHOWN,
    read: read.length,
    reading: lists.some(({ isFetching }) => isFetching),
    /** Continues a search that stopped before it read everything. */
    further:
      !enough && !next && lists.some(({ hasNextPage }) => hasNextPage)
        ? () => setPages((now) => now + PAGES)
        : undefined,
    error: failed?.error,
    retry: () => void failed?.refetch(),
  };
}
