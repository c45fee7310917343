import { isUid, parentOf, parseOrder, topmost } from "platform-contract/aip";
import {
  applyAccessReview,
  closeAccessReview,
  createAccessReview,
  decideAccessReviewItem,
  deleteAccessReview,
  DUE_DAYS,
  getAccessReview,
  getAccessReviewReport,
  listAccessReviewItems,
  listAccessReviews,
  QUARTER_MONTHS,
  REVIEWS,
  updateAccessReview,
} from "platform-contract/iam/access-reviews";
import { groups } from "platform-contract/iam/groups";
import type { FieldViolation } from "platform-contract/status";

import { holds, requireAll, visibleGroups, type Caller } from "../../platform/access/caller";
import { identitiesHold } from "../../platform/access/escalation";
import { queryOf, type Call, type Handler } from "../../platform/standard/call";
import { write } from "../../platform/standard/conflicts";
import { notFoundError } from "../../platform/standard/resource-info";
import type { Context } from "../../platform/standard/rules";
import { withoutUnset } from "../../platform/standard/values";
import { validate } from "../../platform/standard/violations";
import { now } from "../../platform/store/clock";
import type { Origin, Queries } from "../../platform/store/database";
import { listPage } from "../../platform/store/lists/lists";
import {
  deleteRow,
  lockShared,
  readItem,
  updateRow,
  type Item,
  type Table,
} from "../../platform/store/table";
import { failedPrecondition, invalidArgument, permissionDenied } from "../../status";
import { nameOf } from "../organization/groups.table";
import { applyNext } from "./apply";
import { decide, shownTo } from "./decide";
import { closeReview } from "./report";
import {
  askedItems,
  forgetRefused,
  identityName,
  itemsTable,
  lockReview,
  progressOf,
  readableItems,
  readReport,
  reviewsTable,
  reviewsWithReadable,
  waitingIn,
} from "./reviews.table";
import { monthsLater, startReview } from "./take";

const DAY_MS = 86_400_000;
const [LIST] = REVIEWS;
const REVIEW = { area: "access", type: "AccessReview" };

function dueProblem(due: Date): readonly FieldViolation[] {
  const ahead = due.getTime() - now().getTime();
  if (ahead > 0 && ahead <= DUE_DAYS * DAY_MS) return [];
  return [{ field: "dueTime", description: `must be in the future, and at most ${DUE_DAYS} days from now` }];
}

/** The groups of all that a caller can see of reviews: those where they list role bindings, and single reviews. */
async function visibleReviews(queries: Queries, caller: Caller, query: Call["query"]): Promise<string[]> {
  const seen = visibleGroups(caller, LIST, query);
  return topmost([...seen, ...(await reviewsWithReadable(queries, seen, caller.identities))]);
}

/** Throws PERMISSION_DENIED, the same for a review that is not there. */
async function requireReadable(queries: Queries, caller: Caller, uid: string): Promise<void> {
  if (holds(caller, LIST, uid)) return requireAll(caller, [LIST], uid);
  const readable = await reviewsWithReadable(queries, visibleGroups(caller, LIST), caller.identities);
  if (!readable.includes(uid)) throw permissionDenied([LIST], uid);
}

/** A review as its caller sees it. */
async function answered(context: Context, queries: Queries, caller: Caller, uid: string): Promise<Item> {
  const item = await readItem(queries, reviewsTable, uid);
  if (!item) throw notFoundError(context, REVIEW, uid);
  const waiting = await waitingIn(queries, [uid], caller.identities);
  const reviewers = await progressOf(queries, uid);
  return withoutUnset({
    ...item,
    waitingCount: waiting.get(uid) ?? 0,
    reviewers: reviewers.map(({ uid: who, name, asked, decided }) => ({
      uid: who,
      name: name ?? "",
      askedCount: asked,
      decidedCount: decided,
    })),
  });
}

/** One transaction about a review, with an entry of the log about its group. */
function logged<T>(
  { database }: Context,
  call: Call,
  work: (queries: Queries) => Promise<{ readonly answer: T; readonly review: string; readonly facts: Item }>,
): Promise<T> {
  let act: Origin["act"];
  return write(
    database,
    call,
    async (queries) => {
      const { answer, review, facts } = await work(queries);
      const group = parentOf(review);
      act = {
        action: call.operation ?? "",
        kind: groups.collection,
        uid: group,
        group,
        name: await nameOf(queries, group),
        facts: Object.entries({ accessReview: review, ...facts }).map(([field, value]) => ({
          field,
          after: JSON.stringify(value),
        })),
      };
      return answer;
    },
    () => act,
  );
}

