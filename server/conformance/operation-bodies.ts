import { builtInRoleUid } from "../domains/access/roles.table";
import type { Person, Wire, World } from "./world";

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
  "identityProviders.testSignIn": () => ({
    oidc: { issuer: "https://idp.example", clientId: "platform", clientSecret: "entered" },
  }),
  "groups.requestGroupAccess": () => ({ message: "Please" }),
  "groups.acceptAccess": () => ({}),
  "groups.signSnapshot": () => ({ digest: `sha256:${"a".repeat(64)}` }),
  "eligibleGrants.activate": () => ({ duration: "3600s", reason: "On call" }),
  "eligibleGrants.approve": () => ({ requestTime: "2026-01-28T12:00:00Z" }),
  "eligibleGrants.decline": () => ({ reason: "Not now" }),
  "eligibleGrants.deactivate": () => ({}),
  "accessRequests.decline": () => ({ reason: "No" }),
  "identities.updateIdentityMetadata": () => ({ identityMetadata: { company: "Acme" } }),
  "groupInvites.register": () => ({ code: "nobody's" }),
  "accountAssociations.checkAccountAssociation": () => ({ providerType: "ACCOUNT_PROVIDER_TYPE_AMAZON" }),
  "subscriptions.resend": () => ({ delivery: "00000000-0000-4000-8000-000000000000" }),
  "subscriptions.sendTest": () => ({}),
  "accessReviews.create": () => ({
    title: "Review",
    dueTime: new Date(Date.now() + 86_400_000).toISOString(),
    reviewerRule: "REVIEWER_RULE_FOLDER_OWNERS",
  }),
  "accessReviews.update": () => ({
    title: "Review",
    dueTime: new Date(Date.now() + 86_400_000).toISOString(),
  }),
  "accessReviews.apply": () => ({}),
  "accessReviews.close": () => ({}),
  "accessReviewItems.decide": () => ({ etag: "1", decision: "REVIEW_DECISION_KEEP" }),
  "noticeSettings.update": () => ({ mutedTopics: [] }),
  "machineOwners.set": (_world, owner) => ({ ownerUid: owner.uid }),
  "retentionRules.set": () => ({ olderThanDays: 30 }),
  "retentionRules.confirm": () => ({ previewToken: "nobody's", version: 1 }),
  "retentionRules.stop": () => ({}),
  "retentionRuns.restore": (_world, _owner, parent) => ({
    deletionUids: [`${parent}/${"0".repeat(16)}`],
    validateOnly: true,
  }),
  "terms.accept": () => ({ documentIds: ["target"] }),
};

/** Required query parameters of operations. */
export const QUERIES: Readonly<Record<string, Record<string, string>>> = {
  "identities.lookupIdentity": { issuer: "https://issuer.example", subject: "somebody" },
  "identityProviders.checkIssuer": { issuer: "https://idp.invalid" },
  "accessDecisions.get": { uid: "0".repeat(40), capabilities: "CAP_REPO_LIST" },
  "auditAccess.get": { identity: "0".repeat(40), time: "2026-01-01T00:00:00Z" },
  "guardRailFindings.list": {
    guard_rail_kind: "GUARD_RAIL_KIND_ALLOWED_ISSUERS",
    exact_subject: "true",
  },
  "accessReviewItems.list": { review: "0".repeat(40) },
  "artifacts.list": { ecosystems: "ECOSYSTEM_PYTHON" },
  "artifacts.count": { ecosystems: "ECOSYSTEM_PYTHON" },
  "packageTags.list": { aliases: "CVE-2026-1" },
  "resolvedVulnsReports.list": {
    imageRefs: "target:latest",
    startTime: "2026-01-01T00:00:00Z",
    endTime: "2026-01-31T00:00:00Z",
  },
};
