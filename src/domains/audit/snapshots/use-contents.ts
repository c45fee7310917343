import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import { currentUserQuery } from "~/frame/permissions/read-current-user";
import { can } from "~/frame/permissions/rules";
import { retryPolicyOf } from "~/api/paging/retry-policy";
import { usePerson } from "~/auth/use-session";

import type { Collection, Contents } from "platform-client/snapshots/format";
import { listOf } from "platform-client/snapshots/lists";
import { readContents } from "./read";

export interface Progress {
  readonly collection: Collection;
  /** Records of this kind read so far, and of all, if the service counts them. */
  readonly read: number;
  readonly of: number | undefined;
}

/** Reads a scope on request. `stop` ends the reading with what was read by then. */
export function useContents() {
  const client = useQueryClient();
  const person = usePerson();
  const [progress, setProgress] = useState<Progress>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  /** Resolves to undefined if another reading started in the meantime. */
  const read = async (
    group: string | undefined,
    without?: readonly Collection[],
  ): Promise<Contents | undefined> => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    setProgress({ read: 0, collection: "groups", of: undefined });
    // Before it is known what they can list, an empty list of what is hidden would count as all there is.
    const user = await client.ensureQueryData(currentUserQuery(person)).catch(() => undefined);
    const contents = await readContents(group, {
      signal: own.signal,
      retryPolicy: retryPolicyOf(client),
      refusal: (collection) => can(user, listOf(collection), group).reason,
      without,
      tell: (count, collection, of) => setProgress({ read: count, collection, of }),
    });
    if (running.current !== own) return undefined;
    setProgress(undefined);
    return contents;
  };
  return { progress, read, stop: () => running.current?.abort() };
}
