import { groupInvites, register } from "~/contract/iam/group-invites";
import { kindOf, KINDS } from "~/contract/kinds";
import type { InputOf } from "~/contract/resource";
import { secondsOf } from "~/contract/schema";

import { requireRole } from "../access/escalation";
import { now } from "../store/clock";
import { forgetUses, groupInvitesTable, hashOf, newCode } from "../store/resources/group-invites";
import { lockShared } from "../store/table";
import { newChildUid } from "../store/uids";
import { redeem } from "./redeem-invite";
import { roleViolations } from "./role-reference";
import type { Handler } from "./standard/call";
import { tableOf } from "./standard/children";
import { write } from "./standard/conflicts";
import { notFoundError } from "./standard/resource-info";
import type { Context, Rules } from "./standard/rules";
import { createRecord, standardHandlers, toWire } from "./standard/standard";
import { requireTerms } from "./terms-check";

type Input = InputOf<typeof groupInvites>;

const rules: Rules<Input> = {
  resource: groupInvites,
  table: groupInvitesTable,
  violations: (_context, draft) => roleViolations(draft),
  // On every change: extending an invite or opening it to others grants the role again.
  beforeWrite: async (_context, { queries, caller, parent, next, previous }) => {
    await requireRole(queries, caller, {
      role: next.roleUid,
      group: parent,
      by: groupInvites.create.access.needs,
    });
    if (!previous) await requireTerms(queries, parent);
  },
  columns: ({ roleUid, email = "", singleUse = false, ttl }, { caller, previous }) => ({
    role_uid: roleUid,
    email,
    single_use: singleUse,
    ...(ttl && { expires_at: new Date(now().getTime() + (secondsOf(ttl) ?? 0) * 1000) }),
    ...(previous ? {} : { created_by: caller.identities[0] ?? "" }),
    inviters: caller.identities,
  }),
  beforeDelete: (_context, { queries, uid }) => forgetUses(queries, uid),
};

/** Only this response has the code: the database stores its hash. */
const create =
  (context: Context): Handler =>
  (call) =>
    write(context.database, call, async (queries) => {
      const { caller, path, body } = call;
      const { parent } = path;
      const above = kindOf(groupInvites.parent) ?? KINDS.groups;
      if (!(await lockShared(queries, tableOf(above.collection), parent)))
        throw notFoundError(context, above, parent);
      const code = newCode();
      const coded: Rules<Input> = {
        ...rules,
        columns: (next, draft) => ({ ...rules.columns(next, draft), code_hash: hashOf(code) }),
      };
      const fields = toWire(groupInvites, body);
      const uid = newChildUid(parent);
      const draft = { queries, caller, uid, parent, fields, previous: undefined };
      return { ...(await createRecord(context, coded, draft)), code };
    });

export const groupInviteHandlers = (context: Context): Map<string, Handler> =>
  standardHandlers(context, rules)
    .set(groupInvites.create.id, create(context))
    .set(register.id, redeem(context));
