import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

import { call } from "~/api/client/client";
import type { QueryFacts } from "~/api/client/request-info";
import { infinite, one } from "~/api/queries/queries";
import { errorFacts } from "~/ui/feedback/error-facts";
import { PAGE_SIZE_MAX } from "platform-contract/aip";
import {
  decideAccessReviewItem,
  getAccessReview,
  listAccessReviewItems,
  listAccessReviews,
  type AccessReviewItem,
  type ReviewDecision,
} from "platform-contract/iam/access-reviews";

/** How often decisions of others are read, in ms. */
const AGAIN_MS = 60_000;

export const reviewsQuery = (group: string | undefined) =>
  infinite(listAccessReviews, {
    ...(group !== undefined && { "uidp.descendants_of": group }),
    order_by: "created_at desc",
  });

/** The reviews that wait for the user, wherever they are: that of an organization is above the folder in scope. */
export const waitingQuery = infinite(listAccessReviews, { waiting: true, order_by: "due_time" });

export const reviewQuery = (uid: string) => one(getAccessReview, { uid });

const keyOf = (review: string) => [listAccessReviewItems.collection, "all", review] as const;

/** Every role binding of a review that the user can see, in its order. */
export const itemsQuery = (review: string) =>
  queryOptions({
    queryKey: keyOf(review),
    meta: {
      requests: () => [{ endpoint: listAccessReviewItems, query: { review, page_size: PAGE_SIZE_MAX } }],
    } satisfies QueryFacts,
    queryFn: async ({ signal }): Promise<readonly AccessReviewItem[]> => {
      const rows: AccessReviewItem[] = [];
      let token: string | undefined;
      do {
        const query = { review, page_size: PAGE_SIZE_MAX, ...(token && { page_token: token }) };
        // oxlint-disable-next-line no-await-in-loop -- each page has the token of the next
        const page = await call(listAccessReviewItems, { query, signal });
        rows.push(...page.items);
        token = page.nextPageToken;
      } while (token);
      return rows;
    },
    refetchInterval: AGAIN_MS,
  });

/** A decision as it is sent; without one, it is taken back. */
export interface Decided {
  readonly decision: ReviewDecision | undefined;
  readonly to?: { readonly uid: string; readonly name: string } | undefined;
  /** Missing: the note stays. */
  readonly note?: string | undefined;
}

interface Problem {
  readonly name: string;
  readonly message: string;
}

/**
 * Decides at once on screen, and at the service one after the other for each role binding. What isn't stored is read again
 * and told: another reviewer was first, or the answer got lost, and only the service knows what counts.
 */
export function useDecide(review: string) {
  const client = useQueryClient();
  const [problem, setProblem] = useState<Problem>();
  const waiting = useRef(new Map<string, Promise<void>>());
  const etags = useRef(new Map<string, string>());
  const patch = (uid: string, change: (item: AccessReviewItem) => AccessReviewItem) =>
    client.setQueryData(itemsQuery(review).queryKey, (rows) =>
      rows?.map((row) => (row.uid === uid ? change(row) : row)),
    );
  async function send(item: AccessReviewItem, { decision, to, note = item.note }: Decided): Promise<void> {
    const { uid } = item;
    try {
      const stored = await call(decideAccessReviewItem, {
        path: { uid },
        body: {
          etag: etags.current.get(uid) ?? item.etag ?? "",
          ...(decision && { decision }),
          ...(to && { toRoleUid: to.uid }),
          ...(note ? { note } : {}),
        },
      });
      etags.current.set(uid, stored.etag ?? "");
      patch(uid, () => stored);
    } catch (error) {
      etags.current.delete(uid);
      setProblem({ name: item.identityName ?? uid, message: errorFacts(error).message });
      await client.invalidateQueries({ queryKey: keyOf(review) });
    }
  }
  const decide = (item: AccessReviewItem, decided: Decided): Promise<void> => {
    const { decision, to, note = item.note } = decided;
    // An answer on its way would bring the old decision back.
    void client.cancelQueries({ queryKey: keyOf(review) });
    patch(item.uid, (row) => ({
      ...row,
      decision,
      toRoleUid: to?.uid,
      toRoleName: to?.name,
      note,
    }));
    const before = waiting.current.get(item.uid) ?? Promise.resolve();
    const sent = before.then(() => send(item, decided));
    waiting.current.set(item.uid, sent);
    return sent;
  };
  return { decide, problem, forget: () => setProblem(undefined) };
}