const create =
  (context: Context): Handler =>
  (call) =>
    logged(context, call, async (queries) => {
      const { caller, path } = call;
      const group = path.parent;
      if (!(await lockShared(queries, "groups", group))) throw notFoundError(context, groups, group);
      const given = validate(createAccessReview.body!, withoutUnset(call.body), []);
      const { title, dueTime, repetition, reviewerRule, reviewerUids = [] } = given;
      const due = new Date(dueTime);
      const named = reviewerRule === "REVIEWER_RULE_NAMED" ? [...new Set(reviewerUids)] : [];
      const found = [...dueProblem(due)];
      if (reviewerRule === "REVIEWER_RULE_NAMED" && named.length === 0)
        found.push({ field: "reviewerUids", description: "name at least one person" });
      if (reviewerRule !== "REVIEWER_RULE_NAMED" && reviewerUids.length > 0)
        found.push({ field: "reviewerUids", description: "only with REVIEWER_RULE_NAMED" });
      for (const [index, uid] of named.entries())
        if (uid.includes("/") || !(await identitiesHold(queries, [uid], REVIEWS, group)))
          found.push({
            field: `reviewerUids[${index}]`,
            description: "must be a person who can list and remove role bindings here, without an end",
          });
      if (found.length > 0) throw invalidArgument(found);
      const maker = caller.identities[0] ?? "";
      const review = await startReview(queries, {
        group,
        title: title.trim(),
        due,
        quarterly: repetition === "REVIEW_REPETITION_QUARTERLY",
        rule: reviewerRule,
        named,
        asksMachineOwners: given.asksMachineOwners ?? false,
        maker: { uid: maker, name: await identityName(queries, maker) },
        sees: (above) => holds(caller, LIST, above),
      });
      return {
        answer: await answered(context, queries, caller, review),
        review,
        facts: { title, dueTime, ...(repetition && { repetition }) },
      };
    });

const update =
  (context: Context): Handler =>
  (call) =>
    logged(context, call, async (queries) => {
      const { uid } = call.path;
      const review = await lockReview(queries, uid, "update");
      if (!review) throw notFoundError(context, REVIEW, uid);
      const given = validate(updateAccessReview.body!, withoutUnset(call.body), []);
      const { title = review.title, repetition } = given;
      const due = given.dueTime === undefined ? review.due_at : new Date(given.dueTime);
      const quarterly =
        repetition === undefined ? review.quarterly : repetition === "REVIEW_REPETITION_QUARTERLY";
      const isMoved = due.getTime() !== review.due_at.getTime();
      if (review.state === "REVIEW_STATE_CLOSED" && (isMoved || title !== review.title))
        throw failedPrecondition([
          {
            type: "REVIEW_CLOSED",
            description: "a closed review keeps its title and due time; only its repetition can change",
            subject: uid,
          },
        ]);
      const found = isMoved ? dueProblem(due) : [];
      if (found.length > 0) throw invalidArgument(found);
      const next = monthsLater(review.created_at, QUARTER_MONTHS);
      await updateRow(queries, "access_reviews", uid, {
        title: title.trim(),
        due_at: due,
        quarterly,
        updated_at: now(),
        ...(quarterly !== review.quarterly && {
          // What should have started long ago starts a quarter from now.
          next_at: quarterly ? (next > now() ? next : monthsLater(now(), QUARTER_MONTHS)) : null,
          not_repeated: "",
        }),
      });
      return {
        answer: await answered(context, queries, call.caller, uid),
        review: uid,
        facts: { ...given },
      };
    });

const remove =
  (context: Context): Handler =>
  (call) =>
    logged(context, call, async (queries) => {
      const { uid } = call.path;
      const review = await lockReview(queries, uid, "update");
      if (!review) throw notFoundError(context, REVIEW, uid);
      await deleteRow(queries, "access_reviews", uid);
      return { answer: undefined, review: uid, facts: { title: review.title } };
    });

/** The first call ends the deciding; every call applies some. */
const apply =
  (context: Context): Handler =>
  async (call) => {
    const { database } = context;
    const { uid } = call.path;
    const { retriesRefused = false } = validate(applyAccessReview.body!, withoutUnset(call.body), []);
    const begin = async (queries: Queries): Promise<boolean> => {
      const review = await lockReview(queries, uid, "update");
      if (!review) throw notFoundError(context, REVIEW, uid);
      if (review.state === "REVIEW_STATE_CLOSED")
        throw failedPrecondition([
          { type: "REVIEW_CLOSED", description: "this review is closed", subject: uid },
        ]);
      if (retriesRefused) await forgetRefused(queries, uid);
      if (review.state === "REVIEW_STATE_APPLYING") return false;
      await updateRow(queries, "access_reviews", uid, { state: "REVIEW_STATE_APPLYING", updated_at: now() });
      return true;
    };
    const { idempotencyKey: _, ...again } = call;
    let begins = false;
    await write(
      database,
      again,
      async (queries) => (begins = await begin(queries)),
      () =>
        begins
          ? {
              action: applyAccessReview.id,
              kind: groups.collection,
              uid: parentOf(uid),
              group: parentOf(uid),
              facts: [{ field: "accessReview", after: JSON.stringify(uid) }],
            }
          : undefined,
    );
    await applyNext(context, call);
    return answered(context, database, call.caller, uid);
  };

