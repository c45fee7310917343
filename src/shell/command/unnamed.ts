/**
 * Kinds whose lists cannot be filtered by name. Kept out of the registry, which is part of the initial load.
 * `tools/resource-files.test.ts` compares them with the contract.
 */
const UNNAMED: readonly string[] = [
  "roleBindings",
  "groupInvites",
  "externalGroupRoleMappings",
  "guardRails",
  "eligibleGrants",
  "subscriptions",
  "advisories",
];

export const hasNames = ({ collection }: { readonly collection: string }): boolean =>
  !UNNAMED.includes(collection);
