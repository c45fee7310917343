import type { CutOffItem } from "~/api/bulk/offboarding";
import { reversalOf } from "~/domains/audit/log/undo";
import { nounOf, recordWords } from "~/domains/audit/log/words";
import { grantAgain, groupNameOf, roleNameOf } from "~/domains/access/grants/bindings";
import { isPerson } from "~/frame/scope/people";
import { shorten } from "~/ui/display/shorten";
import { visible } from "~/ui/display/visible";
import { parentOf } from "platform-contract/aip";
import type { AuditEntry } from "platform-contract/audit/entries";
import type { Access } from "platform-contract/endpoint";
import { setMachineOwner } from "platform-contract/iam/notices";
import { revokeScimToken } from "platform-contract/iam/scim";
import { kindOf } from "platform-contract/kinds";

import type { LeakAnswer, StandingSurvivor } from "./read";
import type { Survivor } from "./survivors";

/** One step. */
export interface PlanLine {
  /** Unique in the plan. */
  readonly id: string;
  readonly title: string;
  /** What becomes of it, and what doesn't. */
  readonly note: string;
  readonly access: Access;
  readonly uid: string;
  readonly item: CutOffItem;
  /** False where somebody else changed it since: the user has to say so. */
  readonly chosen: boolean;
}

/** What the plan can't do, and who can. */
export interface ByHand {
  readonly id: string;
  readonly title: string;
  readonly why: string;
}

export interface Plan {
  readonly lines: readonly PlanLine[];
  readonly byHand: readonly ByHand[];
}

/** How the token is stopped: its identities lose their roles, or are deleted. */
export type Cut = "roles" | "identity";

/**
 * First the token, then whoever else could undo it (rules and roles that it changed, identities, grants), then the ways in
 * from outside, and last what only watches.
 */
const ORDER = [
  "identities changed",
  "roles changed",
  "roleBindings changed",
  "identities created",
  "eligibleGrants created",
  "roleBindings created",
  "scimTokens created",
  "externalGroupRoleMappings changed",
  "externalGroupRoleMappings created",
  "identityProviders changed",
  "identityProviders created",
  "groupInvites changed",
  "groupInvites created",
  "accountAssociations changed",
  "accountAssociations created",
  "roles created",
  "subscriptions created",
  "machineOwners changed",
];
const placeOf = ({ collection, change }: StandingSurvivor): number => {
  const place = ORDER.indexOf(`${collection} ${change}`);
  return place < 0 ? ORDER.length : place;
};

const NOTES: Readonly<Record<string, string>> = {
  identities: "Its tokens and keys match nobody then, and its roles go with it.",
  roleBindings: "Whoever holds it loses the role at once.",
  eligibleGrants: "Nobody can switch it on then; what is switched on ends with its role.",
  groupInvites: "Nobody can redeem it then. Who has redeemed it keeps their role: that is a line of its own.",
  identityProviders: "Nobody can sign in with it then, and its mappings and SCIM tokens go with it.",
  externalGroupRoleMappings: "Its group gives nobody a role then.",
  roles: "It can't be granted then. This fails while somebody else has it.",
  subscriptions: "Events are no longer sent there.",
  accountAssociations: "The cloud account is no longer linked.",
};

const parsed = (text: string | undefined): unknown => (text === undefined ? "" : JSON.parse(text));

/**
 * As the audit log calls it: "ci as editor in team-a" for a role, "anyone with the link as viewer" for an invite. Every
 * character is visible: whoever had the token chose the name.
 */
function nameOf(survivor: Survivor): string {
  const { collection, uid, name, changes, entry } = survivor;
  const valueOf = (field: string) =>
    String(parsed(changes.find((change) => change.field === field && !change.cut)?.after));
  const { identityUid = valueOf("identityUid"), roleUid = valueOf("roleUid") } = survivor;
  const kind = collection === "eligibleGrants" ? "roleBindings" : collection;
  const record = { kind, uid, group: parentOf(uid), identityUid, roleUid, ...(name && { name }) };
  return visible(recordWords(entry, record)) || shorten(uid);
}

/** A survivor in words: "identity backdoor", "role binding ci". */
export const wordsOf = (survivor: Survivor): string => {
  const { collection, changes } = survivor;
  const name = nameOf(survivor);
  if (collection === "scimTokens") return `SCIM token of ${name}`;
  if (collection === "machineOwners") return `owner of ${name}`;
  const hasKeys = changes.some(({ field }) => field.startsWith("staticKeys"));
  return `${collection === "identities" && hasKeys ? "identity with static keys" : nounOf(collection)} ${name}`;
};

