import { parentOf } from "platform-contract/aip";
import type { IdentityInput } from "platform-contract/iam/identities";
import { roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import { TEXT_BYTES } from "platform-contract/schema";
import { sameValue } from "platform-contract/values";

import type { JobTarget } from "./bulk-job";
import type { JobPlan } from "./storage";

/** An identity that gets a second one with another sign-in rule and the same roles. `uid` and `name` are of the old one. */
export interface IdentityToMigrate extends JobTarget {
  /** uid of the group of both. */
  readonly parent: string;
  /** The new identity. */
  readonly body: IdentityInput;
  /** `updateTime` of the old one when the new rule was made from it. */
  readonly updateTime: string | undefined;
  /** Repeats of the create request have the same key. */
  readonly key: string;
}

const MARK = /(?:^|\s)Replaces identity ([0-9a-f]+(?:\/[0-9a-f]+)*)\.$/;

/** The description of a new identity: that of the old one, and which one it replaces. So the pair is known anywhere. */
export function replacementText(uid: string, description = ""): string {
  const mark = `Replaces identity ${uid}.`;
  const before = description.replace(MARK, "").trim();
  const text = before === "" ? mark : `${before} ${mark}`;
  // A long description is left with the old one: half a sentence helps nobody.
  return new TextEncoder().encode(text).length > TEXT_BYTES ? mark : text;
}

/** uid of the identity that one was made to replace; undefined if its description doesn't say so. */
export const replacedBy = (description: string | undefined): string | undefined =>
  MARK.exec(description ?? "")?.[1];

type Rule = Pick<IdentityInput, "claimMatch" | "staticKeys">;

/** True if two identities have the same sign-in rule. */
export const sameRule = (one: Rule, other: Rule): boolean =>
  sameValue(one.claimMatch, other.claimMatch) && sameValue(one.staticKeys, other.staticKeys);

const grantOf = (binding: RoleBinding): string => `${parentOf(binding.uid)} ${roleUidOf(binding)}`;

/** The role bindings of one identity that another lacks, by group and role. */
export function lackingBindings(theirs: readonly RoleBinding[], own: readonly RoleBinding[]): RoleBinding[] {
  const there = new Set(own.map(grantOf));
  return theirs.filter((binding) => !there.has(grantOf(binding)));
}

export const MIGRATIONS: JobPlan = {
  action: "migrate",
  data: {},
  words: { doing: "Creating", done: "Created", one: "new rule", many: "new rules" },
};
