import { isUid, parentOf } from "platform-contract/aip";
import type { Endpoint } from "platform-contract/endpoint";
import {
  activateEligibleGrant,
  approveEligibleGrant,
  deactivateEligibleGrant,
  declineEligibleGrant,
  ELIGIBLE_REFUSALS,
  eligibleGrants,
  ownEligibleGrants,
} from "platform-contract/iam/eligible-grants";
import type { InputOf } from "platform-contract/resource";
import { secondsOf } from "platform-contract/schema";
import type { FieldViolation } from "platform-contract/status";

import { holds, isRootLevel, noteUse, type Caller } from "../../platform/access/caller";
import { requireRole } from "../../platform/access/escalation";
import type { Call, Handler } from "../../platform/standard/call";
import { write } from "../../platform/standard/conflicts";
import { notFoundError } from "../../platform/standard/resource-info";
import type { Change, Context, Draft, Removal, Rules } from "../../platform/standard/rules";
import { standardHandlers, toAnswer } from "../../platform/standard/standard";
import { withoutUnset } from "../../platform/standard/values";
import { validate } from "../../platform/standard/violations";
import { now } from "../../platform/store/clock";
import type { Arrival, Origin, Queries } from "../../platform/store/database";
import { deleteRow, readItem } from "../../platform/store/table";
import { personUid } from "../../platform/store/uids";
import { failedPrecondition, Failure, invalidArgument, permissionDenied } from "../../status";
import {
  eligibleGrantsTable,
  grantsOwnedBy,
  isPerson,
  isSamePerson,
  lockGrant,
  stateOf,
  storeAnswer,
  storeRequest,
  type LockedGrant,
} from "./eligible-grants.table";
import { endOf, endViolations } from "./ends";
import { checkGrant } from "./guard-rail-grants.table";
import { identityViolations } from "./identity-reference";
import { recordAccepted } from "./memberships.table";
import { bindOnce, removeEnded } from "./role-bindings.table";
import { roleViolations } from "./role-reference";

type Input = InputOf<typeof eligibleGrants>;

/** Eligible grants of one person that an answer lists. */
const MOST_OWN = 500;
const DELETE = "CAP_IAM_ROLE_BINDINGS_DELETE";

async function violations(context: Context, draft: Draft): Promise<FieldViolation[]> {
  const { identityUid } = draft.fields;
  const isMachine =
    typeof identityUid === "string" &&
    isUid(identityUid) &&
    (!isRootLevel(identityUid) || identityUid === personUid(context.config.issuer, "automation"));
  return [
    // Who can change how a machine is recognized would get what it can switch on.
    ...(isMachine
      ? [{ field: "identityUid", description: "must be a person: machines cannot switch on access" }]
      : await identityViolations(context, draft)),
    ...endViolations(draft),
    ...(await roleViolations(draft)),
  ];
}

const rules: Rules<Input> = {
  resource: eligibleGrants,
  table: eligibleGrantsTable,
  unique: {
    constraint: "eligible_grants_once",
    by: ["identity_uid", "role_uid"],
    field: "roleUid",
    sentence: "this person can already switch on this role in this group",
  },
  violations,
  /** Whoever makes it gives the role, for as long as it can be switched on. */
  async beforeWrite(_context, { queries, caller, parent, next, arrival }: Change<Input>) {
    const { identityUid, roleUid, maxDuration, requireApproval = false } = next;
    const until = endOf(next.expirationTime);
    const by = eligibleGrants.create.access.needs;
    await requireRole(queries, caller, { role: roleUid, group: parent, by, until });
    const longest = now().getTime() + (secondsOf(maxDuration) ?? 0) * 1_000;
    await checkGrant(queries, {
      group: parent,
      role: roleUid,
      identity: identityUid,
      until: new Date(Math.min(longest, until)),
      by: caller.identities,
      asksReason: true,
      approved: requireApproval,
      arrival,
      roleField: "roleUid",
    });
  },
  /** What is switched on ends with it. */
  async beforeDelete(_context, { queries, uid }: Removal) {
    const grant = await lockGrant(queries, uid);
    if (grant?.binding_uid && stateOf(grant) === "ACTIVATION_STATE_ACTIVE")
      await deleteRow(queries, "role_bindings", grant.binding_uid);
  },
};

const refused = (kind: keyof typeof ELIGIBLE_REFUSALS, subject: string, description: string): Failure =>
  failedPrecondition([{ type: ELIGIBLE_REFUSALS[kind], description, subject }]);

