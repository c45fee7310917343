import { ping } from "platform-contract/ping/ping";

import type { Config } from "../../config";
import type { Post } from "../mail/post";
import type { Database } from "../store/database";
import { sealedTexts } from "../store/keys/sealed-texts";
import { pageTokens } from "../store/lists/page-tokens";
import { accessRequestHandlers } from "../../domains/access/access-requests";
import { capabilityUseHandlers } from "../../domains/access/capability-use";
import { decisionHandlers } from "../../domains/access/decisions";
import { accountAssociationHandlers } from "../../domains/federation/account-associations";
import { noticeHandlers } from "../../domains/notices/notices";
import { reviewHandlers } from "../../domains/reviews/reviews";
import { offerHandlers } from "../../domains/access/offers";
import { advisoryHandlers } from "../../domains/vulnerabilities/advisories";
import { artifactHandlers } from "../../domains/registry/artifacts";
import { auditHandlers } from "../../domains/audit/audit";
import { deliveryHandlers } from "../../domains/events/deliveries";
import { documentHandlers } from "../../domains/vulnerabilities/documents";
import { exchangeHandlers } from "../../domains/identities/exchange";
import { externalGroupRoleMappingHandlers } from "../../domains/federation/external-group-role-mappings";
import { groupInviteHandlers } from "../../domains/access/group-invites";
import { eligibleGrantHandlers } from "../../domains/access/eligible-grants";
import { guardRailHandlers } from "../../domains/access/guard-rails";
import { groupHandlers } from "../../domains/organization/groups";
import { identityHandlers } from "../../domains/identities/identities";
import { identityProviderHandlers } from "../../domains/federation/identity-providers";
import { imageHandlers } from "../../domains/registry/images";
import { packageTagHandlers } from "../../domains/vulnerabilities/package-tags";
import { registryImageHandlers } from "../../domains/registry/registry-images";
import { retentionHandlers } from "../../domains/registry/retention/retention";
import { registryUsageHandlers } from "../../domains/registry/registry-usage";
import { repoHandlers } from "../../domains/registry/repos";
import { reportHandlers } from "../../domains/vulnerabilities/resolved-reports";
import { roleBindingHandlers } from "../../domains/access/role-bindings";
import { roleHandlers } from "../../domains/access/roles";
import { snapshotHandlers } from "../../domains/audit/snapshots";
import type { Handler } from "../standard/call";
import type { Context } from "../standard/rules";
import { subscriptionHandlers } from "../../domains/events/subscriptions";
import { tagHandlers } from "../../domains/registry/tags";
import { termsHandlers } from "../../domains/organization/terms";
import { metadataHandlers } from "../../domains/vulnerabilities/vulnerability-metadata";

/** Creates the handlers of all endpoints, by endpoint id. The database must be migrated and have the built-in roles. */
export function createHandlers({
  config,
  database,
  mail,
  registry,
  wake = () => {},
  wakeRetention,
}: {
  config: Config;
  database: Database;
  mail?: Post | undefined;
  registry?: Context["registry"];
  wake?: Context["wake"];
  wakeRetention?: Context["wakeRetention"];
}): ReadonlyMap<string, Handler> {
  const context: Context = {
    config,
    database,
    tokens: pageTokens(database, config.pageTokenTtl),
    texts: sealedTexts(config),
    mail,
    registry,
    wake,
    wakeRetention,
  };
  const handlers = new Map([
    ...groupHandlers(context),
    ...decisionHandlers(context),
    ...capabilityUseHandlers(context),
    ...noticeHandlers(context),
    ...reviewHandlers(context),
    ...accessRequestHandlers(context),
    ...offerHandlers(context),
    ...identityHandlers(context),
    ...roleHandlers(context),
    ...roleBindingHandlers(context),
    ...groupInviteHandlers(context),
    ...guardRailHandlers(context),
    ...eligibleGrantHandlers(context),
    ...identityProviderHandlers(context),
    ...externalGroupRoleMappingHandlers(context),
    ...repoHandlers(context),
    ...tagHandlers(context),
    ...imageHandlers(context),
    ...registryUsageHandlers(context),
    ...registryImageHandlers(context),
    ...retentionHandlers(context),
    ...advisoryHandlers(context),
    ...documentHandlers(context),
    ...metadataHandlers(context),
    ...reportHandlers(context),
    ...packageTagHandlers(context),
    ...accountAssociationHandlers(context),
    ...termsHandlers(context),
    ...subscriptionHandlers(context),
    ...deliveryHandlers(context),
    ...artifactHandlers(context),
    ...auditHandlers(context),
    ...snapshotHandlers(context),
    ...exchangeHandlers(context),
    [ping.id, async () => ({ response: "pong" })],
  ]);
  return new Map(
    [...handlers].map(([id, handler]) => {
      const { before } = handler;
      const named: Handler = (call) => handler({ operation: id, ...call });
      return [id, before ? Object.assign(named, { before }) : named];
    }),
  );
}
