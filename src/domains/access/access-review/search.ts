import { isUid } from "platform-contract/aip";
import type { Address } from "~/frame/scope/address";
import { paramToUid } from "~/frame/scope/uid-param";
import { isOneOf } from "~/ui/keys";

export const STEPS = ["one", "list", "reviewers", "result"] as const;
export type ReviewStep = (typeof STEPS)[number];

export interface ReviewSearch {
  /** The review that is shown, as in an address; undefined: the list of reviews. */
  readonly review?: string | undefined;
  readonly step?: ReviewStep | undefined;
  /** The binding that "one by one" begins with. */
  readonly binding?: string | undefined;
}

export function readReviewSearch({ step, binding, review }: Address): ReviewSearch {
  return {
    ...(typeof review === "string" && isUid(paramToUid(review)) && { review }),
    ...(isOneOf(STEPS, step) && { step }),
    ...(typeof binding === "string" && isUid(paramToUid(binding)) && { binding }),
  };
}
