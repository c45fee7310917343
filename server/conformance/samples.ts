import { rootOf } from "platform-contract/aip";

import { builtInRoleUid } from "../domains/access/roles.table";
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
  // Everything fits: no other record of these tests breaks it.
  guardRails: () => ({
    kind: "GUARD_RAIL_KIND_NAME_PATTERN",
    mode: "GUARD_RAIL_MODE_REFUSE",
    names: "GUARD_RAIL_NAMES_GROUPS",
    patterns: ["*"],
  }),
  eligibleGrants: (_world, owner) => ({
    identityUid: owner.uid,
    roleUid: builtInRoleUid("viewer"),
    maxDuration: "3600s",
  }),
  repos: () => ({ name: "target" }),
  tags: () => ({ name: "target", digest: `sha256:${"a".repeat(64)}` }),
  advisories: () => ({ name: "target" }),
  accountAssociations: () => ({ name: "target", amazon: { account: "123456789012" } }),
  terms: () => ({ name: "target", label: "Target", url: "https://example.com/target" }),
  subscriptions: () => ({ sink: `https://hooks.example/${(subjects += 1)}` }),
};

const soon = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

export interface Sample {
  /** Every field that these laws change, with its initial value. */
  readonly made: Wire;
  /** The same fields with other values. */
  readonly other: Wire;
  /** Fields that a full replacement can omit. */
  readonly optional: readonly string[];
}

/** By collection: add new resources here. `bots` are two machines to bind. */
export function samplesOf(
  world: World,
  owner: Person,
  bots: readonly string[],
  organization: string,
): ReadonlyMap<string, Sample> {
  const text = { name: "before", description: "old" };
  const more = { name: "after", description: "new" };
  const optional = ["description"];
  return new Map<string, Sample>()
    .set("groups", { made: text, other: more, optional })
    .set("identities", {
      made: { ...text, ...world.claims("a") },
      other: { ...more, ...world.claims("b") },
      optional,
    })
    .set("roles", {
      made: { ...text, capabilities: ["CAP_IAM_GROUPS_LIST"] },
      other: { ...more, capabilities: ["CAP_IAM_ROLES_LIST", "CAP_IAM_IDENTITY_LIST"] },
      optional,
    })
    .set("roleBindings", {
      made: { identityUid: bots[0], roleUid: builtInRoleUid("viewer") },
      other: { identityUid: bots[1], roleUid: builtInRoleUid("editor") },
      optional: [],
    })
    .set("groupInvites", {
      made: { roleUid: builtInRoleUid("viewer"), email: "ada@example.com", ttl: "3600s" },
      other: { roleUid: builtInRoleUid("editor"), email: "bob@example.com", ttl: "7200s" },
      optional: ["email"],
    })
    .set("identityProviders", {
      made: {
        ...text,
        defaultRole: builtInRoleUid("viewer"),
        oidc: {
          issuer: "https://old.example",
          clientId: "old",
          clientSecret: "an old secret",
          additionalScopes: ["email"],
          groupsClaim: "roles",
        },
      },
      other: {
        ...more,
        defaultRole: builtInRoleUid("editor"),
        oidc: {
          issuer: "https://new.example/realms/one",
          clientId: "new",
          clientSecret: "a new secret",
          additionalScopes: ["groups", "profile"],
          groupsClaim: "groups",
        },
      },
      optional,
    })
    .set("externalGroupRoleMappings", {
      made: { externalGroupId: "old", roleUid: builtInRoleUid("viewer"), scope: organization },
      other: { externalGroupId: "new", roleUid: builtInRoleUid("editor"), scope: organization },
      optional: [],
    })
    .set("guardRails", {
      made: {
        kind: "GUARD_RAIL_KIND_REASON_REQUIRED",
        mode: "GUARD_RAIL_MODE_WARN",
        description: "old",
        exceptions: [{ subject: organization, expirationTime: soon(1), reason: "old" }],
      },
      other: {
        kind: "GUARD_RAIL_KIND_REASON_REQUIRED",
        mode: "GUARD_RAIL_MODE_REFUSE",
        description: "new",
        // Everything is excepted: no other record of these tests breaks it.
        exceptions: [{ subject: organization, expirationTime: soon(2), reason: "new" }],
      },
      optional: ["description", "exceptions"],
    })
    .set("eligibleGrants", {
      made: {
        identityUid: owner.uid,
        roleUid: builtInRoleUid("viewer"),
        maxDuration: "3600s",
        requireApproval: true,
        description: "old",
      },
      other: {
        identityUid: owner.uid,
        roleUid: builtInRoleUid("editor"),
        maxDuration: "7200s",
        requireSecondFactor: true,
        description: "new",
      },
      optional: ["requireApproval", "requireSecondFactor", "expirationTime", "description"],
    })
    .set("repos", {
      made: {
        ...text,
        catalogTier: "CATALOG_TIER_BASE",
        bundles: ["old"],
        customOverlay: { environment: { old: "" }, accounts: { runAs: "old" } },
      },
      other: {
        ...more,
        catalogTier: "CATALOG_TIER_AI",
        bundles: ["new", "newer"],
        customOverlay: { environment: { new: "1" }, accounts: { runAs: "new" } },
      },
      optional: ["description", "catalogTier", "bundles", "customOverlay"],
    })
    .set("tags", {
      made: { name: "1.0", digest: `sha256:${"a".repeat(64)}`, deprecated: true, bundles: ["old"] },
      other: { name: "1.1", digest: `sha256:${"b".repeat(64)}`, bundles: ["new", "newer"] },
      optional: ["deprecated", "bundles"],
    })
    .set("accountAssociations", {
      made: {
        ...text,
        amazon: { account: "123456789012" },
        google: { projectId: "old", projectNumber: "1" },
        azure: { tenantId: "72f988bf-86f1-41af-91ab-2d7cd011db47", clientIds: { scanner: "old" } },
        github: { appInstallations: { "1": { installations: [{ installationId: "1", name: "old" }] } } },
      },
      other: {
        ...more,
        amazon: { account: "210987654321" },
        google: { projectId: "new", projectNumber: "2" },
        azure: { tenantId: "72f988bf-86f1-41af-91ab-2d7cd011db48", clientIds: { syncer: "new" } },
        github: { appInstallations: { "2": { installations: [{ installationId: "2" }] } } },
      },
      optional: ["description", "amazon", "google", "azure", "github"],
    })
    .set("terms", {
      made: { name: "old.v1", label: "Old", url: "https://example.com/old" },
      other: { name: "new.v2", label: "New", url: "https://example.com/new" },
      optional: [],
    })
    .set("subscriptions", {
      made: { sink: "https://hooks.example/old" },
      other: { sink: "https://hooks.example/new" },
      optional: [],
    });
}
