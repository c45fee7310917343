import { rootOf } from "platform-contract/aip";
import { decideAccessReviewItem, REVIEWS } from "platform-contract/iam/access-reviews";
import type { BodyOf } from "platform-contract/endpoint";

import { holds, holdsAll, noteUse, type Caller } from "../../platform/access/caller";
import type { Handler } from "../../platform/standard/call";
import { write } from "../../platform/standard/conflicts";
import { notFoundError } from "../../platform/standard/resource-info";
import type { Context } from "../../platform/standard/rules";
import { withoutUnset } from "../../platform/standard/values";
import { validate } from "../../platform/standard/violations";
import type { Queries } from "../../platform/store/database";
import type { Item } from "../../platform/store/table";
import { Failure, failedPrecondition, invalidArgument, permissionDenied } from "../../status";
import { knownRoles } from "../access/guard-rails.table";
import { readRoles } from "../access/roles.table";
import {
  identityName,
  itemsTable,
  lockReview,
  lockReviewItem,
  ownsMachine,
  roleName,
  storeDecision,
  type ItemRow,
} from "./reviews.table";

const [LIST] = REVIEWS;

/** What of an item a caller is told: who granted it is in the log, which the owner of a machine may not read. */
export function shownTo(caller: Caller, item: Item, state: string): Item {
  const { coveredAt, grantedByName, grantReason, ...rest } = item;
  const group = String(item["groupUid"]);
  const reads = holds(caller, LIST, group);
  const refusal = item["inherited"]
    ? "It is decided where it was granted"
    : state !== "REVIEW_STATE_OPEN"
      ? "Decisions of this review are being applied, or it is closed"
      : caller.identities.includes(String(item["identityUid"]))
        ? "This is your own access: somebody else has to decide about it"
        : reads && !holdsAll(caller, REVIEWS, group)
          ? "You cannot remove role bindings here"
          : undefined;
  return withoutUnset({
    ...rest,
    ...(reads && { grantedByName, grantReason }),
    coveredBy:
      typeof coveredAt === "string" && holds(caller, LIST, coveredAt) ? item["coveredBy"] : undefined,
    refusal,
  });
}

/** The role that a binding is to be reduced to: one that allows less, so that no decision gives anybody more. */
async function smallerRole(
  queries: Queries,
  { role_uid: role, group_uid: group }: ItemRow,
  to: string | undefined,
): Promise<{ readonly uid: string; readonly name: string }> {
  const refuse = (description: string) => invalidArgument([{ field: "toRoleUid", description }]);
  if (to === undefined) throw refuse("required to reduce a role");
  if (!(await knownRoles(queries, [to], rootOf(group))).has(to))
    throw refuse("must be a built-in role, or one of this organization");
  const roles = new Map((await readRoles(queries, [role, to])).map((one) => [one.uid, one]));
  const [held, wanted] = [new Set(roles.get(role)?.capabilities), roles.get(to)];
  if (
    !wanted ||
    wanted.capabilities.length >= held.size ||
    !wanted.capabilities.every((one) => held.has(one))
  )
    throw refuse("must be a role that allows less than the one that they have, and nothing else");
  return { uid: to, name: await roleName(queries, to) };
}

const WORDS: Readonly<Record<string, string>> = {
  "": "changed it",
  REVIEW_DECISION_KEEP: "decided to keep it",
  REVIEW_DECISION_REDUCE: "decided to reduce it",
  REVIEW_DECISION_REVOKE: "decided to revoke it",
};

const ITEM = { area: "access", type: "AccessReviewItem" };

/** The same refusal for an item that is not there and one that the caller may not decide. */
async function lockDecidable(
  context: Context,
  queries: Queries,
  caller: Caller,
  uid: string,
): Promise<ItemRow> {
  const item = await lockReviewItem(queries, uid);
  if (item && holdsAll(caller, REVIEWS, item.group_uid)) {
    noteUse(caller, REVIEWS, item.group_uid);
    return item;
  }
  if (!item && holdsAll(caller, REVIEWS, uid)) throw notFoundError(context, ITEM, uid);
  if (item && !item.inherited && (await ownsMachine(queries, caller.identities, item.identity_uid)))
    return item;
  throw permissionDenied(REVIEWS, uid);
}

export const decide =
  (context: Context): Handler =>
  (call) => {
    const { database } = context;
    const { caller, path } = call;
    const { uid } = path;
    const refuse = (type: string, description: string) =>
      failedPrecondition([{ type, description, subject: uid }]);
    let told: { item: ItemRow; given: BodyOf<typeof decideAccessReviewItem> } | undefined;
    return write(
      database,
      call,
      async (queries) => {
        // Shared, before the item: others decide at the same time, and nobody applies or closes meanwhile.
        const review = await lockReview(queries, uid.slice(0, uid.lastIndexOf("/")), "share");
        const item = await lockDecidable(context, queries, caller, uid);
        const given = validate(decideAccessReviewItem.body!, withoutUnset(call.body), []);
        const { etag, decision = "", toRoleUid, note = "" } = given;
        const state = review?.state ?? "";
        if (item.inherited) throw refuse("REVIEW_INHERITED", "it is decided where it was granted");
        if (caller.identities.includes(item.identity_uid))
          throw refuse("REVIEW_OWN_ACCESS", "this is your own access: somebody else has to decide about it");
        if (state !== "REVIEW_STATE_OPEN")
          throw refuse("REVIEW_NOT_OPEN", "decisions of this review are being applied, or it is closed");
        const current = String(item.version + 1);
        if (etag !== current)
          throw new Failure(
            "ABORTED",
            `Aborted: ${item.decided_by_name || "somebody else"} ${WORDS[item.decision] ?? ""} after you read it; read it again`,
            [],
            { metadata: { etag: current, decision: item.decision } },
          );
        if (decision !== "REVIEW_DECISION_REDUCE" && toRoleUid !== undefined)
          throw invalidArgument([{ field: "toRoleUid", description: "only a reduced role has another one" }]);
        const by = caller.identities[0] ?? "";
        await storeDecision(queries, uid, {
          decision,
          toRole:
            decision === "REVIEW_DECISION_REDUCE" ? await smallerRole(queries, item, toRoleUid) : undefined,
          note,
          by,
          byName: await identityName(queries, by),
        });
        told = { item, given };
        const stored = await lockReviewItem(queries, uid);
        return shownTo(caller, itemsTable.toItem(stored ?? item), state);
      },
      () =>
        told && {
          action: decideAccessReviewItem.id,
          kind: "roleBindings",
          uid: told.item.binding_uid,
          group: told.item.group_uid,
          name: told.item.evidence.identity,
          facts: [
            { field: "accessReview", after: JSON.stringify(told.item.parent) },
            { field: "decision", after: JSON.stringify(told.given.decision ?? "") },
            ...(told.given.toRoleUid
              ? [{ field: "roleUid", after: JSON.stringify(told.given.toRoleUid) }]
              : []),
            ...(told.given.note ? [{ field: "note", after: JSON.stringify(told.given.note) }] : []),
          ],
        },
    );
  };
