/**
 * Kinds whose lists cannot be asked for a name: here and not in the registry, whose bytes come before anything else.
 * `tools/rooms.test.ts` compares them with the contract.
 */
const UNNAMED: readonly string[] = [
  "roleBindings",
  "groupInvites",
  "externalGroupRoleMappings",
  "subscriptions",
  "advisories",
];

export const hasNames = ({ collection }: { readonly collection: string }): boolean =>
  !UNNAMED.includes(collection);
