import { totalOf } from "platform-client/wire";
import type { Endpoint } from "platform-contract/endpoint";
import { PAGE_SIZE_MAX, parentOf } from "platform-contract/aip";
import { listTermsAcceptances, type TermsAcceptance } from "platform-contract/iam/terms";
import type { Kind } from "platform-contract/kind";
import { KINDS, kinds } from "platform-contract/kinds";
import { ALL_KINDS } from "platform-contract/registry/tags";
import { countedList, type ListAnswer, type ListQuery } from "platform-contract/resource";

import { call } from "~/api/client/client";
import { START } from "~/api/paging/page-reader";
import { readPages } from "~/api/paging/scan-pages";
import type { RetryPolicy } from "~/api/paging/retry-policy";
import { infinite } from "~/api/queries/queries";

import { blockingKinds, type TeardownRow, type RowsByKind } from "./plan";

type List = Endpoint<ListQuery, undefined, ListAnswer<TeardownRow>>;

export const listOf = (kind: Kind): List => countedList(kind);

export interface Contents {
  readonly rows: RowsByKind;
  /** Counts of records of other kinds that are deleted along with these. */
  readonly companions: readonly (readonly [kind: Kind, count: number | bigint])[];
}

interface Reading {
  readonly signal: AbortSignal;
  readonly retryPolicy: RetryPolicy;
  /** Reports the number of records read so far. */
  readonly tell: (read: number) => void;
}

/** Reads every record below groups that blocks their deletion, group by group and kind by kind, each list to its end. */
export async function readContents(
  groups: readonly string[],
  canList: (kind: Kind, group: string) => boolean,
  reading: Reading,
): Promise<Contents> {
  const rows: Record<string, readonly TeardownRow[]> = {};
  const companions = new Map<string, readonly [kind: Kind, count: bigint]>();
  let before = 0;
  for (const group of groups) {
    const start = before;
    const tell = (read: number): void => reading.tell((before = start + read));
    // oxlint-disable-next-line no-await-in-loop -- one group at a time: there can be many
    const found = await readGroup(group, (kind) => canList(kind, group), { ...reading, tell });
    for (const [collection, some = []] of Object.entries(found.rows))
      rows[collection] = [...(rows[collection] ?? []), ...some];
    for (const [kind, count] of found.companions) {
      const [, others = 0n] = companions.get(kind.noun) ?? [];
      companions.set(kind.noun, [kind, others + BigInt(count)]);
    }
  }
  return { rows, companions: [...companions.values()] };
}

async function readGroup(
  group: string,
  canList: (kind: Kind) => boolean,
  { signal, retryPolicy, tell }: Reading,
): Promise<Contents> {
  const rows: Record<string, readonly TeardownRow[]> = {};
  const below = { "uidp.descendants_of": group };
  let read = 0;
  for (const kind of blockingKinds().filter(canList)) {
    const found = new Map<string, TeardownRow>();
    const list = infinite(listOf(kind), { ...below, order_by: "uid", page_size: 200 });
    for await (const { page } of readPages<TeardownRow>(list, START, retryPolicy, signal)) {
      for (const row of page.items) found.set(row.uid, row);
      read += page.items.length;
      tell(read);
    }
    rows[kind.collection] = [...found.values()];
  }
  const accepted = await readAccepted(rows["terms"] ?? [], signal);
  rows["terms"] = rows["terms"]?.filter((row) => !accepted.has(row)) ?? [];
  const others = kinds.filter((kind) => kind.withParent === "goes" && canList(kind));
  const companions = await Promise.all(
    others.map(async (kind) => {
      const query = { ...below, ...(kind.collection === "tags" && ALL_KINDS), page_size: 1 };
      const answer = await call(listOf(kind), { query, signal });
      return [kind, totalOf(answer) ?? 0] as const;
    }),
  );
  const { terms } = KINDS;
  const names = { noun: `accepted ${terms.noun}`, plural: `accepted ${terms.plural}` };
  companions.push([{ ...terms, ...names }, accepted.size]);
  return { rows, companions: companions.filter(([, count]) => Number(count) > 0) };
}

/** Returns the documents accepted for their own group, which can only be deleted with it. */
async function readAccepted(
  documents: readonly TeardownRow[],
  signal: AbortSignal,
): Promise<ReadonlySet<TeardownRow>> {
  const accepted = new Set<TeardownRow>();
  for (const group of new Set(documents.map(({ uid }) => parentOf(uid)))) {
    const names = new Set<string | undefined>();
    let token: string | undefined = "";
    while (token !== undefined) {
      const query = { page_size: PAGE_SIZE_MAX, ...(token && { page_token: token }) };
      const answer: ListAnswer<TermsAcceptance> = await call(listTermsAcceptances, {
        path: { uid: group },
        query,
        signal,
      });
      for (const { docId } of answer.items) names.add(docId);
      token = answer.nextPageToken || undefined;
    }
    for (const document of documents)
      if (parentOf(document.uid) === group && names.has(document.name)) accepted.add(document);
  }
  return accepted;
}
