import { REASON_FIELD } from "platform-contract/iam/guard-rails";
import { batchCreateRoleBindings } from "platform-contract/iam/role-binding-batches";
import { roleBindings } from "platform-contract/iam/role-bindings";
import type { BodyOf } from "platform-contract/endpoint";
import { isUid } from "platform-contract/aip";
import type { InputOf } from "platform-contract/resource";
import type { FieldViolation } from "platform-contract/status";
import { oncePerField, violationsOf } from "platform-contract/violations";

import { requireAll } from "../../platform/access/caller";
import { Failure, invalidArgument } from "../../status";
import { lockShared } from "../../platform/store/table";
import { newChildUid } from "../../platform/store/uids";
import type { Handler } from "../../platform/standard/call";
import { write } from "../../platform/standard/conflicts";
import { notFoundError } from "../../platform/standard/resource-info";
import type { Context, Draft, Rules } from "../../platform/standard/rules";
import { createRecord, toWire } from "../../platform/standard/standard";
import { withoutUnset } from "../../platform/standard/values";
import { validate } from "../../platform/standard/violations";

type Batch = BodyOf<typeof batchCreateRoleBindings>;
type Item = Batch["requests"][number];

const GROUP = { area: "iam", type: "Group" };

const keyOf = ({ fields }: Draft): string => `${String(fields["identityUid"])} ${String(fields["roleUid"])}`;

/** Returns the violations of an item that contradicts its batch. */
function contradictions({ parent, roleUid = "" }: Batch, item: Item): FieldViolation[] {
  const own = item.roleBinding.roleUid ?? "";
  return [
    ...(item.parent && item.parent !== parent
      ? [{ field: "parent", description: "must be empty or match the batch" }]
      : []),
    ...(own !== "" && roleUid !== "" && own !== roleUid
      ? [{ field: "roleBinding.roleUid", description: "must be empty or match the batch" }]
      : []),
  ];
}

/** Rethrows the failure of one item, with its fields as the batch names them. */
const at =
  (place: string) =>
  (error: unknown): never => {
    if (!(error instanceof Failure)) throw error;
    const details = error.details.map((detail) => {
      const { fieldViolations: found } = detail;
      if (!Array.isArray(found)) return detail;
      const placed = found.map((one: FieldViolation) => ({
        ...one,
        // The reason is that of the whole batch.
        field: one.field === REASON_FIELD ? one.field : `${place}.${one.field}`,
      }));
      return { ...detail, fieldViolations: placed };
    });
    throw new Failure(error.name, error.message, details, error.options);
  };

/** Creates up to 25 bindings at one group in one transaction; one response lists the violations of all items. */
export function batchCreate(context: Context, rules: Rules<InputOf<typeof roleBindings>>): Handler {
  return (call) =>
    write(context.database, call, async (queries) => {
      const { caller, arrival } = call;
      const body = withoutUnset(call.body, () => false);
      const { parent } = body;
      // Before any lookup, as if the group were in the path: a refusal must not reveal what exists.
      if (typeof parent === "string" && isUid(parent))
        requireAll(caller, batchCreateRoleBindings.access.needs, parent);
      const batch = validate(batchCreateRoleBindings.body!, body, []);
      if (!(await lockShared(queries, "groups", batch.parent)))
        throw notFoundError(context, GROUP, batch.parent);

      const found: FieldViolation[] = [];
      const drafts: Draft[] = [];
      for (const [index, item] of batch.requests.entries()) {
        const { identityUid, roleUid, expirationTime } = item.roleBinding;
        const fields = toWire(roleBindings, {
          identityUid,
          roleUid: roleUid || batch.roleUid,
          ...(expirationTime && { expirationTime }),
        });
        const uid = newChildUid(batch.parent);
        const draft = { queries, caller, uid, parent: batch.parent, fields, previous: undefined, arrival };
        const twice = drafts.some((earlier) => keyOf(earlier) === keyOf(draft));
        const own = [
          ...violationsOf(roleBindings.request, fields),
          // oxlint-disable-next-line no-await-in-loop -- one connection, one query after the other
          ...((await rules.violations?.(context, draft)) ?? []),
          ...(twice
            ? [{ field: "identityUid", description: "this batch contains the same binding twice" }]
            : []),
        ].map(({ field, description }) => ({ field: `roleBinding.${field}`, description }));
        for (const { field, description } of oncePerField([...contradictions(batch, item), ...own]))
          found.push({ field: `requests[${index}].${field}`, description });
        drafts.push(draft);
      }
      if (found.length > 0) throw invalidArgument(found);

      const made: unknown[] = [];
      for (const [index, draft] of drafts.entries()) {
        const place = `requests[${index}].roleBinding`;
        const unique = rules.unique && { ...rules.unique, field: `${place}.${rules.unique.field}` };
        const once = createRecord(context, { ...rules, ...(unique && { unique }) }, draft);
        // oxlint-disable-next-line no-await-in-loop -- in the order of the request, on one connection
        made.push(await once.catch(at(place)));
      }
      return { roleBindings: made };
    });
}
