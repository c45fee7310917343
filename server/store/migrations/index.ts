import { iam } from "./001-iam";
import { provider } from "./002-provider";
import { registry } from "./003-registry";
import { tagCounts } from "./004-tag-counts";
import { grants } from "./005-grants";
import { readmeTimes } from "./006-readme-times";
import { staticKeys } from "./007-static-keys";
import { organizationCreators } from "./008-organization-creators";
import { limits } from "./009-limits";
import { groupInvites } from "./010-group-invites";
import { identityProviders } from "./011-identity-providers";
import { advisories } from "./012-advisories";
import { terms } from "./013-terms";
import { accountAssociations } from "./014-account-associations";
import { libraries } from "./015-libraries";
import { subscriptions } from "./016-subscriptions";
import { events } from "./017-events";
import { advisoryIndexes } from "./018-advisory-indexes";
import { idempotencyKeys } from "./019-idempotency-keys";
import { eventSinks } from "./020-event-sinks";
import { advisoryStatements } from "./021-advisory-statements";
import { exploitation } from "./022-exploitation";
import { audit } from "./023-audit";
import { leftOrganizations } from "./024-left-organizations";
import { auditLarge } from "./025-audit-large";
import { auditForwards } from "./026-audit-forwards";
import { accessRequests } from "./027-access-requests";
import { identityMetadata } from "./028-identity-metadata";
import { memberships } from "./029-memberships";
import { scim } from "./030-scim";
import { auditCost } from "./031-audit-cost";
import { endingBindings } from "./032-ending-bindings";
import { mail } from "./033-mail";
import { heldRoles } from "./034-held-roles";
import { secondFactors } from "./035-second-factors";
import { grantedRequests } from "./036-granted-requests";
import type { Migration } from "./migration";

/** In the order in which they run. */
export const migrations: readonly Migration[] = [
  iam,
  provider,
  registry,
  tagCounts,
  grants,
  readmeTimes,
  staticKeys,
  organizationCreators,
  limits,
  groupInvites,
  identityProviders,
  advisories,
  terms,
  accountAssociations,
  libraries,
  subscriptions,
  events,
  advisoryIndexes,
  idempotencyKeys,
  eventSinks,
  advisoryStatements,
  exploitation,
  audit,
  leftOrganizations,
  auditLarge,
  auditForwards,
  accessRequests,
  identityMetadata,
  memberships,
  scim,
  auditCost,
  endingBindings,
  mail,
  heldRoles,
  secondFactors,
  grantedRequests,
];
