import { lackingBindings, replacedBy } from "~/api/bulk/migration-plan";
import { parentOf } from "platform-contract/aip";
import type { Identity } from "platform-contract/iam/identities";
import type { RoleBinding } from "platform-contract/iam/role-bindings";
import { lastSeen } from "~/domains/identities/identities/last-seen";
import { readTime } from "~/ui/display/time-text";

import type { MigrationPlace } from "./read";

/** How far a replacement is. Only what is `done` is chosen without asking. */
export type MigrationProgress = "done" | "old used" | "unused" | "fewer roles";

/** Services note a sign-in at most this often, in ms: an older time doesn't say that nothing followed within it. */
const NOTED_EVERY = 5 * 60_000;

/** An identity and the one that was made to replace it. */
export interface MigrationPair {
  readonly old: Identity;
  readonly made: Identity;
  readonly progress: MigrationProgress;
}

/** The role bindings of an identity that its replacement lacks. */
export function lackingRoles(
  old: Identity,
  made: Identity,
  { bindings }: MigrationPlace,
): readonly RoleBinding[] {
  return lackingBindings(bindings.get(old.uid) ?? [], bindings.get(made.uid) ?? []);
}

function progressOf(old: Identity, made: Identity, place: MigrationPlace): MigrationProgress {
  if (lackingRoles(old, made, place).length > 0) return "fewer roles";
  if (lastSeen(made) === undefined) return "unused";
  const seen = readTime(lastSeen(old))?.getTime() ?? 0;
  const created = readTime(made.createTime)?.getTime() ?? 0;
  return seen + NOTED_EVERY > created ? "old used" : "done";
}

/** The pairs of which both are still there. */
export function pairsOf(place: MigrationPlace): MigrationPair[] {
  const known = new Map(place.identities.map((identity) => [identity.uid, identity]));
  return place.identities.flatMap((made) => {
    const old = known.get(replacedBy(made.description) ?? "");
    // One group: the description is text that anybody who may edit the new one can write.
    if (!old || parentOf(old.uid) !== parentOf(made.uid)) return [];
    return [{ old, made, progress: progressOf(old, made, place) }];
  });
}
