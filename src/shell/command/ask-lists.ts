import { call } from "~/api/client/client";
import { totalOf } from "platform-client/wire";
import type { Kind } from "platform-contract/kind";
import { ALL_KINDS } from "platform-contract/registry/tags";
import { countedList, type ListQuery } from "platform-contract/resource";

/** A row of any list; not every kind has all of the optional fields. */
export interface FoundRow {
  readonly uid: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly componentName?: string | undefined;
}

/** Maximum number of rows shown per kind. */
export const SHOWN = 5;

/** The rows of one kind that match. */
export interface ListAnswer {
  readonly kind: Kind;
  readonly rows: readonly FoundRow[];
  readonly count: number | undefined;
}

/** Lists the records of one kind. */
export async function ask(kind: Kind, query: object, signal: AbortSignal, size = SHOWN): Promise<ListAnswer> {
  // A list by uid leaves out some kinds of tags unless asked for them; one by name or digest does not.
  const all = kind.collection === "tags" && "uidp.ids" in query ? ALL_KINDS : {};
  const page = await call(countedList(kind), {
    query: { ...query, ...all, page_size: size } as ListQuery,
    signal,
  });
  const count = totalOf(page);
  return { kind, rows: page.items, count: count === undefined ? undefined : Number(count) };
}

/** Sends the same query for many kinds in parallel. Names the kinds that fail; throws if all of them do. */
export async function askAll(kinds: readonly Kind[], query: object, signal: AbortSignal) {
  const settled = await Promise.allSettled(kinds.map((kind) => ask(kind, query, signal)));
  const answers = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const failed = settled.flatMap((each, index) =>
    each.status === "rejected"
      ? [{ plural: kinds[index]?.plural ?? "", reason: each.reason as unknown }]
      : [],
  );
  if (answers.length === 0 && failed[0]) throw failed[0].reason;
  const notes =
    failed.length === 0 ? [] : [`Couldn't be searched: ${failed.map(({ plural }) => plural).join(", ")}.`];
  return { answers, notes };
}
