import type { Api } from "./api";
import { fault } from "./fault";
import type { FaultProxy } from "./fault-proxy";

/** Uses up what the service's RATE_LIMIT lets this person send, from now until `stop()`. */
export async function exhaust(api: Api): Promise<{ readonly stop: () => Promise<void> }> {
  const stopping = new AbortController();
  let refused = (): void => undefined;
  const exhausted = new Promise<void>((resolve) => (refused = resolve));
  const ask = async (): Promise<void> => {
    while (!stopping.signal.aborted)
      // oxlint-disable-next-line no-await-in-loop -- until there is no more
      await api.get("/iam/v2/groups?page_size=1").catch((error: unknown) => {
        if (!String(error).includes(": 429 ")) throw error;
        refused();
      });
  };
  const asking = Promise.all(Array.from({ length: 6 }, ask));
  await Promise.race([exhausted, asking]);
  return {
    stop: async () => {
      stopping.abort();
      await asking;
    },
  };
}

/** Counts how often the service answers requests with 429; passes every answer on. */
export function countRefused(proxy: FaultProxy, path: RegExp): { readonly count: () => number } {
  let count = 0;
  proxy.rule(
    { path },
    fault.edit(({ status }) => {
      if (status === 429) count += 1;
      return {};
    }),
  );
  return { count: () => count };
}
