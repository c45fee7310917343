import { camelCase, snakeCase } from "platform-contract/aip";
import type { Endpoint } from "platform-contract/endpoint";
import { resourceOf } from "platform-contract";

/** The packages of the published API, regardless of the service's own domain: clients are generated from them. */
const ROOT = "chainguard.platform";

/** Published API names that cannot be derived from the contract's. */
interface Names {
  readonly service?: string;
  readonly rpc?: string;
  /** Message of the response. */
  readonly answer?: string;
  /** Message of the body, which is then a single field of the request. */
  readonly body?: string;
  /** Request fields for path variables. */
  readonly variables?: Readonly<Record<string, string>>;
}
const NAMES: Readonly<Record<string, Names>> = {
  "roleBindings.batchCreate": { rpc: "BatchCreateRoleBindings" },
  "externalGroupRoleMappings.batchDelete": { rpc: "BatchDeleteExternalGroupRoleMappings" },
  ...Object.fromEntries(
    [
      "generateScimToken",
      "regenerateScimToken",
      "revokeScimToken",
      "setScimEnabled",
      "getPushed",
      "testSignIn",
    ].map((verb) => [`identityProviders.${verb}`, { variables: { uid: "identity_provider_uid" } }]),
  ),
  "identityProviders.reserve": { rpc: "ReserveIdentityProvider" },
  "groups.requestGroupAccess": { variables: { uid: "group_uid" } },
  "groups.signSnapshot": { service: "SnapshotsService" },
  "groups.offered": { rpc: "ListOffers" },
  "accessRequests.decline": { rpc: "DeclineAccessRequest" },
  "accessRequests.own": { rpc: "ListOwnAccessRequests" },
  "accessDecisions.get": { service: "AccessDecisionsService", rpc: "GetAccessDecision" },
  "guardRailFindings.list": { service: "GuardRailsService" },
  "eligibleGrants.own": { rpc: "ListOwnEligibleGrants" },
  "eligibleGrants.activate": { rpc: "ActivateEligibleGrant", answer: "EligibleGrant" },
  "eligibleGrants.approve": { rpc: "ApproveEligibleGrant", answer: "EligibleGrant" },
  "eligibleGrants.decline": { rpc: "DeclineEligibleGrant", answer: "EligibleGrant" },
  "eligibleGrants.deactivate": { rpc: "DeactivateEligibleGrant", answer: "EligibleGrant" },
  "accessReviews.list": { service: "AccessReviewsService" },
  "accessReviews.get": { service: "AccessReviewsService" },
  "accessReviews.create": { service: "AccessReviewsService" },
  "accessReviews.update": { service: "AccessReviewsService" },
  "accessReviews.delete": { service: "AccessReviewsService" },
  "accessReviews.apply": { service: "AccessReviewsService", rpc: "ApplyAccessReview" },
  "accessReviews.close": { service: "AccessReviewsService", rpc: "CloseAccessReview" },
  "accessReviews.getReport": { service: "AccessReviewsService", rpc: "GetAccessReviewReport" },
  "accessReviewItems.list": { service: "AccessReviewsService" },
  "accessReviewItems.decide": { service: "AccessReviewsService", rpc: "DecideAccessReviewItem" },
  "endings.own": { service: "NoticesService", rpc: "ListOwnEndings" },
  "noticeSettings.get": { service: "NoticesService" },
  "noticeSettings.update": { service: "NoticesService" },
  "machineOwners.list": { service: "NoticesService" },
  "machineOwners.set": { service: "NoticesService", rpc: "SetMachineOwner" },
  "capabilityUse.list": { service: "CapabilityUseService" },
  "identities.updateIdentityMetadata": { answer: "IdentityMetadata" },
  "groupInvites.register": { service: "AuthService" },
  "repos.getReadme": { rpc: "GetRepoReadme", answer: "RepoReadme" },
  "repos.updateReadme": { rpc: "UpdateRepoReadme", answer: "RepoReadme", body: "RepoReadme" },
  "images.getArchitectures": { answer: "Architectures", variables: { uid: "repo_uid" } },
  "images.getSize": { answer: "Size", variables: { uid: "repo_uid" } },
  "terms.accept": { rpc: "AcceptTerms", variables: { parent: "group" } },
  "termsAcceptances.list": { service: "TermsService", variables: { uid: "group" } },
  "artifacts.count": { rpc: "GetArtifactCount" },
  "artifactVersions.list": { service: "ArtifactsService" },
  "auditEntries.get": { rpc: "GetAuditEntry", answer: "AuditEntry" },
  "auditAccess.get": { service: "AuditEntriesService", rpc: "GetAuditAccess" },
  "auditHeads.get": { service: "AuditEntriesService", rpc: "GetAuditHeads" },
  "retentionRules.effective": { rpc: "GetEffectiveRetentionRule" },
  "retentionRules.set": { rpc: "SetRetentionRule", answer: "RetentionRule" },
  "retentionRules.confirm": { rpc: "ConfirmRetentionRule", answer: "RetentionRule" },
  "retentionRules.stop": { rpc: "StopRetentionRule", answer: "RetentionRule" },
  "retentionRules.delete": { rpc: "DeleteRetentionRule" },
  "retentionDecisions.list": { service: "RetentionRulesService" },
  "retentionRuns.list": { service: "RetentionRulesService" },
  "retentionRuns.restore": { service: "RetentionRulesService", rpc: "RestoreRetentionRun" },
  "retentionDeletions.list": { service: "RetentionRulesService" },
  "registryUsage.get": { rpc: "GetRegistryUsage" },
  "registryImages.get": { rpc: "GetRegistryImage", answer: "RegistryImage", variables: { uid: "repo_uid" } },
  "registryImages.differences": { rpc: "ListRegistryDifferences" },
  "subscriptions.resend": { service: "DeliveriesService", rpc: "ResendDelivery", answer: "Delivery" },
  "subscriptions.sendTest": { service: "DeliveriesService", rpc: "SendTestEvent", answer: "Delivery" },
  "documents.list": { service: "SecurityAdvisoryService" },
  "vulnerabilityMetadata.list": { service: "SecurityAdvisoryService" },
  "resolvedVulnsReports.list": { service: "SecurityAdvisoryService" },
};

