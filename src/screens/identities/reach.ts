import { isWithin, parentOf } from "~/contract/aip";

/**
 * Whether a binding at a group gives an identity anything: one that lies in a group reaches no further than that group,
 * a person reaches everything (contract B24).
 */
export function reaches(identity: string, group: string): boolean {
  const home = parentOf(identity);
  return home === "" || isWithin(group, home);
}

/** Whether an identity made in this group misses what lies in the organization above it. */
export const isBelowOrganization = (group: string): boolean => group !== "" && parentOf(group) !== "";
