import { groupInvites, register } from "~/contract/iam/group-invites";

import type { Caller } from "../access/caller";
import { identitiesHold } from "../access/escalation";
import { failedPrecondition, Failure } from "../status";
import { now } from "../store/clock";
import type { Queries } from "../store/database";
import { findUse, lockInvite, recordUse, type Invite } from "../store/group-invites";
import { confirmPending, findPending } from "../store/pending-accounts";
import { ensurePerson } from "../store/people";
import { deleteRow } from "../store/table";
import { newChildUid, personUid } from "../store/uids";
import type { Handler } from "./call";
import { write } from "./conflicts";
import type { Context } from "./rules";
import { validate } from "./violations";
import { withoutUnset } from "./values";

/** The same for a code that was used, expired, was revoked, is somebody else's or never was one. */
const unusable = (): Failure =>
  new Failure(
    "NOT_FOUND",
    "Not found: this invite cannot be used. It may have expired, been used or revoked, or be for somebody else",
  );

type Given = Pick<Invite, "parent" | "role_uid" | "expires_at">;

/** The email of a caller, as far as anybody knows it. */
async function emailOf(queries: Queries, { subject, pending }: Caller, identity: string): Promise<string> {
  if (pending) return (await findPending(queries, subject))?.email ?? "";
  const [person] = await queries.query<{ email: string }>(
    "select coalesce(nullif(email, ''), email_unverified) as email from identities where uid = $1",
    [identity],
  );
  return person?.email ?? "";
}

/**
 * Whether an invite gives anything to somebody with this email. It gives no more than whoever wrote it last could give now:
 * those who lose their rights do not come back by a code that they know.
 */
async function isOpen(queries: Queries, invite: Invite, email: string): Promise<boolean> {
  if (invite.expires_at <= now()) return false;
  if (invite.email !== "" && invite.email.toLowerCase() !== email.toLowerCase()) return false;
  const [role] = await queries.query<{ capabilities: string[] }>(
    "select capabilities from roles where uid = $1 for share",
    [invite.role_uid],
  );
  if (!role) return false;
  const needed = [...groupInvites.create.access.needs, ...role.capabilities];
  return identitiesHold(queries, invite.inviters, needed, invite.parent);
}

/** The caller as an identity that can be bound; of a newcomer the account is made with it. */
async function settle(queries: Queries, { issuer, subject, pending }: Caller, identity: string) {
  const person = pending && (await findPending(queries, subject));
  if (pending && !person) throw unusable();
  if (person && !(await confirmPending(queries, subject)))
    throw failedPrecondition([
      {
        type: "ACCOUNT_EXISTS",
        description: `there is an account for ${person.email}: sign in with it`,
        subject: identity,
      },
    ]);
  await ensurePerson(queries, issuer, subject, person ?? {});
}

/** Binds the caller, and uses a single-use invite up; whoever has the role already uses nothing up. */
async function join(
  queries: Queries,
  { caller, identity, code }: { caller: Caller; identity: string; code: string },
  invite: Invite,
): Promise<void> {
  await settle(queries, caller, identity);
  const at = now();
  const made = await queries.query(
    `insert into role_bindings (uid, parent, identity_uid, role_uid, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $5) on conflict (parent, identity_uid, role_uid) do nothing returning 1`,
    [newChildUid(invite.parent), invite.parent, identity, invite.role_uid, at],
  );
  if (made.length === 0) return;
  await recordUse(queries, code, identity, invite);
  if (invite.single_use) await deleteRow(queries, "group_invites", invite.uid);
}

async function answerOf(queries: Queries, { parent, role_uid, expires_at }: Given, identity: string) {
  const [found] = await queries.query<Record<string, string>>(
    `select g.name as group_name, r.name, r.description from groups g left join roles r on r.uid = $2 where g.uid = $1`,
    [parent, role_uid],
  );
  return {
    group: parent,
    identity,
    groupName: found?.["group_name"],
    role: { uid: role_uid, name: found?.["name"], description: found?.["description"] || undefined },
    expirationTime: expires_at.toISOString(),
  };
}

/** Only people who sign in here can be told from others: a machine says whatever its issuer lets it say. */
const isPerson = ({ config }: Context, { issuer, subject, identities, pending }: Caller): boolean =>
  issuer === config.issuer &&
  subject !== "automation" &&
  (pending === true || identities.includes(personUid(issuer, subject)));

/** Takes a code: identity and binding in one transaction. The same person may send it twice. */
export const redeem =
  (context: Context): Handler =>
  (call) =>
    write(context.database, call, async (queries) => {
      const { caller } = call;
      const { code, validateOnly = false } = validate(register.body!, withoutUnset(call.body), []);
      if (!isPerson(context, caller)) throw unusable();
      const identity = personUid(caller.issuer, caller.subject);
      const invite = await lockInvite(queries, code);
      // After the lock: the other request of the same person may have had it.
      const use = await findUse(queries, code, identity);
      if (use) return answerOf(queries, use, identity);
      if (!invite || !(await isOpen(queries, invite, await emailOf(queries, caller, identity))))
        throw unusable();
      if (!validateOnly) await join(queries, { caller, identity, code }, invite);
      return answerOf(queries, invite, identity);
    });
