import type { Endpoint } from "~/contract/endpoint";
import { countedList, type ListAnswer, type ListQuery } from "~/contract/resource";
import { groups } from "~/contract/iam/groups";
import { PAGE_SIZE_MAX } from "~/contract/aip";
import { call } from "~/api/client/client";
import { ApiError } from "~/api/client/errors";
import { START } from "~/api/paging/page-reader";
import { readPages, type Patience } from "~/api/paging/scan-pages";
import { infinite } from "~/api/queries/queries";

import { COLLECTIONS, kindIn, recordOf, type Collection, type Contents, type Row } from "./format";

export const listOf = (collection: Collection) =>
  countedList(kindIn(collection)) as Endpoint<ListQuery, undefined, ListAnswer<Row>>;

interface Reading {
  readonly signal: AbortSignal;
  readonly patience: Patience;
  /** Why the caller cannot list a kind. */
  readonly refusal: (collection: Collection) => string | undefined;
  /** Reports the number of records read so far, and the kind of the last ones. */
  readonly tell: (read: number, collection: Collection) => void;
}

const STOPPED = "Stopped before the end.";

/**
 * Reads a group and all records of these kinds below it, or everything visible if there is no group: list by list, each
 * to its end. `missing` has the kinds that can't be read, and all that follow an abort or a lost connection.
 */
export async function readContents(group: string | undefined, reading: Reading): Promise<Contents> {
  const { signal, patience, refusal, tell } = reading;
  const records: Partial<Record<Collection, readonly Row[]>> = {};
  const missing: Partial<Record<Collection, string>> = {};
  let read = 0;
  let ended: string | undefined;
  for (const collection of COLLECTIONS) {
    const found = new Map<string, Row>();
    const why = ended ?? refusal(collection);
    if (why === undefined)
      try {
        if (collection === "groups" && group !== undefined) {
          const own = (await call(groups.get, { path: { uid: group }, signal })) as Row;
          found.set(own.uid, recordOf(collection, own));
        }
        const list = infinite(listOf(collection), {
          ...(group !== undefined && { "uidp.descendants_of": group }),
          order_by: "uid",
          page_size: PAGE_SIZE_MAX,
        });
        for await (const { page } of readPages<Row>(list, START, patience, signal)) {
          for (const row of page.items) found.set(row.uid, recordOf(collection, row));
          tell(read + found.size, collection);
        }
      } catch (error) {
        const passing = !(error instanceof ApiError) || error.passing;
        missing[collection] = signal.aborted ? STOPPED : (error as Error).message;
        if (signal.aborted || passing) ended = missing[collection];
      }
    else missing[collection] = why;
    read += found.size;
    records[collection] = [...found.values()];
  }
  return { records: records as Contents["records"], missing };
}
