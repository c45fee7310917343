import type { Endpoint } from "~/contract/endpoint";
import type { ListAnswer, ListQuery } from "~/contract/resource";

import { withTimeout } from "../auth/timeout";

import { call } from "./client";
import { newestOf, type LostCreate, type Made } from "./lost-create";
import { contains } from "./same-value";

const PATIENCE = 10_000;

/**
 * Removes what a browser made twice of one create. When a connection that was used before breaks without an answer,
 * browsers send the request again by themselves (RFC 9110, section 9.2.2 allows that for idempotent ones; they do it for
 * any), and the page gets the second answer as if it were the only one. The twin is the first: it says the same as
 * `record` under the same parent, nobody has touched it, and it was made before `record` within the time that the
 * request took (`took`, in ms, by the service's own clock). Never a later one: should two people make the same in the
 * same moment, one of the two records stays, whoever looks first. What may not be read or deleted stays; lists show it.
 */
export async function removeTwins<T extends Made>(
  {
    list,
    delete: remove,
  }: {
    readonly list: Endpoint<ListQuery, undefined, ListAnswer<T>>;
    readonly delete?: Endpoint<object, undefined, undefined>;
  },
  create: LostCreate,
  record: Made,
  took: number,
): Promise<void> {
  const made = Date.parse(record.createTime ?? "");
  if (!remove || Number.isNaN(made)) return;
  try {
    const newest = await withTimeout(PATIENCE, (signal) => newestOf(list, create, signal));
    const twins = newest.filter(
      (other) =>
        other.uid !== record.uid &&
        !create.before.has(other.uid) &&
        contains(create.body, other) &&
        isFirst(other, record) &&
        made - Date.parse(other.createTime ?? "") <= took,
    );
    await Promise.all(twins.map(({ uid }) => call(remove, { path: { uid } })));
  } catch {
    // The record itself is there: that is what was asked for.
  }
}

/** Untouched since it was made, and made before `record`; of two made in one millisecond the lesser uid came first. */
function isFirst(other: Made & { readonly updateTime?: string | undefined }, record: Made): boolean {
  const [theirs, ours] = [Date.parse(other.createTime ?? ""), Date.parse(record.createTime ?? "")];
  const untouched = other.updateTime === undefined || other.updateTime === other.createTime;
  return untouched && (theirs < ours || (theirs === ours && other.uid < record.uid));
}
