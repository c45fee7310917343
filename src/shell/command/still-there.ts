import { call } from "~/api/client/client";
import { kindOf } from "platform-contract/kinds";
import { ALL_KINDS } from "platform-contract/registry/tags";
import { countedList } from "platform-contract/resource";

import type { Visit } from "./recent";

/** Which of these records no longer exist or are out of sight: one request for each of their kinds. */
export async function readGone(visits: readonly Visit[], signal: AbortSignal): Promise<readonly Visit[]> {
  const collections = [...new Set(visits.map(({ collection }) => collection))];
  const gone = await Promise.all(
    collections.map(async (collection) => {
      const kind = kindOf(collection);
      if (!kind) return [];
      const sought = visits.filter((visit) => visit.collection === collection);
      const query = {
        ...(collection === "tags" && ALL_KINDS),
        "uidp.ids": sought.map(({ uid }) => uid),
        page_size: sought.length,
      };
      try {
        const { items } = await call(countedList(kind), { query, signal });
        const there = new Set(items.map(({ uid }) => uid));
        return sought.filter(({ uid }) => !there.has(uid));
      } catch {
        // Nothing is known about these.
        return [];
      }
    }),
  );
  return gone.flat();
}