/** Converts both `roleBindings` and `ROLE_BINDINGS` to `RoleBindings`. */
export const pascalCase = (name: string): string => {
  const camel = camelCase(/^[A-Z0-9_]+$/.test(name) ? name.toLowerCase() : name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
};

/** Name for a list's element: `severities` is a list of `Severity`. */
export const singular = (name: string): string =>
  name.endsWith("ies") ? `${name.slice(0, -3)}y` : name.endsWith("ss") ? name : name.replace(/s$/, "");

/** Proto field names are snake_case, whatever their JSON names are. */
export const fieldName = (key: string): string => snakeCase(key);

/** gRPC names of an operation. */
export interface Naming {
  /** `chainguard.platform.iam.v2` */
  readonly package: string;
  readonly service: string;
  readonly rpc: string;
  readonly request: string;
  /** Undefined for `google.protobuf.Empty`. */
  readonly answer: string | undefined;
  /** Message of the body if it is a single field of the request; undefined if its fields are inlined. */
  readonly body: string | undefined;
  /** The request's field for a path variable; undefined for the uid inside the body. */
  variable(name: string): string | undefined;
}

/** `/iam/v2/groups/{uid}` is in `chainguard.platform.iam.v2`; no name of a package has a dash. */
const packageOf = ({ path }: Endpoint): string =>
  [ROOT, ...path.split("/").slice(1, 3)].join(".").replaceAll("-", "_");

export function namingOf(endpoint: Endpoint): Naming {
  const { id, collection, verb } = endpoint;
  const names = NAMES[id] ?? {};
  const type = resourceOf(collection)?.type;
  const standard = type !== undefined && ["get", "create", "update", "delete"].includes(verb);
  const plural = pascalCase(collection);
  const rpc =
    names.rpc ??
    (verb === "list" ? `List${plural}` : standard ? `${pascalCase(verb)}${type}` : pascalCase(verb));
  const wrapped = standard && endpoint.body ? type : undefined;
  const body = names.body ?? wrapped;
  return {
    package: packageOf(endpoint),
    service: names.service ?? `${plural}Service`,
    rpc,
    request: `${rpc}Request`,
    answer: endpoint.answer && (names.answer ?? (standard ? type : `${rpc}Response`)),
    body,
    variable: (name) =>
      body !== undefined && name === "uid" ? undefined : (names.variables?.[name] ?? fieldName(name)),
  };
}
