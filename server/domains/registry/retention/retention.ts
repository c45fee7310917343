import { parseOrder } from "platform-contract/aip";
import {
  confirmRetentionRule,
  deleteRetentionRule,
  getRetentionRule,
  listRetentionDeletions,
  listRetentionRules,
  listRetentionRuns,
  previewRetention,
  retentionProblems,
  setRetentionRule,
  stopRetentionRule,
  type RetentionValues,
} from "platform-contract/registry/retention";
import { ruleSentence } from "platform-contract/registry/retention-decision";

import { holds, requireAll, visibleGroups } from "../../../platform/access/caller";
import type { Call, Handler } from "../../../platform/standard/call";
import { write } from "../../../platform/standard/conflicts";
import { notFoundError } from "../../../platform/standard/resource-info";
import type { Context } from "../../../platform/standard/rules";
import { withoutUnset } from "../../../platform/standard/values";
import { validate } from "../../../platform/standard/violations";
import type { Origin } from "../../../platform/store/database";
import { listPage } from "../../../platform/store/lists/lists";
import type { Table } from "../../../platform/store/table";
import { Failure, failedPrecondition } from "../../../status";
import { noRule, preview, previewed } from "./preview";
import { restoreHandler } from "./restore";
import {
  isPlace,
  lockPlace,
  lockRule,
  readRule,
  removeRule,
  ruleAbove,
  rulesTable,
  storeConfirmation,
  storeRule,
  storeStop,
  type RuleRow,
} from "./rules.table";
import { deletionsTable, readRun, runsTable } from "./runs.table";

const PULLS_SEEN = "CAP_IAM_ROLE_BINDINGS_LIST";
const noPlace = (context: Context, uid: string) =>
  notFoundError(context, { area: "iam", type: "Group" }, uid);

const answer = (row: RuleRow) => withoutUnset(rulesTable.toItem(row));

type Act = NonNullable<Origin["act"]>;

/** The entry of a change to a rule: about its group or repo. */
const actOn = (
  action: string,
  { uid, parent, repo_uid, place_name }: Pick<RuleRow, "uid" | "parent" | "repo_uid" | "place_name">,
  changes: Act["changes"],
): Act => ({
  action,
  kind: repo_uid === null ? "groups" : "repos",
  uid,
  group: parent,
  name: place_name,
  ...(changes && { changes }),
});

type Change = NonNullable<Act["changes"]>[number];

/** A field of an entry; values as JSON texts. */
const changed = (field: string, before: unknown, after: unknown): Change[] =>
  before === after
    ? []
    : [
        {
          field,
          ...(before !== undefined && { before: JSON.stringify(before) }),
          ...(after !== undefined && { after: JSON.stringify(after) }),
        },
      ];

/** Runs a change of one rule in a transaction with its entry. */
function changeRule(
  context: Context,
  call: Call,
  action: string,
  work: (
    queries: Parameters<typeof lockRule>[0],
  ) => Promise<readonly [before: RuleRow | undefined, after: RuleRow | undefined]>,
): Promise<unknown> {
  let act: Act | undefined;
  return write(
    context.database,
    call,
    async (queries) => {
      const [before, after] = await work(queries);
      const row = after ?? before;
      if (!row) throw noRule(context, call.path.uid);
      act = actOn(action, row, [
        ...changed(
          "retentionRule",
          before && ruleSentence(before.settings),
          after && ruleSentence(after.settings),
        ),
        ...changed("retentionState", before?.state, after?.state),
        ...changed("retentionVersion", before?.version, after?.version),
      ]);
      return after && answer(after);
    },
    () => act,
  );
}

const set =
  (context: Context): Handler =>
  (call) => {
    const { caller, path, body, unread } = call;
    const { uid } = path;
    return changeRule(context, call, setRetentionRule.id, async (queries) => {
      const { version, ...settings } = validate(setRetentionRule.body!, withoutUnset(body), [
        ...unread,
        ...retentionProblems(body),
        ...(body["notPulledDays"] !== undefined && !context.config.registry
          ? [{ field: "notPulledDays", description: "needs a registry whose pulls are counted" }]
          : []),
      ]);
      // When something was last pulled is seen by these alone.
      if (settings.notPulledDays !== undefined) requireAll(caller, [PULLS_SEEN], uid);
      const place = await lockPlace(queries, uid);
      if (!place) throw noPlace(context, uid);
      const before = await lockRule(queries, uid);
      requireVersion(before, version);
      await storeRule(queries, {
        uid,
        parent: place.parent,
        repo: place.repo,
        settings: settings as RetentionValues,
        by: caller.identities[0] ?? null,
      });
      return [before, await readRule(queries, uid)];
    });
  };

function requireVersion(rule: RuleRow | undefined, version: number | undefined): void {
  if (version !== undefined && version !== rule?.version)
    throw new Failure(
      "ABORTED",
      rule
        ? `Aborted: the rule has version ${rule.version} by now: somebody changed it`
        : "Aborted: the rule is gone: somebody deleted it",
    );
}

