import type { IdentityInput } from "~/contract/iam/identities";
import { changedPaths } from "~/kit/form/dirty-paths";

export interface Changes {
  /** Leaf paths that differ (contract 0.8); empty: there is nothing to save. */
  readonly mask: readonly string[];
  /** What the masked paths become; one that is missing here is cleared. */
  readonly body: Partial<IdentityInput>;
}

/** Maps are one field of a mask each. */
const MAPS: ReadonlySet<string> = new Set(["claimMatch.claims", "claimMatch.claimPatterns"]);

/**
 * What an update has to say: the leaves in which two bodies differ, and their new values. A oneof that was switched
 * names both members, the old one without a value, so that it is cleared. What the form does not know is in neither
 * body, and stays as it is.
 */
export function changesBetween(before: IdentityInput, after: IdentityInput): Changes {
  const mask = changedPaths({ ...before }, { ...after }, MAPS);
  const body: Record<string, unknown> = {};
  for (const path of mask) {
    const [key = "", member] = path.split(".");
    const value = after[key as keyof IdentityInput];
    if (member === undefined) {
      if (value !== undefined) body[key] = value;
      continue;
    }
    const inner = Object(value) as Record<string, unknown>;
    if (inner[member] !== undefined)
      body[key] = { ...(body[key] as object | undefined), [member]: inner[member] };
  }
  return { mask, body: body as Partial<IdentityInput> };
}
