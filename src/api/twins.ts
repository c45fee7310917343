import type { Endpoint } from "~/contract/endpoint";
import type { ListAnswer, ListQuery } from "~/contract/resource";

import { call } from "./client";
import { newestOf, type LostCreate, type Made } from "./lost-create";
import { contains } from "./same-value";

/** How much later than asked for a service may say that it made something, in ms. */
const SLACK = 1_000;
const PATIENCE = 10_000;

/**
 * Removes what a browser made twice of one create. When a connection that was used before breaks without an answer,
 * browsers send the request again by themselves (RFC 9110, section 9.2.2 allows that for idempotent ones; they do it for
 * any), and the page gets the second answer as if it were the only one. A twin says the same as `record`, under the
 * same parent, from the very time that the request took by the service's own clock. `took`: that time, in ms.
 * What may not be read or deleted stays; the lists show it.
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
    const newest = await newestOf(list, create, AbortSignal.timeout(PATIENCE));
    const twins = newest.filter(
      (other) =>
        other.uid !== record.uid &&
        !create.before.has(other.uid) &&
        contains(create.body, other) &&
        Math.abs(made - Date.parse(other.createTime ?? "")) <= took + SLACK,
    );
    await Promise.all(twins.map(({ uid }) => call(remove, { path: { uid } })));
  } catch {
    // The record itself is there: that is what was asked for.
  }
}
