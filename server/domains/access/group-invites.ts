import * as z from "zod";

import { rootOf } from "platform-contract/aip";
import { groupInvites, register } from "platform-contract/iam/group-invites";
import { kindOf, KINDS } from "platform-contract/kinds";
import type { InputOf } from "platform-contract/resource";
import { secondsOf } from "platform-contract/schema";
import type { FieldViolation } from "platform-contract/status";

import { requireRole } from "../../platform/access/escalation";
import { allowance, TooManyMails } from "../../platform/mail/post";
import { Failure } from "../../status";
import type { Queries } from "../../platform/store/database";
import { checkGrant } from "./guard-rail-grants.table";
import { forgetUses, groupInvitesTable, newCode, withCode } from "./group-invites.table";
import { lockShared } from "../../platform/store/table";
import { newChildUid } from "../../platform/store/uids";
import { redeem } from "./redeem-invite";
import { roleViolations } from "./role-reference";
import type { Handler } from "../../platform/standard/call";
import { tableOf } from "../../platform/standard/children.table";
import { write } from "../../platform/standard/conflicts";
import { notFoundError } from "../../platform/standard/resource-info";
import type { Context, Draft, Rules } from "../../platform/standard/rules";
import { createRecord, standardHandlers, toWire } from "../../platform/standard/standard";
import { requireTerms } from "../organization/terms-check";

type Input = InputOf<typeof groupInvites>;

const rules: Rules<Input> = {
  resource: groupInvites,
  table: groupInvitesTable,
  violations: async (context, draft) => [...(await roleViolations(draft)), ...mailViolations(context, draft)],
  // On every change: extending an invite or opening it to others grants the role again.
  beforeWrite: async (_context, { queries, caller, parent, next, previous, arrival }) => {
    await requireRole(queries, caller, {
      role: next.roleUid,
      group: parent,
      by: groupInvites.create.access.needs,
    });
    await checkGrant(queries, {
      group: parent,
      role: next.roleUid,
      until: null,
      asksReason: true,
      arrival,
      roleField: "roleUid",
    });
    if (!previous) await requireTerms(queries, parent);
  },
  beforeDelete: (_context, { queries, uid }) => forgetUses(queries, uid),
};

/** What strangers can be sent mail with: an address in a plain form, unlike those that an invite can be limited to. */
const anAddress = z.email();

function mailViolations({ mail }: Context, { fields, previous }: Draft): FieldViolation[] {
  if (fields["sendEmail"] !== true || previous) return [];
  if (!mail) return [{ field: "sendEmail", description: "this service sends no mail" }];
  return anAddress.safeParse(fields["email"]).success
    ? []
    : [{ field: "email", description: "must be an address that mail can be sent to" }];
}

const exhausted = ({ seconds, full }: TooManyMails): Failure =>
  full
    ? new Failure("UNAVAILABLE", "Unavailable: no mail can be sent right now", [], { retryAfter: seconds })
    : new Failure(
        "RESOURCE_EXHAUSTED",
        `Resource exhausted: too many invites were mailed to this address or by this organization; the next can be in ${seconds} s`,
        [],
        { retryAfter: seconds },
      );

/** Stores the mail with an invite, in its transaction. */
async function mailInvite(
  { mail, texts }: Context,
  queries: Queries,
  { uid, email, code, seconds }: { uid: string; email: string; code: string; seconds: number },
): Promise<void> {
  const facts = { code: await texts.seal(uid, code) };
  const limits = [allowance("organization", rootOf(uid)), allowance("invited", email)];
  try {
    await mail?.store(
      queries,
      { kind: "invite", address: email, facts, invite: uid, usefulS: seconds },
      limits,
    );
  } catch (error) {
    throw error instanceof TooManyMails ? exhausted(error) : error;
  }
}

/** Only this response has the code: the database stores its hash, and while a mail with it waits, an encrypted copy. */
const create =
  (context: Context): Handler =>
  async (call) => {
    const made = await write(context.database, call, async (queries) => {
      const { caller, path, body, arrival } = call;
      const { parent } = path;
      const above = kindOf(groupInvites.parent) ?? KINDS.groups;
      if (!(await lockShared(queries, tableOf(above.collection), parent)))
        throw notFoundError(context, above, parent);
      const code = newCode();
      const coded: Rules<Input> = {
        ...rules,
        table: withCode(code),
      };
      const fields = toWire(groupInvites, body);
      const uid = newChildUid(parent);
      const draft = { queries, caller, uid, parent, fields, previous: undefined, arrival };
      const record = await createRecord(context, coded, draft);
      if (fields["sendEmail"] !== true) return { ...record, code };
      const seconds = secondsOf(String(fields["ttl"])) ?? 0;
      await mailInvite(context, queries, { uid, email: String(fields["email"]), code, seconds });
      return { ...record, emailState: "EMAIL_STATE_QUEUED", code };
    });
    context.mail?.wake();
    return made;
  };

export const groupInviteHandlers = (context: Context): Map<string, Handler> =>
  standardHandlers(context, rules)
    .set(groupInvites.create.id, create(context))
    .set(register.id, redeem(context));
