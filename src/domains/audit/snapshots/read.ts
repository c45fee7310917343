import { ApiError, asError } from "platform-client/errors";
import { totalOf } from "platform-client/wire";
import { groups } from "platform-contract/iam/groups";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import { call } from "~/api/client/client";
import { START } from "~/api/paging/page-reader";
import { readPages } from "~/api/paging/scan-pages";
import type { RetryPolicy } from "~/api/paging/retry-policy";
import { listOf, MOST_TAGS, queryOf } from "platform-client/snapshots/lists";
import { infinite } from "~/api/queries/queries";
import { formatCount } from "~/ui/display/numbers";

import {
  COLLECTIONS,
  perKind,
  recordOf,
  type Collection,
  type Contents,
  type SnapshotRow,
} from "platform-client/snapshots/format";

interface Reading {
  readonly signal: AbortSignal;
  readonly retryPolicy: RetryPolicy;
  /** Why the caller cannot list a kind. */
  readonly refusal: (collection: Collection) => string | undefined;
  /** Kinds that nobody needs. */
  readonly without?: readonly Collection[] | undefined;
  readonly mostTags?: number;
  /** Reports the number of records of a kind read so far, and of all, if the service counts them. */
  readonly tell: (read: number, collection: Collection, of: number | undefined) => void;
}

const STOPPED = "Stopped before the end.";

/** There is too much of a kind; the message says what to do. */
class TooMany extends Error {
  constructor(count: string, most: number) {
    super(
      `There are ${count} tags, and a snapshot has at most ${formatCount(most)}. Take snapshots of single folders.`,
    );
  }
}

/** Reads all records of a kind below a group, page by page, into `found`. Rejects with an ApiError, or TooMany. */
async function readKind(
  collection: Collection,
  group: string | undefined,
  { signal, retryPolicy, tell, mostTags = MOST_TAGS }: Reading,
  found: Map<string, SnapshotRow>,
): Promise<void> {
  if (collection === "groups" && group !== undefined) {
    const own = await call(groups.get, { path: { uid: group }, signal });
    found.set(own.uid, recordOf(collection, own));
  }
  const list = infinite(listOf(collection), {
    ...queryOf(collection, group),
    page_size: PAGE_SIZE_MAX,
  });
  for await (const { page } of readPages<SnapshotRow>(list, START, retryPolicy, signal)) {
    for (const row of page.items) found.set(row.uid, recordOf(collection, row));
    const counted = totalOf(page);
    const of = counted === undefined ? undefined : Number(counted);
    if (collection === "tags" && Math.max(of ?? 0, found.size) > mostTags) {
      found.clear();
      throw new TooMany(of === undefined ? `more than ${formatCount(mostTags)}` : formatCount(of), mostTags);
    }
    tell(found.size, collection, of);
  }
}

/**
 * Reads a group and all records of these kinds below it, or everything visible if there is no group: list by list, each
 * to its end. `missing` has the kinds that can't be read, and all that follow an abort or a lost connection.
 */
export async function readContents(group: string | undefined, reading: Reading): Promise<Contents> {
  const { signal, refusal, without = [] } = reading;
  const found = perKind(() => new Map<string, SnapshotRow>());
  const missing: Partial<Record<Collection, string>> = {};
  let ended: string | undefined;
  for (const collection of COLLECTIONS) {
    if (without.includes(collection)) continue;
    const why = ended ?? refusal(collection);
    if (why !== undefined) {
      missing[collection] = why;
      continue;
    }
    try {
      // oxlint-disable-next-line no-await-in-loop -- list by list
      await readKind(collection, group, reading, found[collection]);
    } catch (error) {
      missing[collection] = signal.aborted ? STOPPED : asError(error).message;
      const isFinal = error instanceof TooMany || (error instanceof ApiError && !error.passing);
      if (signal.aborted || !isFinal) ended = missing[collection];
    }
  }
  return { records: perKind((kind) => [...found[kind].values()]), missing };
}
