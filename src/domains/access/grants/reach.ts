import { isWithin, parentOf } from "platform-contract/aip";

/**
 * True if a binding at a group takes effect for an identity. A group's identity reaches that group and below; a person
 * reaches everything.
 */
export function reaches(identity: string, group: string): boolean {
  const home = parentOf(identity);
  return home === "" || isWithin(group, home);
}

/** True if an identity of this group cannot reach the organization above it. */
export const isBelowOrganization = (group: string): boolean => group !== "" && parentOf(group) !== "";
