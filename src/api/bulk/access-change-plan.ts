import type { JobTarget } from "./bulk-job";
import type { JobPlan } from "./storage";

/** A role binding that loses its role, or gets a smaller one in its place. */
export interface AccessChange extends JobTarget {
  /** uid of the identity. */
  readonly identity: string;
  /** The role that the decision was about. */
  readonly from: string;
  /** The smaller role; without one, the binding is deleted. */
  readonly to?: string | undefined;
  /** What the reviewer noted, for the audit log. */
  readonly justification?: string | undefined;
}

export const ACCESS_CHANGES: JobPlan = {
  action: "access-changes",
  data: {},
  words: {
    doing: "Applying",
    done: "Applied",
    one: "access decision",
    many: "access decisions",
  },
};
