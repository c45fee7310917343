import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import { useRefusal } from "~/access/use-can";
import type { Patience } from "~/api/paging/scan-pages";

import type { Collection, Contents } from "./format";
import { listOf, readContents } from "./read";

export interface Progress {
  readonly read: number;
  readonly collection: Collection;
}

/** Reads a scope on request. `stop` ends the reading with what was read by then. */
export function useContents() {
  const client = useQueryClient();
  const refusal = useRefusal();
  const [progress, setProgress] = useState<Progress>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  /** Resolves to undefined if another reading started in the meantime. */
  const read = async (group: string | undefined): Promise<Contents | undefined> => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    setProgress({ read: 0, collection: "groups" });
    const contents = await readContents(group, {
      signal: own.signal,
      patience: client.getDefaultOptions().queries as Patience,
      refusal: (collection) => refusal(listOf(collection), group),
      tell: (count, collection) => setProgress({ read: count, collection }),
    });
    if (running.current !== own) return undefined;
    setProgress(undefined);
    return contents;
  };
  return { progress, read, stop: () => running.current?.abort() };
}