const close =
  (context: Context): Handler =>
  (call) =>
    logged(context, call, async (queries) => {
      const { caller, path } = call;
      const { uid } = path;
      validate(closeAccessReview.body!, withoutUnset(call.body), []);
      const review = await lockReview(queries, uid, "update");
      if (!review) throw notFoundError(context, REVIEW, uid);
      if (review.state === "REVIEW_STATE_CLOSED")
        throw failedPrecondition([
          { type: "REVIEW_CLOSED", description: "this review is closed already", subject: uid },
        ]);
      const by = caller.identities[0] ?? "";
      const { publicUrl } = context.config;
      const name = await identityName(queries, by);
      const digest = await closeReview(queries, publicUrl, { uid, group: review.parent }, { uid: by, name });
      return { answer: await answered(context, queries, caller, uid), review: uid, facts: { digest } };
    });

const report =
  (context: Context): Handler =>
  async ({ caller, path: { uid } }) => {
    const found = await readReport(context.database, uid);
    if (!found) throw notFoundError(context, { area: "access", type: "AccessReviewReport" }, uid);
    const { top, ...answer } = found;
    // It also lists what was granted further up.
    requireAll(caller, [LIST], top, uid);
    return answer;
  };

/** Reviews of access: each is decided by several people, applied together, and ends with a signed report. */
export function reviewHandlers(context: Context): Map<string, Handler> {
  const { database, tokens } = context;
  const list: Handler = async ({ caller, query }) => {
    const table: Table = queryOf(listAccessReviews, { query }).waiting
      ? {
          ...(reviewsTable as Table),
          always: (_query, bind) => [
            `t.state = 'REVIEW_STATE_OPEN' and exists (select 1 from access_review_items w where w.parent = t.uid
               and w.decision = '' and not w.inherited and w.reviewers && ${bind(caller.identities)}::text[])`,
          ],
        }
      : (reviewsTable as Table);
    const { items, ...rest } = await listPage(database, table, tokens, {
      list: listAccessReviews.id,
      caller: caller.key,
      query,
      order: parseOrder(String(query["order_by"] ?? ""), ["created_at", "due_time", "uid"]) ?? {
        field: "created_at",
        descending: true,
      },
      visibility: { groups: await visibleReviews(database, caller, query) },
    });
    const uids = items.map((item) => String(item["uid"]));
    const waiting = await waitingIn(database, uids, caller.identities);
    return {
      accessReviews: items.map((item) =>
        withoutUnset({ ...item, waitingCount: waiting.get(String(item["uid"])) ?? 0 }),
      ),
      ...rest,
    };
  };

  const listItems: Handler = async ({ caller, query }) => {
    const { review, asked } = queryOf(listAccessReviewItems, { query });
    if (!isUid(review ?? ""))
      throw invalidArgument([{ field: "review", description: "must be the uid of an access review" }]);
    const item = await readItem(database, reviewsTable as Table, review);
    const readable = readableItems(visibleGroups(caller, LIST, { "uidp.ids": [review] }), caller.identities);
    const table: Table = {
      ...(itemsTable as Table),
      always: (_query, bind) => [
        readable(bind),
        ...(asked === true ? [askedItems(caller.identities)(bind)] : []),
      ],
    };
    const { items, ...rest } = await listPage(database, table, tokens, {
      list: listAccessReviewItems.id,
      caller: caller.key,
      query,
      order: { field: "uid", descending: false },
      visibility: { groups: item ? [review] : [] },
    });
    const state = String(item?.["reviewState"]);
    return { accessReviewItems: items.map((one) => shownTo(caller, one, state)), ...rest };
  };

  return new Map<string, Handler>([
    [listAccessReviews.id, list],
    [
      getAccessReview.id,
      async ({ caller, path: { uid } }) => {
        await requireReadable(database, caller, uid);
        return answered(context, database, caller, uid);
      },
    ],
    [createAccessReview.id, create(context)],
    [updateAccessReview.id, update(context)],
    [deleteAccessReview.id, remove(context)],
    [applyAccessReview.id, apply(context)],
    [closeAccessReview.id, close(context)],
    [getAccessReviewReport.id, report(context)],
    [listAccessReviewItems.id, listItems],
    [decideAccessReviewItem.id, decide(context)],
  ]);
}
