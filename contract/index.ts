import { listDocuments } from "./advisory/documents";
import { listMetadata } from "./advisory/metadata";
import { listResolvedReports } from "./advisory/resolved-reports";
import { getAuditAccess } from "./audit/access";
import { getAuditEntry, listAuditEntries } from "./audit/entries";
import { getAuditHeads } from "./audit/heads";
import type { Endpoint } from "./endpoint";
import { listDeliveries, resendDelivery, sendTestEvent } from "./events/deliveries";
import { subscriptions } from "./events/subscriptions";
import { explainAccess } from "./iam/access-decisions";
import {
  checkEligibility,
  declineAccessRequest,
  listAccessRequests,
  lookupGroup,
  ownAccessRequests,
  requestGroupAccess,
} from "./iam/access-requests";
import {
  applyAccessReview,
  closeAccessReview,
  createAccessReview,
  decideAccessReviewItem,
  deleteAccessReview,
  getAccessReview,
  getAccessReviewReport,
  listAccessReviewItems,
  listAccessReviews,
  updateAccessReview,
} from "./iam/access-reviews";
import { accountAssociations, checkAccountAssociation } from "./iam/account-associations";
import { listCapabilityUse } from "./iam/capability-use";
import { batchDeleteMappings, externalGroupRoleMappings } from "./iam/external-group-role-mappings";
import {
  activateEligibleGrant,
  approveEligibleGrant,
  deactivateEligibleGrant,
  declineEligibleGrant,
  eligibleGrants,
  ownEligibleGrants,
} from "./iam/eligible-grants";
import { guardRails, listGuardRailFindings } from "./iam/guard-rails";
import { groupInvites, register } from "./iam/group-invites";
import { groups } from "./iam/groups";
import { identities } from "./iam/identities";
import { updateIdentityMetadata } from "./iam/identity-metadata";
import { lookupIdentity } from "./iam/lookup-identity";
import {
  getNoticeSettings,
  listMachineOwners,
  ownEndings,
  setMachineOwner,
  updateNoticeSettings,
} from "./iam/notices";
import { acceptAccess, listOffers } from "./iam/offers";
import { identityProviders } from "./iam/identity-providers";
import { checkIssuer, reserveProvider, testSignIn } from "./iam/provider-setup";
import { batchCreateRoleBindings } from "./iam/role-binding-batches";
import { roleBindings } from "./iam/role-bindings";
import { roles } from "./iam/roles";
import {
  generateScimToken,
  getPushed,
  regenerateScimToken,
  revokeScimToken,
  setScimEnabled,
} from "./iam/scim";
import { acceptTerms, listTermsAcceptances, terms } from "./iam/terms";
import { countArtifacts, listArtifacts } from "./libraries/artifacts";
import { listArtifactVersions } from "./libraries/versions";
import { ping } from "./ping/ping";
import { getArchitectures, getSize } from "./registry/images";
import { getReadme, repos, updateReadme } from "./registry/repos";
import { tags } from "./registry/tags";
import { getRegistryImage, listRegistryDifferences } from "./registry/behind";
import {
  confirmRetentionRule,
  deleteRetentionRule,
  getRetentionRule,
  listRetentionDeletions,
  listRetentionRules,
  listRetentionRuns,
  previewRetention,
  restoreRetentionRun,
  setRetentionRule,
  stopRetentionRule,
} from "./registry/retention";
import { getRegistryUsage } from "./registry/usage";
import type { Facts } from "./resource";
import { signSnapshot } from "./snapshots/signatures";
import { exchangeToken, exchangeTokenByGet } from "./sts/exchange";
import { advisories } from "./vulnerabilities/advisories";
import { listPackageTags } from "./vulnerabilities/package-tags";

/** All resources, for the service and the tests. The browser imports single files to stay small. */
export const resources = [
  groups,
  identities,
  roles,
  roleBindings,
  groupInvites,
  identityProviders,
  externalGroupRoleMappings,
  guardRails,
  eligibleGrants,
  repos,
  tags,
  accountAssociations,
  terms,
  subscriptions,
  advisories,
] as const;

/** The operations that are not one of the five standard methods. */
const customMethods = [
  lookupGroup,
  requestGroupAccess,
  checkEligibility,
  listAccessRequests,
  declineAccessRequest,
  ownAccessRequests,
  listAccessReviews,
  getAccessReview,
  createAccessReview,
  updateAccessReview,
  deleteAccessReview,
  applyAccessReview,
  closeAccessReview,
  getAccessReviewReport,
  listAccessReviewItems,
  decideAccessReviewItem,
  explainAccess,
  listCapabilityUse,
  listGuardRailFindings,
  ownEligibleGrants,
  activateEligibleGrant,
  approveEligibleGrant,
  declineEligibleGrant,
  deactivateEligibleGrant,
  ownEndings,
  getNoticeSettings,
  updateNoticeSettings,
  listMachineOwners,
  setMachineOwner,
  listOffers,
  acceptAccess,
  lookupIdentity,
  updateIdentityMetadata,
  batchCreateRoleBindings,
  register,
  batchDeleteMappings,
  generateScimToken,
  regenerateScimToken,
  revokeScimToken,
  setScimEnabled,
  getPushed,
  reserveProvider,
  checkIssuer,
  testSignIn,
  getReadme,
  updateReadme,
  getArchitectures,
  getSize,
  getRegistryUsage,
  getRegistryImage,
  listRegistryDifferences,
  listRetentionRules,
  getRetentionRule,
  setRetentionRule,
  deleteRetentionRule,
  confirmRetentionRule,
  stopRetentionRule,
  previewRetention,
  listRetentionRuns,
  listRetentionDeletions,
  restoreRetentionRun,
  listDocuments,
  listMetadata,
  listResolvedReports,
  listPackageTags,
  checkAccountAssociation,
  acceptTerms,
  listTermsAcceptances,
  listArtifacts,
  countArtifacts,
  listArtifactVersions,
  listAuditEntries,
  getAuditEntry,
  getAuditAccess,
  getAuditHeads,
  listDeliveries,
  resendDelivery,
  sendTestEvent,
  signSnapshot,
  exchangeToken,
  exchangeTokenByGet,
  ping,
] as const;

const VERBS = ["list", "get", "create", "update", "delete"] as const;

export const endpoints: readonly Endpoint[] = [
  ...resources.flatMap((resource) =>
    // Not every resource has every verb.
    VERBS.flatMap((verb) => (verb in resource ? [resource[verb as "list"] as Endpoint] : [])),
  ),
  ...(customMethods as readonly unknown[] as readonly Endpoint[]),
];

export const resourceOf = (collection: string): Facts<unknown, unknown> | undefined =>
  resources.find((resource) => resource.collection === collection) as Facts<unknown, unknown> | undefined;