/** Throws FAILED_PRECONDITION if it can no longer be switched on. */
function requireOpen({ uid, expires_at: end }: LockedGrant): void {
  if (end && end <= now()) throw refused("ended", uid, `it could be switched on until ${end.toISOString()}`);
}

/** Creates the role binding that lasts for as long as was asked, and no longer than the eligible grant. */
async function give(
  queries: Queries,
  grant: LockedGrant,
  {
    seconds,
    check,
    by,
    approved,
    arrival,
  }: {
    readonly seconds: number;
    /** Authorizes who gives it, until then. Throws a Failure. */
    readonly check?: (until: number) => Promise<void>;
    readonly by: readonly string[];
    readonly approved: boolean;
    readonly arrival: Arrival | undefined;
  },
): Promise<{ binding: string; until: Date }> {
  const { uid, identity_uid: identity, role_uid: role, expires_at: last } = grant;
  const group = parentOf(uid);
  const until = new Date(Math.min(now().getTime() + seconds * 1_000, last?.getTime() ?? Infinity));
  await check?.(until.getTime());
  await removeEnded(queries, group);
  await checkGrant(queries, {
    group,
    role,
    identity,
    until,
    by,
    asksReason: true,
    approved,
    arrival,
    roleField: undefined,
  });
  const binding = await bindOnce(queries, { group, identity, role, until });
  if (binding === undefined) throw refused("held", uid, `${grant.identity_name} already has this role there`);
  // Switching it on is the person's own act, like accepting an offer.
  await recordAccepted(queries, group, identity);
  return { binding, until };
}

type Told = Pick<NonNullable<Origin["act"]>, "facts">;
const fact = (field: string, value: unknown) => ({ field, after: JSON.stringify(value) });

/**
 * A write about one eligible grant, which it locks, with an entry about it.
 * @param words why, in the caller's words: the entry keeps it as if the request had said so
 * @param admit throws unless the caller may know of it; gets undefined if there is none
 */
const about =
  (
    context: Context,
    endpoint: Pick<Endpoint, "id">,
    {
      admit,
      work,
    }: {
      admit(caller: Caller, grant: LockedGrant | undefined, uid: string): LockedGrant;
      work(queries: Queries, grant: LockedGrant, call: Call): Promise<Told>;
    },
  ): Handler =>
  (given) => {
    const { uid } = given.path;
    const { reason } = given.body;
    const words = typeof reason === "string" ? reason.trim() : "";
    const call =
      given.arrival && words !== ""
        ? { ...given, arrival: { ...given.arrival, justification: words } }
        : given;
    let act: Origin["act"];
    return write(
      context.database,
      call,
      async (queries) => {
        const grant = admit(call.caller, await lockGrant(queries, uid), uid);
        const told = await work(queries, grant, call);
        const { identity_uid: identity, identity_name: name, role_uid: role, role_name: roleName } = grant;
        act = {
          action: endpoint.id,
          kind: eligibleGrants.collection,
          uid,
          group: parentOf(uid),
          name,
          facts: [fact("identityUid", identity), fact("roleUid", role), ...(told.facts ?? [])],
          names: { [identity]: name, [role]: roleName },
        };
        return toAnswer(eligibleGrants, (await readItem(queries, eligibleGrantsTable, uid)) ?? {});
      },
      () => act,
    );
  };

/** The person of an eligible grant, with a token of their own. */
const isOwn = (
  { identities, exchanged, pending }: Caller,
  { identity_uid: identity }: LockedGrant,
): boolean => exchanged === undefined && pending === undefined && identities.includes(identity);

