import { queryOptions } from "@tanstack/react-query";

import type { RequestInfo } from "platform-client/request-info";

import type { QueryFacts } from "~/api/client/request-info";

import { Store } from "~/store";

import { readRepoNames, type RepoNames } from "./read-repo-names";

/** How long to collect uids for one request, in ms. */
const BATCH_WINDOW_MS = 50;

interface Batch {
  readonly uids: Set<string>;
  readonly answer: Promise<RepoNames>;
}

/** `name` is undefined for a repo that is missing or not visible. */
interface Named {
  readonly name: string | undefined;
  readonly asked: RequestInfo;
}

/** The batch that still takes uids. */
const open = new Store<Batch | undefined>(() => undefined);

function openBatch(): Batch {
  const uids = new Set<string>();
  const answer = new Promise((resolve) => setTimeout(resolve, BATCH_WINDOW_MS)).then(() => {
    open.set(undefined);
    return readRepoNames(uids);
  });
  const batch: Batch = { uids, answer };
  open.set(batch);
  return batch;
}

/** The name of a repo, batched with all others requested within `BATCH_WINDOW_MS`. */
async function nameOf(uid: string): Promise<Named> {
  const batch = open.get() ?? openBatch();
  batch.uids.add(uid);
  const { names, asked } = await batch.answer;
  return { name: names.get(uid), asked };
}

/** The name of a repo. */
export const repoNameQuery = (uid: string) =>
  queryOptions({
    queryKey: ["repos", "name", uid] as const,
    meta: { requests: (named: Named | undefined) => (named ? [named.asked] : []) } satisfies QueryFacts,
    queryFn: () => nameOf(uid),
  });