const confirm =
  (context: Context): Handler =>
  async (call) => {
    const { caller, path, body, unread } = call;
    const answered = await changeRule(context, call, confirmRetentionRule.id, async (queries) => {
      const given = validate(confirmRetentionRule.body!, withoutUnset(body), unread);
      const before = await lockRule(queries, path.uid);
      if (!before) return [undefined, undefined];
      requireVersion(before, given.version);
      if (!context.config.retentionRuns)
        throw failedPrecondition([
          { type: "RETENTION_RUNS", description: "this service runs no retention rules", subject: path.uid },
        ]);
      const preview = await context.tokens
        .read(previewed(call, before), given.previewToken)
        .catch((error: unknown) => {
          if (error instanceof Failure && error.name === "INVALID_ARGUMENT") return undefined;
          throw error;
        });
      if (!preview)
        throw failedPrecondition([
          {
            type: "RETENTION_PREVIEW",
            description:
              "the preview must be your own, of today (UTC) and of this version of the rule: preview it again",
            subject: path.uid,
          },
        ]);
      await storeConfirmation(queries, path.uid, caller.identities, Number(preview.value));
      return [before, await readRule(queries, path.uid)];
    });
    context.wakeRetention?.();
    return answered;
  };

const stop =
  (context: Context): Handler =>
  (call) =>
    changeRule(context, call, stopRetentionRule.id, async (queries) => {
      const before = await lockRule(queries, call.path.uid);
      if (before) await storeStop(queries, call.path.uid, null);
      return [before, await readRule(queries, call.path.uid)];
    });

const remove =
  (context: Context): Handler =>
  (call) =>
    changeRule(context, call, deleteRetentionRule.id, async (queries) => {
      const before = await lockRule(queries, call.path.uid);
      await removeRule(queries, call.path.uid);
      return [before, undefined];
    });

/** The rule at a place or above it. People's names are for those who can list tags where it is set. */
const effective =
  (context: Context): Handler =>
  async ({ caller, path }) => {
    if (!(await isPlace(context.database, path.uid))) throw noPlace(context, path.uid);
    const row = await ruleAbove(context.database, path.uid);
    if (!row) return {};
    const { setBy, setByName, confirmedBy, confirmedByName, placeName, ...rest } = answer(row) as Record<
      string,
      unknown
    >;
    const seen = holds(caller, "CAP_TAG_LIST", row.uid);
    return {
      rule: seen
        ? withoutUnset({ setBy, setByName, confirmedBy, confirmedByName, placeName, ...rest })
        : rest,
    };
  };

/** One page of rules or runs that the caller can see. */
const list =
  (
    context: Context,
    { id }: { readonly id: string },
    table: Table,
    sortable: readonly string[],
    first: string,
  ): Handler =>
  async ({ caller, query }) => {
    const { items, ...rest } = await listPage(context.database, table, context.tokens, {
      list: id,
      caller: caller.key,
      query,
      order: parseOrder(String(query["order_by"] ?? ""), sortable) ?? {
        field: first,
        descending: first !== "uid",
      },
      visibility: { groups: visibleGroups(caller, "CAP_TAG_LIST", query), rootLevel: undefined },
    });
    return { [id.split(".")[0]!]: items.map((item) => withoutUnset(item)), ...rest };
  };

const deletions =
  (context: Context): Handler =>
  async ({ caller, path: { uid }, query }) => {
    if (!(await readRun(context.database, uid)))
      throw notFoundError(context, { area: "registry", type: "RetentionRun" }, uid);
    const { items, ...rest } = await listPage(context.database, deletionsTable as Table, context.tokens, {
      list: `${listRetentionDeletions.id} ${uid}`,
      caller: caller.key,
      query: { ...query, "uidp.children_of": uid },
      order: parseOrder(String(query["order_by"] ?? ""), ["uid", "name", "created_at"]) ?? {
        field: "name",
        descending: false,
      },
      visibility: { groups: [uid], rootLevel: undefined },
    });
    return { retentionDeletions: items.map((item) => withoutUnset(item)), ...rest };
  };

/** Rules by which the service deletes tags, and what their runs did. */
export const retentionHandlers = (context: Context): Map<string, Handler> =>
  new Map<string, Handler>([
    [
      listRetentionRules.id,
      list(context, listRetentionRules, rulesTable as Table, ["uid", "updated_at"], "uid"),
    ],
    [getRetentionRule.id, effective(context)],
    [setRetentionRule.id, set(context)],
    [deleteRetentionRule.id, remove(context)],
    [confirmRetentionRule.id, confirm(context)],
    [stopRetentionRule.id, stop(context)],
    [previewRetention.id, preview(context)],
    [
      listRetentionRuns.id,
      list(context, listRetentionRuns, runsTable as Table, ["uid", "created_at"], "created_at"),
    ],
    [listRetentionDeletions.id, deletions(context)],
    restoreHandler(context),
  ]);