/** The step that removes a survivor or puts it back; undefined if nothing here can. */
function lineOf(survivor: StandingSurvivor): PlanLine | undefined {
  const { collection, uid, change, changes, standing, record } = survivor;
  const words = wordsOf(survivor);
  const since = standing === "changed" ? "Somebody else changed it since: look at it first. " : "";
  const shared = { id: `${collection} ${uid}`, uid, chosen: standing === "there" };
  const fact = { uid, name: words, collection };
  if (collection === "scimTokens")
    return {
      ...shared,
      title: `Revoke ${words}`,
      note: "The directory pushes nothing more until it gets another token. An older token of it ends too.",
      access: revokeScimToken.access,
      item: { ...fact, collection: "scimTokens" },
    };
  if (collection === "machineOwners") {
    const before = String(parsed(changes.find(({ field }) => field === "ownerUid")?.before));
    return {
      ...shared,
      title: before === "" ? `Take away the ${words}` : `Hand back the ${words}`,
      note:
        before === "" ? "The owners of its folder answer for it." : "Who answered for it before does again.",
      access: setMachineOwner.access,
      item: { ...fact, owner: before },
    };
  }
  const { access } = kindOf(collection) ?? {};
  if (change === "created")
    return access?.delete
      ? {
          ...shared,
          title: `Delete ${words}`,
          note: `${since}${NOTES[collection] ?? ""}`,
          access: access.delete,
          item: fact,
        }
      : undefined;
  if (!access?.update || !record || standing === "changed") return undefined;
  if (changes.some(({ hidden, cut }) => hidden || cut)) return undefined;
  const { mask, body } = reversalOf({ changes } as AuditEntry, record);
  return {
    ...shared,
    title: `Put ${words} back as it was`,
    note: `${mask.join(", ")}: the values from before the token changed them.`,
    access: access.update,
    item: { ...fact, mask, before: record, body },
  };
}

/** Why a survivor has no line, in a sentence; undefined if nothing has to be done. */
function whyNot({ standing, changes }: StandingSurvivor): string | undefined {
  if (standing === "gone" || standing === "ended") return undefined;
  if (standing === "hidden") return "Your role hides it: whether it is still there is unknown.";
  if (standing === "unknown") return "It couldn't be read: whether it is still there is unknown.";
  if (changes.some(({ hidden }) => hidden)) return "A secret of it was changed. Set a new one on its page.";
  if (changes.some(({ cut }) => cut))
    return "The log keeps only the beginning of what it was. Set it on its page, or delete it.";
  return "Somebody else changed it since, so what it should be is for you to say. Look at its page.";
}

interface PlanOptions {
  readonly cut: Cut;
  /** True if the token is accepted no more. */
  readonly hasEnded?: boolean;
  /** uid of the user's own identity. */
  readonly self?: string | undefined;
}

/** Everything that has to be done about a token that leaked, in order. Lists what it can't do. */
export function planOf(
  { whose, bindings, eligible, survivors }: Pick<LeakAnswer, "whose" | "bindings" | "eligible" | "survivors">,
  { cut, hasEnded = false, self }: PlanOptions,
): Plan {
  const lines: PlanLine[] = [];
  /** What the user needs for all the others. */
  const last: PlanLine[] = [];
  const add = (line: PlanLine, to = lines) => {
    if (!lines.some(({ id }) => id === line.id)) to.push(line);
  };
  const { access: ofGrants } = kindOf("eligibleGrants") ?? {};
  const { access: ofBindings } = kindOf("roleBindings") ?? {};
  const { access: ofIdentities } = kindOf("identities") ?? {};
  const isDeleted = (uid: string) =>
    cut === "identity" && whose.some((one) => one.uid === uid && one.record !== undefined && !isPerson(uid));
  // Before the roles: without any role it could still switch these on.
  for (const grant of eligible)
    if (ofGrants?.delete)
      add({
        id: `eligibleGrants ${grant.uid}`,
        uid: grant.uid,
        title: `Delete what ${grant.identity?.name ?? "it"} can switch on: ${grant.role?.name ?? grant.roleUid} in ${grant.group?.name ?? "its folder"}`,
        note: "Otherwise the token could switch the role on again.",
        access: ofGrants.delete,
        item: {
          uid: grant.uid,
          name: `eligible for ${grant.role?.name ?? ""}`,
          collection: "eligibleGrants",
        },
        chosen: true,
      });
  for (const { uid, name } of whose)
    if (isDeleted(uid) && ofIdentities?.delete)
      add({
        id: `identities ${uid}`,
        uid,
        title: `Delete identity ${name}`,
        note: "The token matches nobody then, nor does any other token of its rule. Its roles go with it. It can't be brought back, only created anew.",
        access: ofIdentities.delete,
        item: { uid, name: `identity ${name}`, collection: "identities" },
        chosen: true,
      });
  for (const binding of bindings) {
    const holder = whose.find(({ uid }) => uid === (binding.identityUid ?? binding.identity?.uid));
    if (!ofBindings?.delete || (holder && isDeleted(holder.uid))) continue;
    const name = visible(`role ${roleNameOf(binding)} of ${holder?.name ?? "it"} in ${groupNameOf(binding)}`);
    const isOwn = self !== undefined && holder?.uid === self;
    add(
      {
        id: `roleBindings ${binding.uid}`,
        uid: binding.uid,
        title: `Remove ${name}`,
        note: isOwn
          ? "This role is your own: without it you may be unable to do anything here, or to undo this."
          : hasEnded
            ? "No token of it can do anything with this role then. You can undo this."
            : "The token is still accepted, and can do nothing with this role. You can undo this.",
        access: ofBindings.delete,
        item: { uid: binding.uid, name, collection: "roleBindings", again: grantAgain(binding) },
        chosen: !isOwn,
      },
      isOwn ? last : lines,
    );
  }
  const byHand: ByHand[] = [];
  for (const one of survivors.toSorted((a, b) => placeOf(a) - placeOf(b))) {
    const acts = one.standing === "there" || one.standing === "changed";
    const line = acts ? lineOf(one) : undefined;
    const why = line ? undefined : whyNot(one);
    if (line) add(line);
    else if (why !== undefined) byHand.push({ id: `${one.collection} ${one.uid}`, title: wordsOf(one), why });
  }
  return { lines: [...lines, ...last], byHand };
}
