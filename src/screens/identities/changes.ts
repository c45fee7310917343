import type { IdentityInput } from "~/contract/iam/identities";
import { changesBetween as between, type Changes } from "~/ui/form/changes";

/** Maps are one field of a mask each. */
const MAPS: ReadonlySet<string> = new Set(["claimMatch.claims", "claimMatch.claimPatterns"]);

/** What an update has to say. A oneof that was switched names both members, the old one without a value, so that it is cleared. */
export const changesBetween = (before: IdentityInput, after: IdentityInput): Changes<IdentityInput> =>
  between(before, after, MAPS);
