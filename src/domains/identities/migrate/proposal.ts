import type { Identity, IdentityInput } from "platform-contract/iam/identities";

/** What moves: jobs to another CI system, repositories to another owner, or the system to another address. */
export const MOVES = ["gitlab", "owner", "issuer"] as const;
export type Move = (typeof MOVES)[number];

/** As filled in, right or wrong. */
export interface RuleMapping {
  readonly move: Move;
  /** The identities with exactly this issuer move. */
  readonly issuer: string;
  /** The new issuer; for GitLab its address. */
  readonly newIssuer: string;
  /** The owner on GitHub, or the first part of a path on GitLab. */
  readonly owner: string;
  /** The new owner; for GitLab the path of a group, "" for one called like the owner. */
  readonly newOwner: string;
  /** Ends the names of the new identities. */
  readonly suffix: string;
}

export type Rule = Pick<IdentityInput, "claimMatch" | "staticKeys">;
export type ClaimMatch = NonNullable<Identity["claimMatch"]>;

/** The new rule with what to know about it, or why there is none. */
export type Proposal =
  | {
      readonly rule: Rule;
      readonly notes: readonly string[];
      /** What only the user can decide: the rule is a beginning. */
      readonly decision?: string;
    }
  | { readonly problem: string };

export const problem = (why: string): Proposal => ({ problem: why });
