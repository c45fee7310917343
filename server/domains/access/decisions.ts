import { ancestorsOf, isWithin, parentOf } from "platform-contract/aip";
import { explainAccess } from "platform-contract/iam/access-decisions";
import type { AnswerOf, QueryOf } from "platform-contract/endpoint";

import { holds, requireAll, visibleGroups, type Caller, type Grant } from "../../platform/access/caller";
import { grantsOf } from "../../platform/access/grants";
import { queryOf, type Handler } from "../../platform/standard/call";
import type { Context } from "../../platform/standard/rules";
import { now } from "../../platform/store/clock";
import { invalidArgument } from "../../status";
import { innermost, nameOf } from "../organization/groups.table";
import { bindingsWith, isDeactivated, rolesWith, type NamedBinding } from "./decisions.table";
import { eligibleFor } from "./eligible-grants.table";
import { capabilityNamed, wireNames } from "./roles.table";

const BINDINGS = "CAP_IAM_ROLE_BINDINGS_LIST";

type Answer = AnswerOf<typeof explainAccess>;
type Query = QueryOf<typeof explainAccess>;

/** Why a binding does not count; undefined if it does. */
function noEffectOf({ home, group, until }: NamedBinding): string | undefined {
  if (home && !isWithin(group, home)) return "NO_EFFECT_OUT_OF_REACH";
  return until && until <= now() ? "NO_EFFECT_ENDED" : undefined;
}

/** Groups that an answer names at most. */
const MOST_BELOW = 20;

/** The topmost groups below a group where grants have all of the capabilities. */
function topmostBelow(grants: readonly Grant[], asked: readonly string[], uid: string): string[] {
  const found = [...new Set(grants.map(({ group }) => group))]
    .filter((group) => group !== uid && isWithin(group, uid))
    .filter((group) => asked.every((capability) => holds({ grants }, capability, group)));
  return found
    .filter((group) => !found.some((other) => other !== group && isWithin(group, other)))
    .toSorted()
    .slice(0, MOST_BELOW);
}

/** The topmost group whose role bindings the caller may see, of those that the record is in. */
const seenFrom = (caller: Caller, uid: string): string | undefined =>
  visibleGroups(caller, BINDINGS, { "uidp.ids": uid }).find((group) => isWithin(uid, group));

/** Whether an identity may do something with a record, and why (docs/authorization.md). */
export function decisionHandlers({ database, config }: Context): Map<string, Handler> {
  /** The roles that would allow it in the record's group, with what else they would give. */
  async function remediesFor(
    caller: Caller,
    grants: readonly Grant[],
    group: string,
    asked: readonly string[],
  ) {
    const places = [...ancestorsOf(group), group].filter((place) =>
      holds(caller, "CAP_IAM_ROLES_LIST", place),
    );
    const held = grants
      .filter((grant) => isWithin(group, grant.group))
      .flatMap((grant) => [...grant.capabilities]);
    const roles = await rolesWith(database, { groups: places, asked, held });
    return roles.map(({ uid, name, adds }) => ({ role: uid, roleName: name, adds: [...adds] }));
  }

  const decide = async (caller: Caller, { uid, capabilities, identity }: Query): Promise<Answer> => {
    const unread = capabilities.filter((name) => !capabilityNamed(name));
    if (unread.length > 0)
      throw invalidArgument([
        { field: "capabilities", description: `${JSON.stringify(unread[0])} is not a capability` },
      ]);
    const asked = wireNames(capabilities);
    const isOwn = identity === undefined || caller.identities.includes(identity);
    if (!isOwn) requireAll(caller, [BINDINGS], uid);
    const identities = identity === undefined ? caller.identities : [identity];
    const top = isOwn ? undefined : seenFrom(caller, uid);
    const all = await grantsOf(database, identities);
    const grants = identity === undefined ? caller.grants : all;
    const seen = top === undefined ? grants : grants.filter(({ group }) => isWithin(group, top));
    const missing = asked.filter((capability) => !holds({ grants: seen }, capability, uid));

    const levels = [...ancestorsOf(uid), uid];
    // Without a role there, nothing tells whether it exists, or what it is called.
    const isThere = caller.grants.some((grant) => isWithin(uid, grant.group));
    const group = (isThere && (await innermost(database, levels))) || uid;
    const visibleName = async (of: string): Promise<string | undefined> =>
      holds(caller, "CAP_IAM_GROUPS_LIST", of) ? nameOf(database, of) : undefined;
    const home = identities.length === 1 ? parentOf(identities[0] ?? "") : "";
    const isOutside = home !== "" && !isWithin(group, home);
    const places = top === undefined ? levels : levels.filter((level) => isWithin(level, top));
    const bindings = await bindingsWith(database, { identities, groups: places, capabilities: asked });
    // Whoever asks about themselves has just signed in; of strangers to this place nothing is told.
    const deactivated =
      !isOwn && bindings.length > 0 && (await isDeactivated(database, identity, config.issuer));
    const mayBeAbove = top !== undefined && parentOf(top) !== "";
    const decision =
      deactivated || (missing.length > 0 && (!mayBeAbove || isOutside))
        ? "DECISION_DENIED"
        : missing.length > 0
          ? "DECISION_UNKNOWN"
          : "DECISION_ALLOWED";
    const below = missing.length > 0 && !deactivated ? topmostBelow(seen, asked, uid) : [];
    const eligible =
      missing.length > 0 && !deactivated
        ? await eligibleFor(database, { identities, groups: places, capabilities: missing })
        : [];
    return {
      decision,
      missing,
      ...(below.length > 0 && {
        allowedBelow: await Promise.all(
          below.map(async (place) => ({ group: place, groupName: await visibleName(place) })),
        ),
      }),
      group,
      groupName: await visibleName(group),
      bindings: bindings.map((one) => ({
        roleBinding: one.uid,
        group: one.group,
        groupName: one.groupName ?? undefined,
        role: one.role,
        roleName: one.roleName ?? undefined,
        expirationTime: one.until?.toISOString(),
        capabilities: asked.filter((capability) => one.capabilities.includes(capability)),
        noEffect: noEffectOf(one),
      })),
      ...(isOutside && { home, homeName: await visibleName(home) }),
      ...(deactivated && { deactivated }),
      ...(identity === undefined &&
        missing.length > 0 &&
        missing.every((capability) => holds({ grants: all }, capability, uid)) && { tokenLimited: true }),
      // Outside of its group, another identity would need them.
      ...(eligible.length > 0 && {
        eligibleGrants: eligible.map(({ uid: eligibleGrant, ...more }) => ({ eligibleGrant, ...more })),
      }),
      remedies: missing.length > 0 ? await remediesFor(caller, isOutside ? [] : seen, group, asked) : [],
    };
  };

  return new Map<string, Handler>([
    [explainAccess.id, (call) => decide(call.caller, queryOf(explainAccess, call))],
  ]);
}
