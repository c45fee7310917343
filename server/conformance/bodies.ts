import { rootOf } from "~/contract/aip";

import { builtInRoleUid } from "../store/roles";
import type { Person, Wire, World } from "./world";

/** An organization may hold ten identities of one subject: each has one of its own. */
let subjects = 0;

/** What a caller may send to make one record of each resource: a new resource needs one more line here. */
export const BODIES: Readonly<Record<string, (world: World, owner: Person, parent: string) => Wire>> = {
  groups: () => ({ name: "target" }),
  identities: (world) => ({ name: "target", ...world.claims(`target ${(subjects += 1)}`) }),
  roles: () => ({ name: "target", capabilities: ["CAP_IAM_GROUPS_LIST"] }),
  roleBindings: (_world, owner) => ({ identityUid: owner.uid, roleUid: builtInRoleUid("viewer") }),
  groupInvites: () => ({ roleUid: builtInRoleUid("viewer"), ttl: "3600s" }),
  identityProviders: () => ({
    name: "target",
    defaultRole: builtInRoleUid("viewer"),
    oidc: { issuer: "https://idp.example", clientId: "platform", clientSecret: "a secret of theirs" },
  }),
  externalGroupRoleMappings: (_world, _owner, parent) => ({
    externalGroupId: `target ${(subjects += 1)}`,
    roleUid: builtInRoleUid("viewer"),
    scope: rootOf(parent),
  }),
  repos: () => ({ name: "target" }),
  tags: () => ({ name: "target", digest: `sha256:${"a".repeat(64)}` }),
  advisories: () => ({ name: "target" }),
  accountAssociations: () => ({ name: "target", amazon: { account: "123456789012" } }),
  terms: () => ({ name: "target", label: "Target", url: "https://example.com/target" }),
  subscriptions: () => ({ sink: `https://hooks.example/${(subjects += 1)}` }),
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
  "groupInvites.register": () => ({ code: "nobody's" }),
  "accountAssociations.checkAccountAssociation": () => ({ providerType: "ACCOUNT_PROVIDER_TYPE_AMAZON" }),
  "terms.accept": () => ({ documentIds: ["target"] }),
};

/** What an operation cannot be called without. */
export const QUERIES: Readonly<Record<string, Record<string, string>>> = {
  "identities.lookupIdentity": { issuer: "https://issuer.example", subject: "somebody" },
  "artifacts.list": { ecosystems: "ECOSYSTEM_PYTHON" },
  "artifacts.count": { ecosystems: "ECOSYSTEM_PYTHON" },
  "resolvedVulnsReports.list": {
    imageRefs: "target:latest",
    startTime: "2026-01-01T00:00:00Z",
    endTime: "2026-01-31T00:00:00Z",
  },
};
