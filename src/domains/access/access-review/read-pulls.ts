import { call } from "~/api/client/client";
import { getRegistryUsage } from "platform-contract/registry/usage";

import type { PullFacts } from "./evidence";

/** Who pulled from the repos of a scope; undefined if that was never counted. */
export async function readPulls(scope: string, signal: AbortSignal): Promise<PullFacts | undefined> {
  const {
    usage = [],
    countedSince,
    complete = false,
  } = await call(getRegistryUsage, {
    query: {
      "uidp.descendants_of": scope,
      by: ["USAGE_GROUPING_REPO", "USAGE_GROUPING_IDENTITY"],
    },
    signal,
  });
  if (countedSince === undefined) return undefined;
  const rows = usage.flatMap(({ identity, repo, lastDownloadTime = "", lastAskTime = "" }) => {
    const last = lastDownloadTime > lastAskTime ? lastDownloadTime : lastAskTime;
    return identity === undefined || repo === undefined || last === "" ? [] : [{ identity, repo, last }];
  });
  return { rows, since: countedSince, complete };
}
