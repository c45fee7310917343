import { parentOf } from "platform-contract/aip";
import { roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import { identityUidOf, roleNameOf } from "~/domains/access/grants/bindings";

import { folderOf, type ReviewItem, type Result, type Review } from "./format";
import type { Live } from "./read";

/** A binding that was gone before the decision was sent. */
const REMOVED = "Removed since";

/** Compares a decision with the role that the API has now; undefined: the binding is gone. */
function resultOf({ decision, role, to, since }: ReviewItem, now: RoleBinding | undefined): Result {
  const current = now && roleUidOf(now);
  if (current === undefined) return decision === "revoke" && since !== REMOVED ? "revoked" : "gone";
  if (decision === "reduce" && current === to?.uid) return "reduced";
  if (current !== role.uid) return "changed";
  return decision === undefined ? "undecided" : decision === "keep" ? "kept" : "open";
}

/** What became of each item, by uid, given the bindings that there are now. */
export function resultsOf(
  items: readonly ReviewItem[],
  bindings: readonly RoleBinding[],
): ReadonlyMap<string, Result> {
  const now = new Map(bindings.map((binding) => [binding.uid, binding]));
  const held = new Set(
    bindings.map((binding) => [identityUidOf(binding), parentOf(binding.uid), roleUidOf(binding)].join()),
  );
  return new Map(
    items.map((item) => {
      const result = resultOf(item, now.get(item.uid));
      // The smaller role was there already, so that only the larger binding had to go.
      const smaller = item.to && held.has([item.identity.uid, folderOf(item), item.to.uid].join());
      return [item.uid, result === "gone" && item.decision === "reduce" && smaller ? "reduced" : result];
    }),
  );
}

/**
 * Brings a review up to date: fresh evidence, new bindings, and marks on those that changed. A decision about a role that
 * is no longer there counts for nothing; once decisions were sent, what they did is no change.
 */
export function reconcile(review: Review, live: Live): Review {
  if (review.signedOff) return review;
  const fresh = live.items.filter(
    (item) => review.part === undefined || reviewerOf(review, item) === review.part,
  );
  const now = new Map(live.facts.bindings.map((binding) => [binding.uid, binding]));
  const known = new Map(review.items.map((item) => [item.uid, item]));
  const results = resultsOf(review.items, live.facts.bindings);
  const isDone = ({ uid }: ReviewItem): boolean =>
    review.applied === true && ["reduced", "revoked"].includes(results.get(uid) ?? "");
  const removed = review.items
    .filter(({ uid }) => !now.has(uid))
    .map((item): ReviewItem => {
      if (live.hidden.has(item.uid)) return item;
      return { ...item, gone: true, ...(!isDone(item) && { since: REMOVED }) };
    });
  const shown = fresh.map((item): ReviewItem => {
    const before = known.get(item.uid);
    const current = now.get(item.uid);
    if (!before || !current) return { ...item, since: "New since" };
    const { decision, to, note, by, at, since, role, evidence } = before;
    // Once applied, the report has what the reviewer saw, not what the decisions left.
    const isSeen = review.applied === true && decision !== undefined;
    const kept = { note, ...(since !== undefined && { since }), ...(isSeen && { evidence }) };
    if (isDone(before)) return { ...item, role, decision, to, by, at, ...kept };
    return roleUidOf(current) === role.uid
      ? { ...item, decision, to, by, at, ...kept }
      : { ...item, note, since: `Was ${role.name}, now ${roleNameOf(current)}` };
  });
  // A review that has begun keeps its order: the reader knows where things are.
  const place = new Map(review.items.map(({ uid }, index) => [uid, index]));
  const order = (item: ReviewItem): number => place.get(item.uid) ?? place.size;
  const items = [...shown, ...removed].toSorted(
    (one, other) => Number(one.own) - Number(other.own) || order(one) - order(other),
  );
  return { ...review, items, inherited: live.inherited, read: live.time, gaps: live.gaps };
}

/** The part of a review that one reviewer has to decide. */
export const partOf = (review: Review, reviewer: string): Review => ({
  ...review,
  part: reviewer,
  items: review.items.filter((item) => reviewerOf(review, item) === reviewer),
});

/** Who reviews a binding: whoever has its folder, or the nearest one above it. */
export function reviewerOf({ reviewers }: Pick<Review, "reviewers">, item: ReviewItem): string | undefined {
  for (let uid = folderOf(item); uid !== ""; uid = parentOf(uid))
    if (Object.hasOwn(reviewers, uid)) return reviewers[uid];
  return undefined;
}

export interface Decided {
  readonly decision: ReviewItem["decision"];
  readonly to?: ReviewItem["to"];
  readonly note?: string | undefined;
}

/** Writes a decision, or takes it back. The note stays unless a new one is given. */
export function decide(
  review: Review,
  uid: string,
  { decision, to, note }: Decided,
  { by, at }: { readonly by: string; readonly at: string },
): Review {
  return {
    ...review,
    items: review.items.map((item) =>
      item.uid === uid ? { ...item, decision, to, note: note ?? item.note, by, at } : item,
    ),
  };
}

/** Items that still ask for a decision. */
export const isOpenItem = ({ decision, gone }: ReviewItem): boolean => decision === undefined && !gone;

/** Changes that have to be sent; the reader's own apart. */
export function changesOf({ items }: Review): {
  readonly others: readonly ReviewItem[];
  readonly own: readonly ReviewItem[];
} {
  const changes = items.filter(
    ({ decision, gone }) => !gone && (decision === "reduce" || decision === "revoke"),
  );
  return { others: changes.filter(({ own }) => !own), own: changes.filter(({ own }) => own) };
}

/** True if the decisions would leave the organization without an owner. */
export function leavesNoOwner({ items, scope }: Review): boolean {
  if (parentOf(scope.uid) !== "") return false;
  const owners = items.filter(
    ({ uid, role, gone, evidence }) =>
      !gone &&
      !evidence.idle &&
      parentOf(uid) === scope.uid &&
      role.name === "owner" &&
      parentOf(role.uid) === "",
  );
  return owners.length > 0 && owners.every(({ decision }) => decision === "revoke" || decision === "reduce");
}
