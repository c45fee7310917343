import { groupInvites, register } from "platform-contract/iam/group-invites";

import type { Caller } from "../../platform/access/caller";
import { identitiesHold } from "../../platform/access/escalation";
import type { Post } from "../../platform/mail/post";
import { failedPrecondition, Failure } from "../../status";
import { now } from "../../platform/store/clock";
import type { Queries } from "../../platform/store/database";
import { checkGrant } from "./guard-rail-grants.table";
import { findUse, lockInvite, namesOfGrant, recordUse, type Invite } from "./group-invites.table";
import { emailOf as readEmail } from "../identities/identities.table";
import { confirmPending, findPending } from "../federation/pending-accounts.table";
import { ensurePerson } from "./people.table";
import { recordAccepted } from "./memberships.table";
import { bindOnce, removeEnded } from "./role-bindings.table";
import { lockRole } from "./roles.table";
import { deleteRow } from "../../platform/store/table";
import { personUid } from "../../platform/store/uids";
import { isPersonHere } from "./people-here";
import type { Handler } from "../../platform/standard/call";
import { write } from "../../platform/standard/conflicts";
import type { Context } from "../../platform/standard/rules";
import { withoutUnset } from "../../platform/standard/values";
import { validate } from "../../platform/standard/violations";

/** One error for a code that was used, expired, revoked, is another person's or never existed. */
const unusable = (): Failure =>
  new Failure(
    "NOT_FOUND",
    "Not found: this invite cannot be used. It may have expired, been used or revoked, or be for someone else",
  );

type Given = Pick<Invite, "parent" | "role_uid" | "expires_at">;

/** Returns the email of a caller, or "" if unknown. */
async function emailOf(queries: Queries, { subject, pending }: Caller, identity: string): Promise<string> {
  if (pending) return (await findPending(queries, subject))?.email ?? "";
  return readEmail(queries, identity);
}

/**
 * True if an invite is usable by a person with this email. It grants no more than its last author could grant now:
 * people who lose their rights cannot get them back with a code they know.
 */
async function isOpen(queries: Queries, invite: Invite, email: string): Promise<boolean> {
  if (invite.expires_at <= now()) return false;
  if (invite.email !== "" && invite.email.toLowerCase() !== email.toLowerCase()) return false;
  const capabilities = await lockRole(queries, invite.role_uid);
  if (!capabilities) return false;
  const needed = [...groupInvites.create.access.needs, ...capabilities];
  return identitiesHold(queries, invite.inviters, needed, invite.parent);
}

/** Ensures that the caller has an identity to bind; creates a newcomer's account. */
async function settle(
  queries: Queries,
  mail: Post | undefined,
  { issuer, subject, pending }: Caller,
  identity: string,
): Promise<void> {
  const person = pending && (await findPending(queries, subject));
  if (pending && !person) throw unusable();
  if (person && !(await confirmPending(queries, subject)))
    throw failedPrecondition([
      {
        type: "ACCOUNT_EXISTS",
        description: `${person.email} already has an account: sign in with it`,
        subject: identity,
      },
    ]);
  await ensurePerson(queries, issuer, subject, person ?? {});
  if (person) await mail?.askToConfirm(queries, subject, person.email);
}

/** Binds the caller and uses up a single-use invite, unless the caller already has the role. */
async function join(
  queries: Queries,
  mail: Post | undefined,
  { caller, identity, code }: { caller: Caller; identity: string; code: string },
  invite: Invite,
): Promise<void> {
  await settle(queries, mail, caller, identity);
  await recordAccepted(queries, invite.parent, identity);
  await removeEnded(queries, invite.parent);
  await checkGrant(queries, {
    group: invite.parent,
    role: invite.role_uid,
    identity,
    until: null,
    asksReason: false,
    roleField: undefined,
  });
  if (!(await bindOnce(queries, { group: invite.parent, identity, role: invite.role_uid }))) return;
  await recordUse(queries, code, identity, invite);
  if (invite.single_use) await deleteRow(queries, "group_invites", invite.uid);
}

async function answerOf(queries: Queries, { parent, role_uid, expires_at }: Given, identity: string) {
  const { groupName, name, description } = await namesOfGrant(queries, parent, role_uid);
  return {
    group: parent,
    identity,
    groupName,
    role: { uid: role_uid, name, description: description || undefined },
    expirationTime: expires_at.toISOString(),
  };
}

/** Redeems a code: identity and binding in one transaction. The same person can repeat the request. */
export const redeem =
  (context: Context): Handler =>
  (call) => {
    // One that many can use stays as it is: the entry of a use is about it all the same.
    let used: string[] = [];
    const work = async (queries: Queries) => {
      const { caller } = call;
      const { code, validateOnly = false } = validate(register.body!, withoutUnset(call.body), []);
      if (!isPersonHere(context, caller)) throw unusable();
      const identity = personUid(caller.issuer, caller.subject);
      const invite = await lockInvite(queries, code);
      // After the lock: a parallel request of the same person may have used it.
      const use = await findUse(queries, code, identity);
      if (use) return answerOf(queries, use, identity);
      if (!invite || !(await isOpen(queries, invite, await emailOf(queries, caller, identity))))
        throw unusable();
      used = [invite.uid];
      if (!validateOnly) await join(queries, context.mail, { caller, identity, code }, invite);
      return answerOf(queries, invite, identity);
    };
    return write(context.database, call, work, undefined, () => used);
  };
