import { builtInRoleUid } from "../store/roles";
import type { Person, Wire, World } from "./world";

/** An organization may hold ten identities of one subject: each has one of its own. */
let subjects = 0;

/** What a caller may send to make one record of each resource: a new resource needs one more line here. */
export const BODIES: Readonly<Record<string, (world: World, owner: Person) => Wire>> = {
  groups: () => ({ name: "target" }),
  identities: (world) => ({ name: "target", ...world.claims(`target ${(subjects += 1)}`) }),
  roles: () => ({ name: "target", capabilities: ["CAP_IAM_GROUPS_LIST"] }),
  roleBindings: (_world, owner) => ({ identityUid: owner.uid, roleUid: builtInRoleUid("viewer") }),
  repos: () => ({ name: "target" }),
  tags: () => ({ name: "target", digest: `sha256:${"a".repeat(64)}` }),
};

/** Bodies of the operations that are not one of the standard methods; `parent`: where a record is to be made. */
export const OPERATION_BODIES: Readonly<
  Record<string, (world: World, owner: Person, parent: string) => Wire>
> = {
  "roleBindings.batchCreate": (_world, owner, parent) => ({
    parent,
    requests: [{ roleBinding: { identityUid: owner.uid } }],
    roleUid: builtInRoleUid("viewer"),
  }),
};

/** What an operation cannot be called without. */
export const QUERIES: Readonly<Record<string, Record<string, string>>> = {
  "identities.lookupIdentity": { issuer: "https://issuer.example", subject: "somebody" },
};
