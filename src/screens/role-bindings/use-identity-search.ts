import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { infinite, rowsOf } from "~/api/queries/queries";
import { isUid, PAGE_SIZE_MAX } from "~/contract/aip";
import { identities, type Identity } from "~/contract/iam/identities";
import { contains } from "~/resource/contains";

/** Matches that are shown, and pages of each list that are read for them before somebody asks for more. */
const SHOWN = 8;
const PAGES = 5;
/** Milliseconds without another letter. */
const PAUSE = 250;

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
/** The one with this uid, or those with exactly this name. */
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
 * Identities of an organization whose name, email, description, subject or uid holds a text. The API has no such filter:
 * both lists are read page by page, each page once whatever is typed, until enough match; an exact name is asked for
 * directly, since it may be thousands of pages away.
 */
export function useIdentitySearch(organization: string, typed: string) {
  const text = typed.trim();
  // The exact name is asked for when the typing pauses for a moment.
  const [settled] = useDebouncedValue(text, PAUSE);
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
    /** More match than are shown. */
    cut: found.length > SHOWN,
    read: read.length,
    reading: lists.some(({ isFetching }) => isFetching),
    /** Reads on where the search has stopped without having seen everything. */
    further:
      !enough && !next && lists.some(({ hasNextPage }) => hasNextPage)
        ? () => setPages((now) => now + PAGES)
        : undefined,
    error: failed?.error,
    retry: () => void failed?.refetch(),
  };
}
