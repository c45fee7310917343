import { subscriptions } from "platform-contract/events/subscriptions";
import { groups } from "platform-contract/iam/groups";
import { identities } from "platform-contract/iam/identities";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { roles } from "platform-contract/iam/roles";
import { repos } from "platform-contract/registry/repos";

import type { RecordToCreate } from "./creation-plan";
import type { JobPlan } from "./storage";

/** Kinds that are created again in another place from what the API returns of them. */
export const COPYABLE = { groups, identities, roles, roleBindings, repos, subscriptions };
export type CopyableKind = keyof typeof COPYABLE;

/**
 * A record to create again elsewhere. `uid` is that of the old one; `parent` and the uids in `body` are old ones too
 * where they are within the copied folder.
 */
export interface RecordToCopy extends RecordToCreate {
  readonly collection: CopyableKind;
  /** True if a repo's readme is copied as well. */
  readonly readme?: boolean;
}

/** What a copy does not make, and what to do about it. */
export interface LeftOut {
  /** "3 invites". */
  readonly what: string;
  /** In sentences. */
  readonly why: string;
}

export interface CopyData {
  /** uid of the copied folder. */
  readonly root: string;
  /** uid and name of the group that it is copied into. */
  readonly to: string;
  readonly place: string;
  readonly left: readonly LeftOut[];
}

/** The name of its action. */
export const COPY = "copy";

export const copyPlan = (data: CopyData): JobPlan => ({
  action: COPY,
  data,
  words: { doing: "Copying", done: "Copied", one: "record", many: "records" },
});
