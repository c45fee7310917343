import { rootOf } from "platform-contract/aip";
import { JUSTIFICATION_CHARACTERS } from "platform-contract/audit/justification";
import { APPLIED_AT_ONCE } from "platform-contract/iam/access-reviews";
import { roleBindings } from "platform-contract/iam/role-bindings";
import type { CodeName } from "platform-contract/status";

import { authorize } from "../../platform/access/caller";
import { handlerOf, type Call } from "../../platform/standard/call";
import type { Context } from "../../platform/standard/rules";
import type { Origin, Queries } from "../../platform/store/database";
import { countAlone } from "../../platform/store/table";
import { Failure } from "../../status";
import { roleBindingHandlers } from "../access/role-bindings";
import { builtInRoleUid } from "../access/roles.table";
import { hasOtherOwner, hasRole, lockBinding } from "./bindings.table";
import { lockReviewItem, pendingItems, storeResult, type ItemRow } from "./reviews.table";

/** Answers that are about the change itself: the same call later would get them again. */
const ABOUT_CHANGE: ReadonlySet<CodeName> = new Set<CodeName>([
  "PERMISSION_DENIED",
  "FAILED_PRECONDITION",
  "INVALID_ARGUMENT",
  "NOT_FOUND",
  "ALREADY_EXISTS",
]);

/** Why a change is made, in the words of a person: the reviewer's note, else the reason of whoever applies it. */
const wordsOf = ({ note }: ItemRow, { arrival }: Call): string | undefined =>
  note || arrival?.justification || undefined;

/** What the entry of the log says of that: the words, and always the review. */
function reasonOf(words: string | undefined, { parent }: ItemRow): string {
  const review = ` (access review ${parent})`;
  const why = words ?? "Decided";
  return `${[...why].slice(0, Math.max(0, JUSTIFICATION_CHARACTERS - review.length)).join("")}${review}`;
}

const OWNER = builtInRoleUid("owner");

/** Throws FAILED_PRECONDITION if an organization would have no owner afterward. */
async function keepOwner(queries: Queries, { group_uid: group, binding_uid: uid, role_uid: role }: ItemRow) {
  if (role !== OWNER || group !== rootOf(group)) return;
  await countAlone(queries, group);
  if (!(await hasOtherOwner(queries, group, OWNER, uid)))
    throw new Failure(
      "FAILED_PRECONDITION",
      "Precondition failed: the organization would have no owner whose role does not end",
    );
}

/**
 * Applies one decision in the transaction of its result, so that it happens once. A binding that is not as it was
 * reviewed stays as it is.
 * @returns what the entry of the log tells, if something changed
 */
async function applyOne(
  context: Context,
  call: Call,
  queries: Queries,
  uid: string,
): Promise<Origin | undefined> {
  const item = await lockReviewItem(queries, uid);
  // Another process was first.
  if (!item || item.result !== "") return undefined;
  const { binding_uid: binding, group_uid: group, identity_uid: identity } = item;
  const now = await lockBinding(queries, binding);
  if (!now) {
    await storeResult(queries, uid, "REVIEW_RESULT_GONE");
    return undefined;
  }
  const isSame =
    now.identity_uid === identity &&
    now.role_uid === item.role_uid &&
    now.expires_at?.getTime() === item.ends_at?.getTime();
  if (!isSame) {
    await storeResult(queries, uid, "REVIEW_RESULT_CHANGED", "It was changed after the review started");
    return undefined;
  }
  await keepOwner(queries, item);
  const role = item.to_role_uid ?? "";
  // They have the smaller role there already: only the larger one has to go.
  const reduces =
    item.decision === "REVIEW_DECISION_REDUCE" && !(await hasRole(queries, { group, identity, role }));
  const endpoint = reduces ? roleBindings.update : roleBindings.delete;
  authorize(endpoint, { uid: binding }, call.caller);
  const words = wordsOf(item, call);
  let origin: Origin | undefined;
  const within: Context["database"] = {
    ...context.database,
    ...queries,
    transaction: async (work, of) => {
      const result = await work(queries);
      origin = of?.(result);
      return result;
    },
  };
  await handlerOf(
    roleBindingHandlers({ ...context, database: within }),
    endpoint.id,
  )({
    caller: call.caller,
    path: { uid: binding, parent: "" },
    query: reduces ? { updateMask: "roleUid" } : {},
    body: reduces ? { roleUid: role } : {},
    unread: [],
    operation: endpoint.id,
    // A guard rail that wants a reason wants words of a person.
    ...(call.arrival && { arrival: { ...call.arrival, justification: words } }),
  });
  await storeResult(queries, uid, "REVIEW_RESULT_APPLIED");
  return (
    origin && {
      ...origin,
      ...(origin.arrival && { arrival: { ...origin.arrival, justification: reasonOf(words, item) } }),
    }
  );
}

/** Applies the next changes that wait, each in a transaction of its own. */
export async function applyNext(context: Context, call: Call): Promise<void> {
  const { database } = context;
  for (const uid of await pendingItems(database, call.path.uid, call.caller.identities, APPLIED_AT_ONCE))
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after the other: each may depend on the one before
      await database.transaction(
        (queries) => applyOne(context, call, queries, uid),
        (origin) => origin,
      );
    } catch (error) {
      if (!(error instanceof Failure) || !ABOUT_CHANGE.has(error.name)) throw error;
      // oxlint-disable-next-line no-await-in-loop
      await storeResult(database, uid, "REVIEW_RESULT_REFUSED", error.message);
    }
}
