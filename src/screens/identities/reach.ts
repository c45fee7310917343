import { isWithin, parentOf } from "~/contract/aip";

/**
 * Whether a binding at a group has any effect for an identity: an identity of a group reaches that group and below, a
 * person everything (contract B24).
 */
export function reaches(identity: string, group: string): boolean {
  const home = parentOf(identity);
  return home === "" || isWithin(group, home);
}

/** Whether an identity of this group cannot reach the organization above it. */
export const isBelowOrganization = (group: string): boolean => group !== "" && parentOf(group) !== "";
