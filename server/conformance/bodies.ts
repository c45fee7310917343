import { rootOf } from "~/contract/aip";

import { builtInRoleUid } from "../store/resources/roles";
import type { Person, Wire, World } from "./world";

/** An organization can have ten identities with the same subject: give each its own. */
let subjects = 0;

/** A valid create body for each resource: add new resources here. */
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

/** Bodies of operations that are not standard methods; `parent` is the parent of a record to create. */
export const OPERATION_BODIES: Readonly<
  Record<string, (world: World, owner: Person, parent: string) => Wire>
> = {
  "roleBindings.batchCreate": (_world, owner, parent) => ({
    parent,
    requests: [{ roleBinding: { identityUid: owner.uid } }],
    roleUid: builtInRoleUid("viewer"),
  }),
  "externalGroupRoleMappings.batchDelete": (_world, _owner, parent) => ({
    parent,
    names: [`${parent}/${"0".repeat(16)}`],
  }),
  "identityProviders.generateScimToken": () => ({}),
  "identityProviders.regenerateScimToken": () => ({ etag: "0" }),
  "identityProviders.revokeScimToken": () => ({}),
  "identityProviders.setScimEnabled": () => ({ enabled: false, etag: "0" }),
  "groups.requestGroupAccess": () => ({ message: "Please" }),
  "groups.acceptAccess": () => ({}),
  "accessRequests.decline": () => ({ reason: "No" }),
  "identities.updateIdentityMetadata": () => ({ identityMetadata: { company: "Acme" } }),
  "groupInvites.register": () => ({ code: "nobody's" }),
  "accountAssociations.checkAccountAssociation": () => ({ providerType: "ACCOUNT_PROVIDER_TYPE_AMAZON" }),
  "terms.accept": () => ({ documentIds: ["target"] }),
};

/** Required query parameters of operations. */
export const QUERIES: Readonly<Record<string, Record<string, string>>> = {
  "identities.lookupIdentity": { issuer: "https://issuer.example", subject: "somebody" },
  "auditAccess.get": { identity: "0".repeat(40), time: "2026-01-01T00:00:00Z" },
  "artifacts.list": { ecosystems: "ECOSYSTEM_PYTHON" },
  "artifacts.count": { ecosystems: "ECOSYSTEM_PYTHON" },
  "resolvedVulnsReports.list": {
    imageRefs: "target:latest",
    startTime: "2026-01-01T00:00:00Z",
    endTime: "2026-01-31T00:00:00Z",
  },
};
