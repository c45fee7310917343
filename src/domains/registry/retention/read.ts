import { serviceTime } from "~/api/client/service-clock";
import { START, type PagedItem } from "~/api/paging/page-reader";
import { readPages, type PagedList } from "~/api/paging/scan-pages";
import type { RetryPolicy } from "~/api/paging/retry-policy";
import { infinite } from "~/api/queries/queries";
import { ApiError } from "platform-client/errors";
import { isWithin, PAGE_SIZE_MAX, parentOf } from "platform-contract/aip";
import { repos, type Repo } from "platform-contract/registry/repos";
import { ALL_KINDS, tags, type Tag } from "platform-contract/registry/tags";
import { readUsage } from "~/domains/registry/usage/queries";
import { repoName } from "~/domains/registry/references/repo-query";

import { keyOf, type TagFacts } from "platform-contract/registry/retention-decision";
import { TooMuch } from "./too-much";

/** What one preview reads at most. */
const MOST_REPOS = 5_000;
const MOST_TAGS = 50_000;

export interface RetentionReading {
  readonly retryPolicy: RetryPolicy;
  readonly signal: AbortSignal;
  readonly tell: (what: string) => void;
  /** True if the rules need to know when tags were last pulled. */
  readonly withUsage: boolean;
}

async function readAll<T extends PagedItem>(
  list: PagedList,
  { retryPolicy, signal }: RetentionReading,
  tell: (count: number) => void,
): Promise<T[]> {
  const rows: T[] = [];
  for await (const { page } of readPages<T>(list, START, retryPolicy, signal)) {
    rows.push(...page.items);
    tell(rows.length);
  }
  return rows;
}

const tagsIn = (scope: object) =>
  infinite(tags.list, { ...scope, ...ALL_KINDS, page_size: PAGE_SIZE_MAX, order_by: "name" });

/**
 * Reads the tags of a repo, or of all repos of a group, and what protects some of them. Rejects with an ApiError, with
 * TooMuch, or with the reason of the signal.
 */
export async function readFacts(
  place: string,
  isRepo: boolean,
  reading: RetentionReading,
): Promise<TagFacts> {
  const { tell } = reading;
  const all = await readAll<Repo>(
    infinite(repos.list, { page_size: PAGE_SIZE_MAX, order_by: "name" }),
    reading,
    (count) => {
      tell(`${count} repos`);
      if (count > MOST_REPOS)
        throw new TooMuch(`You can see more than ${MOST_REPOS} repos, too many to know which are synced.`);
    },
  );
  const known = new Map(all.map((repo) => [repo.uid, repo]));
  if (isRepo && !known.has(place))
    throw new ApiError("refused", "This repo doesn't exist, or you don't have access to it.");
  const found = await readAll<Tag>(
    tagsIn(isRepo ? { "uidp.children_of": place } : { "uidp.descendants_of": place }),
    reading,
    (count) => {
      tell(`${count} tags`);
      if (count > MOST_TAGS)
        throw new TooMuch(`There are more than ${MOST_TAGS} tags here. Choose a folder or a repo.`);
    },
  );
  const copies = new Map<string, string>();
  const synced = all.filter((repo) => {
    const source = repo.sync_config?.source;
    return source !== undefined && (isRepo ? source === place : isWithin(source, place));
  });
  for (const copy of synced) {
    tell(`what is synced to ${repoName(copy)}`);
    // oxlint-disable-next-line no-await-in-loop -- few repos are synced, and each can have many tags
    const theirs = await readAll<Tag>(tagsIn({ "uidp.children_of": copy.uid }), reading, () => {});
    for (const { digest } of theirs)
      if (digest !== undefined) copies.set(keyOf(copy.sync_config?.source ?? "", digest), repoName(copy));
  }
  if (reading.withUsage) tell(`the pulls of ${found.length} tags`);
  const usage = reading.withUsage
    ? await readUsage(
        found.map(({ uid }) => uid),
        "USAGE_GROUPING_TAG",
        reading.signal,
      )
    : undefined;
  const holders = new Set(found.map(({ uid }) => parentOf(uid)));
  return {
    tags: found,
    repos: new Map([...known].filter(([uid]) => holders.has(uid))),
    copies,
    usage: usage && new Map(usage.map((one) => [one.uid, one])),
    now: serviceTime(),
  };
}