export function eligibleGrantHandlers(context: Context): Map<string, Handler> {
  const missing = (uid: string) => notFoundError(context, eligibleGrants, uid);
  const existing = (grant: LockedGrant | undefined, uid: string): LockedGrant => {
    if (grant) return grant;
    throw missing(uid);
  };

  const activate = about(context, activateEligibleGrant, {
    admit(caller, grant, uid) {
      if (grant && isOwn(caller, grant)) return grant;
      throw missing(uid);
    },
    async work(queries, grant, { caller, body, arrival }) {
      const { duration, reason } = validate(activateEligibleGrant.body!, withoutUnset(body), []);
      const { uid, max_seconds: most } = grant;
      const seconds = Math.floor(secondsOf(duration) ?? 0);
      if (seconds > most)
        throw invalidArgument([{ field: "duration", description: `must be at most ${most}s` }]);
      requireOpen(grant);
      const state = stateOf(grant);
      if (state === "ACTIVATION_STATE_ACTIVE") throw refused("active", uid, "it is switched on already");
      if (state === "ACTIVATION_STATE_WAITING")
        throw refused("waiting", uid, "it waits for approval already");
      if (grant.needs_second_factor && !caller.secondFactor)
        throw refused(
          "secondFactor",
          uid,
          "a second factor is required: set one up in your account's security settings, then sign in again",
        );
      const asked = { at: now(), seconds, reason: reason.trim() };
      const facts = [fact("duration", `${seconds}s`)];
      if (grant.needs_approval) {
        await storeRequest(queries, uid, asked);
        return { facts };
      }
      const by = caller.identities;
      const { binding, until } = await give(queries, grant, { seconds, by, approved: false, arrival });
      await storeRequest(queries, uid, { ...asked, binding });
      return { facts: [...facts, fact("endTime", until.toISOString())] };
    },
  });

  /** The request that waits, for who may answer it. */
  function requireWaiting(grant: LockedGrant): void {
    if (stateOf(grant) !== "ACTIVATION_STATE_WAITING")
      throw refused("idle", grant.uid, "nobody waits for approval: it was answered or withdrawn meanwhile");
  }

  const approve = about(context, approveEligibleGrant, {
    admit: (_caller, grant, uid) => existing(grant, uid),
    async work(queries, grant, { caller, body, arrival }) {
      const { requestTime } = validate(approveEligibleGrant.body!, withoutUnset(body), []);
      const { uid, identity_uid: identity, role_uid: role } = grant;
      if (await isSamePerson(queries, caller.identities, identity))
        throw new Failure("PERMISSION_DENIED", "Permission denied: nobody approves their own access");
      if (caller.exchanged !== undefined || !(await isPerson(queries, caller.identities)))
        throw new Failure("PERMISSION_DENIED", "Permission denied: a person has to approve");
      requireOpen(grant);
      requireWaiting(grant);
      if (grant.asked_at?.getTime() !== Date.parse(requestTime))
        throw refused("idle", uid, "this request was withdrawn, and there is a newer one");
      const seconds = grant.asked_seconds ?? 0;
      const group = parentOf(uid);
      const given = await give(queries, grant, {
        seconds,
        check: (until) =>
          requireRole(queries, caller, { role, group, by: approveEligibleGrant.access.needs, until }),
        by: caller.identities,
        approved: true,
        arrival,
      });
      await storeAnswer(queries, uid, { by: caller.identities[0], binding: given.binding });
      return { facts: [fact("duration", `${seconds}s`), fact("endTime", given.until.toISOString())] };
    },
  });

  const decline = about(context, declineEligibleGrant, {
    admit: (_caller, grant, uid) => existing(grant, uid),
    async work(queries, grant, { caller, body }) {
      const { reason } = validate(declineEligibleGrant.body!, withoutUnset(body), []);
      requireWaiting(grant);
      await storeAnswer(queries, grant.uid, { by: caller.identities[0], declined: reason.trim() });
      return {};
    },
  });

  const deactivate = about(context, deactivateEligibleGrant, {
    admit(caller, grant, uid) {
      // The same for all others, whether or not it exists.
      if (holds(caller, DELETE, uid)) noteUse(caller, [DELETE], uid);
      else if (!grant || !isOwn(caller, grant)) throw permissionDenied([DELETE], uid);
      return existing(grant, uid);
    },
    async work(queries, grant) {
      const { uid } = grant;
      const state = stateOf(grant);
      if (state !== "ACTIVATION_STATE_ACTIVE" && state !== "ACTIVATION_STATE_WAITING")
        throw refused("idle", uid, "it is not switched on, and does not wait for approval");
      // Not as leaving the organization is: the person can switch it on again.
      if (state === "ACTIVATION_STATE_ACTIVE")
        await deleteRow(queries, "role_bindings", grant.binding_uid ?? "");
      await storeRequest(queries, uid, { at: null, seconds: null, reason: null });
      return {};
    },
  });

  const own: Handler = async ({ caller }) => ({
    eligibleGrants:
      caller.exchanged === undefined
        ? (await grantsOwnedBy(context.database, caller.identities, MOST_OWN)).map((item) =>
            toAnswer(eligibleGrants, item),
          )
        : [],
    ...(caller.secondFactor && { secondFactor: true }),
  });

  return new Map([
    ...standardHandlers(context, rules),
    [ownEligibleGrants.id, own],
    [activateEligibleGrant.id, activate],
    [approveEligibleGrant.id, approve],
    [declineEligibleGrant.id, decline],
    [deactivateEligibleGrant.id, deactivate],
  ]);
}
