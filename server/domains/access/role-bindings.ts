import { ancestorsOf } from "platform-contract/aip";
import { DECIDES } from "platform-contract/iam/access-requests";
import { batchCreateRoleBindings } from "platform-contract/iam/role-binding-batches";
import { roleBindings } from "platform-contract/iam/role-bindings";
import type { InputOf } from "platform-contract/resource";
import type { FieldViolation } from "platform-contract/status";

import { holds, noteUse } from "../../platform/access/caller";
import { requireRole } from "../../platform/access/escalation";
import { permissionDenied } from "../../status";
import { grantRequests } from "./access-requests.table";
import { checkGrant } from "./guard-rail-grants.table";
import { forgetMapped } from "./mapped-bindings.table";
import { isBindingOf, removeEnded, roleBindingsTable } from "./role-bindings.table";
import { recordLeaving, recordOffered } from "./memberships.table";
import { personUid } from "../../platform/store/uids";
import { batchCreate } from "./batch-create";
import { identityViolations } from "./identity-reference";
import { endOf, endViolations } from "./ends";
import { roleViolations } from "./role-reference";
import { handlerOf, type Handler } from "../../platform/standard/call";
import type { Change, Context, Draft, Removal, Rules } from "../../platform/standard/rules";
import { standardHandlers } from "../../platform/standard/standard";

type Input = InputOf<typeof roleBindings>;

async function violations(context: Context, draft: Draft): Promise<FieldViolation[]> {
  const found = await identityViolations(context, draft);
  found.push(...endViolations(draft));
  return [...found, ...(await roleViolations(draft))];
}

/** A binding grants its role when it is created, moved to another identity, or made to last longer. */
async function beforeWrite(
  _context: Context,
  { queries, caller, uid, parent, next, previous, arrival }: Change<Input>,
): Promise<void> {
  if (!previous) await removeEnded(queries, parent);
  const same = previous?.["identityUid"] === next.identityUid && previous["roleUid"] === next.roleUid;
  const [before, after] = [endOf(previous?.["expirationTime"]), endOf(next.expirationTime)];
  if (same && before === after) return;
  // Longer is more: whoever lets a role last must hold it.
  const by = roleBindings[previous ? "update" : "create"].access.needs;
  if (!same || after > before) {
    await requireRole(queries, caller, { role: next.roleUid, group: parent, by, until: after });
    await checkGrant(queries, {
      group: parent,
      role: next.roleUid,
      identity: next.identityUid,
      until: next.expirationTime ? new Date(next.expirationTime) : null,
      by: caller.identities,
      asksReason: true,
      arrival,
      roleField: "roleUid",
    });
  }
  if (previous) await forgetMapped(queries, uid);
}

/** What somebody else gives to a person is an offer, except by the operator's own client. */
async function afterWrite(
  { config }: Context,
  { queries, caller, uid, parent, next: { identityUid, roleUid, expirationTime } }: Change<Input>,
): Promise<void> {
  const until = expirationTime ? new Date(expirationTime) : null;
  const [by] = caller.identities;
  const above = ancestorsOf(parent).filter((group) => DECIDES.every((one) => holds(caller, one, group)));
  await grantRequests(queries, { identity: identityUid, group: parent, above, role: roleUid, until, by });
  const operator = caller.issuer === config.issuer && caller.subject === "automation";
  if (by === undefined || operator || caller.identities.includes(identityUid)) return;
  await recordOffered(queries, { binding: uid, identity: identityUid, issuer: config.issuer, by });
}

/** People of this service leave an organization with their last role there. Others could not redeem an invite. */
async function beforeDelete(
  { config }: Context,
  { queries, caller: { issuer, subject }, uid }: Removal,
): Promise<void> {
  if (issuer !== config.issuer || subject === "automation") return;
  await recordLeaving(queries, uid, personUid(issuer, subject));
}

const rules: Rules<Input> = {
  resource: roleBindings,
  table: roleBindingsTable,
  unique: {
    constraint: "role_bindings_once",
    by: ["identity_uid", "role_uid"],
    field: "roleUid",
    sentence: "this identity already has this role in this group",
  },
  // Callers can always read their own bindings, by naming their own identity; a list of all still hides them.
  own: ({ identities, grants }, { identity }) =>
    identities.includes(String(identity)) ? grants.map(({ group }) => group) : [],
  violations,
  beforeWrite,
  afterWrite,
  beforeDelete,
};

const DELETE = "CAP_IAM_ROLE_BINDINGS_DELETE";

/** Without the capability, callers can only delete their own bindings; the error is the same for all others. */
const removeOwn =
  ({ database }: Context, remove: Handler): Handler =>
  async (call) => {
    const { caller, path } = call;
    if (holds(caller, DELETE, path.uid)) noteUse(caller, [DELETE], path.uid);
    else {
      const isOwn = await isBindingOf(database, path.uid, caller.identities);
      // A limited token may do only what it is limited to.
      if (!isOwn || caller.exchanged === "limited") throw permissionDenied([DELETE], path.uid);
    }
    return remove(call);
  };

export function roleBindingHandlers(context: Context): Map<string, Handler> {
  const handlers = standardHandlers(context, rules);
  const { id } = roleBindings.delete;
  return handlers
    .set(id, removeOwn(context, handlerOf(handlers, id)))
    .set(batchCreateRoleBindings.id, batchCreate(context, rules));
}
