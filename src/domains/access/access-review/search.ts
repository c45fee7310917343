import { isUid } from "platform-contract/aip";
import type { Address } from "~/frame/scope/address";
import { paramToUid } from "~/frame/scope/uid-param";
import { isOneOf } from "~/ui/keys";

export const STEPS = ["one", "list", "folders", "result", "report"] as const;
export type ReviewStep = (typeof STEPS)[number];

export interface ReviewSearch {
  readonly step?: ReviewStep | undefined;
  /** The binding that "one by one" begins with. */
  readonly binding?: string | undefined;
}

export function readReviewSearch({ step, binding }: Address): ReviewSearch {
  return {
    ...(isOneOf(STEPS, step) && { step }),
    ...(typeof binding === "string" && isUid(paramToUid(binding)) && { binding }),
  };
}
