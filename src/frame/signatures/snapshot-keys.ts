import { queryOptions } from "@tanstack/react-query";

import { SIGNATURE_KEYS_PATH } from "platform-contract/snapshots/signatures";

/** The public keys that a service signs snapshots with, as JWKs. Read again by each check. */
export const snapshotKeys = (service: string) =>
  queryOptions({
    queryKey: ["snapshotKeys", service],
    queryFn: async ({ signal }): Promise<readonly object[]> => {
      const address = `${service}${SIGNATURE_KEYS_PATH}`;
      const answer = await fetch(address, { credentials: "omit", cache: "no-cache", signal });
      const { keys }: { keys?: object[] } = answer.ok ? await answer.json() : {};
      if (!Array.isArray(keys)) throw new Error("The keys couldn't be read.");
      return keys;
    },
    retry: false,
    staleTime: 0,
  });
